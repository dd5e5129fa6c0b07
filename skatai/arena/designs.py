"""Seat designs: who sits where in the games that are played on one deal.

A design is data: a few seatings, each one letter for a seat (forehand, middlehand, rearhand). The letters stand for the members
of a group of players; a tournament plays every group in every seating on every deal, so that with more players than letters each
design is a round robin.

===================  ===============================  =====================================================================
design               seatings                         what it asks
===================  ===============================  =====================================================================
``pair-six``         ABB BAB BBA BAA ABA AAB          two agents among themselves
``three-six``        all six orders of A, B, C        three agents at one table, every neighbourhood
``three-cyclic``     ABC BCA CAB                      three agents at one table, neighbours fixed as at a club
``field-six``        ACC CAC CCA BCC CBC CCB          A and B never meet: each alone against two of a reference player C
``fixed-forehand``   ACC BCC                          the same in one seat only
``fixed-middlehand`` CAC CBC
``fixed-rearhand``   CCA CCB
===================  ===============================  =====================================================================

Under every design a table of equal agents gives exactly 0. Two equal agents beside a third one of another kind do so except under
``three-cyclic``, where the third one always sits to the left of the one and to the right of the other.

In the last four the reference player C is the last agent given; only the others are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from skatai.errors import SkatError

__all__ = ["DESIGNS", "PAIR_SIX", "SeatDesign", "design_named"]


@dataclass(frozen=True, slots=True)
class SeatDesign:
    """The seatings of one deal.

    Attributes:
        name: how settings name it.
        seatings: strings of three letters, ``A`` for the first member of a group, ``B`` for the second, …
        reference: letters of players who are there to be played against; all others are compared.

    Raises:
        SkatError: a seating of another form, or a design in which the members compared do not hold every seat equally often;
            then equal players would not come out equal.
    """

    name: str
    seatings: tuple[str, ...]
    reference: str = ""

    def __post_init__(self) -> None:
        for seating in self.seatings:
            if len(seating) != 3 or not set(seating) <= set("ABC"):
                raise SkatError(f"seat design {self.name}: {seating!r}, expected three letters A, B, C")
        for seat in range(3):
            counts = {sum(seating[seat] == member for seating in self.seatings) for member in self.compared}
            if len(counts) > 1:
                raise SkatError(f"seat design {self.name}: members do not hold seat {seat} equally often")

    @property
    def members(self) -> str:
        """The letters, in order."""
        return "".join(sorted(set("".join(self.seatings))))

    @property
    def compared(self) -> str:
        """The letters of the players who are compared."""
        return "".join(letter for letter in self.members if letter not in self.reference)

    def groups(self, players: int) -> list[tuple[int, ...]]:
        """Every group that ``players`` players form, as indices; the last players are the reference."""
        fixed = tuple(range(players - len(self.reference), players))
        return [(*group, *fixed) for group in combinations(range(players - len(fixed)), len(self.compared))]

    def seats(self, group: tuple[int, ...], seating: int) -> tuple[int, int, int]:
        """The players in forehand, middlehand and rearhand."""
        first, second, third = (group["ABC".index(letter)] for letter in self.seatings[seating])
        return first, second, third

    def pairs(self, group: tuple[str, ...]) -> list[tuple[str, str]]:
        """The pairs of players of a group who are compared, by name."""
        return list(combinations((group["ABC".index(letter)] for letter in self.compared), 2))


#: Six games a deal: A alone in each seat against two B, and the reverse.
PAIR_SIX: Final = SeatDesign("pair-six", ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB"))
_ALL: Final = (
    PAIR_SIX,
    SeatDesign("three-six", ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")),
    SeatDesign("three-cyclic", ("ABC", "BCA", "CAB")),
    SeatDesign("field-six", ("ACC", "CAC", "CCA", "BCC", "CBC", "CCB"), "C"),
    SeatDesign("fixed-forehand", ("ACC", "BCC"), "C"),
    SeatDesign("fixed-middlehand", ("CAC", "CBC"), "C"),
    SeatDesign("fixed-rearhand", ("CCA", "CCB"), "C"),
)
DESIGNS: Final = {design.name: design for design in _ALL}


def design_named(name: str) -> SeatDesign:
    """One of :data:`DESIGNS`.

    Raises:
        SkatError: no such design.
    """
    if name not in DESIGNS:
        raise SkatError(f"no seat design {name!r}; there are {', '.join(DESIGNS)}")
    return DESIGNS[name]
