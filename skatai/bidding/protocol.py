"""What a bidder is: how high a hand of ten cards would bid, before any auction.

Arrays throughout: ``hands`` uint32 (n,) masks of ten cards; ``seats`` int64 (n,) 0 … 2; ``bids`` and limits int64 (n,), values of
the ladder, 0 for passing at once; chances float64 (n,). What a bidder says of one hand does not depend on the others beside it.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from skatai.errors import SkatError
from skatai.kernels.action_ids import BID_VALUES
from skatai.rules import Rules

__all__ = ["Bidder", "Chances", "Hands", "Seats", "Values", "bid_indices", "check_hands", "makes_claims"]

Hands: TypeAlias = NDArray[np.uint32]
Seats: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.int64]
Chances: TypeAlias = NDArray[np.float64]


@runtime_checkable
class Bidder(Protocol):
    """What bids. It may also have ``win_chances(hands, seats, bids, rules)``, see :class:`RuleBidder` (:func:`makes_claims`)."""

    name: str

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid: int64 (n,), 0 for passing at once."""
        ...


def makes_claims(bidder: Any) -> bool:
    """Whether the bidder has ``win_chances`` and can answer it."""
    return bool(getattr(bidder, "makes_claims", hasattr(bidder, "win_chances")))


def check_hands(hands: Any, seats: Any) -> tuple[Hands, Seats]:
    """Both as arrays of the right type.

    Raises:
        SkatError: not the same number of both, not ten cards, or no such seat.
    """
    cards = np.asarray(hands, dtype=np.uint32)
    places = np.asarray(seats, dtype=np.int64)
    if cards.ndim != 1 or cards.shape != places.shape:
        raise SkatError(f"bidder: hands of shape {cards.shape}, seats of shape {places.shape}; expected (n,) both")
    sizes = np.bitwise_count(cards)
    if len(cards) and not (sizes == 10).all():
        raise SkatError(f"bidder: a hand of {int(sizes[sizes != 10][0])} cards, expected 10")
    if len(cards) and not ((places >= 0) & (places <= 2)).all():
        raise SkatError(f"bidder: seats from {places.min()} to {places.max()}, expected 0 … 2")
    return cards, places


def bid_indices(bids: Any) -> Values:
    """Where values lie in ``BID_VALUES``.

    Raises:
        SkatError: a value that nobody can bid.
    """
    values = np.asarray(bids, dtype=np.int64)
    found = np.searchsorted(BID_VALUES, values).clip(max=len(BID_VALUES) - 1)
    wrong = values[BID_VALUES[found] != values]
    if len(wrong):
        raise SkatError(f"bidder: {wrong[0]} is not a value that can be bid")
    return found.astype(np.int64)
