"""Asking agents at many tables at once, and what is said of agents that break the protocol."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from time import perf_counter
from typing import Any, Final

from skatai.actions import ACTION_NAMES
from skatai.arena.tables import Table
from skatai.errors import AgentError
from skatai.seats import SEAT_NAMES

__all__ = ["ask", "ask_claims", "claims", "decide"]

#: stands in the random stream of a claim where decisions have their number
_CLAIM: Final = -1


def _where(name: str, table: Table, seat: int) -> str:
    return f"agent {name!r}, deal {table.fixture.deal_index}, {SEAT_NAMES[seat]} in {table.game().phase}"


def _failed(name: str, table: Table, seat: int, error: Exception) -> AgentError:
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return AgentError(f"{_where(name, table, seat)}: {what}; position: {table.game()}")


def _ask_one(agent: Any, table: Table) -> Any:
    return agent.act_open(table.game().copy(), table.rng()) if agent.sees_all else agent.act(_view(table), table.rng())


def _view(table: Table) -> Any:
    return table.view(table.to_move)


def ask(agent: Any, name: str, tables: Sequence[Table]) -> list[Any]:
    """The answers of one agent at several tables that wait for it.

    Raises:
        AgentError: it failed; the message names the first table at which it does.
    """
    batch = getattr(agent, "act_batch", None)
    if agent.sees_all or batch is None:
        answers = []
        for table in tables:
            try:
                answers.append(_ask_one(agent, table))
            except Exception as error:
                raise _failed(name, table, table.to_move, error) from error
        return answers
    try:
        answers = list(batch([_view(table) for table in tables], [table.rng() for table in tables]))
    except Exception as error:
        # One at a time, to name the table at which it fails.
        for table in tables:
            try:
                _ask_one(agent, table)
            except Exception as single:
                raise _failed(name, table, table.to_move, single) from single
        raise _failed(name, tables[0], tables[0].to_move, error) from error
    if len(answers) != len(tables):
        where = _where(name, tables[0], tables[0].to_move)
        raise AgentError(f"{where}: {len(answers)} actions for a batch of {len(tables)} views")
    return answers


def _act(name: str, table: Table, answer: Any, ms: float) -> None:
    try:
        action = index(answer)
    except TypeError:
        where = _where(name, table, table.to_move)
        raise AgentError(f"{where}: {answer!r} is not an action; position: {table.game()}") from None
    known = 0 <= action < len(ACTION_NAMES)
    if not (known and table.decide(action, ms)):
        shown = f"'{ACTION_NAMES[action]}'" if known else f"action {action}"
        raise AgentError(f"{_where(name, table, table.to_move)}: {shown} is not legal; position: {table.game()}")


def decide(agent: Any, name: str, tables: Sequence[Table]) -> None:
    """Let an agent decide at all tables that wait for it.

    Raises:
        AgentError: it failed, or an answer is not legal.
    """
    start = perf_counter()
    answers = ask(agent, name, tables)
    share = 1000.0 * (perf_counter() - start) / len(tables)
    for table, answer in zip(tables, answers, strict=True):
        _act(name, table, answer, share)


def claims(agent: Any) -> bool:
    """Whether an agent says how likely it is to win."""
    return hasattr(agent, "win_chance") or hasattr(agent, "win_chance_batch")


def _claim(name: str, table: Table, answer: Any) -> float:
    try:
        claim = float(answer)
    except (TypeError, ValueError):
        claim = math.nan
    if not 0.0 <= claim <= 1.0:
        where = _where(name, table, table.declarer)
        raise AgentError(f"{where}: chance of winning {answer!r}, expected 0 … 1; position: {table.game()}")
    return round(claim, 6)


def ask_claims(agent: Any, name: str, tables: Sequence[Table]) -> None:
    """What the declarer's agent expects at tables that hold before the first lead, if it says so.

    Raises:
        AgentError: it failed, or an answer is no probability.
    """
    for table in tables:
        table.release()
    if not claims(agent):
        return
    views = [table.view(table.declarer) for table in tables]
    rngs = [table.stream(table.declarer, _CLAIM) for table in tables]
    try:
        if hasattr(agent, "win_chance_batch"):
            answers = list(agent.win_chance_batch(views, rngs))
        else:
            answers = [agent.win_chance(view, rng) for view, rng in zip(views, rngs, strict=True)]
    except Exception as error:
        raise _failed(name, tables[0], tables[0].declarer, error) from error
    if len(answers) != len(tables):
        raise AgentError(f"{_where(name, tables[0], views[0].seat)}: {len(answers)} claims for {len(tables)} views")
    for table, answer in zip(tables, answers, strict=True):
        table.claim = _claim(name, table, answer)
