"""Agents that play only the first deals of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.arena import Tournament, breakdown, rate
from skatai.arena.charts import charts
from skatai.arena.console import print_summary
from skatai.arena.designs import DESIGNS, SeatDesign
from skatai.arena.intervals import mean_interval
from skatai.arena.lists import ListSeries
from skatai.arena.records import GameRecord
from skatai.arena.report import report_html
from skatai.arena.sequential import SPRT, Until
from skatai.arena.stats import common_points, deals_of, summarise
from skatai.arena.store import read_log
from skatai.arena.tournament import LOG_NAME
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from tests.arena.toys import Lowest, OpenUniform, Uniform

DEALS = deals_from_seed(21, 9)
FIRST = {"open-uniform": 4}


def _tournament(n: int = len(DEALS), **options: object) -> Tournament:
    agents = [Uniform(), Lowest(), OpenUniform()]
    return Tournament(agents, DEALS[:n], seed=5, **options)  # type: ignore[arg-type]


def _facts(record: GameRecord) -> tuple[object, ...]:
    """All but number and times: the number depends on how many groups there are."""
    return record.group, record.deal, record.seating, *record.same_game[2:]


def test_deals_of_a_group() -> None:
    assert deals_of(["a", "b"], {"b": 7, "c": 3}, 10) == 7
    assert deals_of(["a", "b", "c"], {"b": 7, "c": 3}, 10) == 3
    assert deals_of(["a"], {"b": 7}, 10) == 10
    assert deals_of(["b"], {"b": 7}, 5) == 5


def test_the_games_are_those_of_separate_tournaments() -> None:
    tournament = _tournament(first=FIRST)
    result = tournament.run()
    assert tournament.games == len(result.records) == 6 * (4 * 3 + 5)
    everybody, two = _tournament(4).run(), Tournament([Uniform(), Lowest()], DEALS, seed=5).run()
    expected = [_facts(r) for r in everybody.records]
    expected += [_facts(r) for r in two.records if r.deal >= 4]
    assert [_facts(r) for r in result.records] == expected


def test_numbers_are_those_of_the_whole_tournament() -> None:
    """So that games keep their numbers when more deals of a slow agent are wanted."""
    whole = {record.game: record.same_game for record in _tournament().run().records}
    some = _tournament(first=FIRST).run().records
    assert all(whole[record.game] == record.same_game for record in some)
    assert [record.game for record in some] == sorted(record.game for record in some)


@pytest.mark.parametrize(("backend", "tables"), [("serial", 1), ("threads", 7), ("serial", 1000)])
def test_nothing_depends_on_how_it_is_run(backend: str, tables: int) -> None:
    expected = [record.same_game for record in _tournament(first=FIRST).run().records]
    found = _tournament(first=FIRST).run(backend=backend, workers=2, tables=tables)
    assert [record.same_game for record in found.records] == expected


def test_a_run_that_was_cut_goes_on(tmp_path: Path) -> None:
    tournament = _tournament(first=FIRST)
    whole = tournament.run(tmp_path, tables=5)
    log = tmp_path / LOG_NAME
    data = log.read_bytes()
    assert read_log(log)[0]["settings"]["first"] == FIRST
    for cut in (1000, len(data) // 2, len(data) - 10):
        log.write_bytes(data[:cut])
        again = tournament.run(tmp_path, tables=4)
        assert [r.same_game for r in again.records] == [r.same_game for r in whole.records]
        assert log.read_bytes().count(b"\n") == 1 + tournament.games


def test_other_first_deals_are_other_settings(tmp_path: Path) -> None:
    _tournament(first=FIRST).run(tmp_path)
    for options in ({}, {"first": {"open-uniform": 5}}):
        with pytest.raises(SkatError, match=r"first was \{'open-uniform': 4\} and is now"):
            _tournament(**options).run(tmp_path)


def test_pairs_count_the_deals_both_have() -> None:
    summary = _tournament(first=FIRST).run().summary()
    deals = {(pair.first, pair.second): list(pair.by_deal) for pair in summary.pairs}
    assert deals == {
        ("uniform", "lowest"): list(range(9)),
        ("uniform", "open-uniform"): [0, 1, 2, 3],
        ("lowest", "open-uniform"): [0, 1, 2, 3],
    }
    two = Tournament([Uniform(), Lowest()], DEALS, seed=5).run().summary()
    assert summary.pairs[0] == two.pairs[0]
    assert summary.pairs[1].difference.n == 4
    assert set(summary.pairs[1].by_deal.values()) == {0.0}  # they act alike
    assert summary.left_out == 0
    by_name = {agent.name: agent for agent in summary.agents}
    assert {name: agent.points.n for name, agent in by_name.items()} == {"uniform": 9, "lowest": 9, "open-uniform": 4}
    assert by_name["open-uniform"].seat_deals == 4 * 2 * 9


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_every_design(design: SeatDesign) -> None:
    """Four equal agents, the second of which ends early: exactly 0 wherever two are compared."""
    agents = [Uniform() for _ in range(4)]
    tournament = Tournament(agents, DEALS[:4], seed=4, design=design, first={"uniform#2": 2})
    result = tournament.run()
    assert len(result.records) == tournament.games == tournament.games_on(4)
    assert sum(record.deal < 2 for record in result.records) == tournament.games_on(2)
    for pair in result.summary().pairs:
        assert list(pair.by_deal) == ([0, 1] if "uniform#2" in (pair.first, pair.second) else [0, 1, 2, 3])
        assert set(pair.by_deal.values()) == {0.0}


def test_a_run_stopped_between_groups_has_no_crooked_pair() -> None:
    """A pair counts on a deal only with all groups that play it."""
    tournament = _tournament(first=FIRST, design=DESIGNS["three-six"])
    assert tournament.games == 6 * 4  # one group, and it ends
    four = Tournament(
        [Uniform(), Lowest(), OpenUniform(), Uniform()],
        DEALS[:3],
        seed=5,
        design=DESIGNS["three-six"],
        first={"uniform#2": 1},
    )
    result = four.run()
    (pair,) = [p for p in result.summary().pairs if (p.first, p.second) == ("uniform", "lowest")]
    assert list(pair.by_deal) == [0, 1, 2]  # on deal 0 two groups, then one
    torn = [r for r in result.records if (r.deal, r.group) != (0, ("uniform", "lowest", "uniform#2"))]
    left = summarise(torn, four.names, four.design, four.facts).pairs
    (pair,) = [p for p in left if (p.first, p.second) == ("uniform", "lowest")]
    assert list(pair.by_deal) == [1, 2]  # one of its two groups on deal 0 is missing


def test_report_and_tables_cope(capsys: pytest.CaptureFixture[str]) -> None:
    result = _tournament(first=FIRST).run()
    print_summary(result.summary())
    out = " ".join(capsys.readouterr().out.split())
    assert "open-uniform plays the first 4 deals only: compare it by the pairs, not by its list points" in out
    html = report_html(result, result.tournament.settings if result.tournament else None)
    assert "102 of 102 games.<" in html
    assert "open-uniform plays the first 4 deals only" in html
    assert "open-uniform: 4" in html
    games = {row.agent: row.games for row in breakdown(result.records, result.agents) if row.value == "passed in"}
    assert set(games) <= set(result.agents)
    assert {r.agent: r.matches for r in rate(result.records, result.agents)} == {
        "uniform": 13,
        "lowest": 13,
        "open-uniform": 8,
    }


def test_strength_and_time_are_drawn_over_the_same_deals() -> None:
    """Two agents act alike; over different deals they would stand in different places."""
    result = _tournament(first=FIRST).run()
    summary = result.summary()
    deals, points = common_points(result.records)
    assert deals == 4
    four = {agent.name: agent.points for agent in _tournament(4).run().summary().agents}
    assert points == four
    assert points["uniform"] != next(agent.points for agent in summary.agents if agent.name == "uniform")
    titles = [title for title, _ in charts(summary, result.records)]
    assert "Strength and time, on the 4 deals that all agents play" in titles
    everywhere = _tournament().run()
    assert "Strength and time" in [title for title, _ in charts(everywhere.summary(), everywhere.records)]
    drawn = {agent.name: agent.points for agent in everywhere.summary().agents}
    assert common_points(everywhere.records) == (9, drawn)


def test_stopping_rules_wait_for_nobody_who_has_played_all_his_deals() -> None:
    deals = deals_from_seed(6, 130)
    tournament = Tournament(["random", "rule", "random+rule"], deals, seed=2, first={"random+rule": 100})
    pairs = {(p.first, p.second): p for p in tournament.run().summary().pairs}
    rule = Until(mean_interval(list(pairs["random", "rule"].by_deal.values())[:120]).half + 1e-9)
    assert pairs["rule", "random+rule"].difference.half > rule.half  # this pair never gets there
    result = tournament.run(stop=rule)
    assert result.stopped is not None
    assert result.games == tournament.games_on(result.records[-1].deal + 1) == len(result.records)
    assert 100 < result.records[-1].deal + 1 <= 120
    with pytest.raises(SkatError, match=r"sprt: it compares random and random[+]rule, but only on the first 100 deals"):
        Tournament(["random", "random+rule", "rule"], deals, first={"random+rule": 100}).run(stop=SPRT(1.0))


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ({"nobody": 3}, "first deals of 'nobody': no such agent; there are uniform, lowest, open-uniform"),
        ({"lowest": 0}, "first deals of lowest 0: expected 1 … 9"),
        ({"lowest": 10}, "first deals of lowest 10: expected 1 … 9"),
        ({"lowest": 2.5}, "first deals of lowest 2.5: expected a whole number 1 … 9"),
    ],
)
def test_errors(first: dict[str, object], message: str) -> None:
    with pytest.raises(SkatError, match=message):
        _tournament(first=first)


def test_lists_have_no_first_deals() -> None:
    with pytest.raises(SkatError, match="everybody plays all deals"):
        ListSeries([Uniform(), Lowest(), Uniform()], DEALS, length=9, first={"lowest": 3})


def test_stopping_rules_need_somebody_to_compare() -> None:
    with pytest.raises(SkatError, match="compares nobody"):
        ListSeries([Uniform(), Lowest(), Uniform()], DEALS, length=9).run(stop=SPRT(1.0))
