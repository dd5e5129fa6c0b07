"""Full games per second of the arena: a field of each agent against itself, with one worker and with two.

Compiled players (random, rule) also as objects, which the arena asks decision by decision like any agent in Python. The games are
written to a log as in a real tournament. What it takes to start two worker processes (importing PyTorch among other things) is
measured apart and not counted: it is paid once a tournament.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import tyro
from machine import machine_line

from skatai.agent import Agent, make_agent
from skatai.arena import Tournament
from skatai.arena.phases import compiled_policies
from skatai.deal import deals_from_seed


@dataclass
class Args:
    """Throughput of tournaments."""

    agents: tuple[str, ...] = ("random", "rule", "neural", "pimc")
    seconds: float = 20.0
    """about so long for each figure"""
    seed: int = 1


def seconds(agents: Sequence[str | Agent], deals: int, seed: int, workers: int, backend: str) -> float:
    """How long a tournament takes."""
    tournament = Tournament(agents, deals_from_seed(seed, deals), seed)
    with tempfile.TemporaryDirectory() as out:
        start = perf_counter()
        tournament.run(out, workers=workers, backend=backend)
        return perf_counter() - start


def fitting_deals(agents: Sequence[str | Agent], seed: int, wanted: float) -> int:
    """Deals that take one worker about so long."""
    deals = 1
    seconds(agents, deals, seed, 1, "serial")  # compiles and loads
    while (took := seconds(agents, deals, seed, 1, "serial")) < min(1.0, wanted):
        deals *= 2
    return max(2, int(deals * wanted / took))


def main(args: Args) -> None:
    """Print the table."""
    print(machine_line())
    kinds = ((1, "serial"), (2, "processes"), (2, "threads"))
    print(
        f"{'games/s':22} {'games':>7} {'1 worker':>10} {'2 processes':>12} {'2 threads':>10}   (start of 2 processes)"
    )
    rows: list[tuple[str, Sequence[str | Agent]]] = []
    for agent in args.agents:
        rows.append((agent, [agent, agent]))
        if any(compiled_policies(agent)):
            rows.append((f"{agent}, as an object", [make_agent(agent), make_agent(agent)]))
    for label, field in rows:
        deals = fitting_deals(field, args.seed, args.seconds)
        start = seconds(field, 1, args.seed, 2, "processes")
        rates = []
        for workers, backend in kinds:
            took = seconds(field, deals, args.seed, workers, backend) - (start if backend == "processes" else 0.0)
            rates.append(6 * deals / took)
        print(
            f"{label:22} {6 * deals:7} {rates[0]:10.1f} {rates[1]:12.1f} {rates[2]:10.1f}   {start:.1f} s", flush=True
        )


if __name__ == "__main__":
    main(tyro.cli(Args))
