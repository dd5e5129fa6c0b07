"""Move generation: equal cards collapse, and the moves that are likely to cut come first.

Two cards of a hand are *equal* when no card of another hand (or on the table) lies between them and they count the
same: then they are interchangeable, and only the higher one is tried. In suit games and grand that concerns 9-8-7 of
a suit and the jacks.

The order follows the outcome of the trick as far as the cards seen decide it: a sure win takes the most points, a
sure loss gives the fewest, and a card for the partner's trick is a fat one. Lengths, voids and what the others must play refine
that; the weights are in ``weights``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest, popcount
from skatai.kernels.search.layout import INNER_POINTS, JACK_BITS
from skatai.kernels.search.switches import EQUAL_CARDS
from skatai.kernels.search.weights import BLOCK, LEAD, SECOND, THIRD
from skatai.kernels.search.workspace import CLASSES, TRUMPS, WEIGHTS

__all__ = ["distinct", "neighbours", "order_lead", "order_second", "order_third"]

_SEVENS = (1 << 0) + (1 << 7) + (1 << 14) + (1 << 21)
_SEVENS_EIGHTS = 3 * _SEVENS


@kernel
def distinct(hand: int, everything: int) -> int:
    """The hand without cards that are equal to a higher one of it. ``everything`` = all cards in hands and on the table."""
    between = everything & ~hand
    low = hand >> 1 & _SEVENS_EIGHTS | hand >> 2 & ~(between >> 1) & _SEVENS
    jacks = hand & JACK_BITS
    foreign = ~(between >> 1)
    high = (jacks >> 1 | jacks >> 2 & foreign | jacks >> 3 & foreign & ~(between >> 2)) & JACK_BITS
    return hand & ~(low | high)


@kernel
def neighbours(x: int, hand: int, everything: int, slack: int, skip: int, work: NDArray[np.int64]) -> tuple[int, int]:
    """Add to ``skip`` the neighbours of ``x`` in the hand that differ by at most ``slack`` points; and the largest difference.

    Neighbours are cards of the hand in one suit class with no card of others between them. Exchanging two of them in a
    line of play changes no winner and the declarer's points by at most their difference, so the values of the two moves
    differ by no more than that.
    """
    suit = work[CLASSES + x]
    bit = 1 << x
    between = everything & ~hand & suit
    run = hand & suit & ~bit
    below = between & (bit - 1)
    if below:
        run &= -(1 << highest(below))
    over = between & -bit
    if over:
        run &= (over & -over) - 1
    run &= ~skip
    largest = 0
    points = INNER_POINTS[x]
    while run:
        y = lowest(run)
        run &= run - 1
        gap = abs(INNER_POINTS[y] - points)
        if gap <= slack:
            skip |= 1 << y
            largest = max(gap, largest)
    return skip, largest


@kernel
def insert(move: int, start: int, count: int, work: NDArray[np.int64]) -> None:
    """Insert a move (score << 5 | card) into the row of ``count`` moves at ``start``, best first."""
    i = start + count
    while i > start and work[i - 1] < move:
        work[i] = work[i - 1]
        i -= 1
    work[i] = move


@kernel
def contenders(hand: int, suit: int, trumps: int) -> int:
    """The cards of a hand that can still win a trick of this suit class, as far as the hand may play them."""
    follow = hand & suit
    if follow:
        return follow
    return hand & trumps


@kernel
def order_lead(a: int, b: int, c: int, seat: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with the leader's moves; returns their number."""
    trumps = work[TRUMPS]
    moves = distinct(a, a | b | c) if EQUAL_CARDS else a
    count = 0
    w = WEIGHTS + seat * BLOCK + LEAD
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        bit = 1 << x
        suit = work[CLASSES + x]
        from_b = contenders(b, suit, trumps)
        from_c = contenders(c, suit, trumps)
        if seat == 0:
            wins = from_b < bit and from_c < bit
        elif seat == 1:
            wins = from_b < bit or from_c > from_b
        else:
            wins = from_c < bit or from_b > from_c
        points = INNER_POINTS[x]
        mine = a & suit
        score = work[w + 5] * popcount(mine) + work[w + 6] * popcount(b & suit) + work[w + 7] * popcount(c & suit)
        if wins:
            score += work[w] + work[w + 1] * points
            if bit & trumps:
                score += work[w + 3]
        else:
            score += work[w + 2] * points
            if bit & trumps:
                score += work[w + 4]
        if b & suit == 0:
            score += work[w + 8]
        if c & suit == 0:
            score += work[w + 9]
        if from_b > bit:
            score += work[w + 10]
        if from_c > bit:
            score += work[w + 11]
        if mine == bit:
            score += work[w + 12]
        if mine < 2 * bit:
            score += work[w + 13]
        if from_b < bit and from_c < bit:
            score += work[w + 14]
        if mine & (bit - 1) == 0:
            score += work[w + 15]
        theirs = b & suit
        if theirs:
            score += work[w + 16] * INNER_POINTS[lowest(theirs)] + work[w + 17] * INNER_POINTS[highest(theirs)]
        theirs = c & suit
        if theirs:
            score += work[w + 18] * INNER_POINTS[lowest(theirs)] + work[w + 19] * INNER_POINTS[highest(theirs)]
        insert(score << 5 | x, start, count, work)
        count += 1
    return count


