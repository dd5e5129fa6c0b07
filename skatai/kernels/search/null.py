"""The open-card search of null: can the declarer lose every trick? (rules 4.2; search numbering, groups of eight)

Same shape as the search of points: one function for a trick, three nested loops, forced cards for positions in the
middle of a trick, a table at the start of tricks. What makes it small is that the declarer hardly ever has a choice:

* A lower card of a suit is never worse for him than a higher one. So of the cards with which he surely loses the
  trick he plays the highest of a suit, and he discards the highest of a suit.
* With a card he can lose the trick only if some opponent *must* beat it: the one who led, or one who has already played, or
  one whose cards of the suit are all higher. Otherwise both play low, and he is lost. No search is needed for that.
* His suits are *safe* when, counted from below, each of his cards lies under theirs (``layout.SAFE_SUIT``). If all
  are and he is not on lead, the game is won: at every lead in such a suit he plays the highest card under the lead,
  which keeps the suit safe; when he cannot follow he discards the highest card of a suit, which keeps it safe; and
  what opponents discard only helps him.

All cards of a suit count the same, and the suits do not differ: equal cards are all neighbours, and the table's key
sorts the suits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest, popcount
from skatai.kernels.search.layout import NULL_HALF_CODE, NULL_LENGTH, SAFE_SUIT, SPREAD
from skatai.kernels.search.order import insert
from skatai.kernels.search.table import BUCKET, bucket_of
from skatai.kernels.search.workspace import GENERATION, LIMIT, MOVES, NODES, OLDEST, ROW, STOPPED

__all__ = ["distinct_null", "null_search"]

_NOT_TOP = 0x7F7F7F7F


@kernel
def distinct_null(hand: int, everything: int) -> int:
    """The hand without cards whose next higher card left in the suit is also its own."""
    gone = ~everything
    next_own = hand >> 1 & _NOT_TOP
    for _ in range(6):
        next_own |= (next_own & gone) >> 1 & _NOT_TOP
    return hand & ~next_own


@kernel
def all_safe(declarer: int, others: int) -> int:
    """1 if no suit can make a declarer who is not on lead take a trick."""
    for _ in range(4):
        if not SAFE_SUIT[(declarer & 255) << 8 | others & 255]:
            return 0
        declarer >>= 8
        others >>= 8
    return 1


@kernel
def group_code(a: int, b: int, c: int) -> int:
    """Owner sequence of one group of eight cards."""
    packed = SPREAD[a] + 2 * SPREAD[b] + 3 * SPREAD[c]
    high = packed >> 8
    return NULL_HALF_CODE[packed & 255] * NULL_LENGTH[high] + NULL_HALF_CODE[high]


@kernel
def null_key(a: int, b: int, c: int, seat: int) -> int:
    """Owner sequences of the four suits, sorted, and the declarer's place."""
    p = group_code(a & 255, b & 255, c & 255)
    q = group_code(a >> 8 & 255, b >> 8 & 255, c >> 8 & 255)
    r = group_code(a >> 16 & 255, b >> 16 & 255, c >> 16 & 255)
    s = group_code(a >> 24, b >> 24, c >> 24)
    p, q = min(p, q), max(p, q)
    r, s = min(r, s), max(r, s)
    p, r = min(p, r), max(p, r)
    q, s = min(q, s), max(q, s)
    q, r = min(q, r), max(q, r)
    return ((p << 14 | q) << 14 | r) << 16 | s << 2 | seat


@kernel
def probe_null(key: int, bucket: int, work: NDArray[np.int64]) -> int:
    """1 won, 0 lost, -1 unknown."""
    for i in range(bucket, bucket + BUCKET, 2):
        if work[i] == key and work[i + 1] >> 42 >= work[OLDEST]:
            return work[i + 1] & 1
    return -1


@kernel
def store_null(key: int, value: int, size: int, bucket: int, work: NDArray[np.int64]) -> None:
    """Keep a result over an old entry, else over the one with the fewest cards."""
    generation = work[GENERATION]
    place = bucket
    fewest = 99
    for i in range(bucket, bucket + BUCKET, 2):
        data = work[i + 1]
        held = data >> 1 & 63 if data >> 42 == generation else -1
        if held < fewest:
            fewest = held
            place = i
    work[place] = key
    work[place + 1] = value | size << 1 | generation << 42


@kernel
def highest_of_suits(mask: int) -> int:
    """The highest card of each suit of a mask."""
    tops = mask & 0
    while mask:
        top = highest(mask)
        tops |= 1 << top
        mask &= (1 << (top & 24)) - 1
    return tops


