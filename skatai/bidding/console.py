"""The tables of an evaluation at the terminal."""

from __future__ import annotations

from typing import Any, Literal

from skatai.bidding.results import BiddingReport
from skatai.bidding.tables import TextTable, tables

__all__ = ["print_report", "rich_table"]


def rich_table(table: TextTable) -> Any:
    """A rich table for 80 columns; the note stands under it."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    found = Table(title=table.title, box=SIMPLE_HEAD, caption=Text(table.note), caption_justify="left")
    numbers = [all(row[i][:1] in "+-−–0123456789" for row in table.rows) for i in range(len(table.head))]
    for i, name in enumerate(table.head):
        number = i > 0 and numbers[i]
        justify: Literal["left", "right"] = "right" if number else "left"
        found.add_column(name, justify=justify, overflow="fold", no_wrap=number, min_width=None if i else 6)
    for i, row in enumerate(table.rows):
        style = {"up": "green", "down": "red"}.get(table.marks[i] if table.marks else "", "")
        found.add_row(*map(Text, row), style=style)
    return found


def print_report(report: BiddingReport) -> None:
    """Print all tables to stdout."""
    from rich.console import Console

    console = Console()
    found = tables(report)
    if not found:
        console.print("Nothing is done yet.")
    for table in found:
        console.print(rich_table(table))
