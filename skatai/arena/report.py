"""The report of a tournament: one HTML file that needs nothing from outside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from skatai.arena.bands import HUMAN_BANDS
from skatai.arena.breakdown import DIMENSIONS, Row, breakdown
from skatai.arena.charts import charts, matplotlib_missing, reliability_charts
from skatai.arena.console import AGENT_COLUMNS, agent_row
from skatai.arena.costly import costly_deals, deal_section
from skatai.arena.markup import html_page, html_table
from skatai.arena.multiple import holm, marks, p_value
from skatai.arena.phases import splits
from skatai.arena.ratings import Rating, rate, rating_missing
from skatai.arena.stats import Summary, complete_records
from skatai.arena.tournament import TournamentResult
from skatai.errors import SkatError

__all__ = ["report_html", "write_report"]


def _pairs(summary: Summary) -> str:
    if not summary.pairs:
        return ""
    rows = []
    differences = [pair.difference for pair in summary.pairs]
    for pair, p in zip(summary.pairs, holm([p_value(d) for d in differences]), strict=True):
        d, r, b, a = pair.difference, pair.robust, pair.bootstrap, pair.adjusted
        adjusted = ("", "") if a is None else (str(a.interval), f"{a.factor:.2f}")
        row = (f"{d.mean:+.2f}", f"{d.low:+.2f} … {d.high:+.2f}", f"{r.low:+.2f} … {r.high:+.2f}")
        rows.append((pair.first, pair.second, *row, f"{b.low:+.2f} … {b.high:+.2f}", *adjusted, f"{p:.3f}", str(d.n)))
    classes = [("", "up", "down")[mark] for mark in marks(differences)]
    text = (
        "<p>Mean list points of A over its seats minus B’s, deal by deal. The deal is the unit; intervals are 95 %: Student’s "
        "over deals, cluster-robust over different cards, bootstrap. Adjusted: the luck of the deals taken out by what the "
        "compiled rule player makes of them, and by how much this divides the variance. Each interval is that of "
        "its pair alone; p belongs to Student’s and is corrected for the number of pairs (Holm). Coloured: p at most 0.05, so that "
        "in at most 5 % of tournaments any pair of equals is.</p>"
    )
    head = ("A", "B", "A − B", "Student", "cluster-robust", "bootstrap", "adjusted", "factor", "p", "deals")
    return "<h2>Pairs</h2>" + text + html_table(head, rows, classes)


def _what_if(summary: Summary) -> str:
    rows = [(s.first, s.second, str(s.total), str(s.bidding), str(s.cards), str(s.rest)) for s in splits(summary)]
    if not rows:
        return ""
    text = (
        "<p class='small'>A+B bids as A and plays as B. Bidding: the mean of A against B+A and of A+B against B; card play: the "
        "mean of A against A+B and of B+A against B.</p>"
    )
    return "<h2>What if</h2>" + html_table(("A", "B", "A − B", "bidding", "card play", "only together"), rows) + text


def _adjusted(summary: Summary) -> str:
    """List points with the luck of the deals taken out."""
    rows = [
        (agent.name, str(agent.points), str(agent.adjusted.interval), f"{agent.adjusted.factor:.2f}")
        for agent in summary.agents
        if agent.adjusted is not None
    ]
    if not rows:
        return ""
    text = (
        "<p class='small'>Adjusted for the luck of the deals by what the compiled rule player makes of them; the factor is the "
        "variance before divided by that after.</p>"
    )
    return text + html_table(("agent", "list points / deal", "adjusted", "factor"), rows)


def _ratings(ratings: Sequence[Rating]) -> str:
    if not ratings:
        return ""
    rows = [(r.agent, str(r), f"{r.ordinal:.2f}", str(r.matches)) for r in ratings]
    text = (
        "<p class='small'>Plackett–Luce by openskill; each deal of a group is a match, and the agents are ranked by their list "
        "points on it. Everybody begins with 25 ± 16.3.</p>"
    )
    return "<h2>Ratings</h2>" + html_table(("agent", "skill, 95 %", "skill − 3σ", "matches"), rows) + text


def _breakdown(rows: Sequence[Row]) -> str:
    text = (
        "<p class='small'>List points per game of the row and games won by the own side, 95 % intervals over deals.</p>"
    )
    parts = [f"<h2>Where the points come from</h2>{text}"]
    for dimension in DIMENSIONS:
        cells = [
            (row.agent, row.value, str(row.games), "" if row.won is None else str(row.won), str(row.points))
            for row in rows
            if row.dimension == dimension
        ]
        table = html_table(("agent", dimension, "games", "won", "list points / game"), cells)
        state = " open" if dimension == "role" else ""
        parts.append(f"<details{state}><summary>By {dimension}</summary>{table}</details>")
    return "".join(parts)


def _sanity(summary: Summary) -> str:
    rows = [
        (flag.who, flag.band.name, str(flag.share), f"{flag.band.low:g}–{flag.band.high:g} %", str(flag.share.n))
        for flag in summary.flags
    ]
    text = (
        "<p>Shares whose 95 % interval lies outside what human players do. A hint at odd play where strong agents are among "
        "themselves; in a mixed field the weaker agent shifts the shares of the stronger one.</p>"
    )
    body = html_table(("who", "share", "here", "people", "of"), rows) if rows else "<p>None.</p>"
    names = ", ".join(f"{band.name} {band.low:g}–{band.high:g} %" for band in HUMAN_BANDS.values())
    return f"<h2>Against human play</h2>{text}{body}<p class='small'>Bands: {escape(names)}.</p>"


def _claims(summary: Summary) -> str:
    """How the agents' claims to win came true."""
    found = [(agent.name, agent.calibration) for agent in summary.agents if agent.calibration is not None]
    if not found:
        return ""
    rows = [
        (
            name,
            str(c.n),
            *(f"{x:.4f}" for x in (c.brier, c.reliability, c.resolution, c.uncertainty, c.ece, c.log_loss)),
        )
        for name, c in found
    ]
    text = (
        "<p class='small'>The chance of winning that the declarer gave itself before the first lead. Brier score = reliability "
        "− resolution + uncertainty, up to what bins hide; ECE is the mean distance of a bin’s claims from its share of wins. "
        "The bars are 95 % intervals that mind that games on one deal resemble each other.</p>"
    )
    head = ("agent", "claims", "Brier", "reliability", "resolution", "uncertainty", "ECE", "log loss")
    return "<h2>Calibration</h2>" + html_table(head, rows) + text


