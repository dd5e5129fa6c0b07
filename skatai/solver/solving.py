"""Solve one position, or many over threads."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.cards import Card
from skatai.contract import NULL
from skatai.errors import SkatError
from skatai.kernels.search import solve as _kernels
from skatai.kernels.search.workspace import NODES, make_workspace, share_table
from skatai.parallel import pmap
from skatai.solver.position import Position, as_position, positions_of
from skatai.solver.solution import Decision, Line, Solution

__all__ = ["best_line", "solve", "solve_batch", "solve_game", "solve_moves", "target_of"]

#: 2**16 entries: 1 MiB a thread
_TABLE_BITS = 16
#: goals by name: card points in all, skat included
_GOALS = {"win": 61, "schneider": 90, "out of schneider": 31}


class _Local(threading.local):
    """One work area for each thread, made when the thread first solves something."""

    work: NDArray[np.int64] | None = None


_local = _Local()


def workspace() -> NDArray[np.int64]:
    """This thread's work area."""
    if _local.work is None:
        _local.work = make_workspace(_TABLE_BITS)
    return _local.work


Arguments = tuple[NDArray[np.int64], int, int, int, NDArray[np.int64], int]


def arguments(position: Position) -> Arguments:
    """A position as the kernels of :mod:`skatai.kernels.search.solve` take it."""
    hands = np.array([hand.mask for hand in position.hands], dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    table[: len(position.table)] = position.table
    return hands, int(position.game), int(position.declarer), int(position.leader), table, len(position.table)


def target_of(position: Position, goal: str | int) -> int | None:
    """The points from here on that a goal asks for (never negative); ``None`` for exact values.

    Raises:
        SkatError: no such goal, or one that the game does not know.
    """
    if goal == "exact":
        return None
    if position.game == NULL or goal == "null":
        if position.game != NULL or goal not in ("null", "win", 1):
            raise SkatError(f"goal {goal!r} in game {position.game}: null is won or lost, other games count points")
        return 1
    points = _GOALS.get(goal) if isinstance(goal, str) else int(goal)
    if points is None:
        raise SkatError(
            f"no goal {goal!r}; there are 'exact', 'null', {', '.join(map(repr, _GOALS))} and numbers of points"
        )
    if points < 0:
        raise SkatError(f"goal {points} must not be negative")
    return max(0, points - position.taken)


def _target(position: Position, goal: str | int, target: int | None, node_limit: int | None = None) -> int | None:
    if (target is not None and target < 0) or (node_limit is not None and node_limit < 0):
        raise SkatError(f"solve: target {target} and node_limit {node_limit} must not be negative")
    if target is not None and goal != "exact":
        raise SkatError("solve: goal and target exclude each other")
    return target_of(position, goal) if target is None else target


def solve(
    position: Any, goal: str | int = "exact", *, target: int | None = None, node_limit: int | None = None
) -> Solution:
    """The value of a position.

    Args:
        position: a :class:`Position`, a ``Game``, a game record, or the text of a position.
        goal: ``"exact"`` for the declarer's points; or what is asked about his points *in all*, with those he has taken
            (``Position.taken``): ``"win"`` (61), ``"schneider"`` (90), ``"out of schneider"`` (31), any number, ``"null"``.
        target: instead of a goal: points *from here on*. The search stops as soon as it is certain whether he gets them.
        node_limit: stop after so many cards tried; the bounds then hold, but may not meet: ``lower <= value <= upper`` and
            ``exact`` is false.

    Raises:
        SkatError: the game has no contract yet, an unknown goal, or a negative target or limit.

    >>> deal = ["DJ CA CT CK C8 SA ST HA HK DT", "SJ HJ HT HQ H9 H7 DA DK DQ D9", "CJ CQ C9 C7 SK SQ S9 H8 D8 D7"]
    >>> solve(Position.of(deal, game="H", declarer="M", leader="F")).value
    101
    >>> solve(Position.of(deal, game="H", declarer="M", leader="F"), "schneider").reached
    True
    >>> solve(Position.of(deal, game="N", declarer="R", leader="F"), "null").reached
    False
    """
    place = as_position(position)
    target = _target(place, goal, target, node_limit)
    bounds = np.zeros(4, dtype=np.int64)
    bounds[2] = 0 if node_limit is None else max(1, node_limit)
    bounds[3] = -1 if target is None else target
    work = workspace()
    _kernels.solve_bounds(*arguments(place), bounds, work)
    lower, upper = int(bounds[0]), int(bounds[1])
    return Solution(lower, lower == upper, lower, upper, int(work[NODES]), target=target)


def solve_moves(position: Any, goal: str | int = "exact", *, target: int | None = None) -> Solution:
    """The value of every legal card of the seat to move: exact, or 1 and 0 for whether the declarer reaches a goal after it.

    Arguments as for :func:`solve`. The solution's value is that of the best card.

    Raises:
        SkatError: no card is left to play; else as :func:`solve`.
    """
    place = as_position(position)
    if not place.hands[place.to_move]:
        raise SkatError("solve_moves: no card is left to play")
    target = _target(place, goal, target)
    values = np.empty(32, dtype=np.int64)
    work = workspace()
    if target is None:
        best = int(_kernels.solve_moves(*arguments(place), work, values))
        lower, upper = best, best
    else:
        values[0], values[1] = target, 0
        reached = int(_kernels.moves_reach(*arguments(place), work, values))
        most = 1 if place.game == NULL else place.points_left
        lower, upper = (min(target, most), most) if reached else (0, max(0, target - 1))
        best = lower
    cards = place.hands[place.to_move].printed_order()
    moves = {card: int(values[card]) for card in cards if values[card] >= 0}
    return Solution(best, lower == upper, lower, upper, int(work[NODES]), MappingProxyType(moves), target)


def best_line(position: Any) -> Line:
    """One line of perfect play to the end, the first of the best cards in printed order at every step.

    >>> print(best_line("H F F CJ.HT|HA.H7|SJ.D7"))
    4: F:CJ M:H7 R:SJ F:HT M:HA R:D7
    """
    place = as_position(position)
    value = solve(place).value
    plays: list[tuple[int, Card]] = []
    nodes = 0
    work = workspace()
    share_table(1, work)
    try:
        while place.hands[place.to_move]:
            solution = solve_moves(place)
            nodes += solution.nodes
            card = solution.best_moves[0]
            plays.append((place.to_move, card))
            place = place.play(card)
            if place.game == NULL and value == 0 and not place.table and place.leader == place.declarer and plays:
                break
    finally:
        share_table(0, work)
    return Line(value, tuple(plays), nodes)


def solve_game(game: Any) -> list[Decision]:
    """Every card that was played in a game with its open-card loss, from a ``Game`` or a game record.

    Raises:
        SkatError: there is no contract.
    """
    decisions = []
    for number, (place, card) in enumerate(positions_of(getattr(game, "state", game))):
        solution = solve_moves(place)
        loss = abs(solution.value - solution.moves[card])
        decisions.append(Decision(number, place.to_move, card, solution.moves, solution.value, loss, solution.nodes))
    return decisions


def solve_batch(
    positions: Iterable[Any],
    target: int | None = None,
    *,
    goal: str | int = "exact",
    moves: bool = False,
    node_limit: int | None = None,
    threads: int = 1,
    progress: str | None = None,
) -> list[Solution]:
    """Solve many positions, in order: their values, or with ``moves`` the value of every legal card.

    Ctrl-C ends it after the positions that are being solved.

    Args:
        positions: as for :func:`solve`.
        target, goal, node_limit: as for :func:`solve`; no limit together with ``moves``.
        moves: solve every legal card.
        threads: the search releases the interpreter lock, each thread has its own work area; the result, node counts
            included, does not depend on the number.
        progress: a progress bar on stderr with this title (a terminal only).

    Raises:
        SkatError: as :func:`solve`, or fewer than one thread.
    """
    if moves and node_limit is not None:
        raise SkatError("solve_batch: moves and node_limit exclude each other")

    def one(position: Any) -> Solution:
        if moves:
            return solve_moves(position, goal, target=target)
        return solve(position, goal, target=target, node_limit=node_limit)

    backend = "serial" if threads == 1 else "threads"
    return list(pmap(one, positions, backend, threads, desc=progress, unit="position"))
