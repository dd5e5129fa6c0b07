"""Writes ``rollouts.json``: pinned deals and perft counts. Run only when a change of these numbers is meant.

python tests/golden/make_rollouts.py
"""

import hashlib
import json
import random
from pathlib import Path

import numpy as np

from skatai.actions import ACTION_NAMES
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.observe import copy_state
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, perft
from skatai.kernels.state import new_states
from skatai.rules import Rules

SEED = 20_260_101


def deals() -> dict[str, object]:
    rng, deck, cards = new_rng(SEED), np.empty(32, dtype=np.int64), np.empty(4, dtype=np.int64)
    digest, result = hashlib.sha256(), {"seed": SEED}
    for i in range(1, 10_001):
        deal_cards(rng, deck, cards)
        digest.update(cards.astype("<u4").tobytes())
        if i == 500:
            result["sha256 of the first 500"] = digest.hexdigest()
    result["sha256 of 10000"] = digest.hexdigest()
    return result


def perfts() -> list[dict[str, object]]:
    entries = []
    starts = [
        ("auction", 1, "-", [], 4),
        ("auction, ISS ladder", 2, "ladder=iss", ["pass", "pass"], 3),
        ("skat to play", 3, "-", ["pass", "pass", "bid 18"], 3),
        ("clubs", 4, "-", ["pass", "pass", "bid 18", "pick up", 0, 0, "declare C"], 6),
        ("grand hand", 5, "concede_policy=isko;claims=reject", ["bid 18", "pass", "pass", "declare GH"], 5),
        ("null ouvert", 6, "-", ["pass", "bid 18", "pass", "pick up", 0, 0, "declare NO"], 6),
        ("strict", 7, "declaration_check=strict", ["bid 108", "pass", "pass", "pick up", 0, 0], 4),
        ("decided", 8, "early_end=decided", ["pass", "pass", "bid 18", "declare SO"], 5),
    ]
    for name, seed, rules, actions, depth in starts:
        game = Game(Deal.random(seed), rules=Rules.parse(rules))
        for action in actions:
            game.play(game.legal_actions[action] if isinstance(action, int) else action)
        entries.append(entry(name, game, depth))
    rng = random.Random(1)
    game = Game(Deal.random(9))
    for action in ("pass", "pass", "bid 18", "declare HH"):
        game.play(action)
    for _ in range(18):
        game.play(rng.choice(game.legal_actions))
    entries.append(entry("last four tricks", game, 8))
    return entries


def entry(name: str, game: Game, depth: int) -> dict[str, object]:
    states = new_states(depth + 1)
    copy_state(game.state, states[0])
    return {
        "name": name,
        "deal": str(game.deal),
        "rules": str(game.rules),
        "actions": [ACTION_NAMES[action] for action in game.actions],
        "counts": [int(perft(states, 0, level)) for level in range(1, depth + 1)],
    }


if __name__ == "__main__":
    path = Path(__file__).with_name("rollouts.json")
    path.write_text(json.dumps({"deals": deals(), "perft": perfts()}, indent=1) + "\n")
