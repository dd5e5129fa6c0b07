"""Compare agents with XSkat: ``python -m skatai_agents.xskat_lines AGENT…``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from skatai.arena.intervals import Interval
from skatai.arena.shares import Proportion
from skatai.cli.args import check_writable, parse
from skatai.deal import Deal, deals_from_seed, read_deals
from skatai.errors import SkatError
from skatai.game import Game
from skatai_agents.xskat_lines.compare import MODES, Comparison, compare
from skatai_agents.xskat_lines.games import read_games, reference_games, write_games

__all__ = ["Args", "comparison_table", "main"]


@dataclass
class Args:
    """Play the same deals as XSkat (Debian's package xskat) with an agent in all three seats, and compare."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """who is compared, such as: rule neural pimc:worlds=20"""
    deals: str | None = None
    """how many deals (1000 unless told otherwise), or a file of deals (one a line, or ISS records)"""
    seed: int = 1
    """of the deals and of the agents' decisions"""
    mode: str = "full"
    """full games; cards: the agents play XSkat's contracts"""
    games: Path | None = None
    """a file that --save wrote: its games are taken instead of starting XSkat, whose lines differ from run to run"""
    save: Path | None = None
    """write XSkat's games there as ISS records, for --games and for skatai tournament --mode cards --fixed"""
    out: Path | None = None
    """folder for the agents' games; with --games an earlier run there is continued, without it cannot be, since XSkat's games are
    others every time"""
    workers: int = 1
    """processes"""


def _share(share: Proportion) -> str:
    return f"{100 * share.hits / share.n:.1f} %" if share.n else "–"


def _points(interval: Interval) -> str:
    return f"{interval.mean:+.2f}"


def comparison_table(found: Comparison) -> Any:
    """A rich table of one comparison."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=f"XSkat and {found.agent} on {found.points.n} deals", box=SIMPLE_HEAD)
    for i, column in enumerate(("each in all three seats", "XSkat", found.agent, "difference, 95 %")):
        table.add_column(column, justify="right" if i else "left", overflow="fold")
    theirs, own = found.xskat, found.own
    table.add_row("declared, of deals", _share(theirs.declared), _share(own.declared), f"{found.declared} %")
    for name in ("won", "overbid", "grand", "null", "hand"):
        table.add_row(f"{name}, of games", _share(getattr(theirs, name)), _share(getattr(own, name)), "")
    for title, name in (("declarer's list points / deal", "declarer"), ("list points / deal and seat", "points")):
        ours = _points(getattr(own, name))
        table.add_row(title, _points(getattr(theirs, name)), ours, str(getattr(found, name)))
    table.caption = "points are no measure of strength here: each defends against itself"
    return table


def agreement_line(found: Comparison) -> str:
    """The agreement in words."""
    parts = [
        f"same declarer (or none) on {found.same_declarer} of the deals",
        f"of these games the same trump {found.same_game}, the same contract {found.same_contract}",
    ]
    if found.calls is not None:
        parts.append(f"{found.calls} of XSkat's {found.calls.n} calls")
    return "Agreement: " + "; ".join(parts) + "."


def _deals(args: Args) -> list[Deal]:
    deals = "1000" if args.deals is None else args.deals
    if not deals.removeprefix("-").isdecimal():
        return read_deals(deals)
    if int(deals) < 1:
        raise SkatError(f"--deals {deals}: expected at least 1")
    return deals_from_seed(args.seed, int(deals))


def _games(args: Args) -> list[Game]:
    games = reference_games(_deals(args)) if args.games is None else read_games(args.games)
    if args.save is not None:
        print(f"XSkat's games: {write_games(args.save, games)}", flush=True)
    return games


def run(args: Args) -> None:
    """Play, print the tables.

    Raises:
        SkatError: XSkat is not installed, or an argument makes no sense.
    """
    if args.mode not in MODES:
        raise SkatError(f"--mode {args.mode}: expected one of {', '.join(MODES)}")
    if not args.agents and args.save is None:
        raise SkatError("nothing to do: expected agents, or --save FILE")
    if args.games is not None and args.deals is not None:
        raise SkatError(f"--deals {args.deals} beside --games: the games bring their deals; expected one of the two")
    if args.workers < 1:
        raise SkatError(f"--workers {args.workers}: expected at least 1")
    if args.save is not None:
        check_writable(args.save)
    from rich.console import Console

    games = _games(args)
    for number, agent in enumerate(args.agents, start=1):
        out = None if args.out is None else args.out / str(number)
        found = compare(
            games, agent, seed=args.seed, mode=args.mode, workers=args.workers, out=out, progress=sys.stderr.isatty()
        )
        Console().print(comparison_table(found))
        print(agreement_line(found), flush=True)


def main(argv: list[str] | None = None) -> int:
    """The command; errors of the user's making are one line on stderr and exit code 2."""
    try:
        run(parse(Args, sys.argv[1:] if argv is None else argv, "python -m skatai_agents.xskat_lines"))
    except SkatError as error:
        print(f"xskat_lines: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
