"""The open-card solver: nodes and time on golden deals, worlds per second, threads, memory, compilation.

    python benchmarks/bench_solver.py [--deals FILE] [--quick]
    python benchmarks/bench_solver.py --write-signature

Node counts are the measure: they do not depend on the machine (a node is one card tried). Times are wall-clock; the loop of table
look-ups that is timed in the same run tells what the machine was worth at that moment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import tyro
from contract_like import contract_likes
from machine import machine_line
from signature import SIGNATURE, signature

from skatai._jit import kernel
from skatai.cards import CardSet
from skatai.kernels.search.solve import best_by_worlds, moves_reach, solve_moves, solve_worlds
from skatai.kernels.search.workspace import NODES, make_workspace, share_table
from skatai.rng import Rng
from skatai.solver import Position, solve
from skatai.solver.cases import Case, Statistics, read_cases, statistics
from skatai.solver.solving import arguments, workspace

_GOLDEN = Path(__file__).resolve().parent / "golden" / "contracts_100.csv"


@dataclass
class Args:
    deals: Path = _GOLDEN
    """deals in the format of golden/contracts_100.csv, also compressed"""
    quick: bool = False
    """nodes and times only"""
    write_signature: bool = False
    """write SIGNATURE and do nothing else"""


@kernel
def reference_loop(table: np.ndarray, rounds: int) -> int:
    """A fixed number of dependent look-ups and multiplications, to compare machines."""
    index = 1
    for _ in range(rounds):
        index = table[index & 65535] ^ (index * 40503 & 0xFFFFFFFF) >> 7
    return index


def reference_speed() -> float:
    """Millions of rounds a second."""
    table = np.arange(65536, dtype=np.int64)[::-1].copy()
    reference_loop(table, 1000)
    start = time.perf_counter()
    reference_loop(table, 20_000_000)
    return 20 / (time.perf_counter() - start)


def later(position: Position, cards: int, rng: Rng) -> Position:
    """The position after random play down to ``cards`` a hand."""
    work, values = workspace(), np.zeros(32, dtype=np.int64)
    while len(position.hands[position.to_move]) > cards or position.table:
        values[:2] = 0
        moves_reach(*arguments(position), work, values)
        position = position.play(rng.choice([card for card in range(32) if values[card] >= 0]))
    return position


def worlds_of(position: Position, count: int, rng: Rng) -> np.ndarray:
    """Worlds for the seat to move: the others' cards shuffled, as int64 (count, 3)."""
    seat = position.to_move
    others = [(seat + 1) % 3, (seat + 2) % 3]
    cards = [card for other in others for card in position.hands[other]]
    n = len(position.hands[others[0]])
    worlds = np.zeros((count, 3), dtype=np.int64)
    worlds[:, seat] = position.hands[seat].mask
    for world in worlds:
        rng.shuffle(cards)
        world[others[0]] = sum(1 << card for card in cards[:n])
        world[others[1]] = sum(1 << card for card in cards[n:])
    return worlds


