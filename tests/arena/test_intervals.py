"""Student's and Wilson's intervals against published values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.arena.intervals import Interval, mean_interval, student_cdf, student_quantile, wilson_interval

# Tables of the t distribution (two-sided 95 % and 99 %, one-sided 90 %).
QUANTILES = [
    (0.975, 1, 12.7062),
    (0.975, 2, 4.3027),
    (0.975, 3, 3.1824),
    (0.975, 5, 2.5706),
    (0.975, 10, 2.2281),
    (0.975, 30, 2.0423),
    (0.975, 120, 1.9799),
    (0.975, 1000, 1.9623),
    (0.995, 1, 63.6567),
    (0.995, 4, 4.6041),
    (0.995, 29, 2.7564),
    (0.90, 1, 3.0777),
    (0.90, 15, 1.3406),
]


@pytest.mark.parametrize(("p", "df", "t"), QUANTILES)
def test_quantiles_of_the_tables(p: float, df: int, t: float) -> None:
    assert student_quantile(p, df) == pytest.approx(t, abs=6e-5)
    assert student_quantile(1 - p, df) == pytest.approx(-t, abs=6e-5)


def test_closed_forms() -> None:
    assert student_cdf(0.7, 1) == pytest.approx(0.5 + math.atan(0.7) / math.pi)  # Cauchy
    assert student_cdf(0.7, 2) == pytest.approx(0.5 + 0.7 / (2 * math.sqrt(2 + 0.49)))
    x = 0.7 / math.sqrt(3)
    assert student_cdf(0.7, 3) == pytest.approx(0.5 + (x / (1 + x * x) + math.atan(x)) / math.pi)


def test_series_and_expansion_meet() -> None:
    below, above = student_quantile(0.975, 399), student_quantile(0.975, 400)
    assert above < below
    assert below - above < 2e-5
    assert student_cdf(above, 400) == pytest.approx(0.975, abs=1e-10)


@given(st.integers(1, 399), st.floats(0.51, 0.999))
def test_quantile_inverts_the_distribution(df: int, p: float) -> None:
    assert student_cdf(student_quantile(p, df), df) == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize(("p", "df"), [(0.0, 3), (1.0, 3), (0.9, 0)])
def test_impossible_quantiles(p: float, df: int) -> None:
    with pytest.raises(ValueError, match="student_quantile"):
        student_quantile(p, df)


def test_mean_by_hand() -> None:
    # 2, 4, 6, 8: mean 5, s² = 20/3, half width 3.1824·√(20/12)
    found = mean_interval([2, 4, 6, 8])
    assert (found.mean, found.n) == (5.0, 4)
    assert found.half == pytest.approx(3.182446 * math.sqrt(20 / 12), abs=1e-5)
    assert found.high - found.mean == pytest.approx(found.mean - found.low)


def test_one_value_says_nothing_about_the_spread() -> None:
    found = mean_interval([3.0])
    assert math.isinf(found.low)
    assert str(found) == "+3.00 (one deal)"


def test_equal_values() -> None:
    assert mean_interval([0.0] * 50) == Interval(0.0, 0.0, 0.0, 50)


def test_no_values() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean_interval([])


def test_wilson() -> None:
    # Newcombe 1998, table I: 81/263 and 0/20
    found = wilson_interval(81, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    found = wilson_interval(0, 20)
    assert found.low == 0.0
    assert round(found.high, 4) == 0.1611
    assert math.isnan(wilson_interval(0, 0).mean)


def test_a_share_lies_in_its_own_interval() -> None:
    """Exactly, whatever the rounding: charts take the distances to the ends."""
    for n in range(1, 200):
        for hits in (0, 1, n - 1, n):
            share = wilson_interval(hits, n)
            assert 0.0 <= share.low <= share.mean <= share.high <= 1.0
