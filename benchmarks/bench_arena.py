"""Full games per second of the arena: a field of each agent against itself, with one worker and with two."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import tyro
from machine import machine_line

from skatai.arena import Tournament
from skatai.deal import deals_from_seed


@dataclass
class Args:
    """Throughput of tournaments."""

    agents: tuple[str, ...] = ("random", "rule", "neural", "pimc")
    seconds: float = 8.0
    """about so long for each line"""
    seed: int = 1


def rate(agent: str, deals: int, seed: int, workers: int, backend: str) -> float:
    """Games per second, starting the workers included."""
    tournament = Tournament([agent, agent], deals_from_seed(seed, deals), seed)
    start = perf_counter()
    tournament.run(workers=workers, backend=backend)
    return tournament.games / (perf_counter() - start)


def main(args: Args) -> None:
    """Print the table."""
    print(machine_line())
    print(f"{'agent':20} {'deals':>6} {'1 worker':>10} {'2 processes':>12} {'2 threads':>10}   games/s")
    for agent in args.agents:
        rate(agent, 1, args.seed, 1, "serial")  # compiles and loads
        once = rate(agent, 4, args.seed, 1, "serial")
        deals = max(2, int(args.seconds * once / 6))
        found = [
            rate(agent, deals, args.seed, n, kind) for n, kind in ((1, "serial"), (2, "processes"), (2, "threads"))
        ]
        print(f"{agent:20} {deals:6} {found[0]:10.1f} {found[1]:12.1f} {found[2]:10.1f}", flush=True)


if __name__ == "__main__":
    main(tyro.cli(Args))