def _shown(setting: Any) -> str:
    if isinstance(setting, dict):
        setting = [f"{key}: {value}" for key, value in setting.items()]
    return ", ".join(setting) if isinstance(setting, list) else str(setting)


def _settings(settings: dict[str, Any], versions: dict[str, str]) -> str:
    rows = [(key, _shown(value)) for key, value in settings.items()]
    rows += [(key, value) for key, value in versions.items() if key not in settings]
    return "<h2>Settings</h2>" + html_table(("setting", "value"), rows)


def _contracts(summary: Summary) -> str:
    names = sorted({name for agent in summary.agents for name in agent.contracts}, key=lambda name: (name[0], name))
    rows = [(name, *(str(agent.contracts.get(name, 0)) for agent in summary.agents)) for name in names]
    table = html_table(("contract", *(agent.name for agent in summary.agents)), rows)
    return f"<h2>Contracts</h2><details><summary>How often each was declared</summary>{table}</details>"


def report_html(
    result: TournamentResult,
    settings: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
    title: str = "Tournament",
) -> str:
    """The report as text.

    Args:
        result: of :meth:`~skatai.arena.tournament.Tournament.run`.
        settings: shown at the end.
        versions: of the software, likewise.
        title: heading.
    """
    summary = result.summary()
    records = complete_records(result.records, result.design)
    parts = [f"<h1>{escape(title)}</h1>"]
    done, games = len(result.records), result.games
    parts.append(f"<p>{done} of {games} games" + (" (stopped before the end)" if done < games else "") + ".</p>")
    if result.stopped:
        parts.append(f"<p>Stopped by rule: {escape(result.stopped)}.</p>")
    if result.caution:
        parts.append(f"<p>{escape(result.caution)}.</p>")
    if summary.left_out:
        parts.append(f"<p>{summary.left_out} games of deals that are not complete are left out of all figures.</p>")
    if not summary.agents:
        parts.append("<p>No deal is complete yet: there is nothing to tell.</p>")
    else:
        parts.append("<h2>Agents</h2><p>List points (Seeger and Fabian) per deal and seat against this field.</p>")
        parts.append(html_table(AGENT_COLUMNS, map(agent_row, summary.agents)))
        parts += [f"<p>{escape(note)}.</p>" for note in summary.notes]
        parts.append(_adjusted(summary))
        parts.append(f"<p class='small'>Passed in: {escape(str(summary.passed_in))} of {summary.games} games.</p>")
        parts.append(_pairs(summary))
        parts.append(_what_if(summary))
        ratings = () if rating_missing() else rate(records, result.agents, result.design)
        parts.append(_ratings(ratings))
        missing = matplotlib_missing()
        if missing:
            parts.append(f"<p>{escape(missing)}</p>")
        else:
            for name, uri in charts(summary, records, ratings):
                parts.append(f'<h2>{escape(name)}</h2><img alt="{escape(name)}" src="{uri}">')
        parts.append(_claims(summary))
        if not missing:
            parts += [f'<img alt="Claims of {escape(name)}" src="{uri}">' for name, uri in reliability_charts(summary)]
        parts.append(_contracts(summary))
        parts.append(_breakdown(breakdown(records, result.agents)))
        parts.append(_sanity(summary))
        costly = costly_deals(summary)
        if costly:
            parts.append(
                "<h2>The deals that decided most</h2><p>Cards that cost most with all cards seen are edged in red; nobody "
                "at the table could know that.</p>"
            )
        parts += [deal_section(pair, deal, difference, records) for pair, deal, difference in costly]
    parts.append(_settings(settings or {}, versions or {}))
    return html_page(title, parts)


def write_report(
    path: str | Path,
    result: TournamentResult,
    settings: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
    title: str = "Tournament",
) -> Path:
    """Write :func:`report_html` to a file; returns its path.

    Raises:
        SkatError: the file cannot be written.
    """
    path = Path(path)
    try:
        path.write_text(report_html(result, settings, versions, title), encoding="utf-8")
    except OSError as error:
        raise SkatError(f"{path}: cannot write the report: {error.strerror or error}") from None
    return path
