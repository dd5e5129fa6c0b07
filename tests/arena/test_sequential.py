"""Stopping rules."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from skatai.arena.intervals import mean_interval
from skatai.arena.sequential import MIN_DEALS, MIN_DIFFERENT, SPRT, StopRule, Until, looks, stopping_deal
from skatai.errors import SkatError
from skatai.rng import Rng


def test_looks_grow() -> None:
    ladder = list(islice(looks(), 100))
    assert ladder[0] == MIN_DEALS
    assert ladder == sorted(set(ladder))
    assert ladder[99] > 10_000


def test_until_stops_at_the_first_look_that_is_narrow_enough() -> None:
    values = [float(v) for v in Rng(1).numpy().normal(0, 20, 5000)]
    found = stopping_deal(Until(1.5), values)
    assert found is not None
    n, why = found
    assert mean_interval(values[:n]).half <= 1.5
    earlier = [k for k in islice(looks(), 200) if k < n]
    assert all(mean_interval(values[:k]).half > 1.5 for k in earlier)
    assert "at most 1.5" in why
    assert stopping_deal(Until(1.5), values[: n - 1]) is None
    assert stopping_deal(Until(1.5), values + values) == found


def test_log_ratio_by_hand() -> None:
    # 1, 3, 5: mean 3, variance 4; 3·2·(3 - 1)/4
    assert SPRT(2.0).log_ratio([1.0, 3.0, 5.0]) == pytest.approx(3.0)
    assert SPRT(2.0).log_ratio([1.0]) == 0.0
    assert SPRT(2.0).log_ratio([0.0, 0.0]) == -math.inf
    assert SPRT(2.0).log_ratio([5.0, 5.0]) == math.inf


@pytest.mark.parametrize("rule", [Until(2.0), SPRT(1.0)])
def test_agents_that_seldom_differ_play_on(rule: StopRule) -> None:
    """A difference on every tenth deal: thirty of them are there after 300 deals; the next look is at 305."""
    values = [0.1 * (-1) ** (i // 10) if i % 10 == 9 else 0.0 for i in range(1000)]
    found = stopping_deal(rule, values)
    assert found is not None
    assert found[0] == next(n for n in looks() if n >= 10 * MIN_DIFFERENT)
    assert stopping_deal(rule, [0.0] * 5000) is None  # identical agents: to the end


def test_until_waits_for_the_pair_that_seldom_differs() -> None:
    often, seldom = [1.0, -1.0] * 500, [1.0 if i % 10 == 9 else 0.0 for i in range(1000)]
    assert stopping_deal(Until(2.0), often) == (100, "half-width 0.199 is at most 2")
    found = stopping_deal(Until(2.0), often, seldom)
    assert found is not None
    assert found[0] >= 300
    assert stopping_deal(Until(2.0), often, [0.0] * 1000) is None


def test_rare_differences_by_simulation() -> None:
    """A difference on one deal in a hundred, 0.4 on average: the intervals where the rule stops hold that in 95 %."""
    rng = Rng(4).numpy()
    held, least = 0, 10_000
    for _ in range(300):
        values = np.where(rng.random(8000) < 0.01, 40 + 60 * rng.standard_normal(8000), 0.0)
        found = stopping_deal(Until(2.0), values.tolist())
        assert found is not None
        interval = mean_interval(values[: found[0]].tolist())
        held += interval.low <= 0.4 <= interval.high
        least = min(least, int(np.count_nonzero(values[: found[0]])))
    assert least >= MIN_DIFFERENT
    assert held >= 270  # 95 % less four standard deviations


def test_a_negative_margin_asks_whether_a_is_worse() -> None:
    found = stopping_deal(SPRT(-4.0), [float(v) for v in Rng(5).numpy().normal(-4, 20, 3000)])
    assert found is not None
    assert "nearer -4 than 0" in found[1]


@pytest.mark.parametrize("truth", [0.0, 4.0])
def test_error_rates_by_simulation(truth: float) -> None:
    """400 tournaments with heavy tails; benchmarks/bench_intervals.py does it with more."""
    rng = Rng(21).numpy()
    wrong = 0
    for _ in range(400):
        values = truth + np.where(rng.random(3000) < 1 / 3, 0.0, 14 * rng.standard_t(3, 3000))
        found = stopping_deal(SPRT(4.0), values.tolist())
        assert found is not None
        wrong += ("nearer +4" in found[1]) != (truth > 0)
    assert wrong <= 28  # 5 % and two standard deviations


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Until(0.0), "until 0"),
        (lambda: Until(math.nan), "until nan"),
        (lambda: SPRT(0.0), "sprt 0: expected"),
        (lambda: SPRT(math.nan), "sprt nan: expected"),
        (lambda: SPRT(-math.inf), "sprt -inf: expected"),
        (lambda: SPRT(1.0, alpha=0.5), "error rates"),
    ],
)
def test_rules_without_sense(make: object, message: str) -> None:
    with pytest.raises(SkatError, match=message):
        make()  # type: ignore[operator]
