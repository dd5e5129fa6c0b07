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

        def report(name: str, n: int, begin: tuple[float, float]) -> None:
            wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
            each = f"{n / cpu:>9,.0f} per CPU second of this process"
            print(f"{name:<36} {n / wall:>9,.0f} records/s, {each}  ({n} records in {wall:.2f} s)")

        def now() -> tuple[float, float]:
            return time.perf_counter(), time.process_time()

        begin = now()
        games = sum(outcome.kind == "game" for outcome in read_records(path))
        report("outcomes", args.records, begin)
        assert games == args.records, f"{args.records - games} records were not read as games"

        with path.open(encoding="utf-8") as file:
            lines = [line for line, _ in zip(file, range(args.careful), strict=False)]
        begin = now()
        for line in lines:
            replay(parse_record(line))
        report("careful path", len(lines), begin)

        for columns in (False, True):
            begin = now()
            survey, _ = survey_files([path], columns=columns, workers=args.workers)
            name = f"survey{' with columns' * columns}, {args.workers} process(es)"
            report(name, survey.n_records, begin)
        print(f"file: {size:.1f} MB")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
