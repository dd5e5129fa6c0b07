"""``skatai records``: what is in files of game records, and their games as columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from skatai.cli.args import parse

if TYPE_CHECKING:
    from rich.table import Table

    from skatai.records.survey import Survey

HELP = "read game records: summary table, conversion to columns"


@dataclass
class Args:
    """Read files of ISS records, replay every game, and tell what is in them.

    Records that cannot be read, break the rules or contradict their own result are quarantined: counted, the first ones with line
    and reason. They are no error; a file that cannot be read is (exit code 2).
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional]
    """Files to read: plain, gzip or bzip2."""
    out: Path | None = None
    """Write the games as columns to this .npz or .parquet file (described in skatai.records.columns and .parquet)."""
    workers: int = 1
    """Processes."""
    reasons: int = 5
    """Quarantined records to describe."""


def run(argv: list[str]) -> int:
    """Run the command; the exit code."""
    args = parse(Args, argv, "skatai records")

    from rich.console import Console
    from tqdm import tqdm

    from skatai.errors import RecordError
    from skatai.records.columns import save_columns
    from skatai.records.parquet import need_pyarrow, save_parquet
    from skatai.records.survey import survey_files

    if not args.files:
        raise RecordError("no files given; usage: skatai records FILE …")
    if args.workers < 1 or args.reasons < 0:
        raise RecordError("--workers must be at least 1 and --reasons at least 0")
    if args.out is not None and args.out.suffix not in (".npz", ".parquet"):
        raise RecordError(f"--out {args.out}: expected a name that ends in .npz or .parquet")
    if args.out is not None and args.out.suffix == ".parquet":
        need_pyarrow()  # before the records are read, not after
    if args.out is not None and not args.out.absolute().parent.is_dir():
        raise RecordError(f"--out {args.out}: the folder does not exist")
    for file in args.files:
        if not file.is_file():
            raise RecordError(f"{file}: no such file")
    total = sum(file.stat().st_size for file in args.files)
    with tqdm(total=total, unit="B", unit_scale=True, desc="records", disable=None) as bar:
        survey, columns = survey_files(
            list(args.files),
            columns=args.out is not None,
            workers=args.workers,
            reasons=args.reasons,
            progress=lambda n: bar.update(n) and None,
        )
    if not survey.n_records:
        raise RecordError(
            f"no records in {', '.join(map(str, args.files))}; expected records that begin with (;GM[Skat]"
        )
    console = Console()
    for table in _tables(survey):
        console.print(table)
    for name, line, reason in survey.quarantine:
        console.print(f"quarantine: {name}, line {line}: {reason}", markup=False, highlight=False, soft_wrap=True)
    if args.out is not None:
        save = save_parquet if args.out.suffix == ".parquet" else save_columns
        save(args.out, columns, survey.counts)
        console.print(
            f"columns of {survey.kinds['game']} games: {args.out}", markup=False, highlight=False, soft_wrap=True
        )
    return 0


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _tables(survey: Survey) -> list[Table]:
    from rich.table import Table

    records = Table("records", "number", "share", title="Records")
    for column in records.columns[1:]:
        column.justify = "right"
    for kind in ("game", "view", "quarantine"):
        records.add_row(kind, str(survey.kinds[kind]), _share(survey.kinds[kind], survey.n_records))
    records.add_row("all", str(survey.n_records), "")
    if survey.duplicates:
        records.add_row("duplicates among them", str(survey.duplicates), _share(survey.duplicates, survey.n_records))
    n_games = survey.kinds["game"]
    endings = Table("games", "number", "share", title="Results and endings")
    for column in endings.columns[1:]:
        column.justify = "right"
    words = {"game": "a contract was played", "passed": "passed in", "penalty": "broken off before a contract"}
    for kind, number in survey.results.most_common():
        endings.add_row(words.get(kind, kind), str(number), _share(number, n_games))
    endings.add_section()
    for name, number in survey.endings.most_common():
        endings.add_row(name, str(number), _share(number, n_games))
    if survey.marks:
        endings.add_section()
        for name, number in sorted(survey.marks.items()):
            endings.add_row(name, str(number), _share(number, n_games))
    return [records, endings, _contracts(survey), _bids(survey)]


def _contracts(survey: Survey) -> Table:
    from rich.table import Table

    played = sum(survey.contracts.values())
    table = Table("contract", "games", "share", "declarer won", title="Contracts")
    for column in table.columns[1:]:
        column.justify = "right"
    for contract, number in survey.contracts.most_common():
        table.add_row(contract, str(number), _share(number, played), _share(survey.wins[contract], number))
    table.add_section()
    table.add_row("all", str(played), "", _share(sum(survey.wins.values()), played))
    return table


def _bids(survey: Survey) -> Table:
    from rich.table import Table

    played = sum(survey.bids.values())
    table = Table("winning bid", "games", "share", title="Bids")
    for column in table.columns:
        column.justify = "right"
    for bid, number in sorted(survey.bids.items()):
        table.add_row(str(bid), str(number), _share(number, played))
    return table
