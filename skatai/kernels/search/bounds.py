"""Bounds on the declarer's points that need no search (suit games and grand; search numbering).

Both are sound for every continuation, which is why the search may cut on them:

*Trump run.* The highest trumps left, as far down as they lie on one side (declarer or defenders), always end in tricks of that
side: the trick that holds one is won by the highest of them in it. They make at least as many tricks as one hand holds of them,
and in each of these the others play a card, so that at least their cheapest cards fall, too.

*Cashing.* The leader can play his own run of top trumps, then the top runs of his side suits. A side-suit card wins
if no opponent can ruff it: he has no trumps once the run has been played, or still has to follow suit. While he has
trumps he never discards on these leads (he follows), so his length in a suit is what it is now; once he has none,
discards do not matter. A defender's partner may be *forced* to ruff – which keeps the trick but takes over the lead –
only when he has nothing but trumps left; his plain cards bound the number of side-suit tricks counted.

What falls into these tricks: a hand that holds k cards of a suit which is led n times parts with at least min(n, k) of them,
be it by following or by discarding them earlier, and plays as many cards in all as there are tricks. The cheapest such
choice is: the lowest min(n, k) of every suit led, then the cheapest of the rest. A partner of the leader *wants* to give:
he follows with his best cards (all below the leader's) and discards the best of the suits that are not led.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest, popcount
from skatai.kernels.search.layout import ACES, BLANKS, JACK_BITS, KINGS, QUEENS, TENS, points_of
from skatai.kernels.search.switches import PARTNER_GIVES
from skatai.kernels.search.workspace import TRUMPS

__all__ = ["cash", "cheapest", "trump_run"]


@kernel
def cheapest(hand: int, count: int) -> int:
    """Sum of the points of the ``count`` cheapest cards of a hand (of all, if it has fewer)."""
    count -= popcount(hand & BLANKS)
    if count <= 0:
        return 0
    n = min(count, popcount(hand & JACK_BITS))
    total = 2 * n
    count -= n
    n = min(count, popcount(hand & QUEENS))
    total += 3 * n
    count -= n
    n = min(count, popcount(hand & KINGS))
    total += 4 * n
    count -= n
    n = min(count, popcount(hand & TENS))
    total += 10 * n
    count -= n
    return total + 11 * min(count, popcount(hand & ACES))


@kernel
def above(mine: int, theirs: int) -> int:
    """The cards of ``mine`` that are higher than every card of ``theirs``."""
    if theirs == 0:
        return mine
    return mine & -(1 << highest(theirs))


@kernel
def trump_run(declarer: int, first: int, second: int, trumps: int) -> tuple[int, int]:
    """Points that are sure for the declarer, and for the two defenders, by the run of top trumps (one of them is 0)."""
    mine = declarer & trumps
    theirs = (first | second) & trumps
    if mine > theirs:
        run = above(mine, theirs)
        n = popcount(run)
        return points_of(run) + cheapest(first, n) + cheapest(second, n), 0
    if theirs == 0:
        return 0, 0
    run = above(theirs, mine)
    n_first = popcount(run & first)
    n_second = popcount(run & second)
    n = max(n_first, n_second)
    # cards of the run that fall in these tricks are counted once, as part of the run
    sure = points_of(run) + cheapest(declarer, n)
    sure += cheapest(first & ~run, n - n_first) + cheapest(second & ~run, n - n_second)
    return 0, sure


@kernel
def lowest_bits(mask: int, n: int) -> int:
    """The ``n`` lowest bits of a mask that has at least so many."""
    rest = mask
    for _ in range(n):
        rest &= rest - 1
    return mask ^ rest


@kernel
def highest_bits(mask: int, n: int) -> int:
    """The ``n`` highest bits of a mask that has at least so many."""
    for _ in range(popcount(mask) - n):
        mask &= mask - 1
    return mask


@kernel
def cheapest_trumps(hand: int, n: int) -> int:
    """The ``n`` trumps with the fewest points (blanks, jacks, the rest) of a hand that has at least so many."""
    blanks = hand & BLANKS
    if popcount(blanks) >= n:
        return lowest_bits(blanks, n)
    n -= popcount(blanks)
    jacks = hand & JACK_BITS
    if popcount(jacks) >= n:
        return blanks | lowest_bits(jacks, n)
    n -= popcount(jacks)
    return blanks | jacks | lowest_bits(hand & ~(blanks | jacks), n)


@kernel
def follows(hand: int, suit: int, n: int, partner: bool) -> int:
    """The cards of one plain suit that fall from a hand when it is led ``n`` times: a partner's best, an opponent's lowest."""
    hand &= suit
    n = min(n, popcount(hand))
    return highest_bits(hand, n) if partner else lowest_bits(hand, n)


@kernel
def throws(hand: int, n: int, led: int, partner: bool) -> int:
    """Points of the ``n`` cards that a hand throws on suits it does not have (``led``: the suits that are led)."""
    if not partner:
        return cheapest(hand, n)
    free = hand & ~led
    best = min(n, popcount(free))
    return points_of(free) - cheapest(free, popcount(free) - best) + cheapest(hand & led, n - best)


@kernel
def cash(leader: int, second: int, third: int, seat: int, work: NDArray[np.int64]) -> int:
    """Points that the leader's side takes for sure by cashing; ``seat`` = the declarer's place in the trick (0 leads)."""
    trumps = work[TRUMPS]
    run = above(leader & trumps, (second | third) & trumps)
    tricks = popcount(run)
    second_ruffs = popcount(second & trumps) > tricks
    third_ruffs = popcount(third & trumps) > tricks
    spare = 10
    if seat == 1 and third_ruffs:
        third_ruffs = False
        spare = popcount(third & ~trumps)
    elif seat == 2 and second_ruffs:
        second_ruffs = False
        spare = popcount(second & ~trumps)
    from_second = cheapest_trumps(second & trumps, min(tricks, popcount(second & trumps)))
    from_third = cheapest_trumps(third & trumps, min(tricks, popcount(third & trumps)))
    cards = run
    led = trumps
    others = (second | third) & ~trumps
    rest = leader & ~trumps
    while rest:
        low = lowest(rest)
        group = 0x7F << (low - low % 7)
        top = above(rest & group, others & group)
        rest &= ~group
        n = min(popcount(top), spare)
        if second_ruffs:
            n = min(n, popcount(second & group))
        if third_ruffs:
            n = min(n, popcount(third & group))
        if n == 0:
            continue
        spare -= n
        tricks += n
        led |= group
        cards |= highest_bits(top, n)
        from_second |= follows(second, group, n, seat == 2)
        from_third |= follows(third, group, n, seat == 1)
    if tricks == 0:
        return 0
    if not PARTNER_GIVES:
        return points_of(cards) + cheapest(second, tricks) + cheapest(third, tricks)
    total = points_of(cards | from_second | from_third)
    total += throws(second & ~from_second, tricks - popcount(from_second), led, seat == 2)
    return total + throws(third & ~from_third, tricks - popcount(from_third), led, seat == 1)
