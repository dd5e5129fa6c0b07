"""The HTML report and the tables at the terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from skatai.arena import Tournament, TournamentResult
from skatai.arena.breakdown import breakdown
from skatai.arena.charts import matplotlib_missing
from skatai.arena.console import print_details, print_summary
from skatai.arena.costly import costly_deals
from skatai.arena.ratings import rate
from skatai.arena.report import report_html, write_report
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.game import Game
from tests.arena.toys import Lowest, OpenUniform, Uniform
from tests.html_reader import read_html


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return Tournament([Uniform(), Lowest(), OpenUniform()], deals_from_seed(3, 6)).run()


def test_report_needs_nothing_from_outside(result: TournamentResult) -> None:
    html = report_html(result)
    assert matplotlib_missing() is None
    reader = read_html(html)
    assert len(reader.references) == 6
    assert all(reference.startswith("data:image/") for reference in reader.references)
    assert not re.search(r"https?:|<script|<link|@import|url\(", html)


def test_report_tells_everything(result: TournamentResult) -> None:
    html = report_html(result, {"seed": 7, "agents": ["a", "b"]}, {"numpy": "9.9"}, title="A <title>")
    text = " ".join(read_html(html).text)
    for words in ("A <title>", "uniform", "lowest", "open-uniform", "108 of 108 games", "Settings", "9.9", "a, b"):
        assert words in text
    for words in ("Ratings", "openskill", "Where the points come from", "By kind of game", "defender"):
        assert words in text
    assert "<svg" in html
    assert html.count("To replay") == 2 * len(costly_deals(result.summary())) == 20  # both lines of play
    assert html.count("exchanged") == 10


def test_report_is_reproducible(result: TournamentResult) -> None:
    assert report_html(result) == report_html(result)


def test_positions_of_the_report_replay(result: TournamentResult) -> None:
    text = "".join(read_html(report_html(result)).text)
    lines = re.findall(r'Game\.parse\("([^"]+)"\)', text)
    assert lines
    for line in lines:
        assert Game.parse(line).is_over


def test_costly_deals_take_turns(result: TournamentResult) -> None:
    summary = result.summary()
    found = costly_deals(summary, 6)
    assert len(found) == 6
    pairs = [(pair.first, pair.second) for pair, _, _ in found]
    rank = [agent.name for agent in summary.agents]
    assert set(pairs[0]) == set(rank[:2])  # the best two come first
    differing = [pair for pair in summary.pairs if any(pair.by_deal.values())]
    assert len(set(pairs[: len(differing)])) == len(differing)
    for pair in differing:
        own = [abs(difference) for other, _, difference in found if other is pair]
        largest = sorted(map(abs, pair.by_deal.values()), reverse=True)
        assert own == largest[: len(own)]


def test_report_of_nothing() -> None:
    html = report_html(
        TournamentResult(("a", "b"), (), 12, Tournament([Uniform(), Lowest()], deals_from_seed(1, 1)).design)
    )
    assert "0 of 12 games (stopped before the end)" in html
    assert "nothing to tell" in html


def test_without_matplotlib(result: TournamentResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    html = report_html(result)
    assert "pip install" in html
    assert read_html(html).references == []


def test_without_openskill(result: TournamentResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    html = report_html(result)
    assert "openskill" not in html
    assert len(read_html(html).references) == 5


def test_write_report(result: TournamentResult, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.html", result)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(SkatError, match="cannot write the report"):
        write_report(tmp_path / "no" / "r.html", result)


def test_tables_fit_a_terminal(result: TournamentResult, capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(result.summary())
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for words in ("uniform", "lowest", "open-uniform", "±", "108 games", "A − B"):
        assert words in out


def test_details_fit_a_terminal(result: TournamentResult, capsys: pytest.CaptureFixture[str]) -> None:
    print_details(breakdown(result.records, result.agents), rate(result.records, result.agents))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for words in ("Ratings (openskill)", "By role", "By kind of game", "defender", "forehand", "18"):
        assert words in out
