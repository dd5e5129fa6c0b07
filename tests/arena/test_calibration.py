"""Calibration of claimed chances, against sums done by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.arena import calibration
from skatai.arena.calibration import Calibration
from skatai.arena.intervals import wilson_interval
from skatai.errors import SkatError


def test_by_hand() -> None:
    """Claims 0.2, 0.2, 0.6, 0.8, 0.8 of which the first and the last two are won."""
    found = calibration([0.2, 0.2, 0.6, 0.8, 0.8], [1, 0, 0, 1, 1], bins=5)
    # squares: 0.64, 0.04, 0.36, 0.04, 0.04
    assert found.n == 5
    assert found.brier == pytest.approx(1.12 / 5)
    # bins [0.2, 0.4): 0.2 claimed, 1/2 won; [0.6, 0.8): 0.6 claimed, 0 won; [0.8, 1]: 0.8 claimed, 1 won
    assert [(b.n, b.lower, b.upper) for b in found.bins] == [
        (0, 0.0, 0.2),
        (2, 0.2, 0.4),
        (0, 0.4, 0.6),
        (1, 0.6, 0.8),
        (2, 0.8, 1.0),
    ]
    assert found.bins[1].claim == pytest.approx(0.2)
    assert found.bins[1].observed == wilson_interval(1, 2)
    assert found.ece == pytest.approx((2 * 0.3 + 0.6 + 2 * 0.2) / 5)
    assert found.reliability == pytest.approx((2 * 0.09 + 0.36 + 2 * 0.04) / 5)
    assert found.resolution == pytest.approx((2 * 0.01 + 0.36 + 2 * 0.16) / 5)  # three fifths are won
    assert found.uncertainty == pytest.approx(0.24)
    assert found.within == pytest.approx(0.0, abs=1e-15)  # every bin holds one claim
    assert found.log_loss == pytest.approx(-(math.log(0.2) + math.log(0.8) + math.log(0.4) + 2 * math.log(0.8)) / 5)


def test_within_bins_by_hand() -> None:
    """One bin with claims 0.5 and 0.9, the first lost and the second won: squares 0.25 and 0.01."""
    found = calibration([0.5, 0.9], [False, True], bins=1)
    assert found.brier == pytest.approx(0.13)
    assert found.reliability == pytest.approx(0.04)
    assert found.resolution == 0.0
    assert found.uncertainty == 0.25
    assert found.within == pytest.approx(0.13 - 0.29)


def test_certain_and_right() -> None:
    found = calibration([0.0, 1.0, 1.0], [0, 1, 1])
    assert (found.brier, found.ece, found.log_loss, found.reliability) == (0.0, 0.0, 0.0, 0.0)
    assert found.resolution == pytest.approx(found.uncertainty)
    assert [b.n for b in found.bins] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert math.isnan(found.bins[4].claim)
    assert (found.bins[4].observed.low, found.bins[4].observed.high) == (0.0, 1.0)


def test_certain_and_wrong() -> None:
    found = calibration([1.0, 0.5], [0, 1])
    assert found.log_loss == math.inf
    assert found.brier == pytest.approx(0.625)


def test_edges_belong_to_the_bin_above() -> None:
    """0.29 · 100 is below 29 in floating point."""
    for k in range(100):
        found = calibration([k / 100], [1], bins=100)
        assert [b.n for b in found.bins].index(1) == k


def test_text() -> None:
    assert str(calibration([0.9, 0.9, 0.6, 0.6], [1, 1, 1, 0])) == (
        "Brier 0.1350 (reliability 0.0100, resolution 0.0625, uncertainty 0.1875), ECE 0.1000, 4 claims"
    )


def naive(claims: list[float], outcomes: list[bool], bins: int) -> tuple[float, float, float, float]:
    """Brier, ECE, reliability and resolution, bin by bin in plain loops."""
    n, base = len(claims), sum(outcomes) / len(claims)
    ece = reliability = resolution = 0.0
    for k in range(bins):
        last = k == bins - 1
        mine = [i for i, p in enumerate(claims) if k / bins <= p < (k + 1) / bins or (last and p == 1.0)]
        if mine:
            p, y = sum(claims[i] for i in mine) / len(mine), sum(outcomes[i] for i in mine) / len(mine)
            ece += len(mine) / n * abs(p - y)
            reliability += len(mine) / n * (p - y) ** 2
            resolution += len(mine) / n * (y - base) ** 2
    return sum((p - y) ** 2 for p, y in zip(claims, outcomes, strict=True)) / n, ece, reliability, resolution


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.integers(1, 20))
def test_the_same_as_plain_loops(pairs: list[tuple[float, bool]], bins: int) -> None:
    claims, outcomes = [p for p, _ in pairs], [y for _, y in pairs]
    found = calibration(claims, outcomes, bins)
    figures = (found.brier, found.ece, found.reliability, found.resolution)
    assert figures == pytest.approx(naive(claims, outcomes, bins), abs=1e-12)
    assert sum(b.n for b in found.bins) == found.n == len(pairs)
    assert found.brier == pytest.approx(
        found.reliability - found.resolution + found.uncertainty + found.within, abs=1e-12
    )


def test_bins_mind_clusters_by_hand() -> None:
    """Ten deals of three equal games: 24 of 30 won, worth 9.3 independent games; all else is the same."""
    won = [deal < 8 for deal in range(10) for _ in range(3)]
    deals = [deal for deal in range(10) for _ in range(3)]
    plain, found = calibration([0.85] * 30, won), calibration([0.85] * 30, won, clusters=deals)
    variance = 10 / 9 * (8 * 0.6**2 + 2 * 2.4**2) / 900
    expected = wilson_interval(0.8 * 9.3103448, 9.3103448)
    assert 30 * 0.16 / 29 / variance == pytest.approx(9.3103448)
    assert found.bins[8].observed.low == pytest.approx(expected.low)
    assert found.bins[8].observed.high == pytest.approx(expected.high)
    assert plain.bins[8].observed.low == pytest.approx(wilson_interval(24, 30).low)
    assert (str(found), found.log_loss, found.within) == (str(plain), plain.log_loss, plain.within)


def test_arrays_are_taken() -> None:
    lists = calibration([0.25, 0.75], [0, 1])
    arrays = calibration(np.array([0.25, 0.75]), np.array([False, True]))
    assert isinstance(arrays, Calibration)
    assert (arrays.brier, arrays.ece) == (lists.brier, lists.ece)


@pytest.mark.parametrize(
    ("claims", "outcomes", "bins", "message"),
    [
        ([], [], 10, "at least one"),
        ([0.5], [1, 0], 10, "as many of both"),
        ([0.5, 1.01], [1, 0], 10, "claim 1 is 1.01, expected a probability"),
        ([-0.01], [1], 10, "claim 0 is -0.01"),
        ([math.nan], [1], 10, "claim 0 is nan"),
        ([0.5], [2], 10, "outcome 0 is 2.0, expected 0"),
        ([0.5], [math.nan], 10, "outcome 0 is nan"),
        ([0.5], [1], 0, "0 bins: expected at least 1"),
    ],
)
def test_errors(claims: list[float], outcomes: list[int], bins: int, message: str) -> None:
    with pytest.raises(SkatError, match=message):
        calibration(claims, outcomes, bins)


def test_as_many_clusters_as_claims() -> None:
    with pytest.raises(SkatError, match=r"calibration of \(2,\) claims in \(1,\) clusters"):
        calibration([0.5, 0.5], [1, 0], clusters=[3])
