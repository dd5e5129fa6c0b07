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
    DECLARE,
    DISCARD,
    END_PASSED_IN,
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
    "mod3",
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

# Over many tables no processor foresees what phase one is in or whose turn it is, so the code below hardly branches: conditions are
# bits, and ``-bit`` is a mask.
_TRICK_PHASES = 1 << PLAY | 1 << ANSWER
_DECLARED = _TRICK_PHASES | 1 << OVER
_PICKED_UP_PHASES = _DECLARED | 1 << DISCARD | 1 << DECLARE
assert (HAND, OUVERT) == (1, 2)


@kernel
def mod3(n: int) -> int:
    """``n % 3`` for ``n`` from 0 to 5."""
    return 0b10_01_00_10_01_00 >> (2 * n) & 3


@kernel(inline=True)
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
        player = mod3(np.int64(state["leaders"][trick]) + i - 3 * trick)
        seen[player] |= np.int64(1) << card | void << (_VOID_SHIFT + suit_class)


@kernel
def _seat_bit(who: int) -> int:
    """A seat as a bit; 0 for ``NOBODY``."""
    return 1 << (who & 3) & 7


@kernel
def _turned(seats: int, seat: int) -> int:
    """A set of seats as seen from ``seat``: bit 0 me, 1 left, 2 right."""
    return (seats | seats << 3) >> seat & 7


@kernel(inline=True)
def _encode_cards(state: StateRecord, seat: int, seen: NDArray[np.int64], out: NDArray[np.int8], row: int) -> None:
    """The blocks of cards but for the present trick, and the voids."""
    flags, phase, declarer = np.int64(state["flags"]), np.int64(state["phase"]), np.int64(state["declarer"])
    write_bits(np.int64(state["hands"][seat]), out, row, _HAND)
    picked_up = -(_PICKED_UP_PHASES >> phase & _seat_bit(declarer) >> seat & ~flags & 1)
    write_bits(np.int64(state["discards"]) & picked_up, out, row, _PUT_AWAY)
    write_bits(np.int64(state["skat"]) & picked_up, out, row, _PICKED_UP)
    shown = -(_DECLARED >> phase & flags >> 1 & 1)
    write_bits(np.int64(state["hands"][declarer % 3]) & shown, out, row, _SHOWN)
    voids = np.int64(0)
    for place in range(3):
        other = mod3(seat + place)
        write_bits(seen[other], out, row, _PLAYED + 32 * place)
        voids |= seen[other] >> _VOID_SHIFT << (_N_CLASSES * place)
    write_bits(voids, out, row, _VOIDS)  # and 17 entries of what comes next


@kernel(inline=True)
def _encode_table(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The present trick."""
    n = np.int64(state["n_plays"])
    trick = n // 3
    leader = np.int64(state["leaders"][min(trick, 9)])
    for i in range(3):
        place = mod3(mod3(leader + i) + 3 - seat)
        card = np.int64(state["plays"][min(3 * trick + i, 29)])
        write_bits(np.int64(3 * trick + i < n) << card, out, row, _ON_TABLE + 32 * place)


@kernel(inline=True)
def _still_bidding(state: StateRecord) -> int:
    """Who has not passed in the auction, as bits; the declarer when it is over (rules 2.2)."""
    declarer = _seat_bit(np.int64(state["declarer"]))
    if declarer or state["end"] == END_PASSED_IN:
        return declarer
    both = _seat_bit(np.int64(state["caller"])) | _seat_bit(np.int64(state["responder"]))
    return both | np.int64(state["stage"] == 1) << 2


@kernel(inline=True)
def _encode_status(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The blocks ``LEADER`` to ``PASSED``."""
    phase = np.int64(state["phase"])
    leader = _seat_bit(np.int64(state["leaders"][min(np.int64(state["n_plays"]) // 3, 9)]))
    bits = _turned(leader & -(_TRICK_PHASES >> phase & 1), seat)
    bits |= _turned(_seat_bit(np.int64(state["to_move"])), seat) << (_TO_MOVE - _STATUS)
    bits |= _turned(_seat_bit(np.int64(state["declarer"])), seat) << (_DECLARER - _STATUS)
    bits |= np.int64(1) << (_SEAT - _STATUS + seat)
    bits |= np.int64(1) << (_PHASE - _STATUS + phase)
    bits |= (1 << (np.int64(state["game"]) & 7) & 63) << (_GAME - _STATUS)  # NO_GAME & 7 is 7: none of the six
    bits |= np.int64(state["flags"]) << (_FLAGS - _STATUS)
    bits |= (7 ^ _turned(_still_bidding(state), seat)) << (_PASSED - _STATUS)
    write_bits(bits, out, row, _STATUS)


@kernel(inline=True)
def _encode_tail(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The blocks from ``LIMITS`` on: bits, and the numbers between them."""
    caller = _seat_bit(np.int64(state["caller"])) & -np.int64(state["phase"] == AUCTION)
    bits = _REACHED[state["bid"]] << (_BID_REACHED - _TAIL)
    bits |= _turned(caller, seat) << (_CALLER - _TAIL)
    bits |= _turned(_seat_bit(np.int64(state["pending"])), seat) << (_PENDING - _TAIL)
    write_bits(bits, out, row, _TAIL)
    for place in range(3):
        other = mod3(seat + place)
        out[row, _LIMITS + place] = state["limits"][other]
        out[row, _POINTS + place] = state["points"][other]
        out[row, _TRICKS + place] = state["tricks"][other]
    out[row, _N_PLAYS] = state["n_plays"]


@kernel(inline=True)
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
