"""What each idea of the open-card search is worth: mean nodes without it, divided by mean nodes with everything.

    python benchmarks/ablation.py [--deals FILE] [--count 60]

Takes out one switch of ``skatai/kernels/search/switches.py`` at a time, in a copy of the package (the switches are constants of
the compilation), and solves the same deals. All values are compared with the file's: no switch may change one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import tyro
from machine import machine_line

_HERE = Path(__file__).resolve().parent
_PACKAGE = _HERE.parent / "skatai"
_SWITCHES = _PACKAGE / "kernels" / "search" / "switches.py"

_MEASURE = """
import sys
from skatai.solver.cases import read_cases, statistics
count = int(sys.argv[2])
seen = {}
cases = []
for case in read_cases(sys.argv[1]):
    seen[case.kind] = seen.get(case.kind, 0) + 1
    if case.kind != "null" and seen[case.kind] <= count:
        cases.append(case)
for line in statistics(cases, ("61?", "exact")):
    print(line.kind, line.question, line.nodes[0], line.wrong, line.ms[0])
"""


@dataclass
class Args:
    deals: Path = _HERE / "golden" / "contracts_100.csv"
    """deals in the format of golden/contracts_100.csv, also compressed"""
    count: int = 60
    """so many of each kind"""


def measure(off: str | None, args: Args, cache: str) -> dict[tuple[str, str], float]:
    """Mean nodes by kind and question with one switch off."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "skatai"
        shutil.copytree(_PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if off is not None:
            switches = copy / _SWITCHES.relative_to(_PACKAGE)
            switches.write_text(re.sub(rf"^{off} = True", f"{off} = False", switches.read_text(), flags=re.MULTILINE))
        environment = {**os.environ, "PYTHONPATH": folder, "SKATAI_CACHE_DIR": cache}
        command = [sys.executable, "-c", _MEASURE, str(args.deals.resolve()), str(args.count)]
        out = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True).stdout
    nodes = {}
    for line in out.splitlines():
        kind, question, mean, wrong, _ = line.split()
        if wrong != "0":
            raise SystemExit(f"{off}: {wrong} wrong values in {kind} {question}")
        nodes[kind, question] = float(mean)
    return nodes


def main(args: Args) -> None:
    print(machine_line())
    print(f"{args.count} deals a kind of {args.deals.name}; nodes with everything, then factors without one idea\n")
    columns = [("suit", "61?"), ("suit", "exact"), ("grand", "61?"), ("grand", "exact")]
    print("| without | " + " | ".join(f"{kind} {question}" for kind, question in columns) + " |")
    print("|---|" + "---:|" * len(columns))
    with tempfile.TemporaryDirectory() as cache:
        full = measure(None, args, cache)
        print("| (nodes) | " + " | ".join(f"{full[column]:.0f}" for column in columns) + " |", flush=True)
        for switch in re.findall(r"^([A-Z_]+) = True", _SWITCHES.read_text(), flags=re.MULTILINE):
            nodes = measure(switch, args, cache)
            factors = " | ".join(f"{nodes[column] / full[column]:.2f}" for column in columns)
            print(f"| {switch} | {factors} |", flush=True)


if __name__ == "__main__":
    main(tyro.cli(Args))
