"""Many differences in one table: which of them are there, and not just the largest of many chances.

With six equal agents there are fifteen differences, and in about every third tournament at least one 95 % interval leaves out 0.
What is printed are the intervals of single differences; what is *marked* are those whose p-value is at most 5 % after Holm's
correction (A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979). In at most 5 % of
tournaments a pair of equals is marked, however the differences hang together and whatever the other agents are. One difference
alone is marked where its interval leaves out 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from skatai.arena.intervals import Interval, student_cdf, student_quantile

__all__ = ["holm", "marks", "p_value"]


def p_value(difference: Interval) -> float:
    """Two-sided p-value of a mean of 0, from Student's 95 % interval (:func:`~skatai.arena.intervals.mean_interval`).

    Values that do not scatter give 1 where all are 0, otherwise 0; a single one gives 1.

    >>> round(p_value(Interval(2.0, 2.0 - 2.4841, 2.0 + 2.4841, 3)), 3)
    0.074
    """
    if difference.n < 2 or not math.isfinite(difference.half):
        return 1.0
    if difference.half == 0.0:
        return float(difference.mean == 0.0)
    df = difference.n - 1
    t = abs(difference.mean) * student_quantile(0.975, df) / difference.half
    return min(1.0, max(0.0, 2.0 * (1.0 - student_cdf(t, df))))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: the k-th smallest of n times n - k + 1, never below a smaller one's, at most 1.

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def marks(differences: Sequence[Interval], level: float = 0.05) -> list[int]:
    """For each difference of a table +1 or -1 where it is above or below 0 at this level, all of them together, otherwise 0."""
    adjusted = holm([p_value(difference) for difference in differences])
    return [(1 if d.mean > 0 else -1) if p <= level else 0 for d, p in zip(differences, adjusted, strict=True)]
