"""Bidding metrics against games and figures reckoned by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from skatai.arena import Tournament
from skatai.arena.records import GameRecord
from skatai.bidding.hands import auction_of, hands_of, points_by_deal
from skatai.bidding.metrics import (
    BiddingMetrics,
    bidding_flags,
    bidding_metrics,
    limit_metrics,
    paired_difference,
)
from skatai.deal import Deal, deals_from_seed

DEAL = str(Deal.random(seed=7))


def record(
    deal: int,
    auction: str,
    declarer: int | None = None,
    contract: str | None = None,
    bid: int = 0,
    value: int = 0,
    *,
    won: bool = True,
    overbid: bool = False,
    seats: tuple[str, str, str] = ("me", "you", "you"),
) -> GameRecord:
    """A finished game with list points as Seeger and Fabian count them."""
    score = 0 if declarer is None else value if won else -2 * value
    points = [0, 0, 0]
    if declarer is not None:
        points = [0 if won else 40] * 3
        points[declarer] = score + 50 if won else score - 50
    return GameRecord(
        game=0,
        deal=deal,
        group=("me", "you"),
        seating="ABB",
        seats=seats,
        declarer=declarer,
        contract=contract,
        bid=bid,
        end="passed_in" if declarer is None else "played",
        won=won and declarer is not None,
        overbid=overbid,
        matadors=1,
        value=value,
        score=score,
        points=61 if won else 60,
        schneider=False,
        schwarz=False,
        list_points=tuple(points),
        decisions=(1, 1, 1),
        ms=(0.0, 0.0, 0.0),
        line=f"{DEAL} 2 {auction} s {contract or '-'} - -",
    )


# Auctions: middlehand speaks first, forehand answers; then rearhand to the one that is left.
GAMES = [
    record(0, "18,y,20,p,p", 1, "H", 20, 30),  # middlehand (you) takes 20
    record(1, "p,p,18", 0, "C", 18, 24),  # last chance taken, won: 24 + 50
    record(2, "p,p,p"),  # last chance left
    record(3, "p,20,y,p", 0, "G", 20, 48, won=False),  # rearhand went to 20: -96 - 50
    record(4, "18,y,p,p", 0, "NH", 18, 35),  # 35 + 50
    record(5, "18,y,20,y,22,y,p,p", 0, "D", 22, 27, won=False, overbid=True),  # -54 - 50
    record(6, "18,y,p,p", 1, "D", 18, 18, won=False, seats=("you", "me", "you")),  # declarer by the row: -36 - 50
    record(7, "18,p,p", 1, "GO", 18, 168, seats=("you", "you", "me")),  # rearhand (me) stands by
]


def metrics_of(records: Sequence[GameRecord], name: str) -> BiddingMetrics:
    return bidding_metrics(name, hands_of(records, name))


def test_hands_are_told_by_the_rows_and_the_auction() -> None:
    hands = hands_of(GAMES, "me")
    assert [hand.deal for hand in hands] == list(range(8))
    assert [hand.seat for hand in hands] == [0, 0, 0, 0, 0, 0, 1, 2]
    assert [hand.declared for hand in hands] == [False, True, False, True, True, True, True, False]
    assert [hand.uncontested for hand in hands] == [False, True, True, False, False, False, False, False]
    assert [hand.last_chance for hand in hands] == [False, True, True, False, False, False, False, False]
    assert len(hands_of(GAMES, "you")) == 16
    assert hands_of(GAMES, "nobody") == []


def test_the_auction_is_that_of_the_replayed_game() -> None:
    words = {"hold": "y", "pass": "p"}
    records = Tournament(["random", "rule"], deals_from_seed(9, 30), 9).run().records
    kinds = set()
    for game in records:
        expected = [(seat, words.get(call, call)) for seat, call in game.replay().calls]
        assert auction_of(game) == expected
        kinds.add(tuple(seat for seat, call in expected if call == "p"))
    assert len(kinds) >= 4  # different orders of passing


def test_shares_of_hands() -> None:
    """Declared 5 of 8 hands; passed in 1 of 8; uncontested 1 of 2; last chance 1 of 2."""
    metrics = metrics_of(GAMES, "me")
    assert (metrics.hands, metrics.deals) == (8, 8)
    for share, hits, n in (
        (metrics.declared, 5, 8),
        (metrics.passed_in, 1, 8),
        (metrics.uncontested, 1, 2),
        (metrics.last_chance, 1, 2),
    ):
        assert (share.hits, share.n) == (hits, n)


def test_shares_of_games_declared() -> None:
    """Five games: clubs, grand, null hand, diamonds twice; won the clubs and the null."""
    metrics = metrics_of(GAMES, "me")
    assert (metrics.won.hits, metrics.won.n) == (2, 5)
    assert (metrics.overbid.hits, metrics.overbid.n) == (1, 5)
    assert {kind: share.hits for kind, share in metrics.kinds.items()} == {"suit": 3, "grand": 1, "null": 1}
    assert {kind: (share.hits, share.n) for kind, share in metrics.kinds_won.items()} == {
        "suit": (1, 3),
        "grand": (0, 1),
        "null": (1, 1),
    }
    assert (metrics.hand.hits, metrics.ouvert.hits) == (1, 0)
    assert metrics.contracts == {"C": 1, "D": 2, "G": 1, "NH": 1}
    other = metrics_of(GAMES, "you")
    assert (other.hand.hits, other.ouvert.hits, other.hand.n) == (1, 1, 2)  # grand ouvert is a hand game


def test_points_of_declarer_and_defender() -> None:
    """Scores 24 - 96 + 35 - 54 - 36; 50 on top or off for each game; nothing as defender, since all others' games were won."""
    metrics = metrics_of(GAMES, "me")
    assert metrics.score is not None and metrics.list_points is not None
    assert metrics.score.mean == pytest.approx((24 - 96 + 35 - 54 - 36) / 8)
    assert metrics.list_points.mean == pytest.approx((74 - 146 + 85 - 104 - 86) / 8)
    assert metrics.as_declarer == metrics.list_points
    assert metrics.as_defender is not None and metrics.as_defender.mean == 0
    you = metrics_of(GAMES, "you")
    assert you.as_declarer is not None and you.as_defender is not None and you.list_points is not None
    assert you.as_declarer.mean == pytest.approx((80 + 218) / 16)
    assert you.as_defender.mean == pytest.approx(3 * 2 * 40 / 16)  # three games of mine were lost
    assert you.list_points.mean == pytest.approx(you.as_declarer.mean + you.as_defender.mean)


