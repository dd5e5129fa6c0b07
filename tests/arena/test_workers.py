"""What workers are given to do."""

from __future__ import annotations

import pytest

from skatai.agent import make_agent
from skatai.arena import Tournament
from skatai.arena.workers import Pace
from skatai.deal import deals_from_seed

DEALS = deals_from_seed(12, 6)


def test_portions_grow_to_two_seconds_work() -> None:
    pace = Pace(workers=2)
    assert pace.games(10_000) == 24
    pace.heed(24, 0.1)
    assert pace.games(10_000) == 96  # at most four times as many
    pace.heed(96, 0.96)
    assert pace.games(10_000) == 200
    pace.heed(200, 0.01)
    assert pace.games(10_000) == 480
    pace.heed(480, 960.0)
    assert pace.games(10_000) == 6
    pace.heed(0, 5.0)
    assert pace.games(10_000) == 6


def test_portions_shrink_near_the_end() -> None:
    pace = Pace(workers=2)
    pace.size = 480
    left, portions = 1000, []
    while left > 0:
        portions.append(pace.games(left))
        left -= portions[-1]
    assert portions[:3] == [250, 188, 141]
    assert portions == sorted(portions, reverse=True)
    assert portions[-1] == 6


def test_a_given_number_of_tables_stays() -> None:
    pace = Pace(workers=3, tables=7)
    pace.heed(7, 100.0)
    assert pace.games(3) == 7


@pytest.mark.parametrize("specs", [("random", "rule"), ("rule+random", "rule"), ("rule", "random+rule")])
def test_compiled_players_play_the_games_of_their_agents(specs: tuple[str, str]) -> None:
    """Claims included; agents given as objects go through Python."""
    from skatai.arena.phases import make_player

    texts = Tournament(specs, DEALS, seed=3).run().records
    objects = Tournament([make_player(spec) for spec in specs], DEALS, seed=3).run().records
    assert [r.same_game for r in texts] == [r.same_game for r in objects]
    assert any(r.claim is not None for r in texts)
    mixed = Tournament([specs[0], make_player(specs[1])], DEALS, seed=3).run(tables=5).records
    assert [r.same_game for r in mixed] == [r.same_game for r in objects]


def test_compiled_players_are_not_free_of_time() -> None:
    records = Tournament(["rule", make_agent("random")], DEALS, seed=3).run().records
    spent = [ms for r in records for name, ms in zip(r.seats, r.ms, strict=True) if name == "rule"]
    assert sum(spent) > 0
