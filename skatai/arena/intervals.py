"""Confidence intervals: Student's t for means, Wilson's for shares; no dependency beyond the standard library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist, fmean, stdev

__all__ = ["Interval", "mean_interval", "student_cdf", "student_quantile", "wilson_interval"]

#: degrees of freedom from which the expansion around the normal quantile is exact to ten digits or more
_LARGE = 400


def student_cdf(t: float, df: int) -> float:
    """P(T ≤ t) of Student's distribution with a whole number of degrees of freedom.

    The finite series of Abramowitz & Stegun, 26.7.3 and 26.7.4.

    >>> round(student_cdf(2.0, 1), 6)
    0.852416
    """
    theta = math.atan(t / math.sqrt(df))
    cosine = math.cos(theta)
    if df % 2:
        term, total = cosine, cosine if df > 1 else 0.0
        for k in range(3, df - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        area = 2.0 / math.pi * (theta + math.sin(theta) * total)
    else:
        term, total = 1.0, 1.0
        for k in range(2, df - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        area = math.sin(theta) * total
    return 0.5 + area / 2.0


@cache
def student_quantile(p: float, df: int) -> float:
    """The t with P(T ≤ t) = p.

    For many degrees of freedom by the expansion of Cornish and Fisher (Abramowitz & Stegun, 26.7.5), else by bisection.

    Raises:
        ValueError: ``p`` outside 0 … 1, or fewer than one degree of freedom.

    >>> round(student_quantile(0.975, 9), 4)
    2.2622
    """
    if not 0.0 < p < 1.0 or df < 1:
        raise ValueError(f"student_quantile: p={p}, df={df}; expected 0 < p < 1 and df >= 1")
    if p < 0.5:
        return -student_quantile(1.0 - p, df)
    z = NormalDist().inv_cdf(p)
    if df >= _LARGE:
        z2 = z * z
        g1 = (z2 + 1) * z / 4
        g2 = ((5 * z2 + 16) * z2 + 3) * z / 96
        g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384
        g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160
        return z + g1 / df + g2 / df**2 + g3 / df**3 + g4 / df**4
    low, high = 0.0, 1.0
    while student_cdf(high, df) < p:
        high *= 2.0
    for _ in range(80):
        middle = (low + high) / 2.0
        if student_cdf(middle, df) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval.

    Attributes:
        mean: the mean.
        low: lower end; minus infinity where one unit says nothing about the spread.
        high: upper end.
        n: independent units.
    """

    mean: float
    low: float
    high: float
    n: int

    @property
    def half(self) -> float:
        """Half the width."""
        return (self.high - self.low) / 2.0

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"{self.mean:+.2f} (one deal)"
        return f"{self.mean:+.2f} ± {self.half:.2f}"


def mean_interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """The mean of independent values with its t interval.

    Raises:
        ValueError: no values.

    >>> print(mean_interval([1.0, 2.0, 3.0]))
    +2.00 ± 2.48
    """
    n = len(values)
    if n == 0:
        raise ValueError("mean_interval: no values")
    mean = fmean(values)
    if n == 1:
        return Interval(mean, -math.inf, math.inf, 1)
    half = student_quantile(0.5 + level / 2.0, n - 1) * stdev(values) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def wilson_interval(hits: float, n: float, level: float = 0.95) -> Interval:
    """A share with Wilson's score interval, which stays within 0 … 1; ``n`` may be an effective sample size.

    >>> share = wilson_interval(8, 10)
    >>> round(share.low, 3), round(share.high, 3)
    (0.49, 0.943)
    """
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    p = hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)), round(n))
