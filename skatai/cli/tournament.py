"""``skatai tournament``: duplicate deals, statistics, report."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skatai.cli.args import check_writable, parse
from skatai.errors import AgentError, SkatError

if TYPE_CHECKING:
    from skatai.agent import Agent
    from skatai.arena import GameRecord, Tournament, TournamentResult
    from skatai.arena.sequential import StopRule
    from skatai.deal import Deal

HELP = "let agents play duplicate deals against each other"

__all__ = ["Args", "earlier_games", "load_deals", "play_and_report", "run"]


@dataclass
class Args:
    """Let agents play duplicate deals: by default every pair, six games a deal (each alone in every seat against two of the other).

    Games are written as they end; the same command again continues where it stopped, and changes nothing that is done.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """who plays, such as: rule random pimc:worlds=20; rule+random bids as rule and plays as random"""
    deals: str = "100"
    """how many deals, or a file of deals (one a line, or ISS records)"""
    seed: int = 1
    """of the deals and of every decision"""
    design: str = "pair-six"
    """who sits where: pair-six, three-six, three-cyclic; or the others against the last agent, who is the reference: field-six,
    fixed-forehand, fixed-middlehand, fixed-rearhand"""
    mode: str = "full"
    """full games; cards: the fixed agent bids for everybody; bidding: the fixed agent plays everybody's cards"""
    fixed: str = "rule"
    """agent of those modes (open: an oracle), or for the mode cards a file of ISS records whose contracts are played"""
    what_if: bool = False
    """two agents A and B, and both crossed: how much of their difference is bidding, how much card play"""
    lists: int | None = None
    """instead of a design: three or four agents at one table, lists of so many deals (36 or 48 at clubs) by Seeger and Fabian"""
    first: tuple[str, ...] = ()
    """slow agents that play only the first deals: pimc=300; the others play on without them"""
    until: float | None = None
    """stop before the last deal when every difference is known this well (half-width of its 95 % interval), after at least 100
    deals and 30 on which the two differ"""
    sprt: float | None = None
    """stop when it is decided whether the first agent is better than the second by this much (errors 5 %), likewise"""
    workers: int = field(default_factory=lambda: _cpus())
    """processes (or threads); they do not change a game"""
    backend: str | None = None
    """serial, threads, processes or ray; by default processes if there are several workers"""
    address: str | None = None
    """of a Ray cluster (auto, or host:port); without it --backend ray starts Ray on this machine"""
    tables: int | None = None
    """games that a worker plays side by side (by default about as many as take two seconds); no influence on a game either"""
    rules: str = "-"
    """switches other than the official rules, such as: early_end=decided;null_overbid=multiple"""
    details: bool = False
    """print the ratings and the tables by role, contract, seat, bid and kind of game (the report has them in any case)"""
    iss: Path | None = None
    """write all games there as records of the Internet Skat Server"""
    columns: Path | None = None
    """write all games there as columns (.npz)"""
    parquet: Path | None = None
    """write all games there as a Parquet file, one row a game"""
    out: Path | None = None
    """folder of the results; by default one under results/ that the settings name"""
    resume: bool = True
    """continue what is in the folder; otherwise it must not hold a tournament yet"""


def _cpus() -> int:
    from skatai.parallel import cpu_count

    return cpu_count()


#: more would fill the memory before the first game
_MOST_DEALS = 10_000_000


def load_deals(deals: str, seed: int) -> list[Deal]:
    """``"100"``: that many from the seed; otherwise a file.

    Raises:
        InvalidDealError: the file cannot be read, or a number of deals that makes no sense.
    """
    from skatai.deal import deals_from_seed, read_deals
    from skatai.errors import InvalidDealError

    if not re.fullmatch(r"-?\d+", deals):
        return read_deals(deals)
    if not 1 <= int(deals) <= _MOST_DEALS:
        raise InvalidDealError(f"{deals} deals, expected 1 … {_MOST_DEALS:,}")
    return deals_from_seed(seed, int(deals))


