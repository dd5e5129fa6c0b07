"""Do the arena's intervals and stopping rules keep what they promise? Simulated tournaments with differences like those of Skat.

Each tournament draws the differences of its deals from one of these fields, with mean 0 but for the last (``INTERVALS.md``):

=============  ========================================================================================================
heavy tails    0 on a third of the deals, otherwise Student's t with five degrees of freedom
lopsided       skewness -1, excess 1.5 (measured between the rule and the random player on 400 deals: 0.7 and 1.1)
played         drawn from the 4,000 differences of a real tournament of the rule player against the random one
very heavy     as heavy tails, with three degrees of freedom: the fourth moment is infinite (stress)
very lopsided  a tenth of the deals cost nine times what each of the others gains; skewness -6 (stress)
seldom         only on a twentieth of the deals the two act differently (stress)
rare           only on a hundredth, and then mostly to the advantage of one: many tournaments see no difference (stress)
=============  ========================================================================================================

Reported: how often a 95 % interval holds the truth, after a fixed number of deals and where a rule has stopped, and how often the
sequential test errs. There a true difference is added on the deals on which the two act differently: on all others it stays 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tyro
from machine import machine_line
from numpy.typing import NDArray
from tqdm import tqdm

from skatai.arena.controls import adjusted_interval
from skatai.arena.intervals import Interval, mean_interval, student_quantile
from skatai.arena.resampling import bootstrap_interval, cluster_interval
from skatai.arena.sequential import MIN_DIFFERENT, SPRT, StopRule, Until, looks
from skatai.arena.tournament import Tournament
from skatai.deal import deals_from_seed
from skatai.parallel import pmap
from skatai.rng import Rng

Values = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Values]

#: tournaments that one task simulates
_CHUNK = 500
#: deals at which a sequential tournament gives up
_LONGEST = 8000


@dataclass
class Args:
    """Coverage of intervals and error rates of sequential rules."""

    tournaments: int = 10_000
    """synthetic tournaments for each line"""
    deals: tuple[int, ...] = (50, 200)
    """deals of a tournament"""
    resamples: int = 1000
    """bootstrap samples"""
    half: float = 2.0
    """half-width at which --until stops"""
    margin: float = 4.0
    """difference that the SPRT asks for; its error rates are 5 %"""
    fields: tuple[str, ...] = ()
    """such as: rare, "heavy tails"; by default all"""
    parts: tuple[str, ...] = ("coverage", "stopping")
    """what is simulated"""
    seed: int = 1
    workers: int = 1


@dataclass(frozen=True)
class Field:
    """How differences are drawn.

    Attributes:
        draw: ``n`` of them.
        differ: on which share of the deals the two act differently.
        mean: the truth.
    """

    draw: Draw
    differ: float = 1.0
    mean: float = 0.0

    def moved(self, values: Values, truth: float) -> Values:
        """The same with another truth; deals on which the two act alike keep their 0."""
        return np.where(values != 0.0, values + (truth - self.mean) / self.differ, 0.0)


def heavy(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation about 20."""
    return np.where(rng.random(n) < 1 / 3, 0.0, 19.0 * rng.standard_t(5, n))


