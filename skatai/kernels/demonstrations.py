"""Recording what the compiled rule player does: decisions of whole games with the outcome of each game.

Optionally each decision is evaluated: every sensible legal action is tried in the true deal, and the rule player plays on from
there in all seats. In one deal the results say nothing, but their mean over the deals that look the same to the seat is the
advantage of the action over the rule player's (one step of policy iteration by play-outs), and a regression finds this mean.

Records of dtype :data:`DEMONSTRATION`:

===================  ============  =====================================================================================
field                type          meaning
===================  ============  =====================================================================================
``encoding``         i1 × 399      what the seat to move knows (:mod:`skatai.kernels.encodings`)
``mask``             i1 × 136      1 for each legal action
``action``           u1            what the rule player does
``kind``             u1            what is decided: index into ``KINDS``
``declarer_won``     i1            1, 0, or -1 when the deal was passed in
``list_points``      i2            list points (Seeger-Fabian, three-table) the seat got for the deal
``tried``            i1 × 136      1 for each action that was tried; all 0 where decisions are not evaluated
``advantage``        i2 × 136      relative points (:func:`relative_points`) of each action tried minus the rule player's
===================  ============  =====================================================================================
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import FIRST_BID, N_ACTIONS, WORD_BITS
from skatai.kernels.bits import lowest
from skatai.kernels.encodings import ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.moves import count_legal, legal_mask, legal_words, nth_legal
from skatai.kernels.observe import copy_state
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import RngState, rand_below, rand_float
from skatai.kernels.rollouts import deal_cards
from skatai.kernels.state import AUCTION, DISCARD, NOBODY, OVER, PLAY, StateRecord, set_deal
from skatai.kernels.tables import NULL

__all__ = ["DEMONSTRATION", "KINDS", "decision_kind", "record_deals", "relative_points", "seat_list_points"]

#: in annotations: one record of dtype ``DEMONSTRATION``
SampleRecord: TypeAlias = Any

_BID, _DECLARE, _DISCARD, _DECLARER, _DEFENDER, _NULL_DECLARER, _NULL_DEFENDER = range(7)

#: what is decided: a call; pick-up or declaration; a discard; a card of the declarer or of a defender, trump games and null
KINDS: Final = ("bid", "declare", "discard", "declarer", "defender", "null declarer", "null defender")

DEMONSTRATION = np.dtype(
    [
        ("encoding", "i1", (ENCODING_SIZE,)),
        ("mask", "i1", (N_ACTIONS,)),
        ("action", "u1"),
        ("kind", "u1"),
        ("declarer_won", "i1"),
        ("list_points", "<i2"),
        ("tried", "i1", (N_ACTIONS,)),
        ("advantage", "<i2", (N_ACTIONS,)),
    ]
)


@kernel
def decision_kind(state: StateRecord) -> int:
    """What the seat to move decides: index into ``KINDS``."""
    phase = state["phase"]
    if phase == AUCTION:
        return np.int64(_BID)
    if phase == DISCARD:
        return np.int64(_DISCARD)
    if phase < PLAY:
        return np.int64(_DECLARE)
    declares = state["to_move"] == state["declarer"]
    if state["game"] == NULL:
        return np.int64(_NULL_DECLARER if declares else _NULL_DEFENDER)
    return np.int64(_DECLARER if declares else _DEFENDER)


@kernel
def seat_list_points(state: StateRecord, seat: int) -> int:
    """List points of ``seat`` for a finished deal, three-table (rules 5.4; as :func:`skatai.scoring.list_points`)."""
    if state["declarer"] == NOBODY:
        return np.int64(0)
    score = np.int64(state["score"])
    if seat == state["declarer"]:
        return score + 50 if score > 0 else score - 50
    return np.int64(0 if score > 0 else 40)


@kernel
def relative_points(state: StateRecord, seat: int) -> int:
    """List points of ``seat`` minus the mean of the other two's, for a finished deal: what counts in a match."""
    others = seat_list_points(state, (seat + 1) % 3) + seat_list_points(state, (seat + 2) % 3)
    return (2 * seat_list_points(state, seat) - others) // 2


