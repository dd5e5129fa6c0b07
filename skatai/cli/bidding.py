"""``skatai bidding``: bidders on the same hands, with a report."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from skatai.cli.args import check_writable, parse
from skatai.errors import SkatError

if TYPE_CHECKING:
    from skatai.bidding.evaluate import Evaluation

HELP = "evaluate bidders: agents, functions from hand to limit, ONNX files"


@dataclasses.dataclass
class Args:
    """Evaluate how bidders bid, all on the same deals with the same card play: what they declare and win, what it costs, whether
    claimed chances of winning come true on all hands, and how they compare with recorded people.

    Results are written part by part; the same command again continues where it stopped, and repeats nothing that is done.
    """

    bidders: Annotated[tuple[str, ...], tyro.conf.Positional]
    """who bids: agents (rule, neural, pimc:worlds=20), functions from hand to limit and objects that have limits
    (module:name or file.py:name), ONNX files (net.onnx or onnx:net.onnx,threshold=0.6), claims with a threshold (neural@0.6)"""
    deals: str = "500"
    """how many deals, or a file of deals (one a line, or ISS records)"""
    seed: int = 1
    """of the deals and of every decision"""
    field: str = "rule"
    """agent that sits in the other two seats"""
    play: str = "rule"
    """agent that plays everybody's cards, and declares for bidders that are no agents"""
    meet: bool = True
    """let the bidders also meet each other, six games a deal and pair"""
    regret: str = "none"
    """what passes and declarations cost against the best choice: open (all cards seen, a bound), rollouts (over worlds that the
    hand cannot tell apart), none"""
    regret_deals: int = 100
    """on the first so many deals"""
    sweep: bool = False
    """also try bolder and shyer bidders: points against margin, threshold or steps of the ladder, with the optimum"""
    iss: tuple[Path, ...] = ()
    """files of ISS records, to compare with what people did"""
    min_rating: float | None = None
    """of these only players with at least this rating"""
    rules: str = "-"
    """switches other than the official rules, such as: null_overbid=multiple"""
    workers: int = dataclasses.field(default_factory=lambda: _cpus())
    """processes; they do not change a result"""
    out: Path | None = None
    """folder of the results; by default one under results/ that the settings name"""
    resume: bool = True
    """continue what is in the folder; otherwise it must not hold results yet"""


def _cpus() -> int:
    from skatai.parallel import cpu_count

    return cpu_count()


def _evaluation(args: Args) -> Evaluation:
    from skatai.bidding.evaluate import Evaluation
    from skatai.cli.tournament import load_deals
    from skatai.rules import Rules

    if not args.bidders:
        raise SkatError("no bidders given; usage: skatai bidding AGENT … (see skatai bidding --help)")
    if args.workers < 1:
        raise SkatError(f"--workers {args.workers}: expected at least 1")
    if args.min_rating is not None and not args.iss:
        raise SkatError("--min-rating: there are no recorded players without --iss")
    return Evaluation(
        args.bidders,
        load_deals(args.deals, args.seed),
        args.seed,
        Rules.parse(args.rules),
        field=args.field,
        play=args.play,
        meet=args.meet,
        regret=args.regret,
        regret_deals=args.regret_deals,
        sweep=args.sweep,
        iss=args.iss,
        min_rating=args.min_rating,
    )


def _folder(evaluation: Evaluation) -> Path:
    text = json.dumps(evaluation.settings, sort_keys=True)
    return Path("results") / f"bidding-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def run(argv: list[str]) -> int:
    """The command."""
    args = parse(Args, argv, "skatai bidding")
    from skatai.bidding.console import print_report
    from skatai.bidding.evaluate import RESULTS_NAME
    from skatai.bidding.report import write_report

    evaluation = _evaluation(args)
    out = args.out or _folder(evaluation)
    if not args.resume and (out / RESULTS_NAME).exists():
        raise SkatError(f"{out} holds results already: leave out --no-resume to continue, or choose another folder")
    check_writable(out / "report.html", out)
    title = " – ".join(evaluation.names)
    print(f"{title}: {len(evaluation.deals)} deals, {evaluation.games} games.", flush=True)
    if evaluation.repeated:
        text = f"{evaluation.repeated} of the deals have the cards of an earlier one: the intervals are too narrow"
        print(f"note: {text}", file=sys.stderr)
    report = evaluation.run(out, workers=args.workers, progress=True)
    if report.versions != evaluation.versions:
        print(f"note: other versions or other code made the first parts in {out}", file=sys.stderr)
    print_report(report)
    path = write_report(out / "report.html", report, title)
    if report.interrupted:
        print(f"Stopped before the end ({len(report.missing)} parts are missing); the same command continues.")
    print(f"Results: {out / RESULTS_NAME}")
    print(f"Report:  {path}")
    return 130 if report.interrupted else 0
