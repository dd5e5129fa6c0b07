"""Aggressiveness: what a bolder or shyer bidder would get on the same deals, with everything after the auction held fixed.

The bidder sits in every seat of every deal, two of a fixed field beside it; all bid up to their limits, and one agent declares and
plays for everybody (:mod:`skatai.bidding.outcomes`). What counts are the list points of the bidder's seat (rules 5.4: its own
games, and 40 for every game that another one loses). Differences to the bidder as it is are paired by deal and seat; the deal is
the unit.

What is shifted:

``margin``     (the rule player) list points that a game must be expected to bring; a lower margin is bolder
``threshold``  (bidders with claims) claimed chance of winning down to which it goes up the ladder; lower is bolder
``steps``      (all others) the limit moved along the ladder; more is bolder. A hand that passes at once stays so: nobody knows
               which of them is nearest to a bid
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skatai.agent import Agent
from skatai.arena.intervals import Interval
from skatai.arena.resampling import cluster_interval
from skatai.auction import ladder
from skatai.bidding.bidders import RuleBidder, ThresholdBidder, make_bidder
from skatai.bidding.onnx import OnnxBidder
from skatai.bidding.optimum import Optimum, optimum
from skatai.bidding.outcomes import Ventures, all_hands, outcomes
from skatai.bidding.protocol import Chances, Hands, Seats, Values, chances_of, limits_of, makes_claims
from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.kernels.staged import auctions_by_limits
from skatai.kernels.state import new_state
from skatai.rules import Rules

__all__ = [
    "MEASURES",
    "SHIFTS",
    "Optimum",
    "Sweep",
    "SweepRow",
    "limits_by_threshold",
    "move_limits",
    "optimum",
    "sweep",
]

#: what is tried unless told otherwise
SHIFTS: Final[dict[str, tuple[float, ...]]] = {
    "margin": (-60.0, -45.0, -30.0, -20.0, -10.0, -5.0, 0.0, 10.0, 20.0, 30.0),
    "threshold": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
    "steps": (-4, -3, -2, -1, 0, 1, 2, 3, 4),
}
MEASURES: Final = ("list_points", "lead")


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One setting.

    Attributes:
        setting: margin, threshold or steps.
        declared: share of hands on which the bidder became declarer.
        won: share of these games that it won; nan without any.
        points: per deal and seat: list points of its seat, or its lead.
        difference: these less what the bidder as it is gets, paired.
    """

    setting: float
    declared: float
    won: float
    points: Interval
    difference: Interval


@dataclass(frozen=True, slots=True)
class Sweep:
    """A bidder at several settings.

    Attributes:
        name: the bidder.
        what: ``margin``, ``threshold`` or ``steps``.
        measure: ``list_points`` or ``lead``.
        deals: how many.
        rows: by setting, ascending.
        optimum: where the points are highest; ``None`` with one deal only.
    """

    name: str
    what: str
    measure: str
    deals: int
    rows: tuple[SweepRow, ...]
    optimum: Optimum | None


def move_limits(limits: Values, steps: int, rules: Rules) -> Values:
    """Limits moved along the ladder: int64 (n,). Below 18 there is 0; a hand with 0 stays there, the highest value is the end.

    >>> move_limits(np.array([0, 18, 20, 264]), 1, Rules())
    array([  0,  20,  22, 264])
    >>> move_limits(np.array([0, 18, 20, 264]), -1, Rules())
    array([  0,   0,  18, 240])
    """
    values = np.array([0, *ladder(rules)], dtype=np.int64)
    places = np.searchsorted(values, limits)
    return np.where(np.asarray(limits) > 0, values[(places + steps).clip(0, len(values) - 1)], 0)


