"""The compiled rule player: legal in whole games, blind to hidden cards, and sane in what it bids and wins."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND, OUVERT, SCHNEIDER
from skatai.kernels.bits import popcount
from skatai.kernels.events import apply
from skatai.kernels.moves import is_legal
from skatai.kernels.observe import observe
from skatai.kernels.policies import rule_action, rule_actions
from skatai.kernels.rng import RngState, new_rng, shuffle
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.state import NOBODY, OVER, STATE, new_states, set_deal
from skatai.rules import Rules


@kernel
def _deal(states: NDArray[np.void], rules: int, rng: RngState) -> None:
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    for i in range(len(states)):
        deal_cards(rng, deck, cards)
        set_deal(states[i], cards[0], cards[1], cards[2], cards[3], rules)


@kernel
def _play(states: NDArray[np.void], mixed: bool, masked: NDArray[np.void], rng: RngState) -> int:
    """Play all states to the end; index of the first one with an illegal or not repeatable action, else -1.

    Every action is asked for from the full state and from the seat's masked record; ``mixed``: half of the actions taken are
    random, so that unusual positions come up.
    """
    for i in range(len(states)):
        state = states[i]
        while state["phase"] != OVER:
            seat = np.int64(state["to_move"])
            action = rule_action(state, seat, rng)
            observe(state, seat, masked[0])
            if not is_legal(state, action) or rule_action(masked[0], seat, rng) != action:
                return i
            if mixed and rng[0] >> np.uint64(40) & np.uint64(1):
                action = random_action(state, rng)
            elif mixed:
                random_action(state, rng)
            apply(state, action)
    return -1


def _played(n: int, seed: int, rules: Rules, mixed: bool = False) -> NDArray[np.void]:
    states = new_states(n)
    rng = new_rng(seed)
    _deal(states, rules.to_int(), rng)
    assert _play(states, mixed, new_states(1), rng) == -1
    return states


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules.iss(),
        Rules.table(),
        Rules(grand_base=20, null_overbid="multiple", declaration_check="strict", early_end="decided"),
    ],
    ids=str,
)
@pytest.mark.parametrize("mixed", [False, True], ids=["rule", "mixed"])
def test_legal_and_the_same_from_the_masked_record(rules: Rules, mixed: bool) -> None:
    states = _played(1000, 7, rules, mixed)
    assert (states["phase"] == OVER).all()


def test_hidden_cards_do_not_matter() -> None:
    """Swap what the seat cannot see between the hidden places: the action stays."""
    states = new_states(300)
    rng = new_rng(3)
    _deal(states, Rules().to_int(), rng)
    assert _permuted(states, new_states(1), rng) == -1


@kernel
def _permuted(states: NDArray[np.void], other: NDArray[np.void], rng: RngState) -> int:
    """As :func:`_play`; at each decision the unseen cards are dealt anew (hands as dealt before are left alone)."""
    cards = np.empty(32, dtype=np.int64)
    for i in range(len(states)):
        state = states[i]
        while state["phase"] != OVER:
            seat = np.int64(state["to_move"])
            action = rule_action(state, seat, rng)
            twin = other[0]
            observe(state, seat, twin)
            n = 0
            for place in range(3):
                mask = np.int64(state["hands"][place]) & ~np.int64(twin["hands"][place])
                for card in range(32):
                    if mask >> card & 1:
                        cards[n] = card
                        n += 1
            skat = np.int64(state["discards"]) if state["discards"] else np.int64(state["skat"])
            seen = np.int64(twin["discards"]) if state["discards"] else np.int64(twin["skat"])
            for card in range(32):
                if (skat & ~seen) >> card & 1:
                    cards[n] = card
                    n += 1
            shuffle(rng, cards[:n])
            at = 0
            for place in range(3):
                if twin["hands"][place] == 0:
                    for _ in range(popcount(np.int64(state["hands"][place]))):
                        twin["hands"][place] = np.int64(twin["hands"][place]) | np.int64(1) << cards[at]
                        at += 1
            while at < n:
                twin["skat"] = np.int64(twin["skat"]) | np.int64(1) << cards[at]
                at += 1
            if rule_action(twin, seat, rng) != action:
                return i
            apply(state, action)
    return -1


def test_batch_is_the_same_as_one_by_one() -> None:
    states = new_states(50)
    rng = new_rng(5)
    _deal(states, Rules().to_int(), rng)
    seats = states["to_move"].astype(np.int64)
    out = np.empty(50, dtype=np.int64)
    rule_actions(states, seats, rng, out)
    assert out.tolist() == [rule_action(states[i], seats[i], rng) for i in range(50)]


def test_games_repeat() -> None:
    first, second = _played(100, 11, Rules()), _played(100, 11, Rules())
    assert first.tobytes() == second.tobytes()


@pytest.fixture(scope="module")
def games() -> NDArray[np.void]:
    """3,000 random deals played by the rule player in all seats."""
    return _played(3000, 1, Rules())


def test_bidding_bands(games: NDArray[np.void]) -> None:
    played = games[games["declarer"] != NOBODY]
    assert 0.02 <= 1 - len(played) / len(games) <= 0.08
    assert 0.20 <= (played["game"] == 4).mean() <= 0.32
    assert 0.02 <= (played["game"] == 5).mean() <= 0.08
    assert 0.01 <= (played["flags"] & HAND != 0).mean() <= 0.13
    assert (played["overbid"] == 1).mean() < 0.03
    assert played.dtype == STATE


def test_results(games: NDArray[np.void]) -> None:
    played = games[games["declarer"] != NOBODY]
    won = played["won"] == 1
    assert won.mean() >= 0.80
    score = played["score"].astype(np.int64)
    list_points = np.where(won, score + 50, score - 50 + 2 * 40).sum() / (3 * len(games))
    assert list_points >= 20
    announced = played[played["flags"] & (SCHNEIDER | OUVERT) != 0]
    assert (announced["won"] == 1).mean() >= 0.7
