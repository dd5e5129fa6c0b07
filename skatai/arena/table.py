"""Playing: many tables in lock-step, the decisions of each agent in one batch.

A decision's randomness comes from the seed, the deal, the seat and the number of the move in the deal, so a game does not depend
on what else is played beside it. A move without a choice is made without asking the agent.

Before the first lead the declarer's agent is asked how likely it is to win, if it has an answer: an optional method
``win_chance(view, rng) -> float`` (and ``win_chance_batch(views, rngs)``), given the declarer's own view. The claim has a random
stream of its own and changes no game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import index
from time import perf_counter
from typing import Any, Final

from skatai.actions import ACTION_NAMES
from skatai.agent import Agent, decision_rng, make_agent
from skatai.arena.records import GameRecord
from skatai.deal import Deal
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.kernels.moves import is_legal
from skatai.kernels.state import PLAY
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES

__all__ = ["Fixture", "Played", "play_game", "play_tables", "unique_names", "warm_up"]

#: stands in the random stream of a claim where decisions have their number
_CLAIM: Final = -1


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played.

    Attributes:
        game: its number.
        deal_index: the number of the deal, from which the decisions' randomness is taken.
        deal: the cards.
        seats: names of the players in forehand, middlehand, rearhand.
        group: names of the players who meet.
        seating: the seating in letters of the group.
    """

    game: int
    deal_index: int
    deal: Deal
    seats: tuple[str, str, str]
    group: tuple[str, ...]
    seating: str


@dataclass(slots=True)
class Played:
    """What a batch of tables gave: finished games and, where an agent broke the protocol, the error that stopped the rest."""

    records: list[GameRecord] = field(default_factory=list)
    error: AgentError | None = None


@dataclass(slots=True)
class _Table:
    fixture: Fixture
    game: Game
    moves: int = 0
    decisions: list[int] = field(default_factory=lambda: [0, 0, 0])
    ms: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    claim: float | None = None

    @property
    def at_first_lead(self) -> bool:
        state = self.game.state
        return int(state["phase"]) == PLAY and int(state["n_plays"]) == 0

    def play(self, action: int) -> None:
        self.game.play(action)
        self.moves += 1

    def advance(self) -> int | None:
        """Make the moves that leave no choice; the seat that must decide, ``None`` when the game is over."""
        while not self.game.is_over:
            legal = self.game.legal_actions
            if len(legal) > 1:
                return self.game.to_move
            self.play(legal[0])
        return None

    def record(self) -> GameRecord:
        result = self.game.result
        assert result is not None
        return GameRecord(
            game=self.fixture.game,
            deal=self.fixture.deal_index,
            group=self.fixture.group,
            seating=self.fixture.seating,
            seats=self.fixture.seats,
            declarer=result.declarer,
            contract=None if result.contract is None else str(result.contract),
            bid=result.bid,
            end=result.end_reason,
            won=result.won,
            overbid=result.overbid,
            matadors=result.matadors,
            value=result.value,
            score=result.score,
            points=result.points,
            schneider=result.schneider,
            schwarz=result.schwarz,
            list_points=result.list_points,
            decisions=tuple(self.decisions),
            ms=tuple(round(ms, 3) for ms in self.ms),
            line=str(self.game),
            claim=self.claim,
        )


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names with ``#2``, ``#3``, … behind every one that occurred before.

    >>> unique_names(["rule", "rule", "random"])
    ('rule', 'rule#2', 'random')
    """
    unique: list[str] = []
    for i, name in enumerate(names):
        earlier = names[:i].count(name)
        unique.append(f"{name}#{earlier + 1}" if earlier else name)
    return tuple(unique)


def _where(name: str, table: _Table, seat: int) -> str:
    return f"agent {name!r}, deal {table.fixture.deal_index}, {SEAT_NAMES[seat]} in {table.game.phase}"


def _failed(name: str, table: _Table, seat: int, error: Exception) -> AgentError:
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return AgentError(f"{_where(name, table, seat)}: {what}; position: {table.game}")


def _ask_one(agent: Any, table: _Table, seat: int, rng: Rng) -> Any:
    return agent.act_open(table.game.copy(), rng) if agent.sees_all else agent.act(table.game.view(seat), rng)


def _ask(agent: Any, name: str, asked: list[tuple[_Table, int]], seed: int) -> list[Any]:
    """The answers of one agent to its decisions at several tables."""

    def rng_of(table: _Table, seat: int) -> Rng:
        return decision_rng(seed, table.fixture.deal_index, seat, table.moves)

    rngs = [rng_of(table, seat) for table, seat in asked]
    batch = getattr(agent, "act_batch", None)
    if agent.sees_all or batch is None:
        answers = []
        for (table, seat), rng in zip(asked, rngs, strict=True):
            try:
                answers.append(_ask_one(agent, table, seat, rng))
            except Exception as error:
                raise _failed(name, table, seat, error) from error
        return answers
    views = [table.game.view(seat) for table, seat in asked]
    try:
        answers = list(batch(views, rngs))
    except Exception as error:
        # One at a time, to name the table at which it fails.
        for table, seat in asked:
            try:
                _ask_one(agent, table, seat, rng_of(table, seat))
            except Exception as single:
                raise _failed(name, table, seat, single) from single
        raise _failed(name, *asked[0], error) from error
    if len(answers) != len(asked):
        raise AgentError(f"{_where(name, *asked[0])}: {len(answers)} actions for a batch of {len(asked)} views")
    return answers


def _check(name: str, table: _Table, seat: int, answer: Any) -> int:
    try:
        action = index(answer)
    except TypeError:
        raise AgentError(f"{_where(name, table, seat)}: {answer!r} is not an action; position: {table.game}") from None
    if not (0 <= action < len(ACTION_NAMES) and is_legal(table.game.state, action)):
        shown = f"'{ACTION_NAMES[action]}'" if 0 <= action < len(ACTION_NAMES) else f"action {action}"
        raise AgentError(f"{_where(name, table, seat)}: {shown} is not legal; position: {table.game}")
    return action


def _decide(agent: Any, name: str, asked: list[tuple[_Table, int]], seed: int) -> None:
    start = perf_counter()
    answers = _ask(agent, name, asked, seed)
    share = 1000.0 * (perf_counter() - start) / len(asked)
    for (table, seat), answer in zip(asked, answers, strict=True):
        action = _check(name, table, seat, answer)
        table.decisions[seat] += 1
        table.ms[seat] += share
        table.play(action)


def _claim(name: str, table: _Table, answer: Any) -> float:
    try:
        claim = float(answer)
    except (TypeError, ValueError):
        claim = math.nan
    if not 0.0 <= claim <= 1.0:
        where = _where(name, table, int(table.game.state["declarer"]))
        raise AgentError(f"{where}: chance of winning {answer!r}, expected 0 … 1; position: {table.game}")
    return round(claim, 6)


def _ask_claims(agent: Any, name: str, tables: list[_Table], seed: int) -> None:
    """What the declarer's agent expects at tables that wait for the first lead, where it says so."""
    one: Any = getattr(agent, "win_chance", None)
    batch: Any = getattr(agent, "win_chance_batch", None)
    if one is None and batch is None:
        return
    views, rngs = [], []
    for table in tables:
        seat = int(table.game.state["declarer"])
        views.append(table.game.view(seat))
        rngs.append(decision_rng(seed, table.fixture.deal_index, seat, _CLAIM))
    try:
        answers = list(batch(views, rngs) if batch else map(one, views, rngs))
    except Exception as error:
        raise _failed(name, tables[0], views[0].seat, error) from error
    if len(answers) != len(tables):
        raise AgentError(f"{_where(name, tables[0], views[0].seat)}: {len(answers)} claims for {len(tables)} views")
    for table, answer in zip(tables, answers, strict=True):
        table.claim = _claim(name, table, answer)


