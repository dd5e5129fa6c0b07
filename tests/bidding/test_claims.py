"""Claims on all hands, against outcomes that are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai.bidding.bidders import make_bidder
from skatai.bidding.claims import claims_on_all_hands
from skatai.bidding.outcomes import Ventures, all_hands, outcomes
from skatai.deal import Deal, deals_from_seed
from skatai.errors import SkatError
from skatai.rules import Rules


@dataclass
class Oracle:
    """Claims what it is told, hand by hand, and bids where that is more than a half."""

    chances: NDArray[np.float64]
    name: str = "oracle"

    def limits(self, hands: NDArray[np.uint32], seats: NDArray[np.int64], rules: Rules) -> NDArray[np.int64]:
        return np.where(self.chances > 0.5, 18, 0)

    def win_chances(
        self, hands: NDArray[np.uint32], seats: NDArray[np.int64], bids: NDArray[np.int64], rules: Rules
    ) -> NDArray[np.float64]:
        assert (bids == 18).all()
        return self.chances


DEALS = deals_from_seed(5, 20)


def test_a_bidder_that_knows_is_perfect() -> None:
    won = outcomes(Ventures.of_all(DEALS, 18)).won
    found = claims_on_all_hands(Oracle(won.astype(np.float64)), DEALS)
    assert (found.everything.n, found.everything.brier, found.everything.ece) == (60, 0.0, 0.0)
    assert found.bid is not None and found.passed is not None
    assert (found.bid.n, found.passed.n) == (won.sum(), 60 - won.sum())
    assert found.bid.bins[-1].observed.mean == 1 and found.passed.bins[0].observed.mean == 0


def test_a_bidder_that_says_always_the_same() -> None:
    """Brier of the claim 0.8 is w·0.04 + (1 - w)·0.64 where the share w is won; its ECE is abs(0.8 - w)."""
    won = outcomes(Ventures.of_all(DEALS, 18)).won.mean()
    found = claims_on_all_hands(Oracle(np.full(60, 0.8)), DEALS)
    assert found.everything.brier == pytest.approx(won * 0.04 + (1 - won) * 0.64)
    assert found.everything.ece == pytest.approx(abs(0.8 - won))
    assert found.passed is None and found.bid is not None and found.bid.brier == found.everything.brier


def test_the_rule_players_claims() -> None:
    """They are taken at 18 on all hands, and those of hands that pass are the lower ones."""
    rule, deals = make_bidder("rule"), deals_from_seed(6, 200)
    found = claims_on_all_hands(rule, deals, "rule", "rule", workers=1)
    hands, seats = all_hands(deals)
    chances = rule.win_chances(hands, seats, np.full(600, 18), Rules())
    assert found.everything.n == 600
    assert sum(b.n * b.claim for b in found.everything.bins if b.n) == pytest.approx(chances.sum())
    assert found.bid is not None and found.passed is not None
    wins = [sum(b.n * b.observed.mean for b in part.bins if b.n) / part.n for part in (found.bid, found.passed)]
    assert wins[0] > wins[1] + 0.3


def test_claims_that_are_none() -> None:
    with pytest.raises(SkatError, match=r"claims of shape \(2,\) for 60 hands"):
        claims_on_all_hands(Oracle(np.zeros(2)), DEALS)
    with pytest.raises(SkatError, match=r"'oracle': chance of winning 1\.5, expected 0 … 1"):
        claims_on_all_hands(Oracle(np.full(60, 1.5)), DEALS)
    with pytest.raises(SkatError):
        claims_on_all_hands(make_bidder("rule"), list[Deal]())
