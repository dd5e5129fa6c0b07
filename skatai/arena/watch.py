"""A stopping rule at work while the games of a tournament come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skatai.arena.records import GameRecord
from skatai.arena.sequential import SPRT, StopRule, stopping_deal
from skatai.arena.stats import compared_pairs, deal_differences, deals_of
from skatai.errors import SkatError

if TYPE_CHECKING:
    from skatai.arena.tournament import Tournament

__all__ = ["Watch"]


class Watch:
    """Asks a stopping rule whenever the deals that are complete from the first one on reach its next look.

    Raises:
        SkatError: nobody is compared, or an SPRT whose two agents do not play all deals.
    """

    def __init__(self, rule: StopRule, tournament: Tournament) -> None:
        self.rule = rule
        self.first = tournament.first
        self.numbers = [list(tournament.numbers(deal)) for deal in range(len(tournament.deals))]
        self.groups = [tuple(tournament.names[player] for player in group) for group in tournament.groups]
        pairs = compared_pairs(self.groups, tournament.design, tournament.names)
        self.differences: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
        self.most = [deals_of(pair, self.first, len(tournament.deals)) for pair in pairs]
        if not pairs:
            raise SkatError(f"stopping rule: seat design {tournament.design.name} compares nobody")
        if isinstance(rule, SPRT) and self.most[0] < len(tournament.deals):
            raise SkatError(f"sprt: it compares {' and '.join(pairs[0])}, but only on the first {self.most[0]} deals")
        self.deals = 0

    def verdict(self, records: dict[int, GameRecord]) -> tuple[int, str] | None:
        """Deals and reason to stop; ``records`` by their numbers."""
        before, new = self.deals, []
        while self.deals < len(self.numbers) and all(game in records for game in self.numbers[self.deals]):
            new += [records[game] for game in self.numbers[self.deals]]
            self.deals += 1
        if not new:
            return None
        for pair, found in self.differences.items():
            found += deal_differences(new, *pair, self.groups, self.first).values()
        return stopping_deal(self.rule, *self.differences.values(), after=before, most=self.most)