@kernel
def order_second(b: int, c: int, x: int, everything: int, seat: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with the second player's moves after the lead ``x``; returns their number."""
    trumps = work[TRUMPS]
    suit = work[CLASSES + x]
    lead = 1 << x
    moves = distinct(b, everything) if EQUAL_CARDS else b
    if b & suit:
        moves &= suit
    from_c = contenders(c, suit, trumps)
    count = 0
    w = WEIGHTS + seat * BLOCK + SECOND
    while moves:
        y = lowest(moves)
        moves &= moves - 1
        bit = 1 << y
        beats = bit & (suit | trumps) and bit > lead
        best = bit if beats else lead
        if seat == 0:
            wins = beats or from_c > best
        elif seat == 1:
            wins = beats and from_c < best
        else:
            wins = from_c < best
        points = INNER_POINTS[y]
        score = work[w] + work[w + 1] * points if wins else work[w + 2] * points
        if bit & trumps:
            score += work[w + 3]
        if beats:
            score += work[w + 5]
            if from_c < best:
                score += work[w + 4]
        if bit & suit == 0:
            own = work[CLASSES + y]
            score += work[w + 6] * popcount(b & own)
            if b & own == bit:
                score += work[w + 7]
            if everything & own & -bit == bit:
                score += work[w + 8]
        insert(score << 5 | y, start, count, work)
        count += 1
    return count


@kernel
def order_third(c: int, x: int, y: int, everything: int, seat: int, start: int, work: NDArray[np.int64]) -> int:
    """Fill a row with the last player's moves after ``x`` and ``y``; returns their number."""
    trumps = work[TRUMPS]
    suit = work[CLASSES + x]
    best = 1 << x
    leads = True  # the leader's card is still the best
    if 1 << y & (suit | trumps) and 1 << y > best:
        best = 1 << y
        leads = False
    partner_wins = (seat == 0 and not leads) or (seat == 1 and leads)
    moves = distinct(c, everything) if EQUAL_CARDS else c
    if c & suit:
        moves &= suit
    count = 0
    w = WEIGHTS + seat * BLOCK + THIRD
    while moves:
        z = lowest(moves)
        moves &= moves - 1
        bit = 1 << z
        beats = bit & (suit | trumps) and bit > best
        points = INNER_POINTS[z]
        score = work[w] + work[w + 1] * points if beats or partner_wins else work[w + 2] * points
        if bit & trumps:
            score += work[w + 3]
        if beats:
            score += work[w + 4]
        if bit & suit == 0:
            own = work[CLASSES + z]
            score += work[w + 6] * popcount(c & own)
            if c & own == bit:
                score += work[w + 7]
            if everything & own & -bit == bit:
                score += work[w + 8]
        insert(score << 5 | z, start, count, work)
        count += 1
    return count
