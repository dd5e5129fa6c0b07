"""How often does a table of equal agents colour a pair? Simulated round robins of six (results: ``INTERVALS.md``).

The differences of a deal have standard deviation 20, as between real agents, and come from the agents' points on it (every agent
has one number a deal: pairs hang together) or are drawn for each pair by itself. In the last field one of the six is better by 5.
Counted are tournaments in which a pair of *equals* is coloured: by its own 95 % interval, and by the p-value after Holm's
correction, as the tables of the arena do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import tyro
from machine import machine_line
from numpy.typing import NDArray

from skatai.arena.intervals import Interval, student_quantile
from skatai.arena.multiple import marks
from skatai.rng import Rng

Values = NDArray[np.float64]
AGENTS = 6
PAIRS = list(combinations(range(AGENTS), 2))


@dataclass
class Args:
    """Family-wise error rate of coloured tables."""

    tournaments: int = 10_000
    deals: int = 100
    seed: int = 1


def common(rng: np.random.Generator, deals: int) -> Values:
    """Differences of points that every agent has once a deal, (deals, pairs)."""
    points = rng.standard_normal((deals, AGENTS)) * 20 / np.sqrt(2)
    return np.stack([points[:, a] - points[:, b] for a, b in PAIRS], axis=1)


def own(rng: np.random.Generator, deals: int) -> Values:
    """Differences with heavy tails, each pair by itself, (deals, pairs)."""
    drawn = 19 * rng.standard_t(5, (deals, len(PAIRS)))
    return np.where(rng.random((deals, len(PAIRS))) < 1 / 3, 0.0, drawn)


def one_better(rng: np.random.Generator, deals: int) -> Values:
    """As :func:`common`, the first agent better by 5."""
    return common(rng, deals) + np.array([5.0 if a == 0 else 0.0 for a, _ in PAIRS])


def rates(draw: Callable[[np.random.Generator, int], Values], equals: list[bool], args: Args) -> tuple[float, float]:
    """Percent of tournaments in which a pair of equals is coloured: by its own interval, by the corrected p-value."""
    rng = Rng(args.seed).numpy()
    quantile = student_quantile(0.975, args.deals - 1)
    single = together = 0
    for _ in range(args.tournaments):
        values = draw(rng, args.deals)
        means, halves = values.mean(axis=0), quantile * values.std(axis=0, ddof=1) / np.sqrt(args.deals)
        found = [Interval(m, m - h, m + h, args.deals) for m, h in zip(means.tolist(), halves.tolist(), strict=True)]
        single += any(equal and (d.low > 0 or d.high < 0) for d, equal in zip(found, equals, strict=True))
        together += any(equal and mark for mark, equal in zip(marks(found), equals, strict=True))
    return 100 * single / args.tournaments, 100 * together / args.tournaments


if __name__ == "__main__":
    args = tyro.cli(Args)
    print(machine_line())
    print(f"{args.tournaments} tournaments of {AGENTS} agents, {args.deals} deals: % with a pair of equals coloured")
    print(f"{'':34}{'own interval':>14}{'corrected':>11}")
    everybody, but_first = [True] * len(PAIRS), [a != 0 for a, _ in PAIRS]
    for name, draw, equals in (
        ("equals, points of one table", common, everybody),
        ("equals, every pair by itself", own, everybody),
        ("one better, points of one table", one_better, but_first),
    ):
        single, together = rates(draw, equals, args)
        print(f"{name:34}{single:14.2f}{together:11.2f}", flush=True)
