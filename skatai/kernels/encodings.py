"""What one seat knows as a flat vector of small integers: the input of neural networks and the observation of environments.

Everything is seen from one seat: "me", "left" (the next seat in clockwise order) and "right". A block "per seat" has its parts
in this order. Entries are 0 or 1 where no range is given.

======  ====  ==================  ======================================================================================
start   size  block               meaning
======  ====  ==================  ======================================================================================
0       32    ``HAND``            cards I hold (twelve between pick-up and discard)
32      32    ``PUT_AWAY``        cards I have put away as declarer
64      32    ``PICKED_UP``       the skat as I picked it up
96      32    ``SHOWN``           cards the declarer of an ouvert game holds, open to everybody
128     96    ``PLAYED``          per seat: cards played, those of the present trick included
224     96    ``ON_TABLE``        per seat: its card in the present trick
320     15    ``VOIDS``           per seat: suit classes (D, H, S, C, trumps) it did not follow, so that it has none left
335     3     ``LEADER``          per seat: leads the present trick (from the declaration to the end of play)
338     3     ``TO_MOVE``         per seat: it is to move
341     3     ``DECLARER``        per seat: it is the declarer
344     3     ``SEAT``            I am forehand, middlehand, rearhand (absolute)
347     7     ``PHASE``           auction, skat, discard, declare, play, answer, over
354     6     ``GAME``            game type D, H, S, C, grand, null
360     4     ``FLAGS``           hand, ouvert, schneider announced, schwarz announced
364     3     ``PASSED``          per seat: has passed in the auction (after it: everyone but the declarer)
367     3     ``LIMITS``          per seat: 1 + index in ``BID_VALUES`` of the last value it named or held, 0 for none (0…68)
370     16    ``BID_REACHED``     the last value named is at least ``BID_STEPS[i]``
386     3     ``CALLER``          per seat: is the one who bids at this point of the auction (none after it)
389     3     ``POINTS``          per seat: card points in its tricks (0…120)
392     3     ``TRICKS``          per seat: its tricks (0…10)
395     3     ``PENDING``         per seat: its concession waits for an answer
398     1     ``N_PLAYS``         cards played (0…30)
======  ====  ==================  ======================================================================================

``ENCODING_SIZE`` = 399 entries, all of them in 0…120, so that ``int8`` holds them; ``ENCODING_SCALE`` brings each into 0…1. The
table is frozen as ``ENCODING_VERSION`` = 1; a change of any entry raises the version.

The vector is a function of what :func:`skatai.kernels.observe.observe` shows to the seat: the state itself and the seat's masked
record give the same. It is not the whole information state: the order of earlier tricks and of the bids is dropped (cards
played, voids, points, tricks and limits summarise them), and the rules of the table are not in it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import BID_VALUES, HAND, N_BIDS, OUVERT
from skatai.kernels.bits import write_bits
from skatai.kernels.state import (
    ANSWER,
    AUCTION,
    DISCARD,
    END_PASSED_IN,
    NOBODY,
    OVER,
    PHASES,
    PLAY,
    StateRecord,
)
from skatai.kernels.tables import FOLLOW, N_GAMES, TRUMPS, IntTable

__all__ = [
    "BID_STEPS",
    "ENCODING_BLOCKS",
    "ENCODING_SCALE",
    "ENCODING_SIZE",
    "ENCODING_VERSION",
    "encode",
    "encode_batch",
    "encode_row",
    "encode_scaled_batch",
    "look_back",
    "scale_row",
]

ENCODING_VERSION: Final = 1

#: thresholds of ``BID_REACHED``: the values at which the cheapest games stop covering the bid
BID_STEPS: IntTable = np.array([18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 46, 48, 50, 60], dtype=np.int64)
_N_CLASSES = 5

#: (name, size, largest value) of each block, in order
_LAYOUT: Final = (
    ("HAND", 32, 1),
    ("PUT_AWAY", 32, 1),
    ("PICKED_UP", 32, 1),
    ("SHOWN", 32, 1),
    ("PLAYED", 96, 1),
    ("ON_TABLE", 96, 1),
    ("VOIDS", 3 * _N_CLASSES, 1),
    ("LEADER", 3, 1),
    ("TO_MOVE", 3, 1),
    ("DECLARER", 3, 1),
    ("SEAT", 3, 1),
    ("PHASE", len(PHASES), 1),
    ("GAME", N_GAMES, 1),
    ("FLAGS", 4, 1),
    ("PASSED", 3, 1),
    ("LIMITS", 3, N_BIDS),
    ("BID_REACHED", len(BID_STEPS), 1),
    ("CALLER", 3, 1),
    ("POINTS", 3, 120),
    ("TRICKS", 3, 10),
    ("PENDING", 3, 1),
    ("N_PLAYS", 1, 30),
)


def _blocks() -> dict[str, slice]:
    blocks, start = {}, 0
    for name, size, _ in _LAYOUT:
        blocks[name] = slice(start, start + size)
        start += size
    return blocks


#: where each block lies: ``encoding[ENCODING_BLOCKS["HAND"]]``
ENCODING_BLOCKS: Final[dict[str, slice]] = _blocks()
ENCODING_SIZE: Final[int] = sum(size for _, size, _ in _LAYOUT)

#: float32, shape (ENCODING_SIZE,): ``encoding * ENCODING_SCALE`` lies in 0…1
ENCODING_SCALE: NDArray[np.float32] = np.concatenate(
    [np.full(size, 1.0 / largest, dtype=np.float32) for _, size, largest in _LAYOUT]
)

#: by the state's field ``bid``: which of ``BID_STEPS`` are reached, as bits
_REACHED: IntTable = np.array(
    [0] + [sum(1 << i for i, step in enumerate(BID_STEPS) if value >= step) for value in BID_VALUES], dtype=np.int64
)

# Plain integers: kernels cannot read the dictionary.
(
    _HAND,
    _PUT_AWAY,
    _PICKED_UP,
    _SHOWN,
    _PLAYED,
    _ON_TABLE,
    _VOIDS,
    _LEADER,
    _TO_MOVE,
    _DECLARER,
    _SEAT,
    _PHASE,
    _GAME,
    _FLAGS,
    _PASSED,
    _LIMITS,
    _BID_REACHED,
    _CALLER,
    _POINTS,
    _TRICKS,
    _PENDING,
    _N_PLAYS,
) = (block.start for block in ENCODING_BLOCKS.values())

assert N_BIDS == len(BID_VALUES) <= 120
#: entries that are not 0 or 1
_NUMBERS: IntTable = np.flatnonzero(ENCODING_SCALE < 1).astype(np.int64)


# Runs of 0/1 blocks that are written in one go.
_STATUS, _TAIL = _LEADER, _LIMITS
assert _TAIL - _STATUS == ENCODING_SIZE - _TAIL == 32

_VOID_SHIFT = 32


@kernel
def look_back(state: StateRecord, first: int, seen: NDArray[np.int64]) -> None:
    """Add to ``seen`` what the cards played from number ``first`` on show of each seat.

    ``seen``: int64 (3,): cards played (bits 0-31) and suit classes that the seat did not follow (bits 32-36; rules 4.1).
    """
    game = np.int64(state["game"])
    for i in range(first, np.int64(state["n_plays"])):
        trick = i // 3
        led, card = np.int64(state["plays"][3 * trick]), np.int64(state["plays"][i])
        suit_class = 4 if TRUMPS[game] >> led & 1 else led >> 3
        void = FOLLOW[game, led] >> card & 1 ^ 1
        seen[(np.int64(state["leaders"][trick]) + i) % 3] |= np.int64(1) << card | void << (_VOID_SHIFT + suit_class)


@kernel
def _seat_bit(who: int) -> int:
    """A seat as a bit; 0 for ``NOBODY``."""
    return 1 << (who & 3) & 7


@kernel
def _turned(seats: int, seat: int) -> int:
    """A set of seats as seen from ``seat``: bit 0 me, 1 left, 2 right."""
    return (seats | seats << 3) >> seat & 7


@kernel
def _next_seat(seat: int) -> int:
    return (0 if seat == 2 else seat + 1) & 3  # "& 3" tells the compiler that it is not negative


@kernel
def _encode_cards(state: StateRecord, seat: int, seen: NDArray[np.int64], out: NDArray[np.int8], row: int) -> None:
    """The blocks of cards, and the voids."""
    flags, phase, declarer = np.int64(state["flags"]), np.int64(state["phase"]), np.int64(state["declarer"])
    put_away, picked_up, shown = np.int64(0), np.int64(0), np.int64(0)
    if seat == declarer and phase >= DISCARD and flags & HAND == 0:
        put_away, picked_up = np.int64(state["discards"]), np.int64(state["skat"])
    if declarer != NOBODY and phase >= PLAY and flags & OUVERT != 0:
        shown = np.int64(state["hands"][declarer])
    write_bits(np.int64(state["hands"][seat]), out, row, _HAND)
    write_bits(put_away, out, row, _PUT_AWAY)
    write_bits(picked_up, out, row, _PICKED_UP)
    write_bits(shown, out, row, _SHOWN)
    voids, other = np.int64(0), seat
    for place in range(3):
        write_bits(seen[other], out, row, _PLAYED + 32 * place)
        voids |= seen[other] >> _VOID_SHIFT << (_N_CLASSES * place)
        other = _next_seat(other)
    write_bits(voids, out, row, _VOIDS)  # and 17 entries of what comes next


@kernel
def _encode_table(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The present trick."""
    n = np.int64(state["n_plays"])
    trick = n // 3
    place = _turned(_seat_bit(np.int64(state["leaders"][min(trick, 9)])), seat) >> 1
    for i in range(3):
        card = np.int64(state["plays"][min(3 * trick + i, 29)])
        write_bits(np.int64(3 * trick + i < n) << card, out, row, _ON_TABLE + 32 * place)
        place = _next_seat(place)


