"""The table of positions at the start of a trick, shared by all positions that play alike.

The key is the owner sequence of every group (see ``layout``) and the declarer's place in the trick, so that it
forgets *which* cards are left as long as the same hands own them in the same order. Such positions have the same
legal moves and the same winners of every trick: they differ only in the points of the cards. An entry keeps the cards
it was made from. If the declarer can collect certain places of the sequence there, he can collect the same places
here; his points then differ by the differences of the cards in these places, which at worst are all those where the
stored card counts more (for a lower bound) or less (for an upper bound). Jacks are a sequence of their own: all count
two points. Suits that are no trumps may change places, too; the key has them sorted.

An entry is two words: the key, and ``cards of the groups (28 bits) | lower << 28 (7) | upper << 35 (7) | generation << 42``.
A bucket has eight entries (two cache lines), several of which may have the same key and different cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import popcount
from skatai.kernels.search.layout import GAP, JACK_BITS, JACK_CODE, SPREAD, SUIT_CODE
from skatai.kernels.search.switches import MANY_ENTRIES, OTHER_CARDS, SUIT_SYMMETRY
from skatai.kernels.search.workspace import BITS, GENERATION, OLDEST, TABLE

__all__ = ["BUCKET", "GROUP_BITS", "bucket_of", "position_key", "probe", "store"]

GROUP_BITS = 0xFFFFFFF
#: words in a bucket
BUCKET = 16


@kernel
def group_word(a: int, b: int, c: int) -> int:
    """``owner code << 7 | cards`` of the group in the lowest seven bits of three hands."""
    a &= 127
    b &= 127
    c &= 127
    # the cast matters for plain Python only: NumPy would keep the small type of the table
    return np.int64(SUIT_CODE[SPREAD[a] + 2 * SPREAD[b] + 3 * SPREAD[c]]) << 7 | (a | b | c)


@kernel
def position_key(a: int, b: int, c: int, seat: int, trumps: int) -> tuple[int, int]:
    """Owner sequences of leader ``a``, ``b`` and ``c`` and the declarer's ``seat``, in 57 bits; and the cards left, 28 bits.

    Suits that are no trumps are put in order, the cards with them: they play alike.
    """
    p = group_word(a, b, c)
    q = group_word(a >> 7, b >> 7, c >> 7)
    r = group_word(a >> 14, b >> 14, c >> 14)
    s = group_word(a >> 21, b >> 21, c >> 21)
    if SUIT_SYMMETRY:
        p, q = min(p, q), max(p, q)
        q, r = min(q, r), max(q, r)
        p, q = min(p, q), max(p, q)
        if trumps == JACK_BITS:
            r, s = min(r, s), max(r, s)
            q, r = min(q, r), max(q, r)
            p, q = min(p, q), max(p, q)
    key = (p >> 7) << 36 | (q >> 7) << 24 | (r >> 7) << 12 | s >> 7
    key = key << 7 | np.int64(JACK_CODE[SPREAD[a >> 28] + 2 * SPREAD[b >> 28] + 3 * SPREAD[c >> 28]])
    cards = (p & 127) << 21 | (q & 127) << 14 | (r & 127) << 7 | s & 127
    return key << 2 | seat, cards


@kernel
def bucket_of(key: int, work: NDArray[np.int64]) -> int:
    """Index of the first word of a key's bucket."""
    # two products of 31-bit factors: never beyond int64, so that it works as plain Python, too
    mixed = (key & 0x3FFFFFFF) * 0x5BD1E995 + (key >> 30) * 0x6C8E9CF5
    mixed ^= mixed >> 29
    return TABLE + BUCKET * (mixed & ((1 << (work[BITS] - 3)) - 1))


@kernel
def difference(stored: int, mine: int) -> tuple[int, int]:
    """Points by which two sets with the same owner sequence differ: stored above mine, mine above stored."""
    down = 0
    up = 0
    while stored != mine:
        s = stored & 127
        m = mine & 127
        down += np.int64(GAP[s << 7 | m])
        up += np.int64(GAP[m << 7 | s])
        stored >>= 7
        mine >>= 7
    return down, up


@kernel
def probe(key: int, cards: int, bucket: int, work: NDArray[np.int64]) -> tuple[int, int]:
    """Lower and upper bound for a position, (0, 127) if unknown. ``cards`` as in ``position_key``."""
    lower = 0
    upper = 127
    for i in range(bucket, bucket + BUCKET, 2):
        if work[i] == key:
            data = work[i + 1]
            if data >> 42 >= work[OLDEST]:
                if not OTHER_CARDS and data & GROUP_BITS != cards:
                    continue
                down, up = difference(data & GROUP_BITS, cards)
                lower = max(lower, (data >> 28 & 127) - down)
                upper = min(upper, (data >> 35 & 127) + up)
    return lower, upper


@kernel
def store(key: int, cards: int, lower: int, upper: int, bucket: int, work: NDArray[np.int64]) -> None:
    """Keep the bounds: over the same position, an empty entry, one of an earlier problem, or the one with the fewest cards.

    A bound of the position that was there before has been merged into these by the search.
    """
    generation = work[GENERATION]
    place = bucket
    fewest = 99
    for i in range(bucket, bucket + BUCKET, 2):
        data = work[i + 1]
        if data >> 42 < work[OLDEST]:
            size = -99
        elif work[i] == key and (not MANY_ENTRIES or data & GROUP_BITS == cards):
            place = i
            break
        else:
            size = popcount(data & GROUP_BITS)
            if data >> 42 != generation:
                size -= 32
        if size < fewest:
            fewest = size
            place = i
    work[place] = key
    work[place + 1] = cards | lower << 28 | upper << 35 | generation << 42
