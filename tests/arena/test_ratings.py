"""Ratings by openskill."""

from __future__ import annotations

import sys

import pytest

from skatai.arena import Tournament, TournamentResult
from skatai.arena.designs import DESIGNS
from skatai.arena.ratings import matches_of, rate
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from tests.arena.test_stats import ONE
from tests.arena.toys import Lowest, Uniform


class Twin(Uniform):
    """Acts like ``Uniform``."""

    name = "twin"


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return Tournament([Lowest(), Uniform(), Twin()], deals_from_seed(3, 40)).run()


def test_matches_by_hand() -> None:
    assert matches_of(ONE) == [{"a": 3 * 98 + 4 * 40, "b": 3 * -146 + 2 * 40}]
    assert matches_of(ONE[:5]) == []


def test_better_agents_have_higher_ratings(result: TournamentResult) -> None:
    ratings = rate(result.records, result.agents)
    points = {agent.name: agent.points.mean for agent in result.summary().agents}
    assert {ratings[0].agent} == {max(points, key=lambda name: points[name])}
    by_name = {rating.agent: rating for rating in ratings}
    assert abs(by_name["uniform"].mu - by_name["twin"].mu) < 3 * by_name["twin"].sigma
    for rating in ratings:
        assert rating.matches == 80
        assert rating.sigma < 25 / 3
        assert rating.curve[-1] == (120, rating.mu, rating.sigma)
        assert "±" in str(rating)
        assert rating.ordinal < rating.mu


def test_draws_leave_equals_equal() -> None:
    result = Tournament([Uniform(), Twin()], deals_from_seed(3, 10)).run()
    first, second = rate(result.records, result.agents)
    assert first.mu == pytest.approx(second.mu)


def test_only_the_compared_are_rated() -> None:
    result = Tournament([Uniform(), Lowest(), Twin()], deals_from_seed(3, 2), design=DESIGNS["field-six"]).run()
    assert {r.agent for r in rate(result.records, result.agents, result.design)} == {"uniform", "lowest"}


def test_the_order_is_drawn_from_a_seed(result: TournamentResult) -> None:
    assert rate(result.records, result.agents, seed=1) == rate(result.records[::-1], result.agents, seed=1)
    assert rate(result.records, result.agents, seed=1) != rate(result.records, result.agents, seed=2)


def test_without_openskill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(SkatError, match=r"pip install 'skatai\[rating\]'"):
        rate(ONE, ["a", "b"])
