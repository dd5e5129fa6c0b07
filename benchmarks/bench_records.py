"""How fast ISS records are read, replayed and checked: synthetic records, one process and several.

    python benchmarks/bench_records.py --records 100000 --workers 2

Prints records per second of the clock and of processor time (the fairer number on a shared machine) for the iterator of outcomes,
for the careful path alone (its slow twin), and for the survey behind ``skatai records``. Every record must come out as a game.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import tyro
from machine import machine_line

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
    workers: int = 2
    """Processes of the survey."""


def main(args: Args) -> None:
    """Write a file of records and read it in every way."""
    print(machine_line())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sgf"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(generate_lines(args.seed, args.records))
        size = path.stat().st_size / 1e6
        next(read_records(path))  # compile

        several = f"survey with columns, {args.workers} processes"

        def report(name: str, n: int, begin: tuple[float, float]) -> None:
            wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
            core = f", {n / cpu:>7,.0f} per second of processor time" if name != several else ""
            print(f"{name:<36} {n / wall:>8,.0f} records/s{core}  ({n} records in {wall:.1f} s)")

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

        for name, columns, workers in (
            ("survey", False, 1),
            ("survey with columns", True, 1),
            (several, True, args.workers),
        ):
            begin = now()
            survey, _ = survey_files([path], columns=columns, workers=workers)
            report(name, survey.n_records, begin)
        print(f"file: {size:.1f} MB")


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
