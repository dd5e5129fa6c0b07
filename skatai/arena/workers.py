"""What a worker of a tournament does: make the agents, once for each thread, and play a batch of tables."""

from __future__ import annotations

import threading
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from skatai.agent import Agent
from skatai.arena.phases import compiled_policies, make_player
from skatai.arena.table import Fixture, Played, play_tables, warm_up
from skatai.rules import Rules

__all__ = ["Batch", "Pace", "agent_of", "play_batch", "warm_agent"]


@dataclass(frozen=True, slots=True)
class Batch:
    """A piece of work for one worker; agents as texts are made there, once."""

    agents: dict[str, str | Agent]
    fixtures: tuple[Fixture, ...]
    seed: int
    rules: Rules
    private: bool  # agents given as objects are shared with other threads: take copies


class Pace:
    """How many games a worker is given at a time: about as many as it plays in two seconds.

    Many tables at once make large batches for networks and little overhead for compiled players; few games of slow agents are soon
    on the disk. Near the end the portions shrink, so that all workers end together.

    Args:
        workers: how many.
        tables: a fixed number of games instead.
    """

    SECONDS: Final = 2.0
    LEAST, FIRST, MOST = 6, 24, 480

    def __init__(self, workers: int, tables: int | None = None) -> None:
        self.workers = workers
        self.tables = tables
        self.size = self.FIRST

    def games(self, left: int) -> int:
        """The next portion, where so many games are left."""
        if self.tables is not None:
            return self.tables
        return min(self.size, max(self.LEAST, -(-left // (2 * self.workers))))

    def heed(self, games: int, seconds: float) -> None:
        """A portion took so long."""
        if games:
            fitting = int(games * self.SECONDS / max(seconds, 1e-3))
            self.size = max(self.LEAST, min(self.MOST, fitting, 4 * self.size))


_made = threading.local()


def agent_of(spec: str | Agent, private: bool) -> Any:
    """The agent; what is made from a text is kept, one for each thread."""
    if not isinstance(spec, str):
        return deepcopy(spec) if private else spec
    known: dict[str, Any] = _made.__dict__.setdefault("agents", {})
    if spec not in known:
        known[spec] = make_player(spec)
    return known[spec]


def warm_agent(spec: str | Agent, private: bool = False) -> Any:
    """The same, and what it needs is compiled and loaded."""
    agent = agent_of(spec, private)
    warm: set[str] = _made.__dict__.setdefault("warm", set())
    if isinstance(spec, str) and spec not in warm:
        warm_up(agent)
        warm.add(spec)
    return agent


def play_batch(batch: Batch) -> Played:
    """The games of a batch."""
    players = {name: warm_agent(spec, batch.private) for name, spec in batch.agents.items()}
    policies = {name: compiled_policies(spec) for name, spec in batch.agents.items()}
    return play_tables(players, batch.fixtures, batch.seed, batch.rules, policies)