@kernel
def _passed(state: StateRecord) -> int:
    """Who has passed, as bits: all but the declarer once there is one (rules 2.2)."""
    if state["declarer"] != NOBODY:
        return 7 ^ (1 << np.int64(state["declarer"]))
    if state["phase"] == OVER and state["end"] == END_PASSED_IN:
        return np.int64(7)
    if state["stage"] == 1:
        return np.int64(0)
    loser = 1 << (1 - np.int64(state["survivor"]))
    return loser | 4 if state["stage"] == 3 else loser


@kernel
def _encode_status(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The blocks ``LEADER`` to ``PASSED``."""
    phase, leader = np.int64(state["phase"]), np.int64(NOBODY)
    if phase == PLAY or phase == ANSWER:
        leader = np.int64(state["leaders"][np.int64(state["n_plays"]) // 3])
    bits = _turned(_seat_bit(leader), seat)
    bits |= _turned(_seat_bit(np.int64(state["to_move"])), seat) << (_TO_MOVE - _STATUS)
    bits |= _turned(_seat_bit(np.int64(state["declarer"])), seat) << (_DECLARER - _STATUS)
    bits |= np.int64(1) << (_SEAT - _STATUS + seat)
    bits |= np.int64(1) << (_PHASE - _STATUS + phase)
    bits |= (1 << (np.int64(state["game"]) & 7) & 63) << (_GAME - _STATUS)  # NO_GAME & 7 is 7: none of the six
    bits |= np.int64(state["flags"]) << (_FLAGS - _STATUS)
    bits |= _turned(_passed(state), seat) << (_PASSED - _STATUS)
    write_bits(bits, out, row, _STATUS)


@kernel
def _encode_tail(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The blocks from ``LIMITS`` on: bits, and the numbers between them."""
    caller = np.int64(state["caller"]) if state["phase"] == AUCTION else np.int64(NOBODY)
    bits = _REACHED[state["bid"]] << (_BID_REACHED - _TAIL)
    bits |= _turned(_seat_bit(caller), seat) << (_CALLER - _TAIL)
    bits |= _turned(_seat_bit(np.int64(state["pending"])), seat) << (_PENDING - _TAIL)
    write_bits(bits, out, row, _TAIL)
    other = seat
    for place in range(3):
        out[row, _LIMITS + place] = state["limits"][other]
        out[row, _POINTS + place] = state["points"][other]
        out[row, _TRICKS + place] = state["tricks"][other]
        other = _next_seat(other)
    out[row, _N_PLAYS] = state["n_plays"]


@kernel
def encode_row(state: StateRecord, seat: int, seen: NDArray[np.int64], out: NDArray[np.int8], row: int) -> None:
    """:func:`encode` into a row of a matrix, with what :func:`look_back` has found.

    A view of the row would be counted by reference, which takes a tenth of the time.
    """
    _encode_cards(state, seat, seen, out, row)
    _encode_table(state, seat, out, row)
    _encode_status(state, seat, out, row)
    _encode_tail(state, seat, out, row)


@kernel
def scale_row(out: NDArray[np.float32], row: int) -> None:
    """Bring the numbers of an encoding into 0…1 (``ENCODING_SCALE``); all other entries are 0 or 1."""
    for i in _NUMBERS:
        out[row, i] *= ENCODING_SCALE[i]


@kernel
def encode(state: StateRecord, seat: int, out: NDArray[np.int8]) -> None:
    """Write what ``seat`` knows of ``state`` into ``out`` (int8 or another number type, shape (ENCODING_SIZE,)).

    ``state`` may be the true state or the seat's masked record: both give the same (table in the module's docstring).
    """
    seen = np.zeros(3, dtype=np.int64)
    look_back(state, 0, seen)
    encode_row(state, seat, seen, out[np.newaxis, :], 0)


@kernel
def encode_batch(states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[np.int8]) -> None:
    """:func:`encode` for each of ``states`` (shape (n,)) as seen from ``seats`` (int64, (n,)); ``out``: (n, ENCODING_SIZE)."""
    seen = np.empty(3, dtype=np.int64)
    for i in range(len(states)):
        seen[:] = 0
        look_back(states[i], 0, seen)
        encode_row(states[i], seats[i], seen, out, i)


@kernel
def encode_scaled_batch(states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[np.float32]) -> None:
    """:func:`encode_batch`, times ``ENCODING_SCALE``."""
    encode_batch(states, seats, out)
    for i in range(len(out)):
        scale_row(out, i)