def play_tables(
    players: dict[str, Agent], fixtures: Sequence[Fixture], seed: int, rules: Rules | None = None
) -> Played:
    """Play games side by side: at every step each agent decides for all the tables that wait for it.

    Args:
        players: the agents by the names that ``fixtures`` use.
        fixtures: the games.
        seed: of the decisions.
        rules: official by default.

    Returns:
        The finished games, in the order of ``fixtures``. After an agent's error the games that were not finished are missing.
    """
    played = Played()
    running = [_Table(fixture, Game(fixture.deal, rules=rules)) for fixture in fixtures]
    order = {fixture.game: i for i, fixture in enumerate(fixtures)}
    while running:
        waiting: dict[str, list[tuple[_Table, int]]] = {}
        declared: dict[str, list[_Table]] = {}
        still: list[_Table] = []
        for table in running:
            seat = table.advance()
            if seat is None:
                played.records.append(table.record())
            else:
                still.append(table)
                waiting.setdefault(table.fixture.seats[seat], []).append((table, seat))
                if table.at_first_lead:
                    declared.setdefault(table.fixture.seats[int(table.game.state["declarer"])], []).append(table)
        running = still
        try:
            for name, tables in declared.items():
                _ask_claims(players[name], name, tables, seed)
            for name, asked in waiting.items():
                _decide(players[name], name, asked, seed)
        except AgentError as error:
            played.error = error
            break
    played.records.sort(key=lambda record: order[record.game])
    return played


def warm_up(agent: Agent) -> None:
    """Let an agent decide a few times outside any game, so that compiling and loading do not count as thinking.

    Asked are one call, the discards, the declaration and the last tricks of a game that is played by the lowest actions. What
    goes wrong here will show at the table.
    """
    game = Game(Deal.random(0)).play("bid 18").play("pass").play("pass").play("pick up")
    table = _Table(Fixture(0, 0, game.deal, ("", "", ""), ("", ""), ""), Game(game.deal))
    try:
        _ask(agent, agent.name, [(table, 1)], seed=0)
        table.game = game
        while (seat := table.advance()) is not None:
            if table.at_first_lead:
                _ask_claims(agent, agent.name, [table], seed=0)
            if len(game.plays) >= 21 or not game.plays:
                _ask(agent, agent.name, [(table, seat)], seed=0)
            table.play(game.legal_actions[0])
    except Exception:
        return


def play_game(
    agents: Sequence[str | Agent], deal: Deal, seed: int = 0, deal_index: int = 0, rules: Rules | None = None
) -> GameRecord:
    """Play one game.

    Args:
        agents: who sits forehand, middlehand and rearhand; texts as for :func:`~skatai.agent.make_agent`, or agents.
        deal: the cards.
        seed: of the decisions.
        deal_index: the deal's number, which is part of every decision's seed.
        rules: official by default.

    Raises:
        AgentError: an agent that does not exist, fails or acts illegally.
    """
    if len(agents) != 3:
        raise SkatError(f"a game of {len(agents)} agents: expected 3 (forehand, middlehand, rearhand)")
    made = [make_agent(agent) for agent in agents]
    names = unique_names([str(agent.name) for agent in made])
    seats = (names[0], names[1], names[2])
    played = play_tables(
        dict(zip(names, made, strict=True)), [Fixture(0, deal_index, deal, seats, seats, "ABC")], seed, rules
    )
    if played.error is not None:
        raise played.error
    return played.records[0]
