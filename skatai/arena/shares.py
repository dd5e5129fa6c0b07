"""Shares of games, hands or decisions that come in clusters (those of one deal), with honest intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from skatai.arena.intervals import Interval, wilson_interval

__all__ = ["Proportion", "proportion"]


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share with an interval that minds the clusters.

    Attributes:
        hits: members that count.
        n: members.
        effective: how many independent members would tell as much; at most ``n``.
    """

    hits: int
    n: int
    effective: float

    @property
    def fraction(self) -> Interval:
        """Wilson's 95 % interval on 0 … 1; of no members all is possible."""
        share = self.hits / self.n if self.n else 0.0
        found = wilson_interval(share * self.effective, self.effective)
        return Interval(found.mean, found.low, found.high, self.n)

    @property
    def interval(self) -> Interval:
        """The same in percent."""
        found = self.fraction
        return Interval(100 * found.mean, 100 * found.low, 100 * found.high, self.n)

    @property
    def percent(self) -> str:
        """The share without its interval."""
        return f"{100 * self.hits / self.n:.1f} %" if self.n else "–"

    def __str__(self) -> str:
        if not self.n:
            return "–"
        i = self.interval
        return f"{i.mean:.1f} % ({i.low:.1f}–{i.high:.1f})"


def proportion(hits: Sequence[bool], clusters: Sequence[int]) -> Proportion:
    """A share of members that come in clusters.

    With k_g hits among n_g members of G clusters and p = Σk_g / n, the variance of p is V = G/(G-1)·Σ(k_g - p·n_g)² / n². The
    effective size is n times the variance of independent members, p·(1-p) / (n-1), divided by V, and at most n (Korn and Graubard,
    Confidence intervals for proportions with small expected number of positive counts estimated from survey data, 1998). Where all
    members agree, which leaves no variance, it is G.

    >>> print(proportion([True, True, True, False], [1, 2, 3, 4]))
    75.0 % (30.1–95.4)
    """
    if len(hits) != len(clusters):
        raise ValueError(f"proportion of {len(hits)} members in {len(clusters)} clusters")
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for hit, cluster in zip(hits, clusters, strict=True):
        sums[cluster][0] += bool(hit)
        sums[cluster][1] += 1
    n, k, g = len(hits), sum(map(bool, hits)), len(sums)
    if k in (0, n) or g < 2:
        return Proportion(k, n, float(g))
    p = k / n
    variance = g / (g - 1) * sum((a - p * b) ** 2 for a, b in sums.values()) / n**2
    independent = p * (1 - p) / (n - 1)
    return Proportion(k, n, min(float(n), n * independent / variance) if variance > 0 else float(n))
