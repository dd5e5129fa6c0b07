"""The doors from Python: the kernels that :class:`~skatai.game.Game` and :class:`~skatai.view.PlayerView` call.

A state record (``np.void``) that Python passes to a kernel costs ten times as much as an array, more than anything that is done
with it. So these kernels take an array of shape (1,), dtype ``STATE``, and hand its record on; the rules are where they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import N_ACTIONS, WORD_BITS
from skatai.kernels.bits import lowest
from skatai.kernels.events import apply, apply_event, is_legal_event
from skatai.kernels.moves import is_legal, legal_mask, legal_words
from skatai.kernels.observe import observe
from skatai.kernels.state import STATE, bid_value, set_deal

__all__ = [
    "blank_state",
    "copied_state",
    "hide",
    "last_bid",
    "legal_flags",
    "legal_ids",
    "start_deal",
    "take_action",
    "take_event",
]


def blank_state() -> NDArray[np.void]:
    """One blank state: an array of shape (1,), dtype ``STATE``."""
    # np.zeros takes five times as long for a structured array.
    return np.frombuffer(bytearray(STATE.itemsize), dtype=STATE)


def copied_state(state: Any) -> NDArray[np.void]:
    """A copy, of shape (1,), of a state record or of an array of one."""
    # NumPy copies structured arrays field by field.
    return np.frombuffer(bytearray(state.tobytes()), dtype=STATE)


@kernel
def start_deal(states: NDArray[np.void], hand0: int, hand1: int, hand2: int, skat: int, rules: int) -> None:
    """:func:`skatai.kernels.state.set_deal`."""
    set_deal(states[0], hand0, hand1, hand2, skat, rules)


@kernel
def take_action(states: NDArray[np.void], action: int) -> int:
    """The seat to move takes ``action``, if it may; the seat, or -1: not legal, and nothing has changed."""
    state = states[0]
    if not is_legal(state, action):
        return np.int64(-1)
    seat = np.int64(state["to_move"])
    apply(state, action)
    return seat


@kernel
def take_event(states: NDArray[np.void], kind: int, seat: int) -> bool:
    """Event ``kind`` of ``seat`` happens, if it may; whether it has."""
    state = states[0]
    if not is_legal_event(state, kind, seat):
        return False
    apply_event(state, kind, seat)
    return True


@kernel
def legal_ids(states: NDArray[np.void]) -> NDArray[np.int64]:
    """Ids of the legal actions of the seat to move, ascending: int64 (n,), a new array."""
    out = np.empty(N_ACTIONS, dtype=np.int64)
    words = legal_words(states[0])
    n = 0
    for w in range(3):
        word = words[w]
        while word:
            out[n] = WORD_BITS * w + lowest(word)
            word &= word - 1
            n += 1
    return out[:n]


@kernel
def legal_flags(states: NDArray[np.void], out: NDArray[np.int8]) -> int:
    """:func:`skatai.kernels.moves.legal_mask`."""
    return legal_mask(states[0], out)


@kernel
def last_bid(states: NDArray[np.void]) -> int:
    """:func:`skatai.kernels.state.bid_value`."""
    return bid_value(states[0])


@kernel
def hide(states: NDArray[np.void], seat: int) -> None:
    """Blank out what ``seat`` may not know, in place (:func:`skatai.kernels.observe.observe`)."""
    observe(states[0], seat, states[0])
