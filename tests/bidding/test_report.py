"""The tables and the HTML report of an evaluation."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skatai.arena.intervals import Interval
from skatai.bidding.charts import charts
from skatai.bidding.console import print_report
from skatai.bidding.evaluate import evaluate_bidders
from skatai.bidding.judging import RegretSummary
from skatai.bidding.report import report_html, write_report
from skatai.bidding.results import BidderResult, BiddingReport, Difference
from skatai.bidding.sweep import Optimum, Sweep, SweepRow
from skatai.bidding.tables import tables
from skatai.cards import CardSet
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from tests.html_reader import read_html

RECORDS = Path(__file__).parents[1] / "data" / "iss_records.sgf"


def cautious(hand: CardSet) -> int:
    """Bids on three jacks."""
    return 24 if (hand.mask & 0x80808080).bit_count() >= 3 else 0


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BiddingReport:
    broken = tmp_path_factory.mktemp("records") / "broken.sgf"
    broken.write_text(RECORDS.read_text(encoding="utf-8") + "(;GM[Skat]MV[w C7 <] ;)\n", encoding="utf-8")
    options = {"regret": "rollouts", "regret_deals": 3, "sweep": True, "iss": [broken]}
    return evaluate_bidders(["rule", cautious], deals_from_seed(2, 12), 2, **options)


def test_the_report_needs_nothing_from_outside(report: BiddingReport) -> None:
    reader = read_html(report_html(report))
    assert (
        len(reader.references) == 1 + 1 + 1 + 1 + 1 + 2
    )  # differences, mix, limits, one reliability, regret, two sweeps
    assert all(reference.startswith("data:image/svg+xml;base64,") for reference in reader.references)
    assert not re.search(r"https?:|<script|<link|@import|url\(", report_html(report))


def test_it_tells_everything(report: BiddingReport) -> None:
    text = " ".join(read_html(report_html(report, "A <title>")).text)
    for words in (
        "A <title>",
        "2 bidders on the same 12 deals, seed 2",
        "Calls",
        "Contracts won",
        "By seat",
        "Regret",
        "Bolder or shyer",
    ):
        assert words in text
    for words in (
        "Agreement with people",
        "rule and people, in detail",
        "broken.sgf, line 25",
        "sources",
        "deals_sha256",
    ):
        assert words in text
    assert "Stopped before the end" not in text
    assert report_html(report) == report_html(report)


def test_every_picture_has_a_sentence(report: BiddingReport) -> None:
    found = charts(report)
    titles = [
        "Differences",
        "Games declared and won",
        "Limits by seat",
        "Reliability",
        "Regret by kind",
        "Bolder or shyer",
    ]
    assert [chart.title for chart in found] == titles
    assert all(len(chart.text) > 40 and chart.text.endswith(".") for chart in found)
    assert all(chart.pictures for chart in found)


def test_tables_hold_the_figures(report: BiddingReport) -> None:
    rule = report.bidders[0].metrics
    assert rule is not None and rule.list_points is not None
    narrow = {table.title: table for table in tables(report)}
    wide = {table.title: table for table in tables(report, wide=True)}
    assert narrow["Bidders"].rows[0][0] == "rule"
    assert narrow["Bidders"].rows[0][1] == str(rule.list_points)
    assert narrow["Bidders"].rows[0][3] == f"{100 * rule.declared.hits / rule.declared.n:.1f}"
    assert wide["Bidders"].rows[0][3] == str(rule.declared)
    assert all(len(row) == len(table.head) for table in wide.values() for row in table.rows)
    claims = [row[:3] for row in narrow["Claims on all hands"].rows]
    assert [row[:2] for row in claims] == [("rule", "all"), ("", "bid on"), ("", "passed")]
    assert sum(int(row[2]) for row in claims) == 2 * 36  # all, and both parts
    assert [row[1] for row in narrow["Bolder or shyer"].rows] == ["margin", "steps"]
    assert "Records: 24 games, 1 in quarantine." in narrow["Agreement with people"].note
    assert len(narrow["Agreement after the auction"].rows) == 1  # the function is no agent
    detailed = ("rule: margin", "cautious: steps", "rule and people", "cautious and people")
    assert set(wide) - set(narrow) == {f"{what}, in detail" for what in detailed}


def test_differences_are_marked() -> None:
    pairs = tuple(Difference("a", "b", Interval(mean, mean - 1, mean + 1, 9)) for mean in (2.0, -2.0, 0.5))
    made = BiddingReport((), pairs, (), {"field": "rule", "play": "rule", "deals": 9, "seed": 1}, {})
    (table,) = tables(made)
    assert table.marks == ("up", "down", "")
    assert table.rows[1] == ("a", "b", "-2.00", "-3.00", "-1.00", "9")
    (chart,) = charts(made)
    assert "2 of 3 intervals leave out 0" in chart.text


def test_sentences_of_regret_and_sweep() -> None:
    clear, vague = Interval(5.0, 3.0, 7.0, 10), Interval(0.5, -1.0, 2.0, 10)
    regret = RegretSummary("a", "hindsight", 30, 12, clear, vague, clear, vague, clear)
    rows = (SweepRow(0.5, 0.4, 0.7, clear, vague), SweepRow(0.6, 0.0, math.nan, clear, clear))
    top = Optimum(0.56, 0.5, 0.6, 0.6, clear)
    swept = Sweep(name="a", what="threshold", measure="list_points", deals=10, rows=rows, optimum=top)
    bidders = (
        BidderResult("a", regret=regret, sweep=swept),
        BidderResult("b", regret=replace(regret, total=vague), sweep=replace(swept, name="b", optimum=None)),
    )
    made = BiddingReport(bidders, (), (), {"field": "rule", "play": "rule", "deals": 10, "seed": 1}, {})
    texts = [chart.text for chart in charts(made)]
    assert "a loses most where it plays where no game is worth it (5.0 of 5.0 list points per hand)" in texts[0]
    assert "on these deals the regret of b cannot be told from 0." in texts[0]
    assert "a at threshold 0.56 (0.5 to 0.6; the best one tried gains +5.0 ± 2.0)" in texts[1]
    found = {table.title: table for table in tables(made, wide=True)}
    assert found["Regret"].rows[0] == ("a", "12/30", "5.00 ± 2.00", "5.00", "0.50 ± 1.50", "5.00 ± 2.00", "0.50 ± 1.50")
    assert "a bound that nobody reaches" in found["Regret"].note
    assert found["Bolder or shyer"].rows == (("a", "threshold", "0.56", "0.5", "0.6", "0.6", "+5.00 ± 2.00"),)
    assert found["a: threshold, in detail"].rows[1][1:3] == ("0.0", "–")
    assert "by their limits alone" in found["a: threshold, in detail"].note


def test_a_report_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = BiddingReport(
        (BidderResult("a"),), (), (), {"field": "rule", "play": "rule", "deals": 9, "seed": 1}, {}, ("games", "limits")
    )
    text = " ".join(read_html(report_html(nothing)).text)
    assert "Stopped before the end." in text and "Missing: games, limits." in text and "Nothing is done yet." in text
    print_report(nothing)
    assert capsys.readouterr().out == "Nothing is done yet.\n"


def test_without_matplotlib(report: BiddingReport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    html = report_html(report)
    assert "pip install" in html
    assert read_html(html).references == []


def test_write_report(report: BiddingReport, tmp_path: Path) -> None:
    path = write_report(tmp_path / "r.html", report)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(SkatError, match="cannot write the report"):
        write_report(tmp_path / "no" / "r.html", report)


def test_tables_fit_a_terminal(
    report: BiddingReport, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_report(report)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for words in ("cautious", "±", "Differences against the field", "Claims on all hands", "Agreement with people"):
        assert words in out
