"""What the solver proved: small frozen results that print well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from skatai.cards import Card, CardSet
from skatai.contract import GAME_NAMES, NULL
from skatai.seats import SEAT_LETTERS

__all__ = ["ContractValue", "Decision", "Line", "PutAway", "Solution"]


def _no_moves() -> Mapping[Card, int]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known about a position after the search.

    Attributes:
        value: the declarer's points from here on (null: 1 or 0) if ``exact``, else the lower bound.
        exact: the bounds meet.
        lower: the declarer gets at least this.
        upper: the declarer gets at most this.
        nodes: cards tried.
        moves: value of every legal card (exact, or 1 and 0 against a target); empty unless :func:`solve_moves` was asked.
        target: the points from here on that were asked for, if any.
    """

    value: int
    exact: bool
    lower: int
    upper: int
    nodes: int
    moves: Mapping[Card, int] = field(default_factory=_no_moves)
    target: int | None = None

    def reaches(self, target: int) -> bool | None:
        """Does the declarer get ``target``? ``None`` if the bounds leave it open."""
        if self.lower >= target:
            return True
        return False if self.upper < target else None

    @property
    def reached(self) -> bool | None:
        """The answer to the goal that was asked for; ``None`` if there was none, or the node limit left it open."""
        return None if self.target is None else self.reaches(self.target)

    @property
    def best_moves(self) -> tuple[Card, ...]:
        """The legal cards that keep the value, if the moves were solved."""
        best = self.value if self.target is None else int(self.reached is True)
        return tuple(card for card, value in self.moves.items() if value == best)

    def __str__(self) -> str:
        if self.target is not None:
            answer = {True: "yes", False: "no", None: "not decided"}[self.reached]
            text = f"at least {self.target}: {answer}"
        else:
            text = f"{self.value}" if self.exact else f"{self.lower} … {self.upper}"
        moves = "  ".join(f"{card} {value}" for card, value in self.moves.items())
        return f"{text} ({self.nodes:,} nodes)" + (f"  {moves}" if moves else "")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of perfect play.

    Attributes:
        value: the declarer's points in it (null: 1 or 0).
        plays: seat and card, in order, to the end; in null to the trick that the declarer takes, if he must.
        nodes: cards tried.
    """

    value: int
    plays: tuple[tuple[int, Card], ...]
    nodes: int

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards alone."""
        return tuple(card for _, card in self.plays)

    def __str__(self) -> str:
        return f"{self.value}: " + " ".join(f"{SEAT_LETTERS[seat]}:{card}" for seat, card in self.plays)


@dataclass(frozen=True, slots=True)
class Decision:
    """A card that was played, beside what the open cards say.

    Attributes:
        number: 0 for the first card of the game.
        seat: who played.
        card: what he played.
        moves: exact value (the declarer's points from here on; null: 1 or 0) of every legal card.
        best: the value of the best one for the seat.
        loss: how much of it the card gave away, 0 or more: the *open-card loss*.
        nodes: cards tried.
    """

    number: int
    seat: int
    card: Card
    moves: Mapping[Card, int]
    best: int
    loss: int
    nodes: int

    def __str__(self) -> str:
        best = " ".join(str(card) for card, value in self.moves.items() if value == self.best)
        return (
            f"{self.number + 1:2d} {SEAT_LETTERS[self.seat]} {self.card}  loses {self.loss}  (best {self.best}: {best})"
        )


@dataclass(frozen=True, slots=True)
class PutAway:
    """Two discards and what they lead to.

    Attributes:
        discards: the two cards.
        total: the declarer's card points at the end, discards included (null: 1 if he takes no trick, else 0).
        exact: False when only ``total >= target`` or ``total < target`` is known; ``total`` is then that bound.
        reached: the target is reached, if one was asked for.
    """

    discards: CardSet
    total: int
    exact: bool
    reached: bool | None = None

    def __str__(self) -> str:
        return f"{self.discards}: {self.total}" + ("" if self.exact else " (bound)")


@dataclass(frozen=True, slots=True)
class ContractValue:
    """A game type and the most that the declarer makes of it.

    Attributes:
        game: 0 … 5 for D H S C G N.
        total: his card points at the end, discards or skat included (null: 1 if he takes no trick, else 0).
        won: 61 points or more; in null no trick.
        discards: the best two discards, the skat in a hand game.
        nodes: cards tried.
    """

    game: int
    total: int
    won: bool
    discards: CardSet
    nodes: int

    def __str__(self) -> str:
        result = "won" if self.won else "lost"
        points = result if self.game == NULL else f"{result} with {self.total}"
        return f"{GAME_NAMES[self.game]}: {points}, puts away {self.discards}"
