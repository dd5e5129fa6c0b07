"""``skatai check``: run conformance files against the engine."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from skatai.cli.args import parse

HELP = "run conformance files against the engine"


@dataclass
class Args:
    """Run case files on the engine.

    Rule cases, ISS records, games of XSkat and OpenSpiel, solved positions, contract deals and puzzles.

    The format is told by a file's content; files may be plain, gzip or bzip2. Exit code 0: nothing is wrong; 1: something is;
    2: a file cannot be read.
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE…")]
    """The files."""
    agent: str | None = None
    """Let this agent solve puzzles, such as 'rule' or 'pimc:worlds=40'. Without one they are printed."""
    seed: int = 1
    """Seed of the agent."""
    limit: int | None = None
    """Run the first cases of each file only."""
    node_limit: int = 20_000_000
    """Positions the solver may visit for one case; 0 for no limit."""
    differences: int = 20
    """Show so many wrong cases of each file."""


def run(argv: list[str]) -> int:
    """Run the command; exit code 0, 1 or 2 as above."""
    args = parse(Args, argv, "skatai check")
    from skatai.agent import make_agent
    from skatai.conformance import FileError, check_file
    from skatai.errors import RecordError, SkatError

    if not args.files:
        raise SkatError("no file given; expected FILE…")
    agent = None if args.agent is None else make_agent(args.agent)
    code = 0
    for path in args.files:
        try:
            report = check_file(
                path,
                agent,
                seed=args.seed,
                limit=args.limit,
                node_limit=args.node_limit,
                keep=args.differences,
                progress=True,
            )
        except (FileError, RecordError) as error:
            print(f"skatai check: {error}", file=sys.stderr)
            code = 2
            continue
        for remark in report.remarks:
            print(remark)
        print(report)
        for difference in report.differences:
            print(f"  {difference}")
        if report.wrong > len(report.differences):
            print(f"  … and {report.wrong - len(report.differences)} more")
        if not report.ok:
            code = max(code, 1)
    return code
