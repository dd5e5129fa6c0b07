"""Tables by role, contract, seat, bid and kind of game."""

from __future__ import annotations

import math

import pytest

from skatai.arena import Tournament
from skatai.arena.breakdown import DIMENSIONS, bid_level, breakdown
from skatai.deal import deals_from_seed
from tests.arena.test_stats import ONE, _row
from tests.arena.toys import Lowest, Uniform


def test_by_hand() -> None:
    # ONE: forehand declares grand at 18 in ABB BAB BBA BAA ABA AAB; A wins 48, B loses 48 doubled.
    rows = {(row.agent, row.dimension, row.value): row for row in breakdown([*ONE, _row(6, None)], ["a", "b"])}
    declarer = rows["a", "role", "declarer"]
    assert (declarer.games, declarer.points.mean) == (3, 98)
    assert declarer.won is not None and declarer.won.interval.mean == 100
    assert math.isinf(declarer.points.high)  # one deal
    defender = rows["a", "role", "defender"]
    # one defender's place in BAB and BBA, two in BAA, one each in ABA and AAB
    assert (defender.games, defender.points.mean) == (6, pytest.approx(4 * 40 / 6))
    assert defender.won is not None and defender.won.interval.mean == pytest.approx(100 * 4 / 6)
    assert rows["b", "contract", "grand"].points.mean == -146
    assert rows["b", "seat", "forehand"].games == 3
    assert rows["b", "bid", "18"].games == 3
    assert rows["b", "kind of game", "with skat"].games == 3
    assert rows["a", "role", "passed in"].won is None
    assert ("b", "role", "passed in") in rows


def test_shares_won_stay_within_bounds() -> None:
    """19 of 20 deals, one game each, are won: Wilson's interval, which ends below 100 %; all of three: not 100 ± 0."""
    records = [_row(6 * deal, 0, 48 if deal else -48) for deal in range(20)]
    (row,) = [r for r in breakdown(records, ["a", "b"]) if (r.agent, r.value) == ("a", "declarer")]
    assert row.won is not None
    z = 1.959964
    half = z / (1 + z * z / 20) * math.sqrt(0.95 * 0.05 / 20 + z * z / 1600)
    middle = (0.95 + z * z / 40) / (1 + z * z / 20)
    assert row.won.interval.low == pytest.approx(100 * (middle - half), abs=1e-4)
    assert row.won.interval.high == pytest.approx(100 * (middle + half), abs=1e-4)
    (row,) = [r for r in breakdown(records[1:4], ["a", "b"]) if (r.agent, r.value) == ("a", "declarer")]
    assert str(row.won) == "100.0 % (43.9–100.0)"  # 3 / (3 + z²)


def test_games_on_one_deal_are_one_piece_of_evidence() -> None:
    """Forehand wins with A's cards on every seating of three deals: nine games declared by A, worth three."""
    records = [_row(6 * deal + i, 0, 48) for deal in range(3) for i in range(6)]
    (row,) = [r for r in breakdown(records, ["a", "b"]) if (r.agent, r.value) == ("a", "declarer")]
    assert row.won is not None
    assert (row.won.n, row.won.effective) == (9, 3.0)


def test_kinds_of_game() -> None:
    contracts = ["D", "NOH", "NO", "CO", "GH", "G"]
    records = [_row(i, 0, 48, contract=name, bid=18 + 30 * (i > 2)) for i, name in enumerate(contracts)]
    rows = {(row.agent, row.dimension, row.value): row.games for row in breakdown(records, ["a", "b"])}
    found = {
        value: rows.get(("a", "kind of game", value), 0) + rows.get(("b", "kind of game", value), 0)
        for value in ("with skat", "hand", "ouvert")
    }
    assert found == {"with skat": 2, "hand": 1, "ouvert": 3}


@pytest.mark.parametrize(
    ("bid", "name"), [(0, "18"), (18, "18"), (20, "20–23"), (24, "24–35"), (48, "36–59"), (60, "60 and more")]
)
def test_levels(bid: int, name: str) -> None:
    assert bid_level(bid) == name


def test_every_game_is_counted_once_in_each_dimension() -> None:
    result = Tournament([Uniform(), Lowest()], deals_from_seed(3, 8)).run()
    rows = breakdown(result.records, result.agents)
    for agent in result.summary().agents:
        mine = [row for row in rows if row.agent == agent.name]
        total = {dimension: sum(r.games for r in mine if r.dimension == dimension) for dimension in DIMENSIONS}
        assert total.pop("role") == agent.seat_deals
        assert set(total.values()) == {agent.declared.hits}
        points = sum(row.games * row.points.mean for row in mine if row.dimension == "role")
        assert points / agent.seat_deals == pytest.approx(agent.points.mean)
