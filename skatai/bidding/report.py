"""The report of an evaluation: one HTML file that needs nothing from outside."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from skatai.arena.figures import matplotlib_missing
from skatai.arena.markup import html_page, html_table
from skatai.bidding.charts import Chart, charts
from skatai.bidding.results import BiddingReport
from skatai.bidding.tables import TextTable, tables
from skatai.errors import SkatError

__all__ = ["report_html", "write_report"]

#: chart → the table that it stands behind
_PLACES: Final = {
    "Differences": "Differences at one table",
    "Games declared and won": "Contracts won",
    "Limits by seat": "By seat",
    "Reliability": "Claims on all hands",
    "Regret by kind": "Regret",
    "Bolder or shyer": "Bolder or shyer",
}


def _table(table: TextTable) -> str:
    text = f"<p class='small'>{escape(table.note)}</p>"
    body = (
        f"<div class='tight'>{html_table(table.head, table.rows, table.marks)}</div>"  # long names wrap, numbers do not
    )
    if "in detail" in table.title:
        return f"<details><summary>{escape(table.title)}</summary>{text}{body}</details>"
    return f"<h2>{escape(table.title)}</h2>{text}{body}"


def _chart(chart: Chart) -> str:
    pictures = "".join(f'<img alt="{escape(name)}" src="{uri}">' for name, uri in chart.pictures)
    return f"<h3>{escape(chart.title)}</h3>{pictures}<p class='small'>{escape(chart.text)}</p>"


def _settings(report: BiddingReport) -> str:
    rows = []
    for key, value in (report.versions | report.settings).items():
        if isinstance(value, Mapping):
            value = ", ".join(f"{name} {digest}" for name, digest in value.items()) or "–"
        elif isinstance(value, list | tuple):
            value = ", ".join(map(str, value))
        rows.append(f"<tr><td>{escape(str(key))}</td><td>{escape(str(value))}</td></tr>")
    return f"<details><summary>Settings and versions</summary><table><tbody>{''.join(rows)}</tbody></table></details>"


def _state(report: BiddingReport) -> str:
    if not report.missing:
        return ""
    missing = ", ".join(report.missing)
    return f"<p><strong>Stopped before the end.</strong> Missing: {escape(missing)}.</p>"


def report_html(report: BiddingReport, title: str = "Bidding") -> str:
    """The report as text."""
    parts = [f"<h1>{escape(title)}</h1>", _state(report)]
    deals, seed = report.settings["deals"], report.settings["seed"]
    parts.append(f"<p>{len(report.bidders)} bidders on the same {deals} deals, seed {seed}.</p>")
    missing = matplotlib_missing()
    pictures: list[Chart] = [] if missing else charts(report)
    if missing:
        parts.append(f"<p>{escape(missing)}</p>")
    found = tables(report, wide=True)
    if not found:
        parts.append("<p>Nothing is done yet.</p>")
    titles = [table.title for table in found]
    for table in found:
        parts.append(_table(table))
        parts += [_chart(chart) for chart in pictures if _PLACES.get(chart.title) == table.title]
    parts += [_chart(chart) for chart in pictures if _PLACES.get(chart.title) not in titles]
    quarantine = {line for bidder in report.bidders if bidder.agreement for line in bidder.agreement.quarantine}
    if quarantine:
        lines = "".join(f"<li>{escape(line)}</li>" for line in sorted(quarantine))
        parts.append(f"<details><summary>Records that could not be used</summary><ul>{lines}</ul></details>")
    parts.append(_settings(report))
    return html_page(title, parts)


def write_report(path: str | Path, report: BiddingReport, title: str = "Bidding") -> Path:
    """Write :func:`report_html` to a file; returns its path.

    Raises:
        SkatError: the file cannot be written.
    """
    path = Path(path)
    try:
        path.write_text(report_html(report, title), encoding="utf-8")
    except OSError as error:
        raise SkatError(f"{path}: cannot write the report: {error.strerror or error}") from None
    return path