def limits_by_threshold(claimer: Any, hands: Hands, seats: Seats, thresholds: Sequence[float], rules: Rules) -> Values:
    """The limits of :class:`~skatai.bidding.bidders.ThresholdBidder` at every threshold: int64 (thresholds, n).

    Each claim is asked for once.
    """
    values = ladder(rules)
    limits = np.zeros((len(thresholds), len(hands)), dtype=np.int64)
    going = np.ones_like(limits, dtype=bool)
    for value in values:
        asked = np.flatnonzero(going.any(axis=0))
        if not len(asked):
            break
        chances: Chances = np.zeros(len(hands))
        bids = np.full(len(asked), value, dtype=np.int64)
        chances[asked] = chances_of(claimer, hands[asked], seats[asked], bids, rules)
        going &= chances >= np.asarray(thresholds)[:, None]
        limits[going] = value
    return limits


def _kind_of(bidder: Any) -> str:
    if isinstance(bidder, RuleBidder):
        return "margin"
    if isinstance(bidder, OnnxBidder):
        return "steps" if "limit" in bidder.outputs else "threshold"
    return "threshold" if makes_claims(bidder) else "steps"


def _shifted(bidder: Any, what: str, settings: Sequence[float], hands: Hands, seats: Seats, rules: Rules) -> Values:
    """Limits at every setting: int64 (settings, n)."""
    if what == "margin":
        return np.array([RuleBidder(margin).limits(hands, seats, rules) for margin in settings])
    if what == "threshold":
        claimer = bidder.claimer if isinstance(bidder, ThresholdBidder) else bidder
        return limits_by_threshold(claimer, hands, seats, settings, rules)
    limits = limits_of(bidder, hands, seats, rules)
    return np.array([move_limits(limits, int(steps), rules) for steps in settings])


def _setting(what: str, value: float) -> float:
    """One setting, checked."""
    number = float(value)
    right = {"threshold": 0.0 <= number <= 1.0, "steps": number.is_integer(), "margin": math.isfinite(number)}
    if not right[what]:
        expected = {"threshold": "0 … 1", "steps": "whole steps", "margin": "list points"}
        raise SkatError(f"sweep: {what} {value}, expected {expected[what]}")
    return number


class _Results(NamedTuple):
    """Points by deal and seat, float64 (deals, 3), and how many games the bidder declared and won."""

    points: NDArray[np.float64]
    declared: int
    won: int


