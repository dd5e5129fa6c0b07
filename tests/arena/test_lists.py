"""List series at three- and four-tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from skatai.arena.lists import ListSeries, score_lists, series_standings
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.scoring import SeegerFabianList, list_points
from tests.arena.test_stats import _row
from tests.arena.toys import Lowest, Uniform

DEALS = deals_from_seed(15, 24)


@pytest.mark.parametrize("table", [3, 4])
def test_the_deal_goes_round(table: int, tmp_path: Path) -> None:
    agents = [Uniform(), Lowest(), Uniform(), Lowest()][:table]
    series = ListSeries(agents, DEALS, seed=2, length=12)
    result = series.run(tmp_path, tables=5)
    assert [record.game for record in result.records] == list(range(24))
    names = series.names
    for record in result.records[:table]:
        assert record.seats[0] == names[record.game % table]
    held = Counter((name, seat) for record in result.records for seat, name in enumerate(record.seats))
    assert set(held.values()) == {24 // table}
    sheets = score_lists(result.records, names, 12)
    assert [sheet.deals for sheet in sheets] == [12, 12]
    expected = [0] * table
    for record in result.records:
        declarer = None if record.declarer is None else names.index(record.seats[record.declarer])
        expected = [a + b for a, b in zip(expected, list_points(record.score, declarer, table), strict=True)]
    assert [sum(totals) for totals in zip(*(sheet.totals for sheet in sheets), strict=True)] == expected
    standings = series_standings(sheets, names)
    assert {s.player: s.total for s in standings} == dict(zip(names, expected, strict=True))
    assert sum(s.first for s in standings) >= 2
    assert result.summary().pairs == ()
    assert result.summary().games == 24
    assert [note.startswith("agents' list points") for note in result.summary().notes] == [True] * (table - 3)
    again = ListSeries(agents, DEALS, seed=2, length=12).run(tmp_path)
    assert again.records == result.records


def test_standings_by_hand() -> None:
    first, second = SeegerFabianList(4), SeegerFabianList(4)
    first.extend([(0, 48), (1, -96), (2, 20), (None, 0)])
    second.extend([(0, 36), (3, 22), (None, 0), (None, 0)])
    # 0: 98 + 30 and 86; 1: -146 and 0; 2: 70 + 30 and 0; 3: 30 and 72
    standings = series_standings([first, second], ["a", "b", "c", "d"])
    assert [(s.player, s.total) for s in standings] == [("a", 214), ("d", 102), ("c", 100), ("b", -146)]
    best = standings[0]
    assert (best.won, best.lost, best.first, best.per_list.mean, best.per_list.n) == (2, 0, 2, 107.0, 2)


def test_incomplete_lists_do_not_count() -> None:
    records = [_row(i, None, seats=("a", "b", "c")) for i in range(5)]
    assert [sheet.deals for sheet in score_lists(records, ["a", "b", "c"], 3)] == [3]
    assert series_standings([], ["a", "b", "c"]) == []


@pytest.mark.parametrize(
    ("players", "length", "message"),
    [
        (2, 12, "list of 2 players"),
        (3, 5, "24 deals in lists of 5"),
        (4, 6, "lists of 6"),
        (3, 36, "24 deals in lists"),
    ],
)
def test_bad_series(players: int, length: int, message: str) -> None:
    with pytest.raises(SkatError, match=message):
        ListSeries([Uniform()] * players, DEALS, length=length)
