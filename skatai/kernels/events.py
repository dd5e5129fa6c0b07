"""Concessions, claims, time-outs and leaving (rules 4.4), and ``apply``, the transition function of every action.

What does not come from the seat to move goes through ``apply_event``; ``apply`` sends the seat to move's own concessions, claims
and answers the same way.
"""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import CONCEDE
from skatai.kernels.bits import popcount
from skatai.kernels.moves import apply_move, award_counted, end_without_score
from skatai.kernels.search.claims import claim_holds
from skatai.kernels.settle import finish
from skatai.kernels.state import (
    ANSWER,
    END_CLAIM,
    END_CONCEDED,
    END_DEFENDERS_CONCEDED,
    END_LEFT,
    END_REFUSED_CLAIM,
    END_TIMED_OUT,
    NOBODY,
    OVER,
    PLAY,
    StateRecord,
    defender_points,
)
from skatai.kernels.tables import NULL
from skatai.rules import CLAIMS_PENALISE, CLAIMS_SHIFT, CONCEDE_ISKO, CONCEDE_SHIFT

__all__ = [
    "EVENTS",
    "EVENT_ACCEPT",
    "EVENT_CLAIM",
    "EVENT_CONCEDE",
    "EVENT_LEAVE",
    "EVENT_PLAY_ON",
    "EVENT_TIME_OUT",
    "apply",
    "apply_event",
    "is_legal_event",
]

EVENT_CONCEDE, EVENT_CLAIM, EVENT_ACCEPT, EVENT_PLAY_ON, EVENT_TIME_OUT, EVENT_LEAVE = range(6)
EVENTS = ("concede", "claim", "accept", "play_on", "time_out", "leave")


@kernel
def is_legal_event(state: StateRecord, kind: int, seat: int) -> bool:
    """Whether ``seat`` may do this now, out of turn or in turn."""
    if seat < 0 or seat > 2 or state["phase"] == OVER:
        return False
    if kind == EVENT_TIME_OUT or kind == EVENT_LEAVE:
        return True
    rules = np.int64(state["rules"])
    refused = np.int64(state["refused"])
    if kind == EVENT_ACCEPT or kind == EVENT_PLAY_ON:
        if state["phase"] != ANSWER:
            return False
        if state["pending"] != state["declarer"]:
            return seat == state["declarer"]
        return seat != state["declarer"] and (kind == EVENT_ACCEPT or seat == state["to_move"])
    if state["phase"] != PLAY:
        return False
    if kind == EVENT_CLAIM:
        allowed = rules >> CLAIMS_SHIFT & 3 != 0 and refused >> seat & 1 == 0
        return allowed and not (state["game"] == NULL and seat != state["declarer"])
    if kind == EVENT_CONCEDE:
        given_up = np.int64(state["resigned"]) >> seat & 1
        return rules >> CONCEDE_SHIFT & 3 != 0 and refused >> (4 + seat) & 1 == 0 and given_up == 0
    return False


@kernel
def _award_rest(state: StateRecord, to_declarer: bool) -> None:
    """Give all cards not yet in a complete trick, and the tricks left, to one side."""
    award_counted(state)
    rest = 10 - np.int64(state["n_plays"]) // 3
    lost_points = defender_points(state)
    if to_declarer:
        state["awarded"] = 120 - lost_points
        state["awarded_tricks"][0] = np.int64(state["awarded_tricks"][0]) + rest
    else:
        state["awarded_tricks"][1] = np.int64(state["awarded_tricks"][1]) + rest


@kernel
def _defenders_give_up(state: StateRecord, end: int, seat: int) -> None:
    """The open tricks go to the declarer; in null there is nothing to give (rules 4.4)."""
    if state["game"] == NULL:
        award_counted(state)
    else:
        _award_rest(state, True)
    finish(state, end, seat)


