"""Random full games: the compiled loop against OpenSpiel's own C++ loop, in one run, one thread.

Both play uniform random games to their end. OpenSpiel: ``pyspiel.evaluate_bots`` with three uniform bots, the whole game in
C++. Ours: ``skatai.kernels.rollouts.random_games`` (next ladder value or hold with p = 1/2; declaration, discards and cards
uniform). A decision is one action of a player; OpenSpiel's chance moves (the deal) are not counted. Rounds alternate, so that
a change of the machine's speed meets both.

    python benchmarks/bench_rules.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import tyro
from machine import machine_line
from rich.console import Console
from rich.table import Table

from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_games
from skatai.kernels.state import new_state
from skatai.rules import Rules


@dataclass
class Args:
    rounds: int = 7
    """alternating rounds; the median ratio counts"""
    games: int = 200_000
    """compiled games a round"""
    peer_games: int = 8_000
    """OpenSpiel games a round"""
    seed: int = 1


def compiled_rate(rules: Rules, games: int, seed: int) -> float:
    """Decisions per second of the compiled loop."""
    state, rng = new_state(), new_rng(seed)
    begin = time.perf_counter()
    decisions = random_games(state, rng, games, rules.to_int())
    return decisions / (time.perf_counter() - begin)


def openspiel_rate(games: int, seed: int) -> float:
    """Decisions per second of OpenSpiel's C++ loop."""
    import pyspiel

    game = pyspiel.load_game("skat")
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(3)]
    states = [game.new_initial_state() for _ in range(games)]
    begin = time.perf_counter()
    for i, state in enumerate(states):
        pyspiel.evaluate_bots(state, bots, seed + i)
    seconds = time.perf_counter() - begin
    decisions = sum(sum(pair.player >= 0 for pair in state.full_history()) for state in states)
    return decisions / seconds


def python_rate(games: int, seed: int) -> float:
    """Decisions per second through ``Game`` from Python: legal actions and play."""
    from skatai.rng import Rng

    rng = Rng(seed)
    decisions = 0
    begin = time.perf_counter()
    for i in range(games):
        game = Game(Deal.random(i))
        while not game.is_over:
            game.play(rng.choice(game.legal_actions))
            decisions += 1
    return decisions / (time.perf_counter() - begin)


def main(args: Args) -> None:
    """Print the table."""
    console = Console(width=110)
    console.print(machine_line())
    variants: dict[str, Rules] = {"official": Rules(), "claims and concessions on": Rules.table()}
    for rules in variants.values():
        compiled_rate(rules, 10, args.seed)  # compile
    python_rate(10, args.seed)
    rows: dict[str, list[float]] = {name: [] for name in variants}
    peers: list[float] = []
    ratios: list[float] = []
    for number in range(args.rounds):
        peer = openspiel_rate(args.peer_games, args.seed + number)
        for name, rules in variants.items():
            games = args.games if name == "official" else args.games // 20
            rows[name].append(compiled_rate(rules, games, args.seed + number))
        peers.append(peer)
        ratios.append(rows["official"][-1] / peer)
    table = Table("what", "decisions/s (median)", "min", "max")
    median: Callable[[list[float]], float] = statistics.median
    for name, rates in {"OpenSpiel, C++ loop": peers, **{f"skatai, {k}": v for k, v in rows.items()}}.items():
        table.add_row(name, f"{median(rates):,.0f}", f"{min(rates):,.0f}", f"{max(rates):,.0f}")
    table.add_row("skatai, Game from Python", f"{python_rate(300, args.seed):,.0f}", "", "")
    console.print(table)
    console.print(
        f"ratio to OpenSpiel in each round: median {median(ratios):.1f}, min {min(ratios):.1f}, max {max(ratios):.1f}"
    )


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
