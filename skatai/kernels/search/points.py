"""The open-card search of suit games and grand: can the declarer still get ``target`` points? (null-window alpha-beta)

``search`` works on positions at the start of a trick, in the search's own numbering (``layout``), with the hands in
the order of play. The three cards of the trick are three nested loops; the value of a trick is its points, if the
declarer wins it, plus the value of the position behind it. Points already taken never enter: a value is the
declarer's share of the points *still to come*, which makes positions comparable whatever happened before.

The answer is fail-soft: a value ``>= target`` is a lower bound of the exact value, a value ``< target`` an upper bound, and
both are kept in the table.

A position in the middle of a trick is the position at its start with the cards on the table put back and *forced*:
the loops then try only them. Such a position neither cuts by bounds nor enters the table, since it is not the
position at the start of the trick.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest, popcount
from skatai.kernels.search.bounds import cash, trump_run
from skatai.kernels.search.layout import INNER_POINTS, points_of
from skatai.kernels.search.order import neighbours, order_lead, order_second, order_third
from skatai.kernels.search.switches import CASH, GALLOP, NEIGHBOURS, TRUMP_RUN
from skatai.kernels.search.table import bucket_of, position_key, probe, store
from skatai.kernels.search.workspace import CLASSES, LIMIT, MOVES, NODES, ROW, STOPPED, TRUMPS

__all__ = ["exact", "search"]

FIRST_STEP = 8


@kernel
def last_trick(a: int, b: int, c: int, seat: int, work: NDArray[np.int64]) -> int:
    """The declarer's points in a trick of three single cards."""
    counting = work[CLASSES + lowest(a)] | work[TRUMPS]
    best = highest((a | b | c) & counting)
    declarer = a if seat == 0 else (b if seat == 1 else c)
    return points_of(a | b | c) if declarer >> best & 1 else 0


