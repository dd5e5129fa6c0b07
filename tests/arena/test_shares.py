"""Shares whose members come in clusters."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from skatai.arena.shares import proportion


def test_independent_members_give_wilsons_interval() -> None:
    """Eight of ten, each its own cluster; the bounds by the formula."""
    share = proportion([True] * 8 + [False] * 2, range(10))
    assert share.effective == pytest.approx(10.0)
    z, n = NormalDist().inv_cdf(0.975), 10
    half = z / (1 + z * z / n) * math.sqrt(0.8 * 0.2 / n + z * z / (4 * n * n))
    middle = (0.8 + z * z / (2 * n)) / (1 + z * z / n)
    assert share.interval.low == pytest.approx(100 * (middle - half))
    assert share.interval.high == pytest.approx(100 * (middle + half))
    assert str(share) == "80.0 % (49.0–94.3)"


def test_clusters_that_agree_within() -> None:
    """Ten clusters of three equal members: V = 10/9·(8·0.6² + 2·2.4²)/30² = 0.01778, effective 30·0.16/29/V = 9.3."""
    hits = [cluster < 8 for cluster in range(10) for _ in range(3)]
    clusters = [cluster for cluster in range(10) for _ in range(3)]
    variance = 10 / 9 * (8 * 0.6**2 + 2 * 2.4**2) / 900
    assert proportion(hits, clusters).effective == pytest.approx(30 * 0.16 / 29 / variance)
    assert proportion(hits, clusters).effective == pytest.approx(9.3103448)


def test_never_more_than_there_are_members() -> None:
    spread = proportion([True, False] * 10, [cluster for cluster in range(10) for _ in range(2)])
    assert spread.effective == 20.0


def test_members_that_all_agree_count_as_their_clusters() -> None:
    assert proportion([True] * 6, [0, 0, 1, 1, 2, 2]).effective == 3.0
    assert proportion([False], [7]).interval.high == pytest.approx(79.35, abs=0.01)  # z² / (1 + z²)


def test_no_members() -> None:
    share = proportion([], [])
    assert math.isnan(share.interval.mean)
    assert (share.interval.low, share.interval.high) == (0, 100)
    assert str(share) == "–"


def test_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="2 members in 1 clusters"):
        proportion([True, True], [1])


def test_percent_and_fraction() -> None:
    share = proportion([True] * 8 + [False] * 2, range(10))
    assert share.percent == "80.0 %"
    assert share.fraction.low == pytest.approx(share.interval.low / 100)
    assert proportion([], []).percent == "–"
