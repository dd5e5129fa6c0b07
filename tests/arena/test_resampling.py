"""Cluster-robust and bootstrap intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.arena.intervals import mean_interval
from skatai.arena.resampling import bootstrap_interval, cluster_interval
from skatai.kernels.rng import new_rng, rand_below
from skatai.rng import Rng


def test_ratio_by_hand() -> None:
    # Sums 3, 1, 8 of 1, 1, 2 members: mean 3; residuals 0, -2, 2; variance 3/2·8/16; t(2) = 4.3027
    found = cluster_interval([3, 1, 8], [1, 1, 2])
    assert (found.mean, found.n) == (3.0, 3)
    assert found.half == pytest.approx(4.302653 * math.sqrt(0.75), abs=1e-5)


@given(st.lists(st.floats(-300, 300), min_size=2, max_size=60))
def test_equal_clusters_are_students_case(values: list[float]) -> None:
    expected, found = mean_interval(values), cluster_interval([4 * v for v in values], [4.0] * len(values))
    assert found.mean == pytest.approx(expected.mean, abs=1e-9)
    assert found.half == pytest.approx(expected.half, abs=1e-6)


def test_repeated_games_of_a_deal_do_not_narrow_the_interval() -> None:
    values = [float(v) for v in Rng(1).numpy().normal(size=50)]
    honest = cluster_interval(values)
    assert cluster_interval([6 * v for v in values], [6.0] * 50).half == pytest.approx(honest.half)
    assert mean_interval(values * 6).half < 0.5 * honest.half


def test_bootstrap_is_seeded() -> None:
    values = [float(v) for v in Rng(2).numpy().normal(size=80)]
    first = bootstrap_interval(values, seed=5)
    assert first == bootstrap_interval(values, seed=5)
    assert first != bootstrap_interval(values, seed=6)
    assert first.half == pytest.approx(mean_interval(values).half, rel=0.15)


def test_bootstrap_is_pinned() -> None:
    """splitmix64: the same figures on every machine and with every version of NumPy."""
    found = bootstrap_interval([float((7 * i) % 31) for i in range(40)], seed=3, resamples=500)
    assert (round(found.mean, 6), round(found.low, 6), round(found.high, 6)) == (14.825, 12.262144, 17.387856)


def test_bootstrap_by_a_twin() -> None:
    """The same resamples, with NumPy's means and standard deviations of each."""
    values, rng = np.array([float((7 * i) % 31) - 0.1 * i for i in range(25)]), new_rng(9)
    deviations = []
    for _ in range(199):
        sample = values[[rand_below(rng, 25) for _ in range(25)]]
        deviations.append((sample.mean() - values.mean()) / (sample.std(ddof=1) / 5.0))
    half = np.quantile(np.abs(deviations), 0.9) * values.std(ddof=1) / 5.0
    found = bootstrap_interval(values, level=0.9, seed=9, resamples=199)
    assert found.low == pytest.approx(values.mean() - half)
    assert found.high == pytest.approx(values.mean() + half)


def test_bootstrap_is_wider_where_a_distribution_is_lopsided() -> None:
    values = [-90.0] * 4 + [10.0] * 56
    found, student = bootstrap_interval(values), mean_interval(values)
    assert found.half > 1.3 * student.half
    assert found.high - found.mean == pytest.approx(found.mean - found.low)


def test_samples_that_do_not_scatter() -> None:
    """Of samples in which all values are equal by chance the scatter is rounding errors; they must not blow the interval up."""
    values = [6.0] * 53 + [-50.0] * 2
    assert bootstrap_interval(values).half < 1.5 * mean_interval(values).half


@pytest.mark.parametrize("values", [[0.0] * 40, [5.0] * 40, [1.0, 2.0, 3.0]])
def test_bootstrap_falls_back(values: list[float]) -> None:
    assert bootstrap_interval(values) == cluster_interval(values)


def test_one_cluster() -> None:
    assert math.isinf(cluster_interval([4.0]).high)
    assert math.isinf(bootstrap_interval([4.0]).high)


@pytest.mark.parametrize("function", [cluster_interval, bootstrap_interval])
def test_no_values(function: object) -> None:
    with pytest.raises(ValueError, match="no values"):
        function([])  # type: ignore[operator]
    with pytest.raises(ValueError, match="no values"):
        function([0.0], [0.0])  # type: ignore[operator]
    with pytest.raises(ValueError, match="2 sums and 1 counts"):
        function([1.0, 2.0], [1.0])  # type: ignore[operator]


def test_coverage_by_simulation() -> None:
    """1,000 tournaments of 150 deals with heavy tails; benchmarks/bench_intervals.py does it with 10,000 and more shapes."""
    rng = Rng(11).numpy()
    hits = np.zeros(3)
    for i in range(1000):
        values = np.where(rng.random(150) < 1 / 3, 0.0, 14 * rng.standard_t(3, 150))
        counts = rng.integers(1, 5, 150).astype(float)
        intervals = (
            mean_interval(values.tolist()),
            cluster_interval(values * counts, counts),
            bootstrap_interval(values, seed=i, resamples=400),
        )
        hits += [interval.low <= 0.0 <= interval.high for interval in intervals]
    assert np.all(hits >= 925)
    assert np.all(hits <= 980)
