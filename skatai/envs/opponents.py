"""Who sits beside the learner: compiled players by name, agents, functions, policies over observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from skatai.agent import BaseAgent, decision_rng, make_agent
from skatai.envs.observations import observation_form, write_observations
from skatai.errors import AgentError, SkatError
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batch_policies import POLICIES
from skatai.kernels.state import STATE
from skatai.rng import Rng
from skatai.view import PlayerView

if TYPE_CHECKING:
    from skatai.envs.table import Table

__all__ = ["FunctionOpponent", "PolicyOpponent", "ask_opponent", "parse_opponents"]

#: players that run inside the compiled step
COMPILED: Final = tuple(name for name in POLICIES if name)


class FunctionOpponent(BaseAgent):
    """A function ``f(view, rng) -> action id`` as an agent."""

    def __init__(self, function: Callable[[PlayerView, Rng], int]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return self.function(view, rng)


class PolicyOpponent(BaseAgent):
    """A policy over observations as an agent: a snapshot of a learner as its own opponent.

    Args:
        policy: ``f(observation, action_mask) -> action id``; the observation as the environment gives it to this seat (one
            row, no batch), the mask int8 (136,).
        observation: ``"int8"``, ``"float32"`` or ``"history"``.
        name: for messages.
    """

    def __init__(self, policy: Callable[[Any, Any], int], observation: str = "int8", name: str = "policy") -> None:
        self._form = observation_form(observation)
        if not callable(policy):
            raise SkatError(f"PolicyOpponent: {policy!r} is not a function of (observation, action_mask)")
        if observation == "perfect":
            raise SkatError("PolicyOpponent: observation='perfect' shows all cards; opponents see only their own")
        self.policy = policy
        self.observation = observation
        self.name = name

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        dtype, shape = self._form
        out = np.zeros((1, *shape), dtype=dtype)
        states = np.array([view.state], dtype=STATE)
        write_observations(self.observation, states, np.array([view.seat], dtype=np.int64), out)
        return index(self.policy(out[0], view.legal_mask()))


def _agent(opponent: Any) -> Any:
    if isinstance(opponent, str) or hasattr(opponent, "act") or hasattr(opponent, "act_open"):
        return make_agent(opponent)
    if callable(opponent):
        return FunctionOpponent(opponent)
    raise SkatError(f"opponents: {opponent!r} is neither an agent's name, an agent nor a function of (view, rng)")


def parse_opponents(opponents: Any) -> tuple[tuple[Any, Any], tuple[str, str]]:
    """The players to the left and to the right of the learner.

    Args:
        opponents: one for both, or a list of two: the next seat clockwise, then the other.

    Returns:
        The agents (``None`` for a compiled player), and the names of the compiled players ("" for an agent).

    Raises:
        SkatError: not of that form, or no such agent.
    """
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if len(opponents) != 2:
            raise SkatError(f"opponents: {len(opponents)} given, expected one for both or two (left, right)")
        pair = tuple(opponents)
    else:
        pair = (opponents, opponents)
    names = tuple(name if isinstance(name, str) and name in COMPILED else "" for name in pair)
    agents: tuple[Any, Any]
    if pair[0] is pair[1] and not names[0]:
        agent = _agent(pair[0])
        agents = (agent, agent)
    else:
        agents = (None if names[0] else _agent(pair[0]), None if names[1] else _agent(pair[1]))
    return agents, (names[0], names[1])


def ask_opponent(agent: Any, table: Table) -> int:
    """The action of an agent for the seat to move.

    Raises:
        AgentError: the agent failed, or its action is not legal; the message names agent, seat and position.
    """
    seat = table.to_move
    view = PlayerView(table.state, seat)
    rng = decision_rng(table.key, 0, seat, table.decisions)
    name = getattr(agent, "name", type(agent).__name__)
    try:
        answer = agent.act_open(table.game, rng) if getattr(agent, "sees_all", False) else agent.act(view, rng)
    except Exception as error:
        raise AgentError(
            f"opponent {name!r} in seat {seat} raised {type(error).__name__}: {error}; position: {table.game}"
        ) from error
    try:  # the integers of NumPy, PyTorch and so on, too
        action = -1 if isinstance(answer, bool) else index(answer)
    except TypeError:
        action = -1
    if not 0 <= action < N_ACTIONS or not table.mask[action]:
        raise AgentError(
            f"opponent {name!r} in seat {seat} answered {answer!r}, which is not the id of a legal action; legal: "
            f"{', '.join(view.legal_action_names[:14])}; position: {table.game}"
        )
    return action
