"""Chosen deals."""

from __future__ import annotations

import pytest

from skatai.arena import deals
from skatai.cards import CardSet
from skatai.deal import Deal, deals_from_seed
from skatai.errors import InvalidDealError

JACKS = CardSet.parse("CJ SJ HJ DJ")


def _strong(deal: Deal) -> bool:
    return len(deal.hands[0] & JACKS) >= 3


def test_they_are_those_of_the_seed_that_are_wanted() -> None:
    found = deals.deals_where(_strong, 6, 5)
    assert len(found) == 5
    assert found == [deal for deal in deals_from_seed(6, 1000) if _strong(deal)][:5]
    assert deals.deals_where(_strong, 6, 2) == found[:2]


def test_too_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "_PATIENCE", 10)
    with pytest.raises(InvalidDealError, match="only 0 of 2 deals wanted among 20"):
        deals.deals_where(lambda deal: False, 1, 2)
