"""What an evaluation of bidders gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skatai.arena.intervals import Interval
from skatai.bidding.agreement import Agreement
from skatai.bidding.claims import Claims
from skatai.bidding.judging import RegretSummary
from skatai.bidding.metrics import BiddingMetrics, LimitMetrics
from skatai.bidding.sweep import Sweep

__all__ = ["BidderResult", "BiddingReport", "Difference", "FieldGames", "Meetings"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two bidders on the same deals, list points per deal and seat that the first gains on the second, with 95 % intervals.

    Attributes:
        first: A.
        second: B.
        points: A's minus B's.
    """

    first: str
    second: str
    points: Interval


@dataclass(frozen=True, slots=True)
class FieldGames:
    """What the games against the field gave.

    Attributes:
        metrics: of every bidder.
        differences: of every pair: each alone against the field, in the same seats on the same deals.
    """

    metrics: tuple[BiddingMetrics, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Meetings:
    """What the games of bidders among themselves gave: six a deal and pair."""

    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class BidderResult:
    """One bidder; what was not asked for, not possible or not done yet is ``None``.

    Attributes:
        name: the bidder.
        metrics: its games against the field.
        limits: over all hands dealt.
        claims: against outcomes of all hands.
        regret: of its passes and declarations.
        sweep: what it would get if it were bolder or shyer.
        agreement: with recorded people.
    """

    name: str
    metrics: BiddingMetrics | None = None
    limits: LimitMetrics | None = None
    claims: Claims | None = None
    regret: RegretSummary | None = None
    sweep: Sweep | None = None
    agreement: Agreement | None = None


@dataclass(frozen=True, slots=True)
class BiddingReport:
    """Everything an evaluation gave.

    Attributes:
        bidders: in the order given.
        field: differences in the games against the field.
        meetings: differences in the games of the bidders among themselves.
        settings: what the results depend on.
        versions: of the software that made them.
        missing: parts that are not done, after an interruption.
    """

    bidders: tuple[BidderResult, ...]
    field: tuple[Difference, ...]
    meetings: tuple[Difference, ...]
    settings: dict[str, Any]
    versions: dict[str, str]
    missing: tuple[str, ...] = ()

    @property
    def interrupted(self) -> bool:
        """It was stopped before the end."""
        return bool(self.missing)
