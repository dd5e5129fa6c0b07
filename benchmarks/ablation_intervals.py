"""Which interval for a mean difference? Candidates on the same simulated tournaments (results: ``INTERVALS.md``).

For each field of ``bench_intervals.py`` with finite moments and enough deals that differ: how often a 95 % interval of each kind
holds the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import tyro
from bench_intervals import Values, heavy, lopsided, very_heavy, very_lopsided
from machine import machine_line
from tqdm import tqdm

from skatai.arena.intervals import student_quantile
from skatai.rng import Rng

Ends = tuple[float, float]


@dataclass
class Args:
    """Coverage of candidates for the arena's bootstrap interval."""

    tournaments: int = 10_000
    deals: int = 200
    resamples: int = 600
    seed: int = 1


def normal(rng: np.random.Generator, n: int) -> Values:
    """Where Student's interval is exact."""
    return rng.standard_normal(n)


def johnson(values: Values, t: float, error: float) -> Ends:
    """Student's around a mean corrected for skewness (Johnson, Modified t tests, JASA 73, 1978)."""
    n, mean = len(values), values.mean()
    shift = float(((values - mean) ** 3).mean() / (6.0 * values.var(ddof=1) * n))
    return mean + shift - t * error, mean + shift + t * error


def hall(values: Values, t: float, error: float) -> Ends:
    """Student's quantiles through a transformation that takes the skewness out (Hall, JRSS B 54, 1992)."""
    n, mean = len(values), values.mean()
    r = float(((values - mean) ** 3).mean() / values.std() ** 3) / np.sqrt(n)

    def back(x: float) -> float:
        return x if abs(r) < 1e-9 else float(np.cbrt(1.0 + r * (x - r / 6.0)) - 1.0) * 3.0 / r

    return mean - back(t) * error, mean - back(-t) * error


def candidates(values: Values, rng: np.random.Generator, resamples: int) -> dict[str, Ends]:
    """Every interval."""
    n, mean = len(values), values.mean()
    error, t = values.std(ddof=1) / np.sqrt(n), student_quantile(0.975, n - 1)
    samples = values[rng.integers(0, n, (resamples, n))]
    means = samples.mean(axis=1)
    deviations = (means - mean) / np.maximum(samples.std(axis=1, ddof=1) / np.sqrt(n), 1e-6 * error)
    low, high = np.quantile(deviations, [0.025, 0.975])
    size = np.quantile(np.abs(deviations), 0.95)
    # Hesterberg, What teachers should know about the bootstrap, The American Statistician 69, 2015: section 5.2
    wide = NormalDist().cdf(t * np.sqrt(n / (n - 1)))
    first, last = np.quantile(means, [1.0 - wide, wide])
    return {
        "Student": (mean - t * error, mean + t * error),
        "studentised bootstrap, two-tailed": (mean - high * error, mean - low * error),
        "studentised bootstrap, symmetric": (mean - size * error, mean + size * error),
        "expanded percentile": (float(first), float(last)),
        "Johnson": johnson(values, t, error),
        "Hall's transformation": hall(values, t, error),
        "wider of Student and two-tailed": (mean - max(high, t) * error, mean + max(-low, t) * error),
    }


def main(args: Args) -> None:
    """Print the table."""
    fields = {"normal": normal, "heavy tails": heavy, "lopsided": lopsided, "very heavy": very_heavy}
    fields["very lopsided"] = very_lopsided
    hits: dict[str, list[int]] = {}
    for number, (name, draw) in enumerate(fields.items()):
        rng = Rng(args.seed).spawn(number).numpy()
        for _ in tqdm(range(args.tournaments), desc=name, disable=None):
            for kind, (low, high) in candidates(draw(rng, args.deals), rng, args.resamples).items():
                hits.setdefault(kind, [0] * len(fields))[number] += low <= 0.0 <= high
    print(f"{args.tournaments} tournaments of {args.deals} deals, {args.resamples} resamples: % that hold the truth")
    print(f"{'':36}" + "".join(f"{name:>15}" for name in fields))
    for kind, counts in hits.items():
        print(f"{kind:36}" + "".join(f"{100 * count / args.tournaments:15.2f}" for count in counts))


if __name__ == "__main__":
    print(machine_line())
    main(tyro.cli(Args))
