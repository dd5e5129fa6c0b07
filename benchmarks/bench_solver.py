"""Time and nodes of the open-card solver on full deals: "61?", exact points, every legal card.

    python benchmarks/bench_solver.py [--deals FILE] [--count N]

Node counts are the measure: they do not depend on the machine. Times are wall-clock, one thread, each problem with an empty table.
"""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro
from machine import machine_line

from skatai.contract import GAME_NAMES, NULL
from skatai.seats import SEAT_NAMES
from skatai.solver import Position, Solution, solve, solve_moves

_SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "data" / "contract_deals_sample.csv"


@dataclass
class Args:
    deals: Path = _SAMPLE
    """deals as in tests/data/contract_deals_sample.csv, also compressed (.gz)"""
    count: int = 1_000_000
    """use the first so many of each kind"""


def read_deals(path: Path) -> dict[str, list[tuple[Position, int]]]:
    """Deals by kind (suit, grand, null) with the points that the declarer needs from tricks (null: 1)."""
    kinds: dict[str, list[tuple[Position, int]]] = {}
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for row in csv.DictReader(file):
            game = GAME_NAMES.index(row["game"])
            hands = [row[name] for name in SEAT_NAMES]
            position = Position.of(hands, game, SEAT_NAMES.index(row["declarer"]), 0)
            target = 1 if game == NULL else 61 - int(row["declarer_skat_points"])
            kinds.setdefault(row["id"].rstrip("0123456789"), []).append((position, target))
    return kinds


def measure(name: str, solver: Callable[[Position, int], Solution], deals: list[tuple[Position, int]]) -> int:
    """Print one line; returns the nodes."""
    solver(*deals[0])  # compiled and loaded
    nodes, seconds = [], []
    for position, target in deals:
        start = time.perf_counter()
        solution = solver(position, target)
        seconds.append(time.perf_counter() - start)
        nodes.append(solution.nodes)
    ms = 1000 * np.array(seconds)
    p95 = np.percentile(ms, 95)
    print(
        f"{name:18} {len(deals):5} {np.mean(nodes):10.0f} {ms.mean():9.3f} {np.median(ms):9.3f} {p95:9.3f} {ms.max():9.3f}"
    )
    return sum(nodes)


def main(args: Args) -> None:
    print(machine_line())
    print(f"{'':18} {'deals':>5} {'nodes':>10} {'mean ms':>9} {'median':>9} {'p95':>9} {'max':>9}")
    total = 0
    for kind, deals in read_deals(args.deals).items():
        chosen = deals[: args.count]
        total += measure(f"{kind}: 61?" if kind != "null" else "null: won?", lambda p, t: solve(p, target=t), chosen)
        if kind != "null":
            total += measure(f"{kind}: exact", lambda p, t: solve(p), chosen)
        total += measure(f"{kind}: every card", lambda p, t: solve_moves(p), chosen)
    print(f"signature: {total} nodes")


if __name__ == "__main__":
    main(tyro.cli(Args))