@kernel
def search(a: int, b: int, c: int, seat: int, target: int, left: int, forced: int, work: NDArray[np.int64]) -> int:
    """Bound of the declarer's points to come, on the side of ``target`` where the exact value lies.

    ``a``, ``b``, ``c``: hands of the leader and the next players; ``seat``: the declarer's place among them;
    ``left``: points of all cards; ``forced``: 0, or the first cards of this trick, six bits each (card + 1), in the
    order of play. Longer than other kernels: the three plies are one function, because calls between them would cost
    more than they do.
    """
    if target <= 0:
        return 0
    if target > left:
        return left
    if work[NODES] >= work[LIMIT]:
        work[STOPPED] = 1
        return 0
    key = 0
    bucket = 0
    cards = 0
    lower = 0
    upper = left
    everything = a | b | c
    if forced == 0:
        if a & (a - 1) == 0:
            return last_trick(a, b, c, seat, work)
        sure = 0
        lost = 0
        if TRUMP_RUN:
            if seat == 0:
                sure, lost = trump_run(a, b, c, work[TRUMPS])
            elif seat == 1:
                sure, lost = trump_run(b, a, c, work[TRUMPS])
            else:
                sure, lost = trump_run(c, a, b, work[TRUMPS])
            if sure >= target:
                return sure
            if left - lost < target:
                return left - lost
        if CASH:
            cashed = cash(a, b, c, seat, work)
            if seat == 0:
                sure = max(sure, cashed)
                if sure >= target:
                    return sure
            else:
                lost = max(lost, cashed)
                if left - lost < target:
                    return left - lost
        key, cards = position_key(a, b, c, seat, work[TRUMPS])
        bucket = bucket_of(key, work)
        lower, upper = probe(key, cards, bucket, work)
        if lower >= target:
            return lower
        if upper < target:
            return upper
        lower = max(lower, sure)
        upper = min(upper, left - lost)
    counting = work[TRUMPS]
    row = MOVES + 3 * ROW * popcount(a)
    if forced:
        n_a = 1
        work[row] = (forced & 63) - 1
    else:
        n_a = order_lead(a, b, c, seat, row, work)
    value_a = -1 if seat == 0 else 127
    skip_a = a & 0
    for i in range(row, row + n_a):
        x = work[i] & 31
        bit_x = 1 << x
        if skip_a & bit_x:
            continue
        work[NODES] += 1
        contest = counting | work[CLASSES + x]
        if forced >> 6:
            n_b = 1
            work[row + ROW] = (forced >> 6 & 63) - 1
        else:
            n_b = order_second(b, c, x, everything, seat, row + ROW, work)
        value_b = -1 if seat == 1 else 127
        skip_b = a & 0
        for j in range(row + ROW, row + ROW + n_b):
            y = work[j] & 31
            bit_y = 1 << y
            if skip_b & bit_y:
                continue
            work[NODES] += 1
            if forced >> 12:
                n_c = 1
                work[row + 2 * ROW] = (forced >> 12) - 1
            else:
                n_c = order_third(c, x, y, everything, seat, row + 2 * ROW, work)
            value_c = -1 if seat == 2 else 127
            skip_c = a & 0
            for k in range(row + 2 * ROW, row + 2 * ROW + n_c):
                z = work[k] & 31
                bit_z = 1 << z
                if skip_c & bit_z:
                    continue
                work[NODES] += 1
                best = highest((bit_x | bit_y | bit_z) & contest)
                points = INNER_POINTS[x] + INNER_POINTS[y] + INNER_POINTS[z]
                rest = left - points
                if best == x:
                    gain = points if seat == 0 else 0
                    value = search(a ^ bit_x, b ^ bit_y, c ^ bit_z, seat, target - gain, rest, np.int64(0), work)
                elif best == y:
                    gain = points if seat == 1 else 0
                    turned = seat - 1 if seat else 2
                    value = search(b ^ bit_y, c ^ bit_z, a ^ bit_x, turned, target - gain, rest, np.int64(0), work)
                else:
                    gain = points if seat == 2 else 0
                    turned = seat + 1 if seat < 2 else 0
                    value = search(c ^ bit_z, a ^ bit_x, b ^ bit_y, turned, target - gain, rest, np.int64(0), work)
                if work[STOPPED]:
                    return 0
                value += gain
                if seat == 2:
                    value_c = max(value_c, value)
                    if value >= target:
                        break
                    slack = target - 1 - value
                else:
                    value_c = min(value_c, value)
                    if value < target:
                        break
                    slack = value - target
                if k + 1 < row + 2 * ROW + n_c and slack > 0 and NEIGHBOURS:
                    skip_c, gap = neighbours(z, c, everything, slack, skip_c, work)
                    value_c = max(value_c, value + gap) if seat == 2 else min(value_c, value - gap)
            if seat == 1:
                value_b = max(value_b, value_c)
                if value_c >= target:
                    break
                slack = target - 1 - value_c
            else:
                value_b = min(value_b, value_c)
                if value_c < target:
                    break
                slack = value_c - target
            if j + 1 < row + ROW + n_b and slack > 0 and NEIGHBOURS:
                skip_b, gap = neighbours(y, b, everything, slack, skip_b, work)
                value_b = max(value_b, value_c + gap) if seat == 1 else min(value_b, value_c - gap)
        if seat == 0:
            value_a = max(value_a, value_b)
            if value_b >= target:
                break
            slack = target - 1 - value_b
        else:
            value_a = min(value_a, value_b)
            if value_b < target:
                break
            slack = value_b - target
        if i + 1 < row + n_a and slack > 0 and NEIGHBOURS:
            skip_a, gap = neighbours(x, a, everything, slack, skip_a, work)
            value_a = max(value_a, value_b + gap) if seat == 0 else min(value_a, value_b - gap)
    if forced == 0:
        if value_a >= target:
            lower = max(lower, value_a)
        else:
            upper = min(upper, value_a)
        store(key, cards, lower, upper, bucket, work)
    return value_a


@kernel
def exact(hands: NDArray[np.int64], seat: int, forced: int, bounds: NDArray[np.int64], work: NDArray[np.int64]) -> int:
    """Narrow ``bounds`` (lower, upper; int64) until they meet or the node limit stops the search; returns the lower one.

    ``hands``: three masks in the order of play, the forced cards still in them.
    """
    a, b, c = hands[0], hands[1], hands[2]
    left = points_of(a | b | c)
    least, most = bounds[0], bounds[1]
    step = FIRST_STEP
    while bounds[0] < bounds[1]:
        target = (bounds[0] + bounds[1] + 1) >> 1
        if GALLOP and 2 * step < bounds[1] - bounds[0] < most - least:
            # one bound is still the first one: far from the value an answer is cheap, but it says little
            if bounds[1] == most:
                target = bounds[0] + step
                step *= 2
            elif bounds[0] == least:
                target = bounds[1] + 1 - step
                step *= 2
        value = search(a, b, c, seat, target, left, forced, work)
        if work[STOPPED]:
            break
        if value >= target:
            bounds[0] = value
        else:
            bounds[1] = value
    return bounds[0]