def decisions(cards: int, count: int, worlds: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Worlds, spot and targets of decisions at the start of a trick."""
    rng = Rng(cards)
    found = []
    for kind in ("suit", "grand"):
        for start, _ in contract_likes(kind, 77, count // 2):
            place = later(start, cards, rng)
            target = max(0, 61 - place.taken)
            spot = np.array([place.game, place.declarer, place.leader, 0], dtype=np.int64)
            found.append((worlds_of(place, worlds, rng), spot, np.full(worlds, target)))
    return found


def solve_apart(hands: np.ndarray, spot: np.ndarray, targets: np.ndarray, work: np.ndarray) -> int:
    """As ``solve_worlds``, each world with an empty table."""
    out = np.zeros(32, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    nodes = 0
    for world, target in zip(hands, targets, strict=True):
        if target < 0:
            solve_moves(world, *spot[:3].tolist(), table, 0, work, out)
        else:
            out[0], out[1] = target, 0
            moves_reach(world, *spot[:3].tolist(), table, 0, work, out)
        nodes += int(work[NODES])
    return nodes


Todo = list[tuple[np.ndarray, np.ndarray, np.ndarray]]


def worlds_per_second(threads: int, how: str, todo: Todo) -> tuple[float, float]:
    """Worlds a second, and nodes a world. ``how``: apart or shared, 61? or exact; or decided (as soon as it is)."""
    table = np.zeros(3, dtype=np.int64)
    totals = [0] * threads

    def work_through(number: int) -> None:
        work = make_workspace(16)
        for hands, spot, targets in todo[number::threads]:
            asked = np.full(len(hands), -1) if "exact" in how else targets
            if "apart" in how:
                totals[number] += solve_apart(hands, spot, asked, work)
            elif "decided" in how:
                totals[number] += best_by_worlds(hands, spot, table, asked, work, np.empty(32, dtype=np.int64))
            else:
                out = np.empty((len(hands), 32), dtype=np.int64)
                totals[number] += solve_worlds(hands, spot, table, asked, work, out)

    start = time.perf_counter()
    pool = [threading.Thread(target=work_through, args=(number,)) for number in range(threads)]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join()
    count = sum(len(hands) for hands, _, _ in todo)
    return count / (time.perf_counter() - start), sum(totals) / count


def show_worlds() -> None:
    print(
        "\nworlds of one decision, 20 each, every legal card: nodes a world (apart: with an empty table each), worlds a second"
    )
    print(f"{'cards':>5} {'question':14} {'apart':>8} {'shared':>8} {'worlds/s':>9} {'2 threads':>9} {'ratio':>6}")
    for cards in (10, 7, 5):
        todo = decisions(cards, {10: 16, 7: 100, 5: 600}[cards], 20)
        for question in ("61?", "61? decided", "exact"):
            worlds_per_second(1, question, todo[:1])
            _, apart = worlds_per_second(1, question.replace(" decided", "") + " apart", todo)
            one, shared = worlds_per_second(1, question, todo)
            two, _ = worlds_per_second(2, question, todo)
            print(
                f"{cards:5} {question:14} {apart:8.0f} {shared:8.0f} {one:9.0f} {two:9.0f} {two / one:6.2f}", flush=True
            )


def show_put_aways() -> None:
    """All 66 put-aways of a deal with one table, and with an empty one each."""
    for kind in ("suit", "grand"):
        apart, together = 0, 0
        for position, _ in contract_likes(kind, 78, 5):
            out = set(range(32)) - {card for hand in position.hands for card in hand}
            twelve = position.hands[position.declarer] | CardSet.of(out)
            for shared in (0, 1):
                share_table(shared, workspace())
                for away in combinations(list(twelve), 2):
                    hands = list(position.hands)
                    hands[position.declarer] = twelve - CardSet.of(away)
                    nodes = solve(Position.of(hands, position.game, position.declarer, 0)).nodes
                    apart, together = (apart, together + nodes) if shared else (apart + nodes, together)
            share_table(0, workspace())
        print(f"66 put-aways, exact, {kind}: {apart / 5:.0f} nodes a deal apart, {together / 5:.0f} with one table")


def show_compilation() -> None:
    code = (
        "import time; s = time.perf_counter(); from skatai.solver import solve; i = time.perf_counter(); "
        "solve('H F F CJ.HT|HA.H7|SJ.D7'); print(f'{i - s:.2f} s import, {time.perf_counter() - i:.2f} s first solve')"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cold", "cached"):
            environment = {**os.environ, "SKATAI_CACHE_DIR": folder}
            out = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            print(f"compilation, {name}: {out.stdout.strip()}")


def show_speed(cases: list[Case]) -> None:
    before = reference_speed()
    nodes, start = 0, time.perf_counter()
    for line in statistics([case for case in cases if case.kind != "null"], ("exact",)):
        nodes += line.total_nodes
    seconds = time.perf_counter() - start
    after = reference_speed()
    loop = (before + after) / 2
    print(
        f"\n{nodes / seconds / 1e6:.1f} million nodes/s; reference loop {loop:.0f} million rounds/s before and after on average"
    )
    print(f"nodes for each million rounds of the reference loop: {nodes / seconds / loop:.0f}")


def main(args: Args) -> None:
    if args.write_signature:
        SIGNATURE.write_text(signature())
        print(SIGNATURE.read_text(), end="")
        return
    print(machine_line())
    cases = read_cases(args.deals)
    print(Statistics.HEAD)
    for line in statistics(cases):
        print(line, flush=True)
    if args.quick:
        return
    show_speed(cases)
    show_worlds()
    show_put_aways()
    print(f"\nwork area: {workspace().nbytes / 2**20:.2f} MiB a thread")
    share_table(0, workspace())
    show_compilation()
    print(signature(), end="")


if __name__ == "__main__":
    main(tyro.cli(Args))