def test_means_take_the_deal_as_the_cluster() -> None:
    """Two deals with two hands each, points 74, 74 and -146, -146: Student's interval over two values with df 1."""
    twice = [GAMES[1], GAMES[1], GAMES[3], GAMES[3]]
    points = metrics_of(twice, "me").list_points
    assert points is not None
    assert points.n == 2
    assert points.mean == -36
    assert points.half == pytest.approx(12.7062047 * 110, rel=1e-6)  # standard error |74 + 146| / 2


def test_bid_against_value() -> None:
    """Games that covered their bid: 24 at 18, 48 at 20, 35 at 18, 18 at 18."""
    metrics = metrics_of(GAMES, "me")
    assert metrics.bid is not None and metrics.value is not None and metrics.unused is not None
    assert metrics.bid.mean == (18 + 20 + 18 + 18) / 4
    assert metrics.value.mean == (24 + 48 + 35 + 18) / 4
    assert metrics.unused.mean == (6 + 28 + 17 + 0) / 4


def test_by_seat() -> None:
    forehand, middlehand, rearhand = metrics_of(GAMES, "me").by_seat
    assert (forehand.seat, middlehand.seat, rearhand.seat) == ("forehand", "middlehand", "rearhand")
    assert (forehand.declared.hits, forehand.declared.n) == (4, 6)
    assert (forehand.share.hits, forehand.share.n) == (4, 5)
    assert (forehand.won.hits, forehand.won.n) == (2, 4)
    assert (middlehand.declared.hits, middlehand.won.hits) == (1, 0)
    assert (rearhand.declared.hits, rearhand.declared.n, rearhand.won.n) == (0, 1, 0)
    assert middlehand.list_points is not None and middlehand.list_points.mean == -86


def test_a_bidder_that_never_declares() -> None:
    metrics = metrics_of([GAMES[2]], "you")
    assert metrics.won.n == 0
    assert metrics.bid is None and metrics.unused is None
    assert str(metrics.won) == "–"
    assert metrics.list_points is not None and metrics.list_points.mean == 0


def test_flags_name_what_people_do_not_do() -> None:
    """200 deals all declared and won in forehand with grand: everything is odd; a share of few games is not flagged."""
    games = [record(deal, "p,p,18", 0, "G", 18, 48) for deal in range(200)]
    flags = bidding_flags(metrics_of(games, "me"))
    names = {flag.band.name for flag in flags}
    assert {"passed in", "grands", "suit games", "hand games", "declared, of seat-deals", "grands won"} <= names
    assert {"declared in forehand, of its games", "declared in rearhand, of its games"} <= names
    assert str(flags[0]) == "me: passed in 0.0 %, people 2–5 %"
    assert "won by the declarer" in names
    assert bidding_flags(metrics_of(games[:1], "you")) == ()


def test_limits() -> None:
    """Six hands of two deals: four bid, mean (18 + 20 + 33 + 72) / 4."""
    limits = np.array([0, 18, 20, 0, 33, 72])
    seats = np.array([0, 1, 2, 0, 1, 2])
    found = limit_metrics(limits, seats, np.array([0, 0, 0, 1, 1, 1]))
    assert (found.bids.hits, found.bids.n) == (4, 6)
    assert found.mean is not None and found.mean.mean == 143 / 4
    assert found.mean.n == 2
    assert found.levels == ((2, 0, 0, 0, 0, 0), (0, 1, 0, 1, 0, 0), (0, 0, 1, 0, 0, 1))
    nothing = limit_metrics(np.zeros(2, dtype=np.int64), seats[:2], seats[:2])
    assert nothing.mean is None and nothing.bids.hits == 0
    with pytest.raises(ValueError, match="2 limits, 6 seats"):
        limit_metrics(limits[:2], seats, seats)


def test_paired_difference() -> None:
    """Deals 1 and 3 in both: 74 - 0 and -146 - 0 against a player that got nothing there."""
    mine = points_by_deal(hands_of(GAMES[:4], "me"))
    assert mine == {0: 0.0, 1: 74.0, 2: 0.0, 3: -146.0}
    other = {1: 4.0, 3: -6.0, 9: 1.0}
    difference = paired_difference(mine, other)
    assert difference is not None
    assert (difference.mean, difference.n) == ((70 - 140) / 2, 2)
    assert paired_difference(mine, {}) is None
    same = paired_difference(mine, mine)
    assert same is not None and (same.mean, same.half) == (0, 0)
