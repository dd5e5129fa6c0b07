"""Plays the package and the naive twin side by side, and tells any difference."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from skatai._jit import JIT_ENABLED
from skatai.kernels.events import EVENTS, apply, apply_event, is_legal_event
from skatai.kernels.state import OVER, PHASES, new_state, set_deal
from skatai.rules import Rules
from skatai.view import legal_action_ids
from tests.naive import ACTIONS, CARDS, NaiveGame

CHOICES: dict[str, tuple[Any, ...]] = {
    "grand_base": (24, 20),
    "ladder": ("official", "iss"),
    "lost_hand_counts_once": (False, True),
    "null_overbid": ("reject", "multiple"),
    "declaration_check": ("none", "strict"),
    "early_end": ("null_only", "decided", "iss"),
    "concede_policy": ("off", "isko", "award_rest"),
    "claims": ("off", "reject", "penalise"),
}

#: every set of rules there is
ALL_RULES = [
    dict(zip(CHOICES, values, strict=True))
    for values in itertools.product(*CHOICES.values())
    if not (values[0] == 20 and values[1] == "iss")
]

END_CODES = (
    "",
    "played",
    "decided",
    "conceded",
    "defenders_conceded",
    "claim",
    "refused_claim",
    "timed_out",
    "left",
    "passed_in",
)


def scaled(n: int) -> int:
    """``n`` with compiled kernels; fewer when they run as plain Python."""
    return n if JIT_ENABLED else max(n // 10, 3)


def cards_of(mask: int) -> set[str]:
    return {CARDS[i] for i in range(32) if int(mask) >> i & 1}


def mask_of(cards: Any) -> int:
    return sum(1 << CARDS.index(card) for card in cards)


def random_deal(rng: random.Random) -> tuple[list[set[str]], set[str]]:
    deck = CARDS[:]
    rng.shuffle(deck)
    return [set(deck[0:10]), set(deck[10:20]), set(deck[20:30])], set(deck[30:])


def start(hands: list[set[str]], skat: set[str], rules: dict[str, Any]) -> tuple[Any, NaiveGame]:
    state = new_state()
    set_deal(state, *(mask_of(cards) for cards in (*hands, skat)), Rules(**rules).to_int())
    return state, NaiveGame(hands, skat, rules)


def same_position(state: Any, twin: NaiveGame) -> None:
    """Everything both sides say about the running game."""
    assert PHASES[state["phase"]] == twin.phase
    to_move = twin.to_move
    assert state["to_move"] == (255 if to_move is None else to_move)
    assert [cards_of(hand) for hand in state["hands"]] == twin.hands
    assert [int(p) for p in state["points"]] == [twin.points_of(seat) for seat in range(3)]
    assert [int(t) for t in state["tricks"]] == [twin.tricks_of(seat) for seat in range(3)]
    assert [CARDS[c] for c in state["plays"][: state["n_plays"]]] == [card for _, card in twin.plays]
    assert {ACTIONS[i] for i in legal_action_ids(state)} == twin.legal()


def same_events(state: Any, twin: NaiveGame) -> None:
    for kind, name in enumerate(EVENTS):
        for seat in range(3):
            assert bool(is_legal_event(state, kind, seat)) == twin.legal_event(name, seat), (name, seat)


def result_of(state: Any) -> dict[str, Any]:
    """The record's result in the twin's words."""
    end, seat = END_CODES[state["end"]], int(state["end_seat"])
    if end == "passed_in":
        return {"end": end}
    if state["game"] == 255:
        return {"end": end, "seat": seat}
    return {
        "end": end,
        "seat": None if seat == 255 else seat,
        "matadors": int(state["matadors"]),
        "won": bool(state["won"]),
        "overbid": bool(state["overbid"]),
        "value": int(state["value"]),
        "score": int(state["score"]),
        "points": int(state["awarded"]),
        "tricks": (int(state["awarded_tricks"][0]), int(state["awarded_tricks"][1])),
        "schneider": bool(state["schneider"]),
        "schwarz": bool(state["schwarz"]),
    }


def choose_event(twin: NaiveGame, rng: random.Random, odds: float) -> tuple[str, int] | None:
    """Now and then something that does not come from the seat to move."""
    if twin.phase == "over" or rng.random() > odds:
        return None
    kind = rng.choice(("concede", "claim", "accept", "play_on", "concede", "claim", "time_out", "leave"))
    if kind in ("time_out", "leave") and rng.random() > 0.1:
        return None
    if kind == "claim" and len(twin.plays) < 18:
        return None  # the twin's search is slow
    seats = [seat for seat in range(3) if twin.legal_event(kind, seat)]
    return (kind, rng.choice(seats)) if seats else None


def choose_action(twin: NaiveGame, rng: random.Random) -> str:
    """Random, but with long auctions now and then, many hand games and few early ends."""
    legal = sorted(twin.legal())
    if twin.phase == "auction":
        if "pass" in legal and rng.random() < 0.35:
            return "pass"
        if "hold" in legal:
            return "hold"
        bids = sorted((name for name in legal if name != "pass"), key=lambda name: int(name[4:]))
        if not bids:
            return "pass"
        return bids[0] if rng.random() < 0.8 else rng.choice(bids)
    if twin.phase == "skat" and rng.random() < 0.5:
        return "pick up"
    if twin.phase == "play":
        cards = [name for name in legal if name.startswith("play ")]
        return rng.choice(cards)
    return rng.choice(legal)


def play_both(
    rng: random.Random,
    rules: dict[str, Any],
    odds: float = 0.03,
    at_each_step: Callable[[Any, NaiveGame], None] | None = None,
) -> tuple[Any, NaiveGame]:
    """One random deal through both, compared at every step and at the end."""
    state, twin = start(*random_deal(rng), rules)
    while True:
        same_position(state, twin)
        same_events(state, twin)
        if at_each_step:
            at_each_step(state, twin)
        if twin.phase == "over":
            break
        event = choose_event(twin, rng, odds)
        if event:
            apply_event(state, EVENTS.index(event[0]), event[1])
            twin.event(*event)
        else:
            name = choose_action(twin, rng)
            apply(state, ACTIONS.index(name))
            twin.act(name)
    assert state["phase"] == OVER
    assert result_of(state) == twin.result
    return state, twin
