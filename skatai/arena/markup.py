"""Pieces of HTML for reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

__all__ = ["html_page", "html_table"]

_STYLE: Final = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
h3 { font-size: 1.05rem; margin-bottom: .3rem; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; }
th { text-align: left; background: #f3f3f3; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
tr.up td { background: #e9f6ee; } tr.down td { background: #fbecea; }
img { max-width: 100%; } svg { max-width: 100%; height: auto; } pre { font-size: 12px; white-space: pre-wrap; }
.tight td.n { white-space: nowrap; } .tight td { overflow-wrap: anywhere; }
details { margin: .5rem 0; } .small { color: #555; font-size: .85rem; } code { word-break: break-all; }
"""


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


def html_page(title: str, parts: Iterable[str]) -> str:
    """A whole file that needs nothing from outside: its title and the pieces of its body."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'
