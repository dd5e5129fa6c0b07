"""What perfect play with all cards seen says about a finished game."""

from __future__ import annotations

from dataclasses import dataclass

from skatai.cards import Card, CardSet
from skatai.contract import NULL
from skatai.game import Game
from skatai.solver import Position, solve, solve_moves

__all__ = ["Hindsight", "Slip", "at_first_lead", "hindsight"]


@dataclass(frozen=True, slots=True)
class Slip:
    """A card that was worse than another one with all cards seen.

    Attributes:
        play: its number among the cards played, from 0.
        seat: who played it.
        card: the card.
        better: the best cards.
        cost: card points lost by it (in null 1: the game).
    """

    play: int
    seat: int
    card: Card
    better: tuple[Card, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Attributes:
    value: the declarer's card points, skat included, if everybody had played perfectly from the first lead on; in null 1 if
        the game could be won, else 0.
    slips: every card that lost something, in the order played.
    """

    value: int
    slips: tuple[Slip, ...]

    @property
    def worst(self) -> tuple[Slip, ...]:
        """The slips, the most costly first."""
        return tuple(sorted(self.slips, key=lambda slip: (-slip.cost, slip.play)))


def at_first_lead(game: Game) -> Game:
    """The game as it stood when the first card was led; where no card was played, as it is."""
    start = game.copy()
    while start.plays:
        start.undo()
    return start


def hindsight(game: Game) -> Hindsight | None:
    """Look back at a game with all cards seen; ``None`` where no card was played.

    Nobody at the table could know this: a slip is no proof of bad play.
    """
    if game.contract is None or game.declarer is None or not game.plays:
        return None
    now = at_first_lead(game)
    null = game.contract.game == NULL
    put_away = CardSet(int(now.state["discards"] or now.state["skat"]))
    value = solve(Position.from_state(now.state)).value + (0 if null else put_away.points)
    slips = []
    for number, (seat, card) in enumerate(game.plays):
        if len(now.legal_actions) > 1:
            moves = solve_moves(Position.from_state(now.state)).moves
            best = (max if seat == game.declarer else min)(moves.values())
            if moves[card] != best:
                better = tuple(other for other, worth in moves.items() if worth == best)
                slips.append(Slip(number, seat, card, better, abs(best - moves[card])))
        now.play(card)
    return Hindsight(value, tuple(slips))
