"""``skatai warmup``: compile ahead of use."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

HELP = "compile all kernels ahead of use"


@dataclass
class Args:
    """Compile the kernels that games, agents and the solver use, and keep them in the cache."""


def _steps() -> dict[str, Callable[[], object]]:
    from skatai.agent import available_agents, choose, make_agent
    from skatai.deal import Deal
    from skatai.game import Game
    from skatai.kernels.rng import new_rng
    from skatai.kernels.rollouts import perft, random_games
    from skatai.kernels.state import new_state, new_states
    from skatai.rng import Rng
    from skatai.rules import Rules

    def play(name: str) -> None:
        agent = make_agent(name)
        game = Game(Deal.random(1), rules=Rules.table())
        decision = 0
        while not game.is_over:
            legal = [action for action in game.legal_actions if action < 132]
            chosen = choose(agent, game, Rng(decision))
            game.play(chosen if chosen in legal else legal[0])
            decision += 1

    def rules() -> None:
        random_games(new_state(), new_rng(1), 1, Rules().to_int())
        states = new_states(3)
        perft(states, 0, 0)
        game = Game(Deal.random(1))
        while not game.is_over:
            game.view(game.to_move or 0).legal_mask()
            repr(game)
            game.play(game.legal_actions[0])
        game.undo().event("leave", 0)

    def solver() -> None:
        from skatai.solver import solve_moves

        for declaration in ("G", "N"):
            game = Game(Deal.random(1)).play("bid 18").play("pass").play("pass").play("pick up")
            game.play(game.legal_actions[0]).play(game.legal_actions[0]).play(f"declare {declaration}")
            while int(game.state["n_plays"]) < 21:
                game.play(game.legal_actions[0])
                if game.is_over:
                    break
            else:
                solve_moves(game)

    def records() -> None:
        from skatai.records import read_records
        from skatai.records.iss import generate_lines

        list(read_records(next(iter(generate_lines(0, 1)))))

    def environments() -> None:
        from skatai.envs import SkatEnv, SkatVectorEnv

        single = SkatEnv(opponents="rule")
        single.reset(seed=0)
        single.step(int(single.action_masks().argmax()))
        for opponents in ("rule", "self"):
            tables = SkatVectorEnv(2, opponents=opponents)
            tables.reset(seed=0)
            tables.step(tables.sample_actions())

    def tournament() -> None:
        from skatai.arena import Tournament
        from skatai.deal import deals_from_seed

        Tournament(["rule", "random"], deals_from_seed(0, 20), drawn=True).run().summary()  # 20: enough for a bootstrap

    steps: dict[str, Callable[[], object]] = {
        "rules": rules,
        "solver": solver,
        "records": records,
        "environments": environments,
        "tournament": tournament,
    }
    for name in available_agents():
        steps[f"agent {name}"] = lambda name=name: play(name)  # type: ignore[misc]
    return steps


def run(argv: list[str]) -> int:
    """Compile everything; says what it took."""
    from tqdm import tqdm

    from skatai._jit import cache_dir
    from skatai.cli.args import parse

    parse(Args, argv, "skatai warmup")
    begin = time.perf_counter()
    steps = _steps()
    for name, step in (bar := tqdm(steps.items(), disable=None, unit="step")):
        bar.set_description(name)
        step()
    where = cache_dir()
    kept = f"kept in {where}" if where else "not kept: no writable cache folder"
    print(f"compiled in {time.perf_counter() - begin:.1f} s, {kept}")
    return 0