def earlier_games(out: Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """Header and games of an earlier run; empty where there is none that can be read."""
    from skatai.arena.store import read_log
    from skatai.arena.tournament import LOG_NAME

    try:
        return read_log(out / LOG_NAME)
    except SkatError:  # where it matters, opening the log for writing says why
        return {}, []


def _print_details(result: TournamentResult) -> None:
    from skatai.arena.breakdown import breakdown
    from skatai.arena.console import print_details
    from skatai.arena.ratings import rate
    from skatai.arena.stats import complete_records

    records = complete_records(result.records, result.design)
    print_details(breakdown(records, result.agents), rate(records, result.agents, result.design))


def play_and_report(
    tournament: Tournament,
    out: Path,
    *,
    workers: int,
    backend: str | None = None,
    tables: int | None = None,
    title: str = "Tournament",
    stop: StopRule | None = None,
    details: bool = False,
    address: str | None = None,
) -> int:
    """Play a tournament in a folder, print the tables, write the report and say where it is; the exit code.

    Raises:
        AgentError: an agent failed; the message says that the finished games are kept.
        SkatError: the folder belongs to other settings, or cannot be written.
    """
    from skatai.arena.console import print_series, print_summary
    from skatai.arena.lists import ListSeries, score_lists, series_standings
    from skatai.arena.phases import splits
    from skatai.arena.report import write_report
    from skatai.arena.store import read_log
    from skatai.arena.tournament import LOG_NAME

    names, deals, seatings = " – ".join(tournament.names), len(tournament.deals), len(tournament.design.seatings)
    if isinstance(tournament, ListSeries):
        plan = f"in lists of {tournament.length} deals at a table of {len(tournament.names)}"
    else:
        group = "pair" if len(tournament.design.members) == 2 else "group"
        fewer = "".join(f", {name} on the first {n}" for name, n in tournament.first.items())
        plan = f"({deals} deals{fewer}, {seatings} games for each deal and {group})"
    check_writable(out / "report.html", out)
    print(f"{names}: {tournament.games} games {plan}.", flush=True)
    header, records = earlier_games(out)
    if len(records) == tournament.games:
        print(f"All games are in {out} already; delete the folder to play them again.")
    elif records and header["versions"] != tournament.versions:
        print(f"note: other versions or other code played the first {len(records)} games in {out}", file=sys.stderr)
    try:
        result = tournament.run(
            out, workers=workers, backend=backend, tables=tables, progress=True, stop=stop, address=address
        )
    except AgentError as error:
        raise AgentError(f"{error}; the finished games are kept in {out / LOG_NAME}") from error
    summary = result.summary()
    print_summary(summary)
    if isinstance(tournament, ListSeries):
        sheets = score_lists(result.records, tournament.names, tournament.length)
        print_series(series_standings(sheets, tournament.names))
    for split in splits(summary):
        print(f"What if: {split}")
    if details:
        _print_details(result)
    header, _ = read_log(out / LOG_NAME)
    report = write_report(out / "report.html", result, header["settings"], header["versions"], title)
    if result.stopped:
        print(f"Enough after {result.records[-1].deal + 1} deals: {result.stopped}.")
    if result.caution:
        print(f"{result.caution}.")
    if result.interrupted:
        print(f"Stopped after {len(result.records)} of {result.games} games; the same command continues.")
    print(f"Games:  {out / LOG_NAME}")
    print(f"Report: {report}")
    return 130 if result.interrupted else 0


def _folder(tournament: Tournament) -> Path:
    text = json.dumps(tournament.settings, sort_keys=True)
    return Path("results") / f"tournament-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _fixed(args: Args) -> tuple[str | Agent, list[Deal]]:
    """The fixed agent; where it takes its contracts from a file, as many of the deals there as are asked for."""
    from skatai.agent import available_agents
    from skatai.arena.phases import RecordedBidder

    if args.mode != "cards" or args.fixed in available_agents() or not Path(args.fixed).is_file():
        return args.fixed, []
    bidder = RecordedBidder.read(args.fixed)
    if not args.deals.isdigit():
        raise SkatError(f"--deals {args.deals}: with contracts from {args.fixed} expected how many of its deals")
    return bidder, list(bidder.games)[: int(args.deals)]


def _stop_rule(args: Args) -> StopRule | None:
    from skatai.arena.sequential import SPRT, Until

    if args.until is not None and args.sprt is not None:
        raise SkatError("--until and --sprt: expected one of the two")
    if args.sprt is not None:
        return SPRT(args.sprt)
    return None if args.until is None else Until(args.until)


def _first(args: Args) -> dict[str, int]:
    """Agents and the number of deals they play; a number stands behind the last ``=``, since options of agents have some too."""
    found: dict[str, int] = {}
    for text in args.first:
        name, _, number = text.rpartition("=")
        if not name or not number.isdigit() or name in found:
            raise SkatError(f"--first {text}: expected each agent once, with its number of deals, as in pimc=300")
        found[name] = int(number)
    return found


def _tournament(args: Args) -> Tournament:
    from skatai.arena import Tournament
    from skatai.arena.designs import design_named
    from skatai.arena.lists import ListSeries
    from skatai.arena.phases import crossed
    from skatai.rules import Rules

    fixed, deals = _fixed(args)
    if args.what_if and (len(args.agents) != 2 or args.mode != "full" or args.first):
        raise SkatError("--what-if: expected two agents, full games and no --first")
    agents = crossed(*args.agents) if args.what_if else args.agents
    options: dict[str, Any] = {
        "drawn": not deals and args.deals.isdigit(),
        "mode": args.mode,
        "fixed": fixed,
        "first": _first(args),
        "rules": Rules.parse(args.rules),
    }
    deals = deals or load_deals(args.deals, args.seed)
    if args.lists is None:
        return Tournament(agents, deals, args.seed, design=design_named(args.design), **options)
    if args.design != "pair-six" or args.until is not None or args.sprt is not None:
        raise SkatError("--lists: no design and no stopping rule beside it")
    return ListSeries(agents, deals, args.seed, length=args.lists, **options)


def _export(args: Args, log: Path) -> None:
    """Write the games of a log in the forms asked for."""
    from skatai.arena.export import write_columns, write_iss
    from skatai.arena.parquet import write_parquet
    from skatai.arena.store import read_log

    if args.iss is None and args.columns is None and args.parquet is None:
        return
    header, records = read_log(log)
    if args.iss is not None:
        print(f"Records: {write_iss(args.iss, records)}")
    if args.columns is not None:
        print(f"Columns: {write_columns(args.columns, records)}")
    if args.parquet is not None:
        print(f"Parquet: {write_parquet(args.parquet, records, header['settings'])}")


def run(argv: list[str]) -> int:
    """The command."""
    args = parse(Args, argv, "skatai tournament")
    from skatai.arena.tournament import LOG_NAME
    from skatai.parallel import BACKENDS
    from skatai.records.parquet import need_pyarrow

    if args.workers < 1:
        raise SkatError(f"--workers {args.workers}: expected at least 1")
    if args.tables is not None and args.tables < 1:
        raise SkatError(f"--tables {args.tables}: expected at least 1")
    if args.backend is not None and args.backend not in BACKENDS:
        raise SkatError(f"--backend {args.backend}: expected one of {', '.join(BACKENDS)}")
    if args.parquet is not None:
        need_pyarrow()  # before the games, not after
    stop = _stop_rule(args)
    tournament = _tournament(args)
    out = args.out or _folder(tournament)
    if not args.resume and (out / LOG_NAME).exists():
        raise SkatError(
            f"{out} holds a tournament already: leave out --no-resume to continue it, or choose another folder"
        )
    for path in (args.iss, args.columns, args.parquet):
        if path is not None:
            check_writable(path, out)
    code = play_and_report(
        tournament,
        out,
        workers=args.workers,
        backend=args.backend,
        tables=args.tables,
        title=" – ".join(tournament.names),
        stop=stop,
        details=args.details,
        address=args.address,
    )
    _export(args, out / LOG_NAME)
    return code
