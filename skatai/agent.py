"""The agent protocol, agents by name, and where their randomness comes from.

An agent is given a :class:`~skatai.view.PlayerView` and a seeded :class:`~skatai.rng.Rng`, and returns the id of a legal action. It
never sees a ``Game`` or a ``Deal``, unless it says ``sees_all = True`` (and has ``open`` in its name): then it gets ``act_open``.

Agents register under the entry-point group ``skatai.agents``; :func:`make_agent` makes one from a text such as
``"pimc:worlds=40"``, which anything that runs agents accepts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from operator import index
from typing import Any, Protocol, runtime_checkable

from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.rng import Rng, derive_seed
from skatai.view import PlayerView

__all__ = [
    "Agent",
    "BaseAgent",
    "OpenAgentProtocol",
    "available_agents",
    "choose",
    "decision_rng",
    "make_agent",
    "parse_spec",
]

ENTRY_POINT_GROUP = "skatai.agents"


@runtime_checkable
class Agent(Protocol):
    """What plays: ``act`` for the honest, ``act_batch`` for many tables at once."""

    name: str
    sees_all: bool

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action of ``view.seat``, which is to move."""
        ...

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view; the same as ``act`` one by one."""
        ...


@runtime_checkable
class OpenAgentProtocol(Protocol):
    """An agent that sees all cards."""

    name: str
    sees_all: bool

    def act_open(self, game: Game, rng: Rng) -> int:
        """The id of a legal action of the seat to move."""
        ...


class BaseAgent:
    """A base for agents: override :meth:`act` (and :meth:`act_batch` where a batch is faster)."""

    name: str = "agent"
    sees_all: bool = False

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action; must be overridden."""
        raise AgentError(f"agent {self.name!r} does not say how it acts")

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view."""
        return [self.act(view, rng) for view, rng in zip(views, rngs, strict=True)]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def decision_rng(seed: int, deal_index: int, seat: int, decision: int) -> Rng:
    """The random stream of one decision.

    It depends on the seed, the deal, the seat and the number of the decision in the deal, never on who plays or on what runs
    beside it: identical agents give identical games whatever the batch.
    """
    return Rng(derive_seed(seed, deal_index, seat, decision))


def choose(agent: Any, game: Game, rng: Rng) -> int:
    """Let ``agent`` decide for the seat to move.

    Raises:
        AgentError: the deal is over, or the answer is no whole number. Whether it is legal is for the caller to ask.
    """
    seat = game.to_move
    if seat is None:
        raise AgentError(f"agent {agent.name!r}: nobody is to move, the deal is over")
    answer = agent.act_open(game, rng) if agent.sees_all else agent.act(game.view(seat), rng)
    try:
        return index(answer)
    except TypeError:
        raise AgentError(f"agent {agent.name!r}: {repr(answer)[:40]} is not an action id") from None


@cache
def _registered() -> dict[str, Any]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def available_agents() -> list[str]:
    """Names of the registered agents."""
    return sorted(_registered())


def _value(text: str) -> Any:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Split ``"pimc:worlds=20,bid=rule"`` into the name and the options.

    Raises:
        AgentError: not of that form.
    """
    name, colon, rest = spec.strip().partition(":")
    options: dict[str, Any] = {}
    for part in rest.split(",") if colon else []:
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier() or key.strip() in options:
            raise AgentError(f"agent {spec!r}: {part!r} is not option=value (as in 'pimc:worlds=20')")
        options[key.strip()] = _value(value.strip())
    return name, options


def make_agent(spec: str | Agent) -> Any:
    """Make an agent from its text form; an agent passes through.

    Raises:
        AgentError: no agent of that name, an option it does not have, a value it does not take, a package that cannot be
            imported, or something that is no agent.
    """
    if not isinstance(spec, str):
        return _checked(spec, repr(spec)[:60])
    name, options = parse_spec(spec)
    point = _registered().get(name)
    if point is None:
        raise AgentError(f"no agent {name!r}; there are {', '.join(available_agents()) or 'none installed'}")
    try:
        factory: Callable[..., Any] = point.load()
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent {name!r}: {point.value} cannot be imported: {error}") from error
    known = [p for p in inspect.signature(factory).parameters if p != "self"]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise AgentError(f"agent {spec!r}: no option {unknown[0]!r}; {name} has {', '.join(known) or 'no options'}")
    try:
        agent = factory(**options)
    except SkatError:
        raise
    except (TypeError, ValueError, OSError) as error:
        raise AgentError(f"agent {spec!r}: {error}") from error
    _checked(agent, f"{spec!r} ({point.value})")
    try:
        agent.name = spec.strip()
    except AttributeError:
        raise AgentError(f"agent {spec!r}: its attribute 'name' cannot be set to the text that made it") from None
    return agent


def _checked(agent: Any, what: str) -> Any:
    """The agent itself, if it has what the protocol asks for."""
    if isinstance(agent, type):
        raise AgentError(f"{what} is no agent but a class of agents")
    acts = "act_open" if getattr(agent, "sees_all", False) else "act"
    missing = [name for name in ("name", "sees_all", acts) if not hasattr(agent, name)]
    if missing:
        raise AgentError(f"{what} is no agent: it has no {', '.join(missing)}")
    return agent
