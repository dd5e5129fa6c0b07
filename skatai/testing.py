"""Public checkers for people who write agents or engines: ``check_agent``, ``perft``, hypothesis strategies.

Hypothesis is imported only by the strategies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skatai.actions import ACTION_NAMES, N_ACTIONS
from skatai.agent import choose, decision_rng, make_agent
from skatai.cards import Card, CardSet
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError
from skatai.game import Game
from skatai.kernels import rollouts
from skatai.kernels.moves import is_legal
from skatai.kernels.state import new_states
from skatai.rng import Rng, derive_seed
from skatai.rules import Rules
from skatai.view import PlayerView
from skatai.worlds import sample_worlds

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["AgentReport", "cards", "check_agent", "deals", "perft", "positions", "random_position"]


@dataclass(slots=True)
class AgentReport:
    """What :func:`check_agent` did.

    Attributes:
        agent: the agent's name.
        games: games played.
        decisions: decisions checked for legality and for repeating them from the same seed.
        worlds: decisions repeated with the hidden cards dealt anew.
        faults: what was wrong, one sentence each; empty when the agent passed.
    """

    agent: str
    games: int = 0
    decisions: int = 0
    worlds: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Nothing was wrong."""
        return not self.faults


def check_agent(
    agent: Any,
    deals: int = 10,
    seed: int = 0,
    opponents: str = "random",
    worlds: int = 2,
    strict: bool = True,
    rules: Rules | None = None,
) -> AgentReport:
    """Play an agent in every seat and check what every agent owes.

    * its action is always legal;
    * the same view and the same seed give the same action;
    * an honest agent acts the same when the cards it cannot see are dealt anew;
    * ``act_batch`` answers like ``act``.

    Args:
        agent: an agent or its text form.
        deals: random deals; each is played three times, once with the agent in each seat.
        seed: of the deals and of every decision.
        opponents: text form of the agent in the other seats.
        worlds: how many other worlds each tenth decision is repeated in.
        strict: raise at the end when anything was wrong.
        rules: the rules played by.

    Raises:
        AgentError: ``strict`` and a fault, with the first ones named. What the agent itself raises passes through.
    """
    agent = make_agent(agent)
    others = make_agent(opponents)
    report = AgentReport(str(agent.name))
    batch: list[tuple[PlayerView, int, int, int, int]] = []
    for index, deal in enumerate(deals_from_seed(seed, deals)):
        for mine in range(3):
            game = Game(deal, rules=rules)
            number = 0
            while not game.is_over:
                seat = game.to_move
                assert seat is not None
                if seat == mine:
                    action = _checked_action(agent, game, (seed, index, seat, number), worlds, report)
                else:
                    action = choose(others, game, decision_rng(seed, index, seat, number))
                if not (0 <= action < N_ACTIONS and is_legal(game.state, action)):
                    break  # reported; the game cannot go on
                if seat == mine and not agent.sees_all:
                    batch.append((game.view(seat), index, seat, number, action))
                game.play(action)
                number += 1
            report.games += 1
    _check_batch(agent, batch, seed, report)
    if strict and report.faults:
        shown = "; ".join(report.faults[:3])
        raise AgentError(f"agent {agent.name!r}: {len(report.faults)} faults: {shown}")
    return report


def _checked_action(agent: Any, game: Game, key: tuple[int, int, int, int], worlds: int, report: AgentReport) -> int:
    _, index, seat, number = key
    where = f"deal {index}, seat {seat}, decision {number} ({game.phase})"
    before = game.state.tobytes()
    report.decisions += 1
    try:
        action = choose(agent, game, decision_rng(*key))
    except AgentError as error:
        report.faults.append(f"{where}: {error}")
        return -1
    known = 0 <= action < N_ACTIONS
    name = ACTION_NAMES[action] if known else str(action)
    if not (known and is_legal(game.state, action)):
        report.faults.append(f"{where}: {name!r} is not legal")
        return action
    if game.state.tobytes() != before:
        report.faults.append(f"{where}: the agent changed the game")
    if choose(agent, game, decision_rng(*key)) != action:
        report.faults.append(f"{where}: another action from the same seed")
    if not agent.sees_all and report.decisions % 10 == 1:
        for world in sample_worlds(game.view(seat), worlds, Rng(derive_seed(*key, 1))):
            report.worlds += 1
            if int(agent.act(PlayerView(world, seat), decision_rng(*key))) != action:
                report.faults.append(f"{where}: another action when the hidden cards are dealt anew")
    return action


def _check_batch(
    agent: Any, batch: list[tuple[PlayerView, int, int, int, int]], seed: int, report: AgentReport
) -> None:
    if not batch:
        return
    rngs = [decision_rng(seed, index, seat, number) for _, index, seat, number, _ in batch]
    answers = agent.act_batch([view for view, *_ in batch], rngs)
    if len(answers) != len(batch):
        report.faults.append(f"act_batch: {len(answers)} answers to {len(batch)} views")
        return
    wrong = [i for i, (answer, item) in enumerate(zip(answers, batch, strict=True)) if int(answer) != item[-1]]
    if wrong:
        _, index, seat, number, _ = batch[wrong[0]]
        where = f"deal {index}, seat {seat}, decision {number}"
        report.faults.append(
            f"act_batch answers otherwise than act in {len(wrong)} of {len(batch)} views; first: {where}"
        )


def perft(game: Game, depth: int) -> int:
    """Number of legal action sequences of length ``depth`` from a position; one that ends earlier counts once.

    Raises:
        AgentError: a depth below 0 or above 60.
    """
    if not 0 <= depth <= 60:
        raise AgentError(f"perft: depth {depth}, expected 0 … 60")
    states = new_states(depth + 1)
    states[0] = game.state
    return int(rollouts.perft(states, 0, depth))


def random_position(seed: int, actions: int, rules: Rules | None = None) -> Game:
    """A game after at most ``actions`` random actions; never over unless it had to be passed in."""
    rng = Rng(seed)
    game = Game(Deal.random(rng.bits()), rules=rules)
    for _ in range(actions):
        action = int(rollouts.random_action(game.state, rng.state))
        game.play(action)
        if game.is_over:
            game.undo()
            break
    return game


def cards(size: int | None = None) -> SearchStrategy[CardSet]:
    """Hypothesis: sets of ``size`` cards, or of any number."""
    from hypothesis import strategies as st

    low, high = (0, 32) if size is None else (size, size)
    return st.lists(st.integers(0, 31), min_size=low, max_size=high, unique=True).map(
        lambda chosen: CardSet.of(Card(card) for card in chosen)
    )


def deals() -> SearchStrategy[Deal]:
    """Hypothesis: any deal."""
    from hypothesis import strategies as st

    return st.permutations(list(range(32))).map(Deal.from_deck)


def positions(max_actions: int = 60, rules: Rules | None = None) -> SearchStrategy[Game]:
    """Hypothesis: positions of random games, any phase."""
    from hypothesis import strategies as st

    return st.builds(
        lambda seed, actions: random_position(seed, actions, rules), st.integers(0, 2**32), st.integers(0, max_actions)
    )
