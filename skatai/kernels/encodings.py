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
from skatai.kernels.state import (
    ANSWER,
    AUCTION,
    DISCARD,
    END_PASSED_IN,
    NO_GAME,
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
    "write_cards",
]

ENCODING_VERSION: Final = 1

#: thresholds of ``BID_REACHED``: the values at which the cheapest games stop covering the bid
BID_STEPS: IntTable = np.array([18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 46, 48, 50, 60], dtype=np.int64)
_N_STEPS = len(BID_STEPS)
#: the same as values of the state's field ``bid``
_BID_LEVELS: NDArray[np.uint8] = (np.searchsorted(BID_VALUES, BID_STEPS) + 1).astype(np.uint8)
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
    ("BID_REACHED", _N_STEPS, 1),
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

#: (256, 8): the bits of a byte, lowest first
_PATTERNS: NDArray[np.int8] = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.int8)

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


@kernel
def write_cards(cards: int, out: NDArray[np.int8], row: int, start: int) -> None:
    """Write a set of cards as 32 entries of 0 or 1, eight at a time: a loop over the cards would cost a misprediction."""
    for byte in range(4):
        pattern = cards >> (8 * byte) & 255
        for i in range(8):
            out[row, start + 8 * byte + i] = _PATTERNS[pattern, i]


@kernel
def _encode_private(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The cards that ``seat`` sees and others do not, and an ouvert hand."""
    flags = np.int64(state["flags"])
    phase = np.int64(state["phase"])
    declarer = np.int64(state["declarer"])
    write_cards(np.int64(state["hands"][seat]), out, row, _HAND)
    if seat == declarer and phase >= DISCARD and flags & HAND == 0:
        write_cards(np.int64(state["discards"]), out, row, _PUT_AWAY)
        write_cards(np.int64(state["skat"]), out, row, _PICKED_UP)
    if declarer != NOBODY and phase >= PLAY and flags & OUVERT != 0:
        write_cards(np.int64(state["hands"][declarer]), out, row, _SHOWN)


@kernel
def _place(other: int, seat: int) -> int:
    """``other`` as seen from ``seat``: 0 me, 1 left, 2 right. (``& 3`` tells the compiler that no index is negative.)"""
    place = other - seat
    return (place + 3 if place < 0 else place) & 3


@kernel
def _encode_plays(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """Cards played, the present trick, and who did not follow (rules 4.1).

    One function with few branches: calls and mispredictions are what an environment's time goes into.
    """
    n = np.int64(state["n_plays"])
    game = np.int64(state["game"])
    for trick in range((n + 2) // 3):
        first = 3 * trick
        player = _place(np.int64(state["leaders"][trick]), seat)
        led = np.int64(state["plays"][first])
        follow = FOLLOW[game, led]
        suit_class = 4 if TRUMPS[game] >> led & 1 else led >> 3
        out[row, _PLAYED + 32 * player + led] = 1
        for i in range(first + 1, min(first + 3, n)):
            player = 0 if player == 2 else player + 1
            card = np.int64(state["plays"][i])
            out[row, _PLAYED + 32 * player + card] = 1
            void = _VOIDS + _N_CLASSES * player + suit_class
            out[row, void] = max(out[row, void], follow >> card & 1 ^ 1)
    first = n - n % 3
    if n > first:
        player = _place(np.int64(state["leaders"][n // 3]), seat)
        out[row, _ON_TABLE + 32 * player + np.int64(state["plays"][first])] = 1
        player = 0 if player == 2 else player + 1
        out[row, _ON_TABLE + 32 * player + np.int64(state["plays"][first + 1])] = n > first + 1
    out[row, _N_PLAYS] = n


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
def _encode_seats(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """The blocks with one entry per seat, and how far the bidding went."""
    phase = np.int64(state["phase"])
    leader = np.int64(NOBODY)
    if phase == PLAY or phase == ANSWER:
        leader = np.int64(state["leaders"][np.int64(state["n_plays"]) // 3])
    caller = np.int64(state["caller"]) if phase == AUCTION else np.int64(NOBODY)
    passed = _passed(state)
    for other in range(3):
        place = _place(other, seat)
        out[row, _LEADER + place] = leader == other
        out[row, _TO_MOVE + place] = state["to_move"] == other
        out[row, _DECLARER + place] = state["declarer"] == other
        out[row, _PASSED + place] = passed >> other & 1
        out[row, _LIMITS + place] = state["limits"][other]
        out[row, _CALLER + place] = caller == other
        out[row, _POINTS + place] = state["points"][other]
        out[row, _TRICKS + place] = state["tricks"][other]
        out[row, _PENDING + place] = state["pending"] == other
    for i in range(_N_STEPS):
        out[row, _BID_REACHED + i] = state["bid"] >= _BID_LEVELS[i]


@kernel
def _encode_row(state: StateRecord, seat: int, out: NDArray[np.int8], row: int) -> None:
    """:func:`encode` into a row of a matrix. A view of the row would be counted by reference, which takes a tenth of the time."""
    for i in range(ENCODING_SIZE):
        out[row, i] = 0
    _encode_private(state, seat, out, row)
    _encode_plays(state, seat, out, row)
    _encode_seats(state, seat, out, row)
    out[row, _SEAT + seat] = 1
    out[row, _PHASE + np.int64(state["phase"])] = 1
    if state["game"] != NO_GAME:
        out[row, _GAME + np.int64(state["game"])] = 1
    for i in range(4):
        out[row, _FLAGS + i] = np.int64(state["flags"]) >> i & 1


@kernel
def encode(state: StateRecord, seat: int, out: NDArray[np.int8]) -> None:
    """Write what ``seat`` knows of ``state`` into ``out`` (int8 or another number type, shape (ENCODING_SIZE,)).

    ``state`` may be the true state or the seat's masked record: both give the same (table in the module's docstring).
    """
    _encode_row(state, seat, out[np.newaxis, :], 0)


@kernel
def encode_batch(states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[np.int8]) -> None:
    """:func:`encode` for each of ``states`` (shape (n,)) as seen from ``seats`` (int64, (n,)); ``out``: (n, ENCODING_SIZE)."""
    for i in range(len(states)):
        _encode_row(states[i], seats[i], out, i)
