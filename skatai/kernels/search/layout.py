"""The search's own numbering of the cards, and the constant tables that depend on it.

The search renumbers the cards of a contract so that a trick's winner is one comparison: the highest bit among the cards of the
led suit class and the trumps.

========  =====================================================================================================
bits      suit games and grand
========  =====================================================================================================
28 … 31   the jacks DJ HJ SJ CJ
21 … 27   the trump suit 7 8 9 Q K T A; in grand clubs, a suit of its own
14 … 20   a side suit, and so on down to bit 0: seven adjacent bits a suit ("group")
========  =====================================================================================================

Null has four groups of eight bits, 7 8 9 T J Q K A, in the order of the suits.

*Owner sequences.* What a position means for the play is, suit by suit, only the order of the owners of the cards that are left.
``owner_code`` packs that order for one group into a number: read from the lowest card left, owner 0, 1 or 2 becomes digit 1, 2
or 3 of a number in base 3 (bijective: every sequence has its own number, whatever its length).

All masks are ``int64`` below 2**32.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import lowest, popcount

__all__ = [
    "ACES",
    "BLANKS",
    "GAP",
    "INNER",
    "INNER_CLASS",
    "INNER_POINTS",
    "INNER_TRUMPS",
    "JACK_BITS",
    "JACK_CODE",
    "KINGS",
    "NULL_LENGTH",
    "NULL_HALF_CODE",
    "OUTER",
    "QUEENS",
    "SAFE_SUIT",
    "SPREAD",
    "SUIT_CODE",
    "TENS",
    "points_of",
    "to_inner",
    "to_outer",
]

Table = NDArray[np.int64]

JACK_BITS = 0xF0000000
_GROUPS = (1 << 0) + (1 << 7) + (1 << 14) + (1 << 21)
ACES = _GROUPS << 6
TENS = _GROUPS << 5
KINGS = _GROUPS << 4
QUEENS = _GROUPS << 3
#: the cards without points: 9, 8 and 7
BLANKS = _GROUPS * 7

_RANK_POINTS = (0, 0, 0, 3, 4, 10, 11)
_NULL_RANK = (0, 1, 2, 5, 6, 3, 7, 4)  # 7 8 9 Q K T A J of null's order 7 8 9 T J Q K A


def _numbering() -> tuple[Table, Table]:
    inner = np.zeros((6, 32), dtype=np.int64)
    for game in range(5):
        order = [suit for suit in (3, 2, 1, 0) if suit != game]
        groups = order if game == 4 else [game, *order]
        for place, suit in enumerate(groups):
            inner[game, 8 * suit : 8 * suit + 7] = 21 - 7 * place + np.arange(7)
            inner[game, 8 * suit + 7] = 28 + suit
    for card in range(32):
        inner[5, card] = card - card % 8 + _NULL_RANK[card % 8]
    outer = np.zeros_like(inner)
    for game in range(6):
        outer[game, inner[game]] = np.arange(32)
    return inner, outer


#: (6, 32): bit of a card in the search's numbering of a game, and back
INNER, OUTER = _numbering()

#: (32,): card points by the numbering of suit games and grand
INNER_POINTS: Table = np.array([*_RANK_POINTS * 4, 2, 2, 2, 2], dtype=np.int64)

#: (6,): the trumps in the numbering of each game
INNER_TRUMPS: Table = np.array([0xFFE00000] * 4 + [JACK_BITS, 0], dtype=np.int64)

#: (6, 32): the suit class of a card in the numbering of each game
INNER_CLASS: Table = np.array(
    [
        [
            0xFF << bit - bit % 8 if game == 5 else int(trumps) if trumps >> bit & 1 else 0x7F << bit - bit % 7
            for bit in range(32)
        ]
        for game, trumps in enumerate(INNER_TRUMPS.tolist())
    ],
    dtype=np.int64,
)


def _owner_codes(width: int) -> Table:
    """(4**width,): the code of every assignment of owners (2 bits a card: 0 gone, else owner + 1) to ``width`` cards."""
    packed = np.arange(4**width, dtype=np.int64)
    code = np.zeros_like(packed)
    for place in range(width):
        digit = packed >> 2 * place & 3
        code = np.where(digit > 0, 3 * code + digit, code)
    return code


def _spread(mask: int) -> int:
    return sum((mask >> i & 1) << 2 * i for i in range(8))


#: (256,): every bit moved to twice its place, so that SPREAD[a] + 2 SPREAD[b] + 3 SPREAD[c] packs the owners of a group
SPREAD: NDArray[np.int32] = np.array([_spread(mask) for mask in range(256)], dtype=np.int32)
#: the code of a group of seven cards, and of the jacks
SUIT_CODE: NDArray[np.int16] = _owner_codes(7).astype(np.int16)
JACK_CODE: NDArray[np.int16] = _owner_codes(4).astype(np.int16)
#: null's groups have eight cards: the code of a half of four and three to the power of its length put two halves together
NULL_HALF_CODE: Table = _owner_codes(4)
NULL_LENGTH: Table = np.prod(np.where(np.arange(256) >> 2 * np.arange(4)[:, None] & 3, 3, 1), axis=0).astype(np.int64)


def _gaps() -> NDArray[np.int8]:
    """(128 * 128,): for two sets of as many cards of a group, the sum of max(0, points of a - points of b) pair by pair."""
    points = np.zeros((128, 7), dtype=np.int16)
    count = np.array([mask.bit_count() for mask in range(128)])
    for mask in range(128):
        held = [_RANK_POINTS[i] for i in range(7) if mask >> i & 1]
        points[mask, : len(held)] = held
    gap = np.maximum(0, points[:, None, :] - points[None, :, :]).sum(axis=2)
    gap[count[:, None] != count[None, :]] = 0  # never asked for
    return gap.reshape(-1).astype(np.int8)


GAP = _gaps()


def _safe_suits() -> NDArray[np.bool_]:
    """(256 * 256,): can a null declarer with the first cards never be made to win a trick in this suit led by others?

    His i-th lowest card must lie under their i-th lowest, for as long as both have one.
    """
    mask = np.arange(256)
    mine, theirs = mask[:, None], mask[None, :]
    total = np.array([m.bit_count() for m in range(256)])[:, None]
    seen_mine = np.zeros((256, 1), dtype=np.int64)
    seen_theirs = np.zeros((1, 256), dtype=np.int64)
    safe = np.ones((256, 256), dtype=np.bool_)
    for bit in range(8):
        seen_mine = seen_mine + (mine >> bit & 1)
        seen_theirs = seen_theirs + (theirs >> bit & 1)
        safe &= ~((theirs >> bit & 1 == 1) & (seen_theirs <= total) & (seen_mine < seen_theirs))
    return safe.reshape(-1)


SAFE_SUIT = _safe_suits()


@kernel
def to_inner(mask: int, game: int) -> int:
    """The card set ``mask`` in the search's numbering."""
    inner = mask & 0
    while mask:
        inner |= 1 << INNER[game, lowest(mask)]
        mask &= mask - 1
    return inner


@kernel
def to_outer(mask: int, game: int) -> int:
    """The way back of ``to_inner``."""
    outer = mask & 0
    while mask:
        outer |= 1 << OUTER[game, lowest(mask)]
        mask &= mask - 1
    return outer


@kernel
def points_of(mask: int) -> int:
    """Card points of a set in the numbering of suit games and grand."""
    return (
        11 * popcount(mask & ACES)
        + 10 * popcount(mask & TENS)
        + 4 * popcount(mask & KINGS)
        + 3 * popcount(mask & QUEENS)
        + 2 * popcount(mask & JACK_BITS)
    )
