"""Do a bidder's claims come true, on all hands and not only on those it likes?

Every hand of every deal becomes declarer at 18, also those that would have passed; what a bidder thinks of hands it does not play
is what it goes by when it decides not to play them. Claims that were learnt from declarers' games alone look well on declarers'
hands and are far off on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from skatai.agent import Agent
from skatai.arena.calibration import Calibration, calibration
from skatai.bidding.outcomes import Ventures, all_hands, outcomes
from skatai.bidding.protocol import chances_of, limits_of
from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.rules import Rules

__all__ = ["Claims", "claims_on_all_hands"]

LOWEST: Final = 18


@dataclass(frozen=True, slots=True)
class Claims:
    """Claimed chances of winning as declarer at 18 against what happened.

    Attributes:
        everything: all hands.
        bid: those that the bidder would bid on; ``None`` if there are none.
        passed: those on which it would pass at once.
    """

    everything: Calibration
    bid: Calibration | None
    passed: Calibration | None


def claims_on_all_hands(
    bidder: Any,
    deals: Sequence[Deal],
    declarer: str | Agent = "rule",
    player: str | Agent = "rule",
    *,
    seed: int = 0,
    rules: Rules | None = None,
    bins: int = 10,
    **how: Any,
) -> Claims:
    """Let every hand play and compare.

    Args:
        bidder: one that makes claims.
        deals: the deals.
        declarer: agent that decides on pick-up, discards and declaration.
        player: agent that plays all cards.
        seed: of their decisions.
        rules: official by default.
        bins: of the calibration.
        how: as for :func:`~skatai.bidding.outcomes.outcomes`: ``workers``, ``backend``, ``progress``.

    Raises:
        SkatError: a claim that is no probability.
        AgentError: an agent fails.
    """
    rules = rules or Rules()
    hands, seats = all_hands(deals)
    bids, numbers = np.full(len(hands), LOWEST, dtype=np.int64), np.arange(len(hands)) // 3
    claimed = chances_of(bidder, hands, seats, bids, rules)
    would_bid = limits_of(bidder, hands, seats, rules) >= LOWEST
    won = outcomes(Ventures.of_all(deals, LOWEST), declarer, player, seed=seed, rules=rules, **how).won.astype(np.int64)

    def of(chosen: Any) -> Calibration | None:
        return calibration(claimed[chosen], won[chosen], bins, numbers[chosen]) if chosen.any() else None

    everything = of(np.ones(len(hands), dtype=bool))
    if everything is None:
        raise SkatError("claims on all hands: no deals")
    return Claims(everything, of(would_bid), of(~would_bid))
