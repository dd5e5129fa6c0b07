"""What the statistics of a tournament know about its deals beside the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from skatai.arena.controls import Adjusted, adjusted_interval, control_means, deal_controls
from skatai.arena.records import GameRecord
from skatai.deal import Deal
from skatai.rules import Rules

__all__ = ["DealFacts"]


@dataclass(frozen=True, slots=True)
class DealFacts:
    """What the statistics may know about the deals beside the games.

    Attributes:
        cards: for each deal the number of the first deal with the same cards; deals are different where it is ``None``.
        controls: the control variates of the deals, (n, k); ``None`` for deals that were not drawn at random.
        means: the controls' means, (k,).
        covariance: of the error of ``means``, (k, k).
        first: agents that play only the first so many deals.
        table: players of a list series.
    """

    cards: Sequence[int] | None = None
    controls: NDArray[np.float64] | None = None
    means: NDArray[np.float64] | None = None
    covariance: NDArray[np.float64] | None = None
    first: Mapping[str, int] = field(default_factory=dict)
    table: int = 3

    @classmethod
    def of(cls, deals: Sequence[Deal], rules: Rules | None = None, drawn: bool = False) -> DealFacts:
        """Look at the deals; ``drawn``: they are random ones, so that controls make sense."""
        first: dict[Deal, int] = {}
        cards = [first.setdefault(deal, i) for i, deal in enumerate(deals)]
        return cls(cards, deal_controls(deals, rules), *control_means(rules)) if drawn else cls(cards)

    def clusters_of(self, records: Iterable[GameRecord]) -> list[int]:
        """For each game the number of its cards, which games on one deal share."""
        return [record.deal if self.cards is None else self.cards[record.deal] for record in records]

    def clusters(self, by_deal: Mapping[int, float]) -> tuple[list[float], list[float]]:
        """Sums and counts of deals with the same cards."""
        cards = [deal if self.cards is None else self.cards[deal] for deal in by_deal]
        sums: dict[int, float] = defaultdict(float)
        for card, value in zip(cards, by_deal.values(), strict=True):
            sums[card] += value
        counts = Counter(cards)
        return list(sums.values()), [float(counts[card]) for card in sums]

    def adjust(self, by_deal: Mapping[int, float]) -> Adjusted | None:
        """The mean adjusted by the controls, where there are any."""
        if self.controls is None or self.means is None or self.covariance is None:
            return None
        return adjusted_interval(list(by_deal.values()), self.controls[list(by_deal)], self.means, self.covariance)
