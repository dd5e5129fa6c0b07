"""Seats of one deal (forehand, middlehand, rearhand) and players at the table (rules 1.3).

A *player* is a persistent participant, numbered clockwise; a *seat* is a part played in one deal.
"""

from __future__ import annotations

from typing import Final

from skatai.errors import SkatError, whole_number

__all__ = [
    "FOREHAND",
    "MIDDLEHAND",
    "REARHAND",
    "SEAT_LETTERS",
    "SEAT_NAMES",
    "next_dealer",
    "sitting_out",
    "table_seats",
]

FOREHAND, MIDDLEHAND, REARHAND = 0, 1, 2
SEAT_NAMES: Final = ("forehand", "middlehand", "rearhand")
SEAT_LETTERS: Final = "FMR"


def _check(players: int, dealer: int) -> None:
    if players not in (3, 4):
        raise SkatError(f"table of {players} players: expected 3 or 4")
    whole_number(dealer, "dealer", 0, players - 1)


def table_seats(players: int, dealer: int) -> tuple[int, int, int]:
    """The players who sit forehand, middlehand and rearhand (rules 1.3).

    Raises:
        SkatError: a table of other than 3 or 4 players, or no such dealer (the two functions below alike).

    >>> table_seats(3, dealer=0)
    (1, 2, 0)
    """
    _check(players, dealer)
    return (dealer + 1) % players, (dealer + 2) % players, (dealer + 3) % players


def sitting_out(players: int, dealer: int) -> int | None:
    """The player who gets no cards: the dealer at a four-table, nobody at a three-table."""
    _check(players, dealer)
    return dealer if players == 4 else None


def next_dealer(players: int, dealer: int) -> int:
    """Who deals next, also after a deal that was passed in (rules 1.3)."""
    _check(players, dealer)
    return (dealer + 1) % players