class _Table:
    """Everything that can happen at the table, each game played once."""

    def __init__(self, deals: Sequence[Deal], rest: str | Agent, measure: str, **how: Any) -> None:
        self.deals, self.rest, self.measure, self.how = tuple(deals), rest, measure, how
        self.rules: Rules = how["rules"]
        self.scores: dict[tuple[int, int, int], int] = {}

    def play(self, found: NDArray[np.int64]) -> None:
        """Play the games among ``found`` (int64 (n, 3): deal, declarer or -1, value) that have not been played yet."""
        rows = np.unique(found[found[:, 1] >= 0], axis=0)
        new = [row for row in map(tuple, rows.tolist()) if row not in self.scores]
        if new:
            numbers, seats, bids = np.array(new, dtype=np.int64).T
            ventures = Ventures(self.deals, numbers, seats, bids)
            self.scores.update(
                zip(new, outcomes(ventures, self.rest, self.rest, **self.how).scores.tolist(), strict=True)
            )

    def auctions(self, own: Values, field: Values) -> NDArray[np.int64]:
        """Deal, declarer and value for every deal and seat of the bidder: int64 (3 · deals, 3)."""
        n = len(own) // 3
        limits = np.repeat(field.reshape(n, 3), 3, axis=0)
        limits[np.arange(3 * n), np.arange(3 * n) % 3] = own
        found = np.empty((3 * n, 2), dtype=np.int64)
        auctions_by_limits(limits, self.rules.to_int(), new_state(), found)
        return np.column_stack([np.arange(3 * n) // 3, found])

    def results(self, found: NDArray[np.int64]) -> _Results:
        """What the bidder's seat got in every game of ``found``."""
        rows, seats = np.arange(len(found)), np.arange(len(found)) % 3
        scores = np.array([self.scores.get((d, s, b), 0) for d, s, b in found.tolist()], dtype=np.int64)
        points = np.repeat(np.where(scores < 0, 40, 0)[:, None], 3, axis=1)
        points[rows, found[:, 1]] = scores + 50 * np.sign(scores)  # nobody's: 0 in any place
        own, declared = points[rows, seats], found[:, 1] == seats
        measured = own if self.measure == "list_points" else own - (points.sum(axis=1) - own) / 2.0
        return _Results(
            measured.reshape(-1, 3).astype(np.float64), int(declared.sum()), int((declared & (scores > 0)).sum())
        )


def sweep(
    bidder: Any,
    deals: Sequence[Deal],
    settings: Sequence[float] | None = None,
    *,
    what: str | None = None,
    measure: str = "list_points",
    field: Any = "rule",
    rest: str | Agent = "rule",
    seed: int = 0,
    rules: Rules | None = None,
    workers: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Sweep:
    """Measure a bidder at several settings.

    Args:
        bidder: as for :func:`~skatai.bidding.bidders.make_bidder`.
        deals: the deals.
        settings: what to try, in any order; ``SHIFTS`` by default.
        what: ``"margin"``, ``"threshold"`` or ``"steps"``; by default the first of them that the bidder has.
        measure: ``"list_points"`` of the bidder's seat, or its ``"lead"`` over the mean of the two others, which makes a lost game
            dearer.
        field: the two others, as for ``make_bidder``.
        rest: agent that declares and plays for everybody.
        seed: of agents' decisions.
        rules: official by default.
        workers: they do not change a figure.
        backend: as for :func:`~skatai.bidding.outcomes.outcomes`.
        progress: bars on stderr.

    Raises:
        SkatError: no deals, no settings, or something the bidder does not have.
    """
    bidder, rules = make_bidder(bidder, seed), rules or Rules()
    what = what or _kind_of(bidder)
    if what not in SHIFTS:
        raise SkatError(f"sweep: {what!r} is none of {', '.join(SHIFTS)}")
    if (what == "threshold" and not makes_claims(bidder)) or (what == "margin" and not isinstance(bidder, RuleBidder)):
        raise SkatError(f"sweep: bidder {bidder.name!r} has no {what}")
    if measure not in MEASURES:
        raise SkatError(f"sweep: measure {measure!r} is none of {', '.join(MEASURES)}")
    tried = sorted({_setting(what, setting) for setting in settings or SHIFTS[what]})
    if not deals:
        raise SkatError("sweep without deals")
    hands, seats = all_hands(deals)
    table = _Table(deals, rest, measure, seed=seed, rules=rules, workers=workers, backend=backend, progress=progress)
    others = limits_of(make_bidder(field, seed), hands, seats, rules)
    limits = [limits_of(bidder, hands, seats, rules), *_shifted(bidder, what, tried, hands, seats, rules)]
    found = [table.auctions(own, others) for own in limits]
    table.play(np.concatenate(found))
    as_it_is, *shifted = (table.results(part) for part in found)
    rows = [_row(setting, part, as_it_is) for setting, part in zip(tried, shifted, strict=True)]
    by_deal = np.column_stack([(part.points - as_it_is.points).mean(axis=1) for part in shifted])
    top = optimum(np.array(tried), by_deal, seed) if len(deals) > 1 else None
    return Sweep(str(bidder.name), what, measure, len(deals), tuple(rows), top)


def _row(setting: float, found: _Results, as_it_is: _Results) -> SweepRow:
    threes = np.full(len(found.points), 3.0)
    return SweepRow(
        setting,
        found.declared / found.points.size,
        found.won / found.declared if found.declared else float("nan"),
        cluster_interval(found.points.sum(axis=1), threes),
        cluster_interval((found.points - as_it_is.points).sum(axis=1), threes),
    )
