"""A million random games, checked at every step in compiled code; many of them recomputed by the naive twin."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai._jit import JIT_ENABLED, kernel
from skatai.kernels.bits import ALL_CARDS, popcount
from skatai.kernels.events import apply
from skatai.kernels.moves import is_legal
from skatai.kernels.rng import new_rng, rand_below
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.settle import base_value
from skatai.kernels.state import END_PASSED_IN, END_PLAYED, OVER, PLAY, card_points, new_states, put_away, set_deal
from skatai.kernels.tables import GRAND, NULL
from skatai.rules import Rules
from tests.driver import ALL_RULES, cards_of, result_of, scaled
from tests.naive import ACTIONS, DEFAULT_RULES, NaiveGame

#: every set of rules, and nine times more often those under which games are played out
RULES = np.array(
    [
        Rules(**rules).to_int()
        for rules in ALL_RULES
        for _ in range(10 if rules["claims"] == "off" and rules["concede_policy"] == "off" else 1)
    ],
    dtype=np.int64,
)
LONGEST = 220


@kernel
def faults_of_position(state: Any) -> int:
    """Cards: 32, each in one place. Points and tricks: no more than there are."""
    seen = np.int64(0)
    count = np.int64(0)
    for seat in range(3):
        seen |= np.int64(state["hands"][seat])
        count += popcount(np.int64(state["hands"][seat]))
    for i in range(state["n_plays"]):
        seen |= np.int64(1) << np.int64(state["plays"][i])
    count += np.int64(state["n_plays"])
    away = np.int64(state["skat"]) if state["phase"] <= 1 or state["flags"] & 1 else np.int64(state["discards"])
    if state["declarer"] == 255:
        away = np.int64(state["skat"])
    seen |= away
    count += popcount(away)
    tricks = np.int64(state["tricks"][0]) + np.int64(state["tricks"][1]) + np.int64(state["tricks"][2])
    points = np.int64(state["points"][0]) + np.int64(state["points"][1]) + np.int64(state["points"][2])
    faults = np.int64(seen != ALL_CARDS or count != 32)
    faults += np.int64(tricks != np.int64(state["n_plays"]) // 3)
    faults += np.int64(points + card_points(away) > 120)
    return faults


@kernel
def faults_of_result(state: Any) -> int:
    """What must hold of every result whatever the rules."""
    if state["end"] == END_PASSED_IN:
        return np.int64(state["score"] != 0 or state["declarer"] != 255)
    game, value, score = np.int64(state["game"]), np.int64(state["value"]), np.int64(state["score"])
    declarer, flags, rules = np.int64(state["declarer"]), np.int64(state["flags"]), np.int64(state["rules"])
    faults = np.int64(0)
    if state["won"]:
        faults += np.int64(score != value or state["overbid"] != 0)
    elif rules >> 2 & 1 and flags & 1:
        faults += np.int64(score != -value)
    else:
        faults += np.int64(score != -2 * value)
    base = base_value(game, rules)
    if game != NULL:
        faults += np.int64(value % base != 0 or value < 18)
        top = 18 if game != GRAND else 11
        faults += np.int64(state["overbid"] == 0 and value > base * top)
    if state["end"] == END_PLAYED:
        points = np.int64(state["points"][0]) + np.int64(state["points"][1]) + np.int64(state["points"][2])
        faults += np.int64(points + card_points(put_away(state)) != 120)
        own = np.int64(state["points"][declarer]) + card_points(put_away(state))
        faults += np.int64(state["awarded"] != own)
        plain = game != NULL and flags & 12 == 0 and state["overbid"] == 0 and state["resigned"] >> 4 == 0
        if plain:
            faults += np.int64((own >= 61) != (state["won"] != 0))
    return faults


@kernel
def play_many(
    states: NDArray[np.void],
    rng: NDArray[np.uint64],
    rules: NDArray[np.int64],
    n: int,
    log: NDArray[np.uint8],
    lengths: NDArray[np.int64],
) -> int:
    """Play ``n`` games; the last states and the actions of the first ``len(states) - 1`` are kept. The number of faults."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    kept = len(states) - 1
    faults = np.int64(0)
    for i in range(n):
        state = states[min(i, kept)]
        deal_cards(rng, deck, cards)
        set_deal(state, cards[0], cards[1], cards[2], cards[3], rules[rand_below(rng, len(rules))])
        steps = 0
        while state["phase"] != OVER:
            action = random_action(state, rng)
            for _ in range(3):  # concessions and claims cut most games short: seldom
                if action >= 132 and state["phase"] == PLAY:
                    action = random_action(state, rng)
            faults += np.int64(not is_legal(state, action))
            if i < kept:
                log[i, steps] = action
            apply(state, action)
            faults += faults_of_position(state)
            steps += 1
        if i < kept:
            lengths[i] = steps
        faults += faults_of_result(state)
    return faults


def recompute(state: Any, actions: list[int]) -> None:
    """The twin plays the same actions and must come to the same result."""
    rules = Rules.from_int(int(state["rules"]))
    twin = NaiveGame(
        [cards_of(hand) for hand in state["dealt"]],
        cards_of(state["skat"]),
        {name: getattr(rules, name) for name in DEFAULT_RULES},
    )
    for i, action in enumerate(actions):
        if ACTIONS[action] == "claim" and len(twin.plays) < 18:  # too early for the twin's search
            twin.verdict = i == len(actions) - 1 and result_of(state)["end"] == "claim"
        twin.act(ACTIONS[action])
        twin.verdict = None
    assert twin.result == result_of(state)


def check_games(n: int, recomputed: int, seed: int) -> None:
    states = new_states(recomputed + 1)
    log, lengths = np.zeros((recomputed, LONGEST), dtype=np.uint8), np.zeros(recomputed, dtype=np.int64)
    assert play_many(states, new_rng(seed), RULES, n, log, lengths) == 0
    for i in range(recomputed):
        recompute(states[i], log[i, : lengths[i]].tolist())


def test_some_thousand_games() -> None:
    check_games(20_000 if JIT_ENABLED else 60, scaled(400), 71)


@pytest.mark.slow
@pytest.mark.jit
def test_a_million_games() -> None:
    """One million games without a fault; 20,000 of them recomputed."""
    check_games(1_000_000, 20_000, 72)
