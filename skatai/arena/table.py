"""Playing: many tables in lock-step, the decisions of each agent in one batch, those of compiled players in one loop.

A decision's randomness comes from the seed, the deal, the seat and the number of the move in the deal, so a game does not depend
on what else is played beside it. A move without a choice is made without asking the agent.

Before the first lead the declarer's agent is asked how likely it is to win, if it has an answer: an optional method
``win_chance(view, rng) -> float`` (and ``win_chance_batch(views, rngs)``), given the declarer's own view. The claim has a random
stream of its own and changes no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from skatai.actions import parse_action
from skatai.agent import Agent, make_agent
from skatai.arena.asking import ask, ask_claims, claims, decide
from skatai.arena.phases import compiled_policies
from skatai.arena.records import GameRecord
from skatai.arena.tables import Fixture, Policies, Table, Tables
from skatai.deal import Deal
from skatai.errors import AgentError, SkatError
from skatai.rules import Rules

__all__ = ["Fixture", "Played", "play_game", "play_tables", "unique_names", "warm_up"]


@dataclass(slots=True)
class Played:
    """What a batch of tables gave.

    Attributes:
        records: the finished games.
        error: where an agent broke the protocol, what stopped the rest.
        seconds: how long it took.
    """

    records: list[GameRecord] = field(default_factory=list)
    error: AgentError | None = None
    seconds: float = 0.0


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names with ``#2``, ``#3``, … behind every one that occurred before, whatever else is called so.

    >>> unique_names(["rule", "rule", "random"])
    ('rule', 'rule#2', 'random')
    """
    unique: list[str] = []
    for i, name in enumerate(names):
        number = names[:i].count(name) + 1
        while (found := name if number == 1 else f"{name}#{number}") in unique:
            number += 1
        unique.append(found)
    return tuple(unique)


def play_tables(
    players: dict[str, Agent],
    fixtures: Sequence[Fixture],
    seed: int,
    rules: Rules | None = None,
    policies: Policies | None = None,
) -> Played:
    """Play games side by side: at every step each agent decides for all the tables that wait for it.

    Args:
        players: the agents by the names that ``fixtures`` use.
        fixtures: the games.
        seed: of the decisions.
        rules: official by default.
        policies: players whose decisions the compiled loop makes; their agents are asked for claims only.

    Returns:
        The finished games, in the order of ``fixtures``. After an agent's error the games that were not finished are missing.
    """
    played, start = Played(), perf_counter()
    tables = Tables(fixtures, seed, rules, policies, (name for name, agent in players.items() if claims(agent)))
    order = {fixture.game: i for i, fixture in enumerate(fixtures)}
    try:
        while tables.running:
            played.records += [table.record() for table in tables.play_on()]
            declared: dict[str, list[Table]] = {}
            waiting: dict[str, list[Table]] = {}
            for table in tables.running:
                if table.holds:
                    declared.setdefault(table.fixture.seats[table.declarer], []).append(table)
                else:
                    waiting.setdefault(table.fixture.seats[table.to_move], []).append(table)
            for name, asked in declared.items():
                ask_claims(players[name], name, asked)
            for name, asked in waiting.items():
                decide(players[name], name, asked)
    except AgentError as error:
        played.error = error
    played.records.sort(key=lambda record: order[record.game])
    played.seconds = perf_counter() - start
    return played


def warm_up(agent: Agent) -> None:
    """Let an agent decide a few times outside any game, so that compiling and loading do not count as thinking.

    Asked are one call, the discards, the declaration, a claim and the last tricks of a game that is played by the lowest actions.
    What goes wrong here will show at the table.
    """
    fixture = Fixture(0, 0, Deal.random(0), ("", "", ""), (), "")
    tables = Tables([fixture], seed=0, claiming=[""])
    table = tables.running[0]
    tables.play_on()
    try:
        ask(agent, agent.name, [table])
        for name in ("bid 18", "pass", "pass", "pick up"):
            table.decide(parse_action(name), 0.0)
            tables.play_on()
        while tables.running:
            if table.holds:
                ask_claims(agent, agent.name, [table])
            elif int(table.state["n_plays"]) >= 21 or not int(table.state["n_plays"]):
                ask(agent, agent.name, [table])
            if not table.holds:
                table.decide(table.view(table.to_move).legal_actions[0], 0.0)
            tables.play_on()
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
    policies = dict(zip(names, map(compiled_policies, agents), strict=True))
    fixture = Fixture(0, deal_index, deal, seats, seats, "ABC")
    played = play_tables(dict(zip(names, made, strict=True)), [fixture], seed, rules, policies)
    if played.error is not None:
        raise played.error
    return played.records[0]
