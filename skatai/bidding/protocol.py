"""What a bidder is: how high a hand of ten cards would bid, before any auction.

Arrays throughout: ``hands`` uint32 (n,) masks of ten cards; ``seats`` int64 (n,) 0 … 2; ``bids`` and limits int64 (n,), values of
the ladder, 0 for passing at once; chances float64 (n,). What a bidder says of one hand does not depend on the others beside it.

Bidders may be anybody's: :func:`limits_of` and :func:`chances_of` ask them, and check what they say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from skatai.auction import ladder
from skatai.errors import SkatError
from skatai.kernels.action_ids import BID_VALUES
from skatai.rules import Rules

__all__ = [
    "Bidder",
    "Chances",
    "Hands",
    "Seats",
    "Values",
    "bid_indices",
    "chances_of",
    "check_hands",
    "limits_of",
    "makes_claims",
]

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


def _said(bidder: Any, ask: Callable[[], Any], what: str, n: int) -> NDArray[Any]:
    """An answer as an array (n,); whatever goes wrong in the bidder is named."""
    try:
        answer = np.asarray(ask())
    except SkatError:
        raise
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise SkatError(f"bidder {bidder.name!r}: {said}") from error
    if answer.shape != (n,):
        raise SkatError(f"bidder {bidder.name!r}: {what} of shape {answer.shape} for {n} hands, expected ({n},)")
    return answer


def limits_of(bidder: Any, hands: Any, seats: Any, rules: Rules) -> Values:
    """A bidder's limits: int64 (n,).

    Raises:
        SkatError: the bidder fails, or says anything but 0 or a value of the ladder for each hand.
    """
    cards, places = check_hands(hands, seats)
    limits = _said(bidder, lambda: bidder.limits(cards.copy(), places.copy(), rules), "limits", len(cards))
    if not len(cards):
        return np.zeros(0, dtype=np.int64)
    right = np.isin(limits, [0, *ladder(rules)]) if limits.dtype.kind in "iu" else np.zeros(len(cards), dtype=bool)
    if not right.all():
        wrong = limits[~right][0]
        raise SkatError(
            f"bidder {bidder.name!r}: limit {wrong!r} ({limits.dtype}), expected 0 or a value of the ladder as an integer"
        )
    return limits.astype(np.int64)


def chances_of(bidder: Any, hands: Any, seats: Any, bids: Any, rules: Rules) -> Chances:
    """A bidder's claims, as declarer at ``bids[i]``: float64 (n,).

    Raises:
        SkatError: the bidder fails, or says anything but a probability for each hand.
    """
    cards, places = check_hands(hands, seats)
    values = np.array(bids, dtype=np.int64)

    def ask() -> Any:
        return np.asarray(bidder.win_chances(cards.copy(), places.copy(), values, rules), dtype=np.float64)

    chances = _said(bidder, ask, "claims", len(cards))
    wrong = chances[~((chances >= 0.0) & (chances <= 1.0))]  # so that nan is wrong, too
    if len(wrong):
        raise SkatError(f"bidder {bidder.name!r}: chance of winning {wrong[0]:g}, expected 0 … 1")
    return chances
