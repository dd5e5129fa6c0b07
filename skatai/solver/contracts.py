"""All 66 put-aways of twelve cards, and all six games of a deal, with one table for each game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from skatai.cards import CardSet
from skatai.contract import NULL
from skatai.deal import Deal
from skatai.errors import InvalidDealError
from skatai.kernels.search.workspace import share_table
from skatai.solver.position import Position
from skatai.solver.solution import ContractValue, PutAway
from skatai.solver.solving import solve, workspace

__all__ = ["solve_contracts", "solve_discards"]

Cards = CardSet | Iterable[int] | str


def _hands(hands: Sequence[Any], declarer: int) -> list[CardSet]:
    three = [
        hand if isinstance(hand, CardSet) else CardSet.parse(hand) if isinstance(hand, str) else CardSet.of(hand)
        for hand in hands
    ]
    sizes = [len(hand) for hand in three]
    if sizes != [12 if seat == declarer else 10 for seat in range(3)]:
        raise InvalidDealError(
            f"discards: hands of {sizes} cards, expected twelve of the declarer and ten of the others"
        )
    return three


def _pairs(twelve: CardSet) -> list[CardSet]:
    return [CardSet.of(pair) for pair in combinations(twelve.printed_order(), 2)]


def _after(hands: list[CardSet], game: int | str, declarer: int, away: CardSet) -> Position:
    left = [hand - away if seat == declarer else hand for seat, hand in enumerate(hands)]
    return Position.of(left, game, declarer, 0, taken=away.points)


def solve_discards(
    hands: Sequence[Cards], game: int | str, declarer: int, *, target: int | None = None
) -> list[PutAway]:
    """Every pair of the declarer's twelve cards put away, best first (then in printed order); forehand leads.

    Args:
        hands: three hands, the declarer's with twelve cards.
        game: 0 … 5 or a letter of ``DHSCGN``.
        declarer: seat 0 … 2.
        target: only ask whether he ends with so many points in all (null: 1), which is several times faster.

    The 66 positions share one table. In null a discard may cost or win the game only.

    Raises:
        InvalidDealError: not twelve and ten cards, or a card twice.
    """
    three = _hands(hands, declarer)
    found = []
    work = workspace()
    share_table(1, work)
    try:
        for away in _pairs(three[declarer]):
            place = _after(three, game, declarer, away)
            aim = None if target is None else target if place.game == NULL else max(0, target - place.taken)
            solution = solve(place, target=aim)
            base = 0 if place.game == NULL else place.taken
            upper = target is not None and solution.reached is False
            found.append(
                PutAway(away, base + (solution.upper if upper else solution.lower), solution.exact, solution.reached)
            )
    finally:
        share_table(0, work)
    return sorted(found, key=lambda put: (not put.reached, -put.total))


def _best(hands: list[CardSet], game: int, declarer: int) -> ContractValue:
    """The best discards: a pair is solved exactly only if it beats the best one before it."""
    best, discards, nodes = -1, CardSet(), 0
    work = workspace()
    share_table(1, work)
    try:
        pairs = sorted(_pairs(hands[declarer]), key=lambda away: -away.points)
        for away in pairs:
            place = _after(hands, game, declarer, away)
            base = 0 if game == NULL else away.points
            if best >= 0:
                asked = solve(place, target=max(0, best + 1 - base))
                nodes += asked.nodes
                if not asked.reached:
                    continue
            solution = solve(place)
            nodes += solution.nodes
            if base + solution.value > best:
                best, discards = base + solution.value, away
            if game == NULL and best == 1:
                break
    finally:
        share_table(0, work)
    return ContractValue(game, best, best == 1 if game == NULL else best >= 61, discards, nodes)


def solve_contracts(deal: Deal, declarer: int, *, hand: bool = False) -> dict[int, ContractValue]:
    """All six games of a deal for one declarer: the best discards of each and what they are worth, forehand on lead.

    Args:
        deal: all 32 cards.
        declarer: seat 0 … 2.
        hand: without the skat, which then counts at the end.

    Raises:
        SkatError: no such seat.
    """
    if hand:
        values = {}
        for game in range(6):
            place = Position.from_deal(deal, game, declarer)
            solution = solve(place)
            total = solution.value if game == NULL else place.taken + solution.value
            won = total == 1 if game == NULL else total >= 61
            values[game] = ContractValue(game, total, won, deal.skat, solution.nodes)
        return values
    Position.from_deal(deal, 0, declarer)  # checks the seat
    hands = [cards | deal.skat if seat == declarer else cards for seat, cards in enumerate(deal.hands)]
    return {game: _best(hands, game, declarer) for game in range(6)}