def very_heavy(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation about 20."""
    return np.where(rng.random(n) < 1 / 3, 0.0, 14.0 * rng.standard_t(3, n))


def lopsided(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation 20: a reversed gamma distribution of shape 4."""
    return 10.0 * (4.0 - rng.gamma(4.0, size=n))


def very_lopsided(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation 25."""
    return np.where(rng.random(n) < 0.1, -rng.exponential(54.0, n), 6.0)


def seldom(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation 20."""
    return np.where(rng.random(n) < 0.05, 20.0 * np.sqrt(20.0) * rng.standard_normal(n), 0.0)


def rare(rng: np.random.Generator, n: int) -> Values:
    """Standard deviation 7, mean 0.4."""
    return np.where(rng.random(n) < 0.01, 40.0 + 60.0 * rng.standard_normal(n), 0.0)


class Played:
    """Differences of a real tournament, moved to a mean of 0 where the agents acted differently."""

    def __init__(self, deals: int = 4000) -> None:
        pair = Tournament(["rule", "random"], deals_from_seed(2, deals), 2).run().summary().pairs[0]
        values = np.array(list(pair.by_deal.values()))
        self.differ = float(np.mean(values != 0.0))
        self.values = np.where(values != 0.0, values - values.mean() / self.differ, 0.0)

    def __call__(self, rng: np.random.Generator, n: int) -> Values:
        """``n`` of them with replacement."""
        return rng.choice(self.values, n)


def fields() -> dict[str, Field]:
    """By name, the stress tests last."""
    played = Played()
    return {
        "heavy tails": Field(heavy, 2 / 3),
        "lopsided": Field(lopsided),
        "played": Field(played, played.differ),
        "very heavy": Field(very_heavy, 2 / 3),
        "very lopsided": Field(very_lopsided),
        "seldom": Field(seldom, 0.05),
        "rare": Field(rare, 0.01, 0.4),
    }


@dataclass(frozen=True)
class Task:
    """A chunk of tournaments: its own stream, so that workers do not matter."""

    field: Field
    stream: Rng
    tournaments: int
    deals: int
    args: Args


def tasks(field: Field, deals: int, args: Args, *key: int) -> list[Task]:
    """``args.tournaments`` in chunks."""
    sizes = [min(_CHUNK, args.tournaments - start) for start in range(0, args.tournaments, _CHUNK)]
    return [Task(field, Rng(args.seed).spawn(deals, *key, i), size, deals, args) for i, size in enumerate(sizes)]


def tally(function: Callable[[Task], list[dict[str, float]]], todo: list[Task], title: str) -> dict[str, Values]:
    """All rows of a chunk function, by name."""
    bar = tqdm(total=sum(task.tournaments for task in todo), desc=title, disable=None)
    workers = todo[0].args.workers
    rows: list[dict[str, float]] = []
    for found in pmap(function, iter(todo), "processes" if workers > 1 else "serial", workers, ordered=True):
        rows += found
        bar.update(len(found))
    bar.close()
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def holds(interval: Interval, truth: float) -> float:
    """Whether the truth lies in the interval."""
    return float(interval.low <= truth <= interval.high)


def fixed_length(task: Task) -> list[dict[str, float]]:
    """Which intervals hold the truth after all deals."""
    rng, rows = task.stream.numpy(), []
    for _ in range(task.tournaments):
        values = task.field.draw(rng, task.deals)
        # Clusters of different size: lists of games in which a member's mean has the same truth.
        counts = rng.integers(1, 5, task.deals).astype(float)
        control = rng.standard_normal(task.deals)
        adjusted = adjusted_interval(values + 15 * control, control[:, None], np.zeros(1), np.zeros((1, 1)))
        assert adjusted is not None
        options = {"resamples": task.args.resamples}
        found = {
            "Student": mean_interval(values.tolist()),
            "cluster-robust": cluster_interval(values * counts, counts),
            "adjusted": adjusted.interval,
            "bootstrap": bootstrap_interval(values, seed=task.stream.bits(), **options),
            "same, clusters": bootstrap_interval(values * counts, counts, seed=task.stream.bits(), **options),
        }
        halves = {f"half of {name}": interval.half for name, interval in found.items()}
        rows.append({name: holds(interval, task.field.mean) for name, interval in found.items()} | halves)
    return rows


def stop(
    rule: StopRule, values: Values, guess: Callable[[Values, Values, Values], NDArray[np.bool_]]
) -> tuple[int, str]:
    """Where the rule stops in a long tournament, and what it says.

    ``guess`` tells from numbers of deals, means and variances at which looks it would, once enough deals differ; the rule itself is
    asked there and, to be sure, at the look before.
    """
    ladder = np.array([n for n in _looks() if n <= len(values)])
    means = np.cumsum(values)[ladder - 1] / ladder
    variances = (np.cumsum(values * values)[ladder - 1] - ladder * means * means) / (ladder - 1)
    variances[variances < 1e-9] = 0.0  # rounding errors of the sums
    enough = np.cumsum(values != 0.0)[ladder - 1] >= MIN_DIFFERENT
    ends = np.flatnonzero(enough & guess(ladder, means, variances))
    at = int(ends[0]) if len(ends) else len(ladder) - 1
    before = rule.verdict(values[: ladder[at - 1]].tolist()) if at else None
    why = rule.verdict(values[: ladder[at]].tolist())
    if before is not None or (why is None and len(ends)):
        raise AssertionError(f"{rule} does not stop where it should")
    return int(ladder[at]), why or "undecided"


def _looks() -> list[int]:
    found = []
    for n in looks():
        if n > _LONGEST:
            return found
        found.append(n)
    raise AssertionError


_QUANTILES = np.array([student_quantile(0.975, n - 1) for n in _looks()])


def until(task: Task) -> list[dict[str, float]]:
    """Which intervals hold the truth where ``--until`` stops."""
    rng, rows, half, truth = task.stream.numpy(), [], task.args.half, task.field.mean
    for _ in range(task.tournaments):
        values = task.field.draw(rng, task.deals)
        n, _ = stop(Until(half), values, lambda n, _, v: _QUANTILES[: len(n)] * np.sqrt(v / n) <= half)
        boot = bootstrap_interval(values[:n], seed=task.stream.bits(), resamples=task.args.resamples)
        student = mean_interval(values[:n].tolist())
        rows.append({"deals": n, "Student": holds(student, truth), "bootstrap": holds(boot, truth)})
    return rows


def sprt(task: Task) -> list[dict[str, float]]:
    """Whether the test errs where there is no difference, and where there is one of the margin."""
    rng, rows, margin = task.stream.numpy(), [], task.args.margin
    rule = SPRT(margin)
    bounds = np.log((1 - rule.beta) / rule.alpha), np.log(rule.beta / (1 - rule.alpha))

    def decided(n: Values, mean: Values, variance: Values) -> NDArray[np.bool_]:
        with np.errstate(divide="ignore"):  # nothing scatters
            ratio = n * margin * (mean - margin / 2.0) / variance
        return (ratio >= bounds[0]) | (ratio <= bounds[1])

    for _ in range(task.tournaments):
        row: dict[str, float] = {}
        for truth in (0.0, margin):
            values = task.field.moved(task.field.draw(rng, task.deals), truth)
            n, why = stop(rule, values, decided)
            better = why.startswith(f"the difference is nearer {margin:+g}")
            row |= {f"wrong at {truth:g}": float(better != (truth > 0)), f"deals at {truth:g}": n}
            student = mean_interval(values[:n].tolist())
            row |= {f"held at {truth:g}": holds(student, truth), f"bias at {truth:g}": student.mean - truth}
        rows.append(row)
    return rows


def print_coverage(chosen: list[tuple[int, str, Field]], args: Args) -> None:
    """Print the table of fixed lengths: percent that hold the truth, mean half-width in brackets."""
    for deals in args.deals:
        print(
            f"\n95 % intervals of {deals} deals, {args.tournaments} tournaments: % that hold the truth (mean half-width)"
        )
        for number, name, field in chosen:
            found = tally(fixed_length, tasks(field, deals, args, 1, number), f"{name}, {deals} deals")
            kinds = [kind for kind in found if not kind.startswith("half")]
            if number == chosen[0][0]:
                print(" " * 15 + "".join(f"{kind:>18}" for kind in kinds))
            cells = (f"{100 * found[kind].mean():.2f} ({found[f'half of {kind}'].mean():.2f})" for kind in kinds)
            print(f"{name:15}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


def print_sequential(chosen: list[tuple[int, str, Field]], args: Args) -> None:
    """Print the table of stopping rules."""
    print(
        f"\nstopping rules, {args.tournaments} tournaments of at most {_LONGEST} deals, with the median of the deals played"
    )
    print(
        f"--until {args.half:g}: % of the intervals there that hold the truth; SPRT of {args.margin:+g} with errors of 5 %: % wrong"
    )
    print(f"where the truth is 0 or {args.margin:g}, % of Student's intervals there that hold it, bias of the mean")
    kinds = ("deals", "held", "bias")
    head = ("Student", "bootstrap", "deals", "wrong at 0", *kinds, f"wrong at {args.margin:g}", *kinds)
    print(" " * 15 + "".join(f"{title:>11}" for title in head))
    for number, name, field in chosen:
        found = tally(until, tasks(field, _LONGEST, args, 2, number), f"{name}, until")
        found |= {
            f"sprt {k}": v for k, v in tally(sprt, tasks(field, _LONGEST, args, 3, number), f"{name}, SPRT").items()
        }
        cells = [
            *(f"{100 * found[kind].mean():.2f}" for kind in ("Student", "bootstrap")),
            f"{np.median(found['deals']):.0f}",
        ]
        for truth in ("0", f"{args.margin:g}"):
            cells.append(f"{100 * found[f'sprt wrong at {truth}'].mean():.2f}")
            cells.append(f"{np.median(found[f'sprt deals at {truth}']):.0f}")
            cells.append(f"{100 * found[f'sprt held at {truth}'].mean():.2f}")
            cells.append(f"{found[f'sprt bias at {truth}'].mean():+.2f}")
        print(f"{name:15}" + "".join(f"{cell:>11}" for cell in cells), flush=True)


if __name__ == "__main__":
    arguments = tyro.cli(Args)
    print(machine_line())
    numbered = [(number, name, field) for number, (name, field) in enumerate(fields().items())]
    wanted = [found for found in numbered if not arguments.fields or found[1] in arguments.fields]
    if "coverage" in arguments.parts:
        print_coverage(wanted, arguments)
    if "stopping" in arguments.parts:
        print_sequential(wanted, arguments)
