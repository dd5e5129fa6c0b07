"""Deals of a certain kind for a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from skatai.deal import Deal
from skatai.errors import InvalidDealError
from skatai.rng import derive_seed

__all__ = ["deals_where"]

#: random deals looked at for each one wanted, before giving up
_PATIENCE: Final = 100_000


def deals_where(wanted: Callable[[Deal], bool], seed: int, n: int) -> list[Deal]:
    """The first ``n`` deals of :func:`~skatai.deal.deals_from_seed` that are wanted; the first ones do not depend on ``n``.

    A tournament on chosen deals tells about such deals only; it has no control variate.

    Raises:
        InvalidDealError: such deals are too rare to be found.

    >>> from skatai.cards import CardSet
    >>> deal = deals_where(lambda deal: len(deal.hands[0] & CardSet.parse("CJ SJ HJ DJ")) == 4, seed=1, n=1)[0]
    >>> str(deal.hands[0])[:11]
    'CJ SJ HJ DJ'
    """
    found: list[Deal] = []
    for i in range(_PATIENCE * n):
        deal = Deal.random(derive_seed(seed, i))
        if wanted(deal):
            found.append(deal)
            if len(found) == n:
                break
    if len(found) < n:
        raise InvalidDealError(f"only {len(found)} of {n} deals wanted among {_PATIENCE * n} random ones")
    return found
