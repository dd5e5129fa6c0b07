"""The tables of a tournament at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skatai.arena.breakdown import DIMENSIONS, Row
from skatai.arena.lists import SeriesStanding
from skatai.arena.multiple import marks
from skatai.arena.ratings import Rating
from skatai.arena.shares import Proportion
from skatai.arena.stats import AgentStats, Summary

__all__ = [
    "agent_row",
    "agents_table",
    "breakdown_table",
    "pairs_table",
    "print_details",
    "print_series",
    "print_summary",
    "ratings_table",
    "series_table",
]

AGENT_COLUMNS = (
    "agent",
    "list points / deal",
    "declared",
    "won",
    "overbid",
    "suit",
    "grand",
    "null",
    "hand",
    "ms / decision",
)


def agent_row(agent: AgentStats) -> tuple[str, ...]:
    """The cells of one agent, in the order of ``AGENT_COLUMNS``."""
    shares = (agent.declared, agent.won, agent.overbid, *agent.kinds.values(), agent.hand)
    return (agent.name, str(agent.points), *(share.percent for share in shares), f"{agent.ms:.2f}")


def _percent(share: Proportion) -> str:
    return f"{100 * share.hits / share.n:.0f}" if share.n else "–"


def agents_table(summary: Summary) -> Any:
    """A rich table of the agents, for 80 columns."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title="Agents: list points per deal and seat, 95 % interval over deals", box=SIMPLE_HEAD)
    for i, column in enumerate(("agent", "points", "decl", "won", "over", "S/G/N", "hand", "ms")):
        table.add_column(column, justify="right" if i else "left", overflow="fold", no_wrap=i > 0)
    for agent in summary.agents:
        kinds = "/".join(map(_percent, agent.kinds.values()))
        shares = (_percent(agent.declared), _percent(agent.won), _percent(agent.overbid), kinds, _percent(agent.hand))
        table.add_row(agent.name, str(agent.points), *shares, f"{agent.ms:.3g}")
    table.caption = "decl: % of its hands declared; of these % won, overbid, suit/grand/null, hand; ms a decision"
    return table


def pairs_table(summary: Summary) -> Any:
    """A rich table of the differences."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    title = "Pairs: difference in list points per deal and seat"
    table = Table(title=title, box=SIMPLE_HEAD)
    for column in ("A", "B", "A − B", "from", "to", "deals"):
        table.add_column(column, justify="left" if column in "AB" else "right")
    for pair, mark in zip(summary.pairs, marks([pair.difference for pair in summary.pairs]), strict=True):
        d, style = pair.difference, ("", "green", "red")[mark]
        cells = (f"{d.mean:+.2f}", f"{d.low:+.2f}", f"{d.high:+.2f}", str(d.n))
        table.add_row(pair.first, pair.second, *cells, style=style)
    table.caption = "95 % interval of each pair alone; coloured: p ≤ 5 %, corrected for all pairs"
    return table


def ratings_table(ratings: Sequence[Rating]) -> Any:
    """A rich table of ratings."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title="Ratings (openskill): skill and 95 % interval", box=SIMPLE_HEAD)
    for i, column in enumerate(("agent", "skill", "skill − 3σ", "matches")):
        table.add_column(column, justify="right" if i else "left")
    for rating in ratings:
        table.add_row(rating.agent, str(rating), f"{rating.ordinal:.2f}", str(rating.matches))
    return table


def series_table(standings: Sequence[SeriesStanding]) -> Any:
    """A rich table of a list series."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    lists = standings[0].per_list.n if standings else 0
    table = Table(title=f"Series of {lists} lists by Seeger and Fabian", box=SIMPLE_HEAD)
    for i, column in enumerate(("player", "points", "per list", "won", "lost", "lists won")):
        table.add_column(column, justify="right" if i else "left")
    for s in standings:
        per_list = str(s.per_list).replace("(one deal)", "")
        table.add_row(s.player, str(s.total), per_list, str(s.won), str(s.lost), str(s.first))
    return table


def breakdown_table(rows: Sequence[Row], dimension: str) -> Any:
    """A rich table of one dimension of a breakdown."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=f"By {dimension}: list points per game, 95 % interval over deals", box=SIMPLE_HEAD)
    for i, column in enumerate(("agent", dimension, "games", "won %", "points")):
        table.add_column(column, justify="right" if i > 1 else "left")
    for row in rows:
        if row.dimension == dimension:
            won = "–" if row.won is None else f"{row.won.interval.mean:.1f}"
            table.add_row(row.agent, row.value, str(row.games), won, str(row.points))
    return table


def print_details(rows: Sequence[Row], ratings: Sequence[Rating]) -> None:
    """Print the ratings and the breakdown to stdout."""
    from rich.console import Console

    console = Console()
    if ratings:
        console.print(ratings_table(ratings))
    for dimension in DIMENSIONS:
        console.print(breakdown_table(rows, dimension))


def print_series(standings: Sequence[SeriesStanding]) -> None:
    """Print the ranking of a list series to stdout."""
    from rich.console import Console

    Console().print(series_table(standings))


def print_summary(summary: Summary) -> None:
    """Print both tables to stdout."""
    from rich.console import Console

    console = Console()
    if not summary.agents:
        console.print("No deal is complete yet.")
        return
    console.print(agents_table(summary))
    if summary.pairs:
        console.print(pairs_table(summary))
    left_out = f", {summary.left_out} of incomplete deals left out" if summary.left_out else ""
    console.print(f"{summary.games} games{left_out}; passed in: {summary.passed_in.percent}", highlight=False)
    for agent in summary.agents:
        if agent.calibration is not None:
            console.print(f"Claims of {agent.name} to win: {agent.calibration}", highlight=False)
    for note in summary.notes:
        console.print(note, highlight=False)