@kernel
def declarer_leads(declarer: int, b: int, c: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with the declarer's leads that somebody must beat, one a suit; returns their number."""
    count = 0
    for shift in range(0, 32, 8):
        suit = 255 << shift
        must = max((b & suit) & -(b & suit), (c & suit) & -(c & suit))
        safe = declarer & suit & (must - 1) if must else 0
        if safe:
            work[start + count] = highest(safe)
            count += 1
    return count


@kernel
def declarer_follows(declarer: int, suit: int, limit: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with the declarer's cards that lose a trick in ``suit``; ``limit`` = the card (as bit) that will beat him."""
    mine = declarer & suit
    if mine:
        safe = mine & (limit - 1)
        if safe == 0:
            return 0
        work[start] = highest(safe)
        return 1
    count = 0
    tops = highest_of_suits(declarer)
    while tops:
        top = lowest(tops)
        tops &= tops - 1
        insert((top & 7) << 5 | top, start, count, work)
        count += 1
    return count


@kernel
def defender_moves(hand: int, suit: int, declarer: int, everything: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with a defender's moves (``suit`` = 0: he leads), low cards of suits first that are not safe for the declarer."""
    moves = distinct_null(hand, everything)
    if hand & suit:
        moves &= suit
    count = 0
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        shift = x & 24
        mine = declarer >> shift & 255
        theirs = (everything & ~declarer) >> shift & 255
        score = 8 - (x & 7)
        if suit == 0:
            if not SAFE_SUIT[mine << 8 | theirs]:
                score += 16
            if mine:
                score += 8
        elif hand & suit == 0:
            score = (x & 7) + (8 if mine else 0)
        insert(score << 5 | x, start, count, work)
        count += 1
    return count


@kernel
def null_search(a: int, b: int, c: int, seat: int, forced: int, work: NDArray[np.int64]) -> int:
    """1 if the declarer can lose every trick from here, else 0.

    ``a``, ``b``, ``c``: hands of the leader and the next players; ``seat``: the declarer's place among them; ``forced``: 0, or
    the first cards of this trick, six bits each (card + 1), in the order of play. One function for speed, as in ``points``.
    """
    if a == 0:
        return 1
    declarer = a if seat == 0 else (b if seat == 1 else c)
    everything = a | b | c
    key = 0
    bucket = 0
    if forced == 0:
        if seat and all_safe(declarer, everything & ~declarer):
            return 1
        if work[NODES] >= work[LIMIT]:
            work[STOPPED] = 1
            return 0
        key = null_key(a, b, c, seat)
        bucket = bucket_of(key, work)
        value = probe_null(key, bucket, work)
        if value >= 0:
            return value
    row = MOVES + 3 * ROW * popcount(a)
    if forced:
        n_a = 1
        work[row] = (forced & 63) - 1
    elif seat == 0:
        n_a = declarer_leads(a, b, c, row, work)
    else:
        n_a = defender_moves(a, np.int64(0), declarer, everything, row, work)
    value_a = 0 if seat == 0 else 1
    for i in range(row, row + n_a):
        work[NODES] += 1
        x = work[i] & 31
        bit_x = 1 << x
        suit = 255 << (x & 24)
        if forced >> 6:
            n_b = 1
            work[row + ROW] = (forced >> 6 & 63) - 1
        elif seat == 1:
            low_c = (c & suit) & -(c & suit)  # the last player must beat everything under his lowest card
            n_b = declarer_follows(b, suit, max(bit_x, low_c), row + ROW, work)
        else:
            n_b = defender_moves(b, suit, declarer, everything, row + ROW, work)
        value_b = 0 if seat == 1 else 1
        for j in range(row + ROW, row + ROW + n_b):
            work[NODES] += 1
            y = work[j] & 31
            bit_y = 1 << y
            if forced >> 12:
                n_c = 1
                work[row + 2 * ROW] = (forced >> 12) - 1
            elif seat == 2:
                n_c = declarer_follows(c, suit, max(bit_x, bit_y & suit), row + 2 * ROW, work)
            else:
                n_c = defender_moves(c, suit, declarer, everything, row + 2 * ROW, work)
            value_c = 0 if seat == 2 else 1
            for k in range(row + 2 * ROW, row + 2 * ROW + n_c):
                work[NODES] += 1
                z = work[k] & 31
                bit_z = 1 << z
                best = highest((bit_x | bit_y | bit_z) & suit)
                value = 0
                if best == x:
                    if seat:
                        value = null_search(a ^ bit_x, b ^ bit_y, c ^ bit_z, seat, np.int64(0), work)
                elif best == y:
                    if seat != 1:
                        turned = seat - 1 if seat else 2
                        value = null_search(b ^ bit_y, c ^ bit_z, a ^ bit_x, turned, np.int64(0), work)
                elif seat != 2:
                    turned = seat + 1
                    value = null_search(c ^ bit_z, a ^ bit_x, b ^ bit_y, turned, np.int64(0), work)
                if work[STOPPED]:
                    return 0
                value_c = value
                if value == (seat == 2):
                    break
            value_b = value_c
            if value_c == (seat == 1):
                break
        value_a = value_b
        if value_b == (seat == 0):
            break
    if forced == 0:
        store_null(key, value_a, popcount(everything), bucket, work)
    return value_a
