"""What a bidder does and what comes of it, from the games of a tournament and from its limits.

The unit is the *hand*: one seat's ten cards in one game. The hands of one deal are not independent, so every interval takes the
deal as the cluster: means are the cluster-robust ratio (:func:`~skatai.arena.resampling.cluster_interval`), shares have Wilson's
interval with the effective sample size (:mod:`skatai.arena.shares`). Points and scores depend on who else sits at the table and
compare only within one evaluation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai.arena.bands import HUMAN_BANDS, Band, Flag
from skatai.arena.breakdown import BID_LEVELS
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.resampling import cluster_interval
from skatai.arena.shares import Proportion, proportion
from skatai.arena.stats import is_hand
from skatai.bidding.hands import Hand
from skatai.contract import NULL
from skatai.seats import SEAT_NAMES

__all__ = [
    "BIDDING_BANDS",
    "KINDS",
    "BiddingMetrics",
    "LimitMetrics",
    "SeatMetrics",
    "bidding_flags",
    "bidding_metrics",
    "limit_metrics",
    "paired_difference",
]

KINDS: Final = ("suit", "grand", "null")
#: what human players do, in percent: the bands of the arena, and those that concern the auction alone
BIDDING_BANDS: Final = HUMAN_BANDS | {
    "won suit": Band("suit games won", 77, 79),
    "won grand": Band("grands won", 91, 93),
    "won null": Band("null games won", 71, 78),
    "forehand": Band("declared in forehand, of its games", 35, 37),
    "middlehand": Band("declared in middlehand, of its games", 31, 33),
    "rearhand": Band("declared in rearhand, of its games", 31, 33),
}


@dataclass(frozen=True, slots=True)
class SeatMetrics:
    """A bidder in one seat.

    Attributes:
        seat: its name.
        declared: games declared, of the hands held there.
        share: of all games it declared.
        won: of the games declared there.
        list_points: per hand held there.
        uncontested: declared, of the hands on which no other player bid or held.
    """

    seat: str
    declared: Proportion
    share: Proportion
    won: Proportion
    list_points: Interval | None
    uncontested: Proportion


@dataclass(frozen=True, slots=True)
class BiddingMetrics:
    """A bidder over all its hands; shares of hands (the first four) or of the games it declared.

    Attributes:
        name: the bidder.
        hands: how many it held.
        deals: on how many deals.
        declared: it became declarer: games declared / hands.
        passed_in: nobody did: deals passed in / hands.
        uncontested: declared / hands on which no other player bid or held (the choice was its alone).
        last_chance: bid / hands in forehand after both others had passed.
        won: games won / games declared.
        overbid: games whose value did not cover the bid / games declared.
        schneider: games with schneider for either side / games declared.
        kinds: suit, grand, null / games declared.
        kinds_won: won / games declared of that kind.
        hand: hand games / games declared.
        ouvert: ouvert games / games declared.
        score: Σ of its scores as declarer / hands.
        list_points: Σ of its list points / hands.
        as_declarer: the part of ``list_points`` from games it declared.
        as_defender: the part from games others declared and lost.
        bid: mean winning bid of the games declared that were not overbid.
        value: mean game value of these.
        unused: mean of value - bid of these: what it could still have bid.
        contracts: how often it declared what.
        by_seat: forehand, middlehand, rearhand.
    """

    name: str
    hands: int
    deals: int
    declared: Proportion
    passed_in: Proportion
    uncontested: Proportion
    last_chance: Proportion
    won: Proportion
    overbid: Proportion
    schneider: Proportion
    kinds: dict[str, Proportion]
    kinds_won: dict[str, Proportion]
    hand: Proportion
    ouvert: Proportion
    score: Interval | None
    list_points: Interval | None
    as_declarer: Interval | None
    as_defender: Interval | None
    bid: Interval | None
    value: Interval | None
    unused: Interval | None
    contracts: dict[str, int]
    by_seat: tuple[SeatMetrics, ...]


def _share(hands: Sequence[Hand], of: Callable[[Hand], bool]) -> Proportion:
    return proportion([of(hand) for hand in hands], [hand.deal for hand in hands])


def _mean(hands: Sequence[Hand], of: Callable[[Hand], float]) -> Interval | None:
    """Σ of / number of hands, the deal as the cluster; ``None`` of no hands."""
    sums: dict[int, list[float]] = defaultdict(list)
    for hand in hands:
        sums[hand.deal].append(of(hand))
    values = list(sums.values())
    return cluster_interval([sum(x) for x in values], [len(x) for x in values]) if values else None


def _kind(hand: Hand) -> str:
    assert hand.contract is not None
    return "null" if hand.contract.game == NULL else "grand" if hand.contract.game == 4 else "suit"


def _seat(hands: Sequence[Hand], seat: int) -> SeatMetrics:
    here = [hand for hand in hands if hand.seat == seat]
    return SeatMetrics(
        seat=SEAT_NAMES[seat],
        declared=_share(here, lambda hand: hand.declared),
        share=_share([hand for hand in hands if hand.declared], lambda hand: hand.seat == seat),
        won=_share([hand for hand in here if hand.declared], lambda hand: hand.won),
        list_points=_mean(here, lambda hand: hand.list_points),
        uncontested=_share([hand for hand in here if hand.uncontested], lambda hand: hand.declared),
    )


def bidding_metrics(name: str, hands: Sequence[Hand]) -> BiddingMetrics:
    """The metrics of a player from all its hands (:func:`~skatai.bidding.hands.hands_of`); formulas: :class:`BiddingMetrics`."""
    games = [hand for hand in hands if hand.declared]
    covered = [hand for hand in games if not hand.overbid]
    kinds = {kind: [hand for hand in games if _kind(hand) == kind] for kind in KINDS}
    names = [str(hand.contract) for hand in games]
    return BiddingMetrics(
        name=name,
        hands=len(hands),
        deals=len({hand.deal for hand in hands}),
        declared=_share(hands, lambda hand: hand.declared),
        passed_in=_share(hands, lambda hand: hand.passed_in),
        uncontested=_share([hand for hand in hands if hand.uncontested], lambda hand: hand.declared),
        last_chance=_share([hand for hand in hands if hand.last_chance], lambda hand: hand.declared),
        won=_share(games, lambda hand: hand.won),
        overbid=_share(games, lambda hand: hand.overbid),
        schneider=_share(games, lambda hand: hand.schneider),
        kinds={kind: _share(games, lambda hand, kind=kind: _kind(hand) == kind) for kind in KINDS},  # type: ignore[misc]
        kinds_won={kind: _share(found, lambda hand: hand.won) for kind, found in kinds.items()},
        hand=_share(games, lambda hand: is_hand(str(hand.contract))),
        ouvert=_share(games, lambda hand: hand.contract is not None and hand.contract.ouvert),
        score=_mean(hands, lambda hand: hand.score),
        list_points=_mean(hands, lambda hand: hand.list_points),
        as_declarer=_mean(hands, lambda hand: hand.list_points if hand.declared else 0),
        as_defender=_mean(hands, lambda hand: 0 if hand.declared else hand.list_points),
        bid=_mean(covered, lambda hand: hand.bid),
        value=_mean(covered, lambda hand: hand.value),
        unused=_mean(covered, lambda hand: hand.value - hand.bid),
        contracts={contract: names.count(contract) for contract in sorted(set(names))},
        by_seat=tuple(_seat(hands, seat) for seat in range(3)),
    )


def bidding_flags(metrics: BiddingMetrics) -> tuple[Flag, ...]:
    """Shares whose 95 % interval lies outside what human players do (:data:`BIDDING_BANDS`)."""
    shares = {
        "passed_in": metrics.passed_in,
        "declared": metrics.declared,
        "won": metrics.won,
        **metrics.kinds,
        "hand": metrics.hand,
        "schneider": metrics.schneider,
        **{f"won {kind}": share for kind, share in metrics.kinds_won.items()},
        **{seat.seat: seat.share for seat in metrics.by_seat},
    }
    found = []
    for key, share in shares.items():
        band = BIDDING_BANDS[key]
        if share.n and (share.interval.high < band.low or share.interval.low > band.high):
            found.append(Flag(metrics.name, band, share))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LimitMetrics:
    """How high a bidder would go, over all hands dealt (0: it passes at once).

    Attributes:
        bids: hands with a limit of 18 or more / hands.
        mean: mean limit of the hands that bid.
        levels: for each seat the hands that pass at once, then those of each level of
            :data:`~skatai.arena.breakdown.BID_LEVELS`.
    """

    bids: Proportion
    mean: Interval | None
    levels: tuple[tuple[int, ...], ...]


def limit_metrics(limits: NDArray[np.int64], seats: NDArray[np.int64], deals: NDArray[np.int64]) -> LimitMetrics:
    """Look at the limits of many hands.

    Args:
        limits: int64 (n,), 0 or the highest value the bidder would say.
        seats: int64 (n,), 0 … 2.
        deals: int64 (n,), the deal each hand comes from (the cluster).
    """
    if not len(limits) == len(seats) == len(deals):
        raise ValueError(f"{len(limits)} limits, {len(seats)} seats, {len(deals)} deals")
    bids = limits >= BID_LEVELS[0]
    level = np.searchsorted(np.asarray(BID_LEVELS), limits, side="right")
    counts = [np.bincount(level[seats == seat], minlength=len(BID_LEVELS) + 1) for seat in range(3)]
    mean = None
    if bids.any():
        _, cluster = np.unique(deals[bids], return_inverse=True)
        counts_of = np.bincount(cluster).astype(np.float64)
        mean = cluster_interval(np.bincount(cluster, limits[bids]).astype(np.float64), counts_of)
    return LimitMetrics(
        bids=proportion(bids.tolist(), deals.tolist()),
        mean=mean,
        levels=tuple(tuple(int(n) for n in row) for row in counts),
    )


def paired_difference(first: dict[int, float], second: dict[int, float]) -> Interval | None:
    """A's points minus B's, deal by deal on the deals of both, with Student's interval; ``None`` without such deals."""
    common = sorted(first.keys() & second.keys())
    return mean_interval([first[deal] - second[deal] for deal in common]) if common else None