@kernel
def _resume(state: StateRecord) -> None:
    """Back to play: the seat whose card is due is to move."""
    n = np.int64(state["n_plays"])
    state["phase"] = PLAY
    state["pending"] = NOBODY
    state["to_move"] = (np.int64(state["leaders"][n // 3]) + n % 3) % 3


@kernel
def _ask(state: StateRecord, seat: int, answerer: int) -> None:
    state["pending"] = seat
    state["phase"] = ANSWER
    state["to_move"] = answerer


@kernel
def _concede(state: StateRecord, seat: int) -> None:
    declarer = np.int64(state["declarer"])
    isko = np.int64(state["rules"]) >> CONCEDE_SHIFT & 3 == CONCEDE_ISKO
    if seat == declarer:
        if isko and popcount(np.int64(state["hands"][declarer])) < 9:
            _ask(state, seat, (declarer + 1) % 3)
            return
        award_counted(state)
        finish(state, END_CONCEDED, seat)
    elif isko:
        _ask(state, seat, declarer)
    else:
        state["resigned"] = np.int64(state["resigned"]) | np.int64(1) << seat
        if popcount(np.int64(state["resigned"]) & 7) == 2:
            _defenders_give_up(state, END_DEFENDERS_CONCEDED, seat)


@kernel
def _answer(state: StateRecord, accept: bool, seat: int) -> None:
    declarer = np.int64(state["declarer"])
    conceding = np.int64(state["pending"])
    if accept:
        award_counted(state)
        finish(state, END_CONCEDED if conceding == declarer else END_DEFENDERS_CONCEDED, conceding)
        return
    if conceding == declarer and seat == (declarer + 1) % 3:
        state["to_move"] = (declarer + 2) % 3  # the other defender may still consent
        return
    state["refused"] = np.int64(state["refused"]) | np.int64(1) << (4 + conceding)
    if conceding != declarer:
        state["resigned"] = np.int64(state["resigned"]) | 16
    _resume(state)


@kernel
def _claim(state: StateRecord, seat: int) -> None:
    n = np.int64(state["n_plays"])
    size = n % 3
    leader = np.int64(state["leaders"][n // 3])
    hands = np.zeros(3, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    for i in range(3):
        hands[i] = state["hands"][i]
    for i in range(size):
        table[i] = state["plays"][n - size + i]
    declarer = np.int64(state["declarer"])
    if claim_holds(hands, np.int64(state["game"]), declarer, seat, leader, table, size):
        if state["game"] == NULL:
            award_counted(state)
        else:
            _award_rest(state, seat == declarer)
        finish(state, END_CLAIM, seat)
    elif np.int64(state["rules"]) >> CLAIMS_SHIFT & 3 == CLAIMS_PENALISE:
        _award_rest(state, seat != declarer)
        if state["game"] == NULL:
            award_counted(state)
            state["awarded_tricks"][0] = 1  # the claim was to take none
        finish(state, END_REFUSED_CLAIM, seat)
    else:
        state["refused"] = np.int64(state["refused"]) | np.int64(1) << seat


@kernel
def _break_off(state: StateRecord, end: int, seat: int) -> None:
    """Time-out or leaving: the declarer loses, a defender gives up for both (ISS format, section 5)."""
    if state["phase"] != PLAY and state["phase"] != ANSWER:
        end_without_score(state, end, seat)
    elif seat == state["declarer"]:
        award_counted(state)
        finish(state, end, seat)
    else:
        _defenders_give_up(state, end, seat)


@kernel
def apply_event(state: StateRecord, kind: int, seat: int) -> None:
    """Apply a concession, claim, answer, time-out or leaving of ``seat``; it must be legal."""
    if kind == EVENT_CONCEDE:
        _concede(state, seat)
    elif kind == EVENT_CLAIM:
        _claim(state, seat)
    elif kind == EVENT_ACCEPT or kind == EVENT_PLAY_ON:
        _answer(state, kind == EVENT_ACCEPT, seat)
    elif kind == EVENT_TIME_OUT:
        _break_off(state, END_TIMED_OUT, seat)
    else:
        _break_off(state, END_LEFT, seat)


@kernel(inline=True)
def apply(state: StateRecord, action: int) -> None:
    """The transition function of all phases: the seat to move takes ``action``, which must be legal."""
    if action < CONCEDE:
        apply_move(state, action)
    else:
        apply_event(state, action - CONCEDE, np.int64(state["to_move"]))
