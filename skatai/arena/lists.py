"""List series as at clubs: three or four players, lists of 36 or 48 deals, points by Seeger and Fabian (rules 5.4).

The deal goes round: at a three-table the dealer sits in rearhand, at a four-table he sits out and shares in the bonus for games
that others lose. Every deal is played once, so luck of the cards stays in: a series tells how agents would fare at a club, a
duplicate design which of them is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skatai.agent import Agent
from skatai.arena.designs import SeatDesign
from skatai.arena.facts import DealFacts
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.records import GameRecord
from skatai.arena.table import Fixture
from skatai.arena.tournament import Tournament
from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.rules import Rules
from skatai.scoring import SeegerFabianList

__all__ = ["ListSeries", "SeriesStanding", "score_lists", "series_standings"]

#: one game a deal; nobody is compared on the same cards
_ONE_GAME = SeatDesign("list", ("ABC",), "ABC")


class ListSeries(Tournament):
    """Lists of deals at one table; otherwise a :class:`~skatai.arena.tournament.Tournament`.

    Args:
        agents: three players, or four for a four-table, in the order in which they sit; the last one deals first.
        deals: a multiple of ``length``.
        seed: of the decisions.
        rules: official by default.
        length: deals of a list.
        options: as for a tournament, but for the design.

    Raises:
        SkatError: another number of players, or of deals.
    """

    def __init__(
        self,
        agents: Sequence[str | Agent],
        deals: Sequence[Deal],
        seed: int = 0,
        rules: Rules | None = None,
        *,
        length: int = 36,
        **options: Any,
    ) -> None:
        if len(agents) not in (3, 4):
            raise SkatError(f"list of {len(agents)} players, expected 3 or 4")
        if length < 1 or length % len(agents) or len(deals) % length:
            raise SkatError(
                f"{len(deals)} deals in lists of {length}: expected whole lists, in which each of the {len(agents)} players "
                "deals equally often"
            )
        if options.get("first"):
            raise SkatError("list series: everybody plays all deals, expected no agents that play only the first")
        super().__init__(agents, deals, seed, rules, _ONE_GAME, **options)
        self.length = length
        self.groups = [tuple(range(len(agents)))]

    @cached_property
    def facts(self) -> DealFacts:
        """What the statistics know about the deals and the table."""
        return replace(super().facts, table=len(self.names))

    @property
    def settings(self) -> dict[str, Any]:
        """Everything the results depend on."""
        return {**super().settings, "list": self.length, "table": len(self.names)}

    def fixture(self, game: int) -> Fixture:
        """Game number ``game``, which is the number of the deal."""
        table = len(self.names)
        dealer = (game + table - 1) % table
        first, second, third = (self.names[(dealer + 1 + seat) % table] for seat in range(3))
        return Fixture(
            game=game,
            deal_index=game,
            deal=self.deals[game],
            seats=(first, second, third),
            group=self.names,
            seating="ABC",
        )


@dataclass(frozen=True, slots=True)
class SeriesStanding:
    """One player's line of a series.

    Attributes:
        player: the name.
        total: points of all lists.
        per_list: the mean with Student's 95 % interval over lists.
        won: games won as declarer.
        lost: games lost as declarer.
        first: lists in which nobody had more points.
    """

    player: str
    total: int
    per_list: Interval
    won: int
    lost: int
    first: int


def score_lists(records: Iterable[GameRecord], players: Sequence[str], length: int = 36) -> list[SeegerFabianList]:
    """The score sheets of the lists that are complete, in order.

    Args:
        records: games of a :class:`ListSeries`.
        players: its players in order.
        length: deals of a list.
    """
    sheets: dict[int, SeegerFabianList] = {}
    for record in sorted(records, key=lambda record: record.game):
        sheet = sheets.setdefault(record.game // length, SeegerFabianList(len(players)))
        declarer = None if record.declarer is None else players.index(record.seats[record.declarer])
        sheet.add(declarer, record.score)
    return [sheets[number] for number in sorted(sheets) if sheets[number].deals == length]


def series_standings(sheets: Sequence[SeegerFabianList], players: Sequence[str]) -> list[SeriesStanding]:
    """The ranking of a series, best first; empty without a complete list."""
    if not sheets:
        return []
    found = []
    for p, player in enumerate(players):
        totals = [sheet.totals[p] for sheet in sheets]
        won, lost = sum(sheet.won[p] for sheet in sheets), sum(sheet.lost[p] for sheet in sheets)
        first = sum(sheet.totals[p] == max(sheet.totals) for sheet in sheets)
        found.append(SeriesStanding(player, sum(totals), mean_interval(totals), won, lost, first))
    return sorted(found, key=lambda standing: (-standing.total, -standing.won, standing.lost))
