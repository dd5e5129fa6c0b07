"""Decisions per second of the environments, against OpenSpiel from Python and the bare compiled loop, in one run, one thread.

Everything plays random legal actions (the auction: next value or hold with p = 1/2). A decision is one action of the learner or, in
self-play, of the seat to move; deals are included everywhere.

* OpenSpiel: ``legal_actions``, ``observation_tensor`` and ``apply_action`` from Python for every decision; its deals are 32 chance
  moves, timed as well. A second row leaves them out (deals made before the clock starts).
* Vector environment, self-play: compiled ``sample_actions`` and ``step``; with masks and observations (int8, float32, history),
  with masks only, with neither. ``copy=False`` fills the same arrays again.
* Bare loop: ``skatai.kernels.rollouts.random_games``, everything compiled, no arrays.
* Single environment and PettingZoo: actions sampled from the mask by NumPy; single environment against random opponents (their
  actions are not counted).

Times are processor time, because other programs may share the machine. Rounds alternate, so that a change of its speed meets all;
ratios are taken round by round.

    python benchmarks/bench_envs.py
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import tyro
from machine import machine_line
from rich.console import Console
from rich.table import Table

from skatai.envs import SkatEnv, SkatVectorEnv, skat_v0
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_games
from skatai.kernels.state import new_state


@dataclass
class Args:
    rounds: int = 5
    """alternating rounds; medians count"""
    decisions: int = 400_000
    """decisions a round of each vector form"""
    python_decisions: int = 4_000
    """decisions a round of each form that is stepped from Python one by one"""
    tables: tuple[int, ...] = (128, 1_024, 8_192)
    """sizes of the vector environment"""
    seed: int = 1


Rate = Callable[[int], float]


def pick(rng: random.Random, mask: Any) -> int:
    """A random legal action."""
    ids = mask.nonzero()[0]
    return int(ids[int(rng.random() * len(ids))])


def bare(args: Args) -> Rate:
    state = new_state()

    def rate(seed: int) -> float:
        begin = time.process_time()
        decisions = random_games(state, new_rng(seed), args.decisions // 35, 0)
        return decisions / (time.process_time() - begin)

    return rate


def vector(args: Args, tables: int, **kwargs: Any) -> Rate:
    envs = SkatVectorEnv(tables, "self", **kwargs)

    def rate(seed: int) -> float:
        envs.reset(seed=seed)
        decisions = 0
        begin = time.process_time()
        for _ in range(max(args.decisions // tables, 1)):
            result = envs.step(envs.sample_actions())
            decisions += tables - int(np.count_nonzero(result[2]))  # a finished table's next step is no decision
        return decisions / (time.process_time() - begin)

    return rate


def learner(args: Args, tables: int, opponents: str) -> Rate:
    envs = SkatVectorEnv(tables, opponents)

    def rate(seed: int) -> float:
        envs.reset(seed=seed)
        decisions = 0
        begin = time.process_time()
        for _ in range(max(args.decisions // 10 // tables, 1)):
            result = envs.step(envs.sample_actions())
            decisions += tables - int(np.count_nonzero(result[2]))
        return decisions / (time.process_time() - begin)

    return rate


def single(args: Args, opponents: str) -> Rate:
    env = SkatEnv(opponents)

    def rate(seed: int) -> float:
        rng = random.Random(seed)
        _, info = env.reset(seed=seed)
        begin = time.process_time()
        for _ in range(args.python_decisions):
            _, _, over, _, info = env.step(pick(rng, info["action_mask"]))
            if over:
                _, info = env.reset()
        return args.python_decisions / (time.process_time() - begin)

    return rate


def pettingzoo(args: Args) -> Rate:
    env = skat_v0.raw_env()

    def rate(seed: int) -> float:
        rng = random.Random(seed)
        env.reset(seed=seed)
        begin = time.process_time()
        for _ in range(args.python_decisions):
            observation, _, over, _, _ = env.last()
            if over:
                env.reset()
                observation, _, over, _, _ = env.last()
            env.step(pick(rng, observation["action_mask"]))
        return args.python_decisions / (time.process_time() - begin)

    return rate


def openspiel(args: Args, count_deals: bool) -> Rate:
    import pyspiel

    game = pyspiel.load_game("skat")

    def deal(state: Any, rng: random.Random) -> None:
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])

    def rate(seed: int) -> float:
        rng, decisions, seconds = random.Random(seed), 0, 0.0
        while decisions < args.python_decisions:
            begin = time.process_time()
            state = game.new_initial_state()
            deal(state, rng)
            if not count_deals:
                begin = time.process_time()
            while not state.is_terminal():
                state.observation_tensor(state.current_player())
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
            seconds += time.process_time() - begin
        return decisions / seconds

    return rate


def main(args: Args) -> None:
    """Print the table."""
    console = Console(width=120)
    console.print(machine_line())
    lean = {"masks": False, "copy": False}
    rates: dict[str, Rate] = {"bare compiled loop": bare(args), "OpenSpiel": openspiel(args, True)}
    rates["OpenSpiel, deals not timed"] = openspiel(args, False)
    for n in args.tables:
        rates[f"vector {n}: int8, masks"] = vector(args, n)
        rates[f"vector {n}: int8, masks, copy=False"] = vector(args, n, copy=False)
        rates[f"vector {n}: float32, masks, copy=False"] = vector(args, n, observation="float32", copy=False)
        rates[f"vector {n}: history, masks, copy=False"] = vector(args, n, observation="history", copy=False)
        rates[f"vector {n}: masks only, copy=False"] = vector(args, n, observation="none", copy=False)
        rates[f"vector {n}: neither"] = vector(args, n, observation="none", **lean)
    rates["vector 1024: int8, masks, one learner, random"] = learner(args, 1024, "random")
    rates["vector 1024: int8, masks, one learner, rule"] = learner(args, 1024, "rule")
    rates["single, random opponents"] = single(args, "random")
    rates["single, rule opponents"] = single(args, "rule")
    rates["PettingZoo raw_env"] = pettingzoo(args)
    for rate in rates.values():
        rate(args.seed)  # compile, warm up
    found: dict[str, list[float]] = {name: [] for name in rates}
    for number in range(args.rounds):
        for name, rate in rates.items():
            found[name].append(rate(args.seed + number))
    table = Table(
        "environment", "decisions/s (median)", "× OpenSpiel", "× OpenSpiel, deals not timed", "% of the bare loop"
    )

    def ratio(name: str, base: str) -> float:
        return statistics.median(a / b for a, b in zip(found[name], found[base], strict=True))

    for name, values in found.items():
        table.add_row(
            name,
            f"{statistics.median(values):,.0f}",
            f"{ratio(name, 'OpenSpiel'):.1f}",
            f"{ratio(name, 'OpenSpiel, deals not timed'):.1f}",
            f"{100 * ratio(name, 'bare compiled loop'):.1f}",
        )
    console.print(table)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
