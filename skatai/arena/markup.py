"""Pieces of HTML for reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table"]


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], classes: Sequence[str] = ()) -> str:
    """An HTML table; cells that begin like a number stand to the right."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = [f"<table><thead><tr>{cells}</tr></thead><tbody>"]
    for i, row in enumerate(rows):
        kind = f' class="{classes[i]}"' if i < len(classes) and classes[i] else ""
        texts = "".join(_cell(cell, number=k > 0 and cell[:1] in "+-−–0123456789") for k, cell in enumerate(row))
        lines.append(f"<tr{kind}>{texts}</tr>")
    return "".join([*lines, "</tbody></table>"])


def _cell(text: str, number: bool) -> str:
    return f'<td class="n">{escape(text)}</td>' if number else f"<td>{escape(text)}</td>"
