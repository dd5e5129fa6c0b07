"""``skatai demo``: four agents on real and generated deals, a report in the end (what ``make demo`` runs)."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skatai.cli.args import parse
from skatai.cli.tournament import _cpus, earlier_games, play_and_report

if TYPE_CHECKING:
    from skatai.deal import Deal

__all__ = ["AGENTS", "Args", "demo_deals", "run"]

HELP = "play a duplicate tournament on real deals and write a report (a few minutes)"

#: fixed numbers, chosen so that two cores need a few minutes
AGENTS: Final = ("pimc", "neural", "rule", "random")
GENERATED: Final = 72
SEED: Final = 2026


@dataclass
class Args:
    """Play a duplicate tournament of four agents: 24 deals from real play and generated ones, six games a deal and pair.

    An interrupted demo continues when it is started again; after a change of the code it begins anew.
    """

    out: Path = Path("results/demo")
    """folder of games and report"""
    agents: tuple[str, ...] = AGENTS
    """who plays"""
    generated: int = GENERATED
    """how many generated deals follow the 24 real ones"""
    real: int = 24
    """how many of the real deals"""
    seed: int = SEED
    """of the generated deals and of every decision"""
    workers: int = field(default_factory=_cpus)
    """processes; they do not change a game"""


def demo_deals() -> list[Deal]:
    """The 24 deals from real play that come with the package."""
    from skatai.deal import iter_deals

    text = files("skatai").joinpath("data/demo_deals.txt").read_text(encoding="utf-8")
    return list(iter_deals(text.splitlines(), "demo_deals.txt"))


def run(argv: list[str]) -> int:
    """The command."""
    args = parse(Args, argv, "skatai demo")
    from skatai.arena import Tournament
    from skatai.arena.tournament import LOG_NAME
    from skatai.deal import deals_from_seed
    from skatai.errors import SkatError

    if args.generated < 0 or args.real < 0:
        raise SkatError(f"demo: {args.real} real and {args.generated} generated deals, expected 0 or more")
    deals = demo_deals()[: args.real] + deals_from_seed(args.seed, args.generated)
    tournament = Tournament(args.agents, deals, args.seed)
    header, _ = earlier_games(args.out)
    if header and (header["settings"], header["versions"]) != (tournament.settings, tournament.versions):
        (args.out / LOG_NAME).replace(args.out / "games.old.jsonl")
        print(f"The games in {args.out} come from other settings or another version: starting anew.")
    return play_and_report(tournament, args.out, workers=args.workers, title="skatai demo")
