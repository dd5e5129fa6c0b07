"""Seat designs: who sits where in the games that are played on one deal.

A design is data: a few seatings, each one letter for a seat (forehand, middlehand, rearhand). The letters stand for the members
of a group of players; a tournament plays every group in every seating on every deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from skatai.errors import SkatError

__all__ = ["DESIGNS", "PAIR_SIX", "SeatDesign"]


@dataclass(frozen=True, slots=True)
class SeatDesign:
    """The seatings of one deal.

    Attributes:
        name: how settings name it.
        seatings: strings of three letters, ``A`` for the first member of a group, ``B`` for the second, …

    Raises:
        SkatError: a seating of another form, or a design in which the members do not hold every seat equally often; then
            equal players would not come out equal.
    """

    name: str
    seatings: tuple[str, ...]

    def __post_init__(self) -> None:
        for seating in self.seatings:
            if len(seating) != 3 or not set(seating) <= set("ABC"):
                raise SkatError(f"seat design {self.name}: {seating!r}, expected three letters A, B, C")
        for seat in range(3):
            counts = {sum(seating[seat] == member for seating in self.seatings) for member in self.members}
            if len(counts) != 1:
                raise SkatError(f"seat design {self.name}: members do not hold seat {seat} equally often")

    @property
    def members(self) -> str:
        """The letters, in order."""
        return "".join(sorted(set("".join(self.seatings))))

    def groups(self, players: int) -> list[tuple[int, ...]]:
        """Every group that ``players`` players form, as indices."""
        return list(combinations(range(players), len(self.members)))

    def seats(self, group: tuple[int, ...], seating: int) -> tuple[int, int, int]:
        """The players in forehand, middlehand and rearhand."""
        first, second, third = (group["ABC".index(letter)] for letter in self.seatings[seating])
        return first, second, third


#: Six games a deal: A alone in each seat against two B, and the reverse.
PAIR_SIX: Final = SeatDesign("pair-six", ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB"))
DESIGNS: Final = {design.name: design for design in (PAIR_SIX,)}
