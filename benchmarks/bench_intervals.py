"""Do the arena's intervals and stopping rules keep what they promise? Simulated tournaments with differences like those of Skat.

Differences of a deal: "heavy tails" is 0 on a third of the deals (both agents play alike), otherwise Student-t with five degrees
of freedom; "lopsided" has skewness -1 and an excess of 1.5 (measured between the rule and the random player on 400 deals: 0.7 and
1.1). Two stress tests lie beyond: "very heavy" with three degrees of freedom, whose fourth moment is infinite, and "very lopsided",
a tenth of the deals costing nine times what each of the others gains. Reported: how often the 95 % interval holds the truth, and
how often a sequential test errs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tyro
from machine import machine_line
from numpy.typing import NDArray
from tqdm import tqdm

from skatai.arena.controls import adjusted_interval
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.resampling import bootstrap_interval, cluster_interval
from skatai.arena.sequential import SPRT, StopRule, Until, looks
from skatai.rng import Rng


@dataclass
class Args:
    """Coverage of intervals and error rates of sequential tests."""

    tournaments: int = 10_000
    """synthetic tournaments for each line"""
    deals: int = 200
    """deals of a tournament"""
    resamples: int = 1000
    """bootstrap samples"""
    sequential: int = 2000
    """tournaments for each line about stopping"""
    seed: int = 1


def heavy(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Mean 0, a third zeros, tails of Student's t with five degrees of freedom; standard deviation about 20."""
    return np.where(rng.random(n) < 1 / 3, 0.0, 19.0 * rng.standard_t(5, n))


def very_heavy(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """The same with three degrees of freedom."""
    return np.where(rng.random(n) < 1 / 3, 0.0, 14.0 * rng.standard_t(3, n))


def lopsided(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Mean 0, standard deviation 20: a reversed gamma distribution of shape 4."""
    return 10.0 * (4.0 - rng.gamma(4.0, size=n))


def very_lopsided(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Mean 0: a tenth of the deals cost 54 on average (exponential), the others gain 6."""
    return np.where(rng.random(n) < 0.1, -rng.exponential(54.0, n), 6.0)


FIELDS = (
    ("heavy tails", heavy),
    ("lopsided", lopsided),
    ("very heavy", very_heavy),
    ("very lopsided", very_lopsided),
)


def holds(interval: Interval, truth: float) -> bool:
    """Whether the interval has the truth in it."""
    return interval.low <= truth <= interval.high


def coverage(args: Args) -> None:
    """Print the share of intervals that hold the truth."""
    for name, draw in FIELDS:
        stream = Rng(args.seed).spawn(int.from_bytes(name.encode()[:7]))
        rng = stream.numpy()
        hits = dict.fromkeys(("Student", "cluster-robust", "bootstrap", "adjusted by a control"), 0)
        widths = dict.fromkeys(hits, 0.0)
        for _ in tqdm(range(args.tournaments), desc=name, disable=None):
            values = draw(rng, args.deals)
            # Clusters of different size: lists of games in which a member's mean has the same truth.
            counts = rng.integers(1, 5, args.deals).astype(float)
            control = rng.standard_normal(args.deals)
            found = {
                "Student": mean_interval(values.tolist()),
                "cluster-robust": cluster_interval(values * counts, counts),
                "bootstrap": bootstrap_interval(values, seed=stream.bits(), resamples=args.resamples),
            }
            adjusted = adjusted_interval(values + 15 * control, control[:, None], np.zeros(1), np.zeros((1, 1)))
            assert adjusted is not None
            found["adjusted by a control"] = adjusted.interval
            for kind, interval in found.items():
                hits[kind] += holds(interval, 0.0)
                widths[kind] += interval.half
        for kind, n in hits.items():
            share, half = n / args.tournaments, widths[kind] / args.tournaments
            print(f"{name:13} {kind:22} {100 * share:6.2f} % hold the truth, mean half-width {half:.2f}")


def stop(rule: StopRule, values: NDArray[np.float64]) -> tuple[int, str]:
    """Where the rule stops in a long tournament, and what it says."""
    for n in looks():
        if n > len(values):
            return len(values), "undecided"
        why = rule.verdict(values[:n].tolist())
        if why:
            return n, why
    raise AssertionError


def sequential(args: Args) -> None:
    """Print error rates and lengths of sequential tournaments."""
    for name, draw in FIELDS:
        rng = Rng(args.seed).spawn(99, int.from_bytes(name.encode()[:7])).numpy()
        covered, lengths = 0, []
        for _ in tqdm(range(args.sequential), desc=f"{name}, until", disable=None):
            values = draw(rng, 8000)
            n, _ = stop(Until(2.0), values)
            covered += holds(mean_interval(values[:n].tolist()), 0.0)
            lengths.append(n)
        print(
            f"{name:13} until ±2                 {100 * covered / args.sequential:6.2f} % hold the truth, "
            f"median {np.median(lengths):.0f} deals"
        )
        for truth in (0.0, 4.0):
            wrong, lengths = 0, []
            for _ in tqdm(range(args.sequential), desc=f"{name}, SPRT", disable=None):
                values = draw(rng, 8000) + truth
                n, why = stop(SPRT(4.0), values)
                wrong += why.startswith("the difference is nearer +4") != (truth > 0)
                lengths.append(n)
            print(
                f"{name:13} SPRT of +4, truth {truth:+.0f}      {100 * wrong / args.sequential:6.2f} % wrong, "
                f"median {np.median(lengths):.0f} deals"
            )


if __name__ == "__main__":
    arguments = tyro.cli(Args)
    print(machine_line())
    coverage(arguments)
    sequential(arguments)
