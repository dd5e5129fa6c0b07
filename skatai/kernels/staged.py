"""Games after a given auction: by limits, or one that a given seat wins at a given bid; and how the rule player goes on.

The shortest auction that makes a seat declarer at a value: forehand holds it when middlehand names it, middlehand names it and both
others pass, rearhand names it after middlehand has passed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, HOLD, PASS, WORD_BITS
from skatai.kernels.bits import lowest
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_words
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import RngState
from skatai.kernels.state import AUCTION, NOBODY, OVER, PLAY, StateRecord, bid_value, set_deal

__all__ = ["auction_by_limits", "auctions_by_limits", "make_declarer", "rule_declarations", "rule_games", "stage_games"]


@kernel
def make_declarer(state: StateRecord, seat: int, bid: int) -> None:
    """Lead a deal, before its first call, through the shortest auction that ``seat`` wins at ``BID_VALUES[bid]``."""
    if seat == 2:
        apply(state, PASS)
    apply(state, FIRST_BID + bid)
    if seat == 0:
        apply(state, HOLD)
    while state["phase"] == AUCTION:
        apply(state, PASS)


@kernel
def auction_by_limits(state: StateRecord, limits: NDArray[np.int64]) -> None:
    """Lead a deal through the auction of three seats that go up to their ``limits`` (int64[3], values), step by step.

    Forehand's last chance is no exception.
    """
    while state["phase"] == AUCTION:
        limit = limits[state["to_move"]]
        words = legal_words(state)
        action = np.int64(PASS)
        if words[0] >> HOLD & 1:
            if limit >= bid_value(state):
                action = np.int64(HOLD)
        elif words[1]:
            if limit >= BID_VALUES[WORD_BITS + lowest(words[1]) - FIRST_BID]:
                action = WORD_BITS + lowest(words[1])
        elif words[2]:
            if limit >= BID_VALUES[2 * WORD_BITS + lowest(words[2]) - FIRST_BID]:
                action = 2 * WORD_BITS + lowest(words[2])
        apply(state, action)


@kernel
def auctions_by_limits(limits: NDArray[np.int64], rules: int, state: StateRecord, out: NDArray[np.int64]) -> None:
    """Declarer (-1: passed in) and value of the auction of each row of ``limits`` (int64[n, 3]) into ``out`` (int64[n, 2])."""
    zero = np.int64(0)
    for i in range(len(limits)):
        set_deal(state, zero, zero, zero, zero, rules)
        auction_by_limits(state, limits[i])
        out[i, 0] = -1 if state["declarer"] == NOBODY else np.int64(state["declarer"])
        out[i, 1] = bid_value(state)


@kernel
def stage_games(
    cards: NDArray[np.int64],
    seats: NDArray[np.int64],
    bids: NDArray[np.int64],
    rules: int,
    out: NDArray[np.void],
) -> None:
    """Fill ``out`` (dtype ``STATE``, (n,)) with deals after their auctions.

    ``cards``: int64[n, 4], hands and skat; ``seats[i]`` is declarer at bid index ``bids[i]``.
    """
    for i in range(len(out)):
        set_deal(out[i], cards[i, 0], cards[i, 1], cards[i, 2], cards[i, 3], rules)
        make_declarer(out[i], seats[i], bids[i])


@kernel
def rule_declarations(states: NDArray[np.void], rng: RngState) -> None:
    """Lead games that have a declarer to the first card: the rule player puts away and declares."""
    for i in range(len(states)):
        while states[i]["phase"] < PLAY:
            apply(states[i], rule_action(states[i], np.int64(states[i]["to_move"]), rng))


@kernel
def rule_games(states: NDArray[np.void], rng: RngState) -> None:
    """Play games to their ends, all seats by the rule player."""
    for i in range(len(states)):
        while states[i]["phase"] != OVER:
            apply(states[i], rule_action(states[i], np.int64(states[i]["to_move"]), rng))
