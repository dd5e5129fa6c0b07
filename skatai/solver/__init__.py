"""The open-card solver: the exact value of a position when all cards are seen ("double dummy").

>>> from skatai.solver import Position, solve, solve_moves
>>> position = Position.of(["CJ HT", "HA H7", "SJ D7"], game="H", declarer="F", leader="F")
>>> solve(position).value  # he draws both trumps, 2 + 2 + 0 points, and loses his ten to the ace
4
>>> {str(card): value for card, value in solve_moves(position).moves.items()}
{'CJ': 4, 'HT': 2}

Values count the declarer's card points **from here on**: with the trick that lies on the table, without the skat and without
the tricks before. In null the value is 1 if the declarer can lose every trick that is left, else 0.

The compiled search and the reasons why it is exact are in :mod:`skatai.kernels.search`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.cards import Card, CardSet, parse_cards
from skatai.contract import GAME_LETTERS, NULL
from skatai.errors import InvalidDealError, NotationError, SkatError
from skatai.kernels.search import solve as _kernels
from skatai.kernels.search.workspace import NODES, make_workspace
from skatai.kernels.state import NO_GAME, NOBODY
from skatai.seats import SEAT_LETTERS, SEAT_NAMES

__all__ = ["Position", "Solution", "solve", "solve_batch", "solve_moves"]

_TABLE_BITS = 16


def _seat(seat: int | str) -> int:
    if isinstance(seat, str):
        if len(seat) == 1 and seat in SEAT_LETTERS:
            return SEAT_LETTERS.index(seat)
        raise NotationError(f"{seat[:20]!r} is not a seat: expected F, M or R")
    return seat


def _cards(cards: CardSet | Iterable[int] | str) -> CardSet:
    if isinstance(cards, CardSet):
        return cards
    return CardSet.parse(cards) if isinstance(cards, str) else CardSet.of(cards)


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the play with all cards seen. :meth:`of` builds one from text and loose types.

    Attributes:
        hands: the cards still held by forehand, middlehand, rearhand.
        game: 0…5 for diamonds, hearts, spades, clubs, grand, null.
        declarer: seat 0…2.
        leader: seat that led, or will lead, the trick under way.
        table: the cards of that trick that are played, in order; none to two.

    Raises:
        InvalidDealError: a card occurs twice, or the hands do not have as many cards as the trick under way requires.
        SkatError: no such game or seat.
    """

    hands: tuple[CardSet, CardSet, CardSet]
    game: int
    declarer: int
    leader: int
    table: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.game <= NULL:
            raise SkatError(f"position: game {self.game}, expected 0 … 5")
        for name, seat in (("declarer", self.declarer), ("leader", self.leader)):
            if not 0 <= seat <= 2:
                raise SkatError(f"position: {name} {seat}, expected seat 0 … 2")
        if len(self.hands) != 3:
            raise InvalidDealError(f"position: {len(self.hands)} hands, expected 3")
        if len(self.table) > 2:
            raise InvalidDealError(f"position: {len(self.table)} cards on the table, expected at most 2")
        seen = CardSet()
        for cards in (*self.hands, *(CardSet(1 << card) for card in self.table)):
            if seen & cards:
                raise InvalidDealError(f"position: {seen & cards} occurs twice")
            seen |= cards
        played = [(seat - self.leader) % 3 < len(self.table) for seat in range(3)]
        sizes = [len(hand) for hand in self.hands]
        full = [size + has_played for size, has_played in zip(sizes, played, strict=True)]
        if min(full) != max(full):
            raise InvalidDealError(
                f"position: hands of {sizes} cards with {len(self.table)} on the table led by {SEAT_NAMES[self.leader]}; "
                "with those put back every hand must have the same number"
            )

    @classmethod
    def of(
        cls,
        hands: Sequence[CardSet | Iterable[int] | str],
        game: int | str,
        declarer: int | str,
        leader: int | str,
        table: Iterable[int] | str = (),
    ) -> Position:
        """A position from text such as ``"CJ HT"``, game letters ``D H S C G N`` and seats ``F M R``, or from numbers.

        Raises:
            NotationError: a text that is no card, game or seat; else as the constructor.
        """
        if isinstance(game, str):
            if len(game) != 1 or game not in GAME_LETTERS:
                raise NotationError(f"{game[:20]!r} is not a game: expected one of D H S C G N")
            game = GAME_LETTERS.index(game)
        three = tuple(_cards(hand) for hand in hands)
        if len(three) != 3:
            raise InvalidDealError(f"position: {len(three)} hands, expected 3")
        cards = parse_cards(table) if isinstance(table, str) else [Card(card) for card in table]
        return cls(three, game, _seat(declarer), _seat(leader), tuple(cards))

    @classmethod
    def from_state(cls, state: Any) -> Position:
        """The position of a game record (dtype ``STATE``) whose contract is declared.

        Raises:
            SkatError: there is no contract yet, or no declarer.
        """
        game, declarer, n_plays = int(state["game"]), int(state["declarer"]), int(state["n_plays"])
        if game == NO_GAME or declarer == NOBODY:
            raise SkatError("position: no contract has been declared")
        hands = tuple(CardSet(int(state["hands"][seat])) for seat in range(3))
        leader = int(state["leaders"][n_plays // 3]) if n_plays < 30 else 0
        first = n_plays - n_plays % 3
        table = tuple(Card(int(card)) for card in state["plays"][first:n_plays])
        return cls((hands[0], hands[1], hands[2]), game, declarer, leader, table)

    @property
    def to_move(self) -> int:
        """Seat that plays the next card."""
        return (self.leader + len(self.table)) % 3

    @property
    def points_left(self) -> int:
        """Card points of the hands and of the cards on the table."""
        return sum(hand.points for hand in self.hands) + sum(card.points for card in self.table)


@dataclass(frozen=True, slots=True)
class Solution:
    """What the solver proved about a position.

    Attributes:
        value: the declarer's points from here on (null: 1 or 0) if ``exact``, else the lower bound.
        exact: the bounds meet.
        lower: the declarer gets at least this.
        upper: the declarer gets at most this.
        nodes: positions at the start of a trick that were visited.
        moves: exact value of every legal card; empty unless :func:`solve_moves` was asked.
    """

    value: int
    exact: bool
    lower: int
    upper: int
    nodes: int
    moves: Mapping[Card, int] = field(default_factory=lambda: MappingProxyType({}))

    def reaches(self, target: int) -> bool | None:
        """Does the declarer get ``target``? ``None`` if the bounds leave it open."""
        if self.lower >= target:
            return True
        return False if self.upper < target else None

    @property
    def best_moves(self) -> tuple[Card, ...]:
        """The legal cards that keep the value, if the moves were solved."""
        return tuple(card for card, value in self.moves.items() if value == self.value)


class _Local(threading.local):
    """One work area for each thread, made when the thread first solves something."""

    work: NDArray[np.int64] | None = None


_local = _Local()


def _workspace() -> NDArray[np.int64]:
    if _local.work is None:
        _local.work = make_workspace(_TABLE_BITS)
    return _local.work


def _position(position: Any) -> Position:
    if isinstance(position, Position):
        return position
    return Position.from_state(getattr(position, "state", position))


_Arguments = tuple[NDArray[np.int64], int, int, int, NDArray[np.int64], int]


def _arguments(position: Position) -> _Arguments:
    hands = np.array([hand.mask for hand in position.hands], dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    table[: len(position.table)] = position.table
    return hands, int(position.game), int(position.declarer), int(position.leader), table, len(position.table)


def solve(position: Any, target: int | None = None, node_limit: int | None = None) -> Solution:
    """The value of a position.

    Args:
        position: a :class:`Position`, a ``Game``, or a game record.
        target: stop as soon as it is certain whether the declarer gets so many points; the solution has bounds on that side.
        node_limit: stop after so many positions; the bounds then hold, but may not meet.

    Raises:
        SkatError: the game has no contract yet, or a negative target or limit.

    >>> deal = ["DJ CA CT CK C8 SA ST HA HK DT", "SJ HJ HT HQ H9 H7 DA DK DQ D9", "CJ CQ C9 C7 SK SQ S9 H8 D8 D7"]
    >>> solve(Position.of(deal, game="H", declarer="M", leader="F")).value
    101
    >>> solve(Position.of(deal, game="N", declarer="R", leader="F"), target=1).reaches(1)
    False
    """
    bounds = np.zeros(4, dtype=np.int64)
    if (target is not None and target < 0) or (node_limit is not None and node_limit < 0):
        raise SkatError(f"solve: target {target} and node_limit {node_limit} must not be negative")
    bounds[2] = 0 if node_limit is None else max(1, node_limit)
    bounds[3] = -1 if target is None else target
    work = _workspace()
    _kernels.solve_bounds(*_arguments(_position(position)), bounds, work)
    lower, upper = int(bounds[0]), int(bounds[1])
    return Solution(lower, lower == upper, lower, upper, int(work[NODES]))


def solve_moves(position: Any) -> Solution:
    """The exact value of every legal card of the seat to move; the solution's value is that of the best one.

    Raises:
        SkatError: no card is left to play.
    """
    place = _position(position)
    if not place.hands[place.to_move]:
        raise SkatError("solve_moves: no card is left to play")
    values = np.empty(32, dtype=np.int64)
    work = _workspace()
    best = int(_kernels.solve_moves(*_arguments(place), work, values))
    moves = {card: int(values[card]) for card in place.hands[place.to_move].printed_order() if values[card] >= 0}
    return Solution(best, True, best, best, int(work[NODES]), MappingProxyType(moves))


def solve_batch(
    positions: Iterable[Any], target: int | None = None, *, moves: bool = False, threads: int = 1
) -> list[Solution]:
    """Solve many positions, in order: their values, or with ``moves`` the value of every legal card.

    Args:
        positions: as for :func:`solve`.
        target: as for :func:`solve`; not together with ``moves``.
        moves: solve every legal card.
        threads: the search releases the interpreter lock; the result does not depend on the number.
    """
    if moves and target is not None:
        raise SkatError("solve_batch: target and moves exclude each other")

    def one(position: Any) -> Solution:
        return solve_moves(position) if moves else solve(position, target)

    if threads <= 1:
        return [one(position) for position in positions]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, positions))
