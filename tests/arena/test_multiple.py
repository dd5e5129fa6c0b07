"""Many differences in one table."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from skatai.arena.console import pairs_table
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.multiple import holm, marks, p_value
from skatai.arena.report import _pairs
from skatai.arena.shares import proportion
from skatai.arena.stats import PairStats, Summary
from skatai.rng import Rng


def test_p_value_by_hand() -> None:
    """Student's distribution with two degrees of freedom: P(|T| > t) = 1 - t/√(2 + t²). Of 1, 2, 3: t = 2/√(1/3) = √12."""
    assert p_value(mean_interval([1.0, 2.0, 3.0])) == pytest.approx(1 - math.sqrt(12 / 14))
    assert p_value(mean_interval([-1.0, -2.0, -3.0])) == pytest.approx(1 - math.sqrt(12 / 14))
    assert p_value(mean_interval([-1.0, 0.0, 1.0])) == pytest.approx(1.0)


def test_values_that_do_not_scatter() -> None:
    assert p_value(mean_interval([0.0, 0.0])) == 1.0
    assert p_value(mean_interval([3.0, 3.0])) == 0.0
    assert p_value(mean_interval([3.0])) == 1.0


def test_one_difference_is_marked_as_its_interval_says() -> None:
    rng = Rng(6).numpy()
    for n in (2, 5, 60, 700):
        for _ in range(20):
            found = mean_interval((rng.standard_normal(n) + 1.5 / math.sqrt(n)).tolist())
            assert marks([found]) == [1 if found.low > 0 else -1 if found.high < 0 else 0]


def test_holm_by_hand() -> None:
    # 4·0.01, 3·0.015 = 0.045, 2·0.02 = 0.04 is raised to 0.045, 0.5
    assert holm([0.02, 0.01, 0.5, 0.015]) == pytest.approx([0.045, 0.04, 0.5, 0.045])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_equal_agents_are_seldom_marked() -> None:
    """Six equals, 600 tournaments of 40 deals: with Student's intervals alone a third have a pair that stands out."""
    rng = Rng(12).numpy()
    single = together = 0
    for _ in range(600):
        points = rng.standard_normal((40, 6))
        found = [mean_interval((points[:, a] - points[:, b]).tolist()) for a, b in combinations(range(6), 2)]
        single += any(d.low > 0 or d.high < 0 for d in found)
        together += any(marks(found))
    assert 0.28 < single / 600 < 0.42
    assert together / 600 <= 0.05


def test_tables_are_coloured_by_it() -> None:
    """Three pairs of 20 deals; p of the first is 0.03 alone, but 0.06 as the second smallest of three."""

    def pair(a: str, b: str, mean: float) -> PairStats:
        half = 2.093024  # t(0.975, 19), a standard error of 1
        d = Interval(mean, mean - half, mean + half, 20)
        return PairStats(a, b, d, {}, d, d)

    pairs = (pair("a", "b", 2.35), pair("a", "c", -6.0), pair("b", "c", 0.1))
    assert p_value(pairs[0].difference) == pytest.approx(0.0298, abs=1e-4)
    summary = Summary((), pairs, proportion([], []), 0, 0, ())
    assert [row.style for row in pairs_table(summary).rows] == ["", "red", ""]
    html = _pairs(summary)
    assert "<tr><td>a</td><td>b</td>" in html
    assert '<td class="n">0.059</td>' in html
    assert '<tr class="down"><td>a</td><td>c</td>' in html
    alone = Summary((), pairs[:1], proportion([], []), 0, 0, ())
    assert [row.style for row in pairs_table(alone).rows] == ["green"]
