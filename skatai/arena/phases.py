"""Agents put together from two: one bids, puts away and declares, the other plays the cards.

In texts a ``+`` joins them: ``"rule+pimc:worlds=20"`` bids as the rule player and plays as ``pimc``. With a fixed bidder every
agent plays the same contracts (card play only), with a fixed player the bidding alone decides; with both crossed
(:func:`what_if`) the difference of two agents comes apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from skatai.actions import parse_action
from skatai.agent import Agent, BaseAgent, available_agents, make_agent
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.stats import Summary
from skatai.deal import Deal
from skatai.errors import AgentError, IllegalActionError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import FIRST_BID, FIRST_DECLARATION
from skatai.kernels.batch_policies import EXTERNAL, POLICIES
from skatai.kernels.state import PLAY
from skatai.records.iss import game_of_replay, read_records
from skatai.records.outcomes import GameOutcome
from skatai.rng import Rng
from skatai.view import PlayerView

__all__ = [
    "MODES",
    "PhaseAgent",
    "RecordedBidder",
    "Split",
    "compiled_policies",
    "crossed",
    "in_mode",
    "join",
    "make_player",
    "splits",
]

MODES: Final = ("full", "cards", "bidding")


class PhaseAgent(BaseAgent):
    """Everything before the first lead by one agent, the cards by another.

    Args:
        bidder: agent or its text.
        player: likewise.
    """

    def __init__(self, bidder: str | Agent, player: str | Agent) -> None:
        self.parts: tuple[Any, Any] = (make_agent(bidder), make_agent(player))
        self.name = "+".join(str(part.name) for part in self.parts)
        self.sees_all = any(part.sees_all for part in self.parts)

    def _part(self, state: Any) -> Any:
        return self.parts[int(state["phase"]) >= PLAY]

    @property
    def win_chance(self) -> Callable[[PlayerView, Rng], float]:
        """The claim of the part that declares; no such attribute where it makes none."""
        claim: Callable[[PlayerView, Rng], float] = self.parts[0].win_chance
        return claim

    @property
    def win_chance_batch(self) -> Callable[[Sequence[PlayerView], Sequence[Rng]], Sequence[float]]:
        """Likewise, for many views."""
        claims: Callable[[Sequence[PlayerView], Sequence[Rng]], Sequence[float]] = self.parts[0].win_chance_batch
        return claims

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The decision of the part whose phase it is."""
        return int(self._part(view.state).act(view, rng))

    def act_open(self, game: Game, rng: Rng) -> int:
        """The same where one part sees all cards; the other one still gets its view only."""
        part = self._part(game.state)
        if part.sees_all:
            return int(part.act_open(game, rng))
        assert game.to_move is not None
        return int(part.act(game.view(game.to_move), rng))

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One batch for each part."""
        actions = [0] * len(views)
        for part in self.parts:
            mine = [i for i, view in enumerate(views) if self._part(view.state) is part]
            if mine:
                batch = getattr(part, "act_batch", None)
                chosen = [views[i] for i in mine], [rngs[i] for i in mine]
                answers = batch(*chosen) if batch else [part.act(view, rng) for view, rng in zip(*chosen, strict=True)]
                for i, answer in zip(mine, answers, strict=True):
                    actions[i] = answer
            if self.parts[0] is self.parts[1]:
                break
        return actions


def _halves(spec: str) -> tuple[str, str] | None:
    """Both texts of a joined agent; a ``+`` inside an option (a path) joins only before the name of an agent."""
    names = "|".join(map(re.escape, available_agents()))
    found = re.search(rf"\+(?=\s*(?:{names})\s*(?::|$))", spec)
    return None if found is None else (spec[: found.start()], spec[found.end() :])


def compiled_policies(spec: str | Agent) -> tuple[int, int]:
    """Which compiled players (:data:`skatai.kernels.batch_policies.POLICIES`) a text names for bidding and for card play.

    ``EXTERNAL`` where Python decides. An agent given as an object may do anything, so that it is always asked.
    """
    if not isinstance(spec, str):
        return EXTERNAL, EXTERNAL
    bids, plays = (POLICIES.index(half) if half in POLICIES[1:] else EXTERNAL for half in _halves(spec) or (spec, spec))
    return bids, plays


def make_player(spec: str | Agent) -> Any:
    """Like :func:`~skatai.agent.make_agent`, for joined texts as well.

    Raises:
        AgentError: as there.
    """
    halves = _halves(spec) if isinstance(spec, str) else None
    if halves is None:
        return make_agent(spec)
    agent = PhaseAgent(*halves)
    agent.name = str(spec)
    return agent


def _half(agent: str | Agent, which: int) -> str | Agent:
    """The bidder (0) or the player (1) of an agent; an agent that is not joined is both."""
    if isinstance(agent, PhaseAgent):
        part: Agent = agent.parts[which]
        return part
    halves = _halves(agent) if isinstance(agent, str) else None
    return agent if halves is None else halves[which]


def join(bidder: str | Agent, player: str | Agent) -> str | Agent:
    """Bids as ``bidder`` and plays as ``player``: a text where both are texts."""
    first, second = _half(bidder, 0), _half(player, 1)
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}+{second}"
    return PhaseAgent(first, second)


def in_mode(mode: str, agent: str | Agent, fixed: str | Agent) -> str | Agent:
    """What sits at the table: the agent itself, its card play after the fixed bidder, or its bidding before the fixed player.

    Raises:
        SkatError: an unknown mode.
    """
    if mode not in MODES:
        raise SkatError(f"mode {mode!r}: expected one of {', '.join(MODES)}")
    if mode == "full":
        return agent
    return join(fixed, agent) if mode == "cards" else join(agent, fixed)


class RecordedBidder(BaseAgent):
    """Calls, puts away and declares as in recorded games; it knows them by their deals, so it sees all cards.

    Args:
        games: for each deal the actions up to the declaration.
        name: shown in settings.
    """

    sees_all = True

    def __init__(self, games: Mapping[Deal, Sequence[int]], name: str = "open-records") -> None:
        self.games = dict(games)
        self.name = name

    @classmethod
    def read(cls, path: str | Path) -> RecordedBidder:
        """From a file of ISS records; left out are games without a contract, and those with bids that only the server knows.

        Raises:
            RecordError: the file cannot be opened.
            SkatError: no game in it has a contract.
        """
        games: dict[Deal, list[int]] = {}
        for outcome in read_records(Path(path)):
            if isinstance(outcome, GameOutcome):
                game = game_of_replay(outcome.replay)
                actions = [parse_action(name) for _, name in game.history if not name.startswith(_EVENT_WORDS)]
                ends = [i for i, action in enumerate(actions) if FIRST_DECLARATION <= action < FIRST_BID]
                if ends and _is_playable(game.deal, actions[: ends[0] + 1]):
                    games.setdefault(game.deal, actions[: ends[0] + 1])
        if not games:
            raise SkatError(f"{path}: no recorded game with a contract")
        return cls(games, f"open-records:{Path(path).name}")

    def act_open(self, game: Game, rng: Rng) -> int:
        """What was done at this point of the recorded game.

        Raises:
            AgentError: no game with these cards, or the game at the table is another one.
        """
        actions, at = self.games.get(game.deal, ()), len(game.history)
        if at >= len(actions):
            raise AgentError("no recorded bidding for this position")
        return actions[at]


def _is_playable(deal: Deal, actions: Sequence[int]) -> bool:
    """Whether the official rules allow these actions."""
    game = Game(deal)
    try:
        for action in actions:
            game.play(action)
    except IllegalActionError:
        return False
    return True


_EVENT_WORDS: Final = ("concede", "time_out", "leave")


@dataclass(frozen=True, slots=True)
class Split:
    """How the difference of two agents comes about, in list points per deal and seat, with 95 % intervals over deals.

    Attributes:
        first: A.
        second: B.
        total: A against B.
        bidding: A's bidding against B's: the mean of A against B+A (both play A's cards) and of A+B against B.
        cards: A's card play against B's: the mean of A against A+B and of B+A against B.
        rest: total - bidding - cards: what the two do only together, and that the tables are different ones.
    """

    first: str
    second: str
    total: Interval
    bidding: Interval
    cards: Interval
    rest: Interval

    def __str__(self) -> str:
        return (
            f"{self.first} − {self.second}: {self.total} = bidding {self.bidding}, card play {self.cards}, "
            f"together {self.rest}"
        )


def crossed(first: str | Agent, second: str | Agent) -> list[str | Agent]:
    """The four agents of a what-if tournament: A, B, A's bidding with B's cards, and the reverse."""
    return [first, second, join(first, second), join(second, first)]


def splits(summary: Summary) -> list[Split]:
    """What-ifs of a tournament in which A, B, A+B and B+A all played pairs."""
    by_pair = {(pair.first, pair.second): pair.by_deal for pair in summary.pairs}

    def against(a: str, b: str) -> dict[int, float]:
        if (a, b) in by_pair:
            return by_pair[a, b]
        return {deal: -difference for deal, difference in by_pair[b, a].items()}

    found = []
    for a, b in by_pair:
        ab, ba = f"{a}+{b}", f"{b}+{a}"
        if not {ab, ba} <= {agent.name for agent in summary.agents}:
            continue
        total, bids, cards = against(a, b), (against(a, ba), against(ab, b)), (against(a, ab), against(ba, b))
        deals = set(total).intersection(*bids, *cards)
        rows = [(total[d], fmean(x[d] for x in bids), fmean(x[d] for x in cards)) for d in sorted(deals)]
        parts = [[t for t, _, _ in rows], [x for _, x, _ in rows], [y for _, _, y in rows]]
        parts.append([t - x - y for t, x, y in rows])
        found.append(Split(a, b, *map(mean_interval, parts)))
    return found
