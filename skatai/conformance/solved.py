"""Positions and deals with the result of perfect play with open cards: the solver has to find it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from skatai.cards import CardSet
from skatai.conformance.fields import CaseError, shorten
from skatai.conformance.report import Verdict
from skatai.contract import GAME_NAMES, NULL
from skatai.kernels.bits import ALL_CARDS
from skatai.seats import SEAT_NAMES
from skatai.solver import Position, solve

__all__ = ["DEFAULT_NODE_LIMIT", "check_deal", "check_position"]

#: positions the solver visits before it gives a case up as not finished
DEFAULT_NODE_LIMIT: Final = 20_000_000


def _number(row: Mapping[str, str], name: str, low: int, high: int) -> int:
    text = row[name]
    if not (text.isascii() and text.isdigit() and len(text) < 6 and low <= int(text) <= high):
        raise CaseError(f"{name} is {shorten(text)}, expected a whole number from {low} to {high}")
    return int(text)


def _choice(row: Mapping[str, str], name: str, choices: tuple[str, ...]) -> int:
    if row[name] not in choices:
        raise CaseError(f"{name} is {shorten(row[name])}, expected one of {', '.join(choices)}")
    return choices.index(row[name])


def _verdict(position: Position, expected: int, node_limit: int) -> Verdict:
    solution = solve(position, node_limit=node_limit or None)
    if not solution.lower <= expected <= solution.upper:
        came = str(solution.value) if solution.exact else f"{solution.lower} to {solution.upper}"
        return Verdict("wrong", f"expected value {expected}, came {came}")
    return Verdict("right" if solution.exact else "unfinished")


def check_position(row: Mapping[str, str], node_limit: int = DEFAULT_NODE_LIMIT) -> Verdict:
    """A position at the start of a trick: the declarer (player 1) still gets ``expected_value`` card points.

    Raises:
        SkatError: the row is malformed.
    """
    game = _choice(row, "game", GAME_NAMES)
    hands = [CardSet.parse(row[name][:200]) for name in ("player1_declarer", "player2", "player3")]
    leader = _number(row, "player_to_lead", 1, 3) - 1
    expected = _number(row, "expected_value", 0, 120)
    size = _number(row, "cards_each", 1, 10)
    if len(hands[0]) != size:
        raise CaseError(f"cards_each is {size}, player 1 has {len(hands[0])}")
    return _verdict(Position.of(hands, game, 0, leader), expected, node_limit)


def check_deal(row: Mapping[str, str], node_limit: int = DEFAULT_NODE_LIMIT) -> Verdict:
    """A whole deal after the declaration: the declarer's card points in tricks (not in null), and whether he wins.

    Raises:
        SkatError: the row is malformed.
    """
    game, declarer = _choice(row, "game", GAME_NAMES), _choice(row, "declarer", SEAT_NAMES)
    position = Position.of([CardSet.parse(row[name][:200]) for name in SEAT_NAMES], game, declarer, 0)
    wins = _number(row, "declarer_wins", 0, 1)
    held = position.hands[0] | position.hands[1] | position.hands[2]
    away = CardSet(ALL_CARDS ^ held.mask)
    if len(away) != 2:
        raise CaseError(f"the hands hold {len(held)} cards, expected 30")
    if game == NULL:
        return _verdict(position, wins, node_limit)
    put_away, expected = _number(row, "declarer_skat_points", 0, 22), _number(row, "declarer_trick_points", 0, 120)
    if away.points != put_away:
        return Verdict("wrong", f"expected declarer_skat_points {put_away}, came {away.points}")
    verdict = _verdict(position, expected, node_limit)
    if verdict.status == "right" and (expected + put_away >= 61) != bool(wins):
        return Verdict("wrong", f"expected declarer_wins {wins}, came {int(not wins)}")
    return verdict
