"""How fast ISS records are read, replayed and checked: synthetic records, one process and several.

    python benchmarks/bench_records.py --records 100000 --workers 2

Prints records per second for the iterator of outcomes, for the careful path alone (its slow twin), and for the survey behind
``skatai records`` with and without columns. Every record must come out as a game.
"""

from __future__ import annotations

import platform
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import tyro

from skatai.records import read_records
from skatai.records.iss import generate_lines, parse_record, replay
from skatai.records.survey import survey_files


@dataclass
class Args:
    records: int = 100_000
    """Number of synthetic records."""
    seed: int = 1
    """Seed of the records."""
    careful: int = 2_000
    """Records for the careful path."""
    workers: int = 1
    """Processes of the survey."""


def main(args: Args) -> None:
    """Write a file of records and read it in every way."""
    print(f"machine: {platform.machine()} {platform.system()}, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sgf"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(generate_lines(args.seed, args.records))
        size = path.stat().st_size / 1e6
        next(read_records(path))  # compile

        def report(name: str, n: int, seconds: float) -> None:
            print(f"{name:<36} {n / seconds:>9,.0f} records/s  ({n} records in {seconds:.2f} s)")

        begin = time.perf_counter()
        games = sum(outcome.kind == "game" for outcome in read_records(path))
        report("outcomes", args.records, time.perf_counter() - begin)
        assert games == args.records, f"{args.records - games} records were not read as games"

        with path.open(encoding="utf-8") as file:
            lines = [line for line, _ in zip(file, range(args.careful), strict=False)]
        begin = time.perf_counter()
        for line in lines:
            replay(parse_record(line))
        report("careful path", len(lines), time.perf_counter() - begin)

        for columns in (False, True):
            begin = time.perf_counter()
            survey, _ = survey_files([path], columns=columns, workers=args.workers)
            name = f"survey{' with columns' * columns}, {args.workers} process(es)"
            report(name, survey.n_records, time.perf_counter() - begin)
        print(f"file: {size:.1f} MB")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