@kernel
def _worth_trying(state: StateRecord, action: int) -> bool:
    """All legal actions but bids above the next value."""
    if action < FIRST_BID or state["phase"] != AUCTION:
        return True
    words = legal_words(state)
    next_bid = WORD_BITS + lowest(words[1]) if words[1] else 2 * WORD_BITS + lowest(words[2])
    return action == next_bid


@kernel
def _play_out(state: StateRecord, scratch: StateRecord, action: int, rng: RngState) -> int:
    """Relative points of the seat to move when it takes ``action`` and the rule player plays on; ``scratch`` is overwritten."""
    seat = np.int64(state["to_move"])
    copy_state(state, scratch)
    apply(scratch, action)
    while scratch["phase"] != OVER:
        apply(scratch, rule_action(scratch, np.int64(scratch["to_move"]), rng))
    return relative_points(scratch, seat)


@kernel
def _try_actions(state: StateRecord, scratch: StateRecord, action: int, rng: RngState, sample: SampleRecord) -> None:
    """Fill ``tried`` and ``advantage`` of ``sample``; ``action`` is the rule player's."""
    words = legal_words(state)
    baseline = _play_out(state, scratch, action, rng)
    for i in range(count_legal(words)):
        other = nth_legal(words, i)
        if _worth_trying(state, other):
            sample["tried"][other] = 1
            if other != action:
                sample["advantage"][other] = _play_out(state, scratch, other, rng) - baseline


@kernel
def _write_outcome(
    samples: NDArray[np.void], seats: NDArray[np.int64], first: int, end: int, state: StateRecord
) -> None:
    """Put the result of the finished ``state`` into the samples of its deal."""
    won = -1 if state["declarer"] == NOBODY else np.int64(state["won"])
    for i in range(first, end):
        samples[i]["declarer_won"] = won
        samples[i]["list_points"] = seat_list_points(state, seats[i - first])


@kernel
def _record_deal(
    samples: NDArray[np.void],
    n: int,
    states: NDArray[np.void],
    rng: RngState,
    keep: NDArray[np.float64],
    noise: float,
    evaluate: bool,
) -> int:
    """Play ``states[0]`` to its end and record its decisions from ``samples[n]`` on; the new number of samples."""
    seats = np.zeros(192, dtype=np.int64)  # more than the decisions of any deal: two for each of 68 bids, then 33
    state = states[0]
    first = n
    while state["phase"] != OVER:
        seat = np.int64(state["to_move"])
        action = np.int64(rule_action(state, seat, rng))
        words = legal_words(state)
        n_legal = count_legal(words)
        # Forced actions teach nothing.
        if n < len(samples) and n_legal > 1 and rand_float(rng) < keep[decision_kind(state)]:
            sample = samples[n]
            encode(state, seat, sample["encoding"])
            legal_mask(state, sample["mask"])
            sample["action"] = action
            sample["kind"] = decision_kind(state)
            if evaluate:
                _try_actions(state, states[1], action, rng, sample)
            seats[n - first] = seat
            n += 1
        if state["phase"] == PLAY and rand_float(rng) < noise:
            action = nth_legal(words, rand_below(rng, n_legal))
        apply(state, action)
    _write_outcome(samples, seats, first, n, state)
    return n


@kernel
def record_deals(
    samples: NDArray[np.void],
    states: NDArray[np.void],
    rng: RngState,
    keep: NDArray[np.float64],
    noise: float,
    evaluate: bool,
    rules: int,
) -> int:
    """Fill ``samples`` (zeros of dtype ``DEMONSTRATION``) from random deals; the number of deals.

    Decisions with one legal action are left out; the last deal's are recorded as far as there is room. ``states``: two blank
    records; ``keep`` (float64, one for each of ``KINDS``): share of the decisions that is recorded, above 0 for bids;
    ``noise``: probability that a card played is a random legal one, not the recorded one; ``evaluate``: try the actions;
    ``rules``: packed.
    """
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    n, deals = np.int64(0), np.int64(0)
    while n < len(samples):
        deal_cards(rng, deck, cards)
        set_deal(states[0], cards[0], cards[1], cards[2], cards[3], rules)
        n = _record_deal(samples, n, states, rng, keep, noise, evaluate)
        deals += 1
    return deals
