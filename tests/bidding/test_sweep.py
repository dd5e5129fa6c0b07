"""Aggressiveness: limits moved by hand, points of the table worked out by hand, tops of known parabolas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.arena import Tournament
from skatai.arena.designs import SeatDesign
from skatai.auction import ladder
from skatai.bidding import BiddingAgent, FunctionBidder, RuleBidder, ThresholdBidder
from skatai.bidding.optimum import optimum, resampled_means, tops
from skatai.bidding.outcomes import Ventures, all_hands, outcomes
from skatai.bidding.sweep import limits_by_threshold, move_limits, sweep
from skatai.deal import Deal, deals_from_seed
from skatai.errors import SkatError
from skatai.kernels.rng import new_rng
from skatai.rng import Rng
from skatai.rules import Rules

DEALS = deals_from_seed(7, 12)
GRAND = Deal.parse("CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.D7.S8.S7.C7.HK.HQ.H9.HA.HT|H8.H7")


@given(st.sampled_from([0, *ladder()]), st.integers(-70, 70))
def test_limits_moved_along_the_ladder(limit, steps):
    values = [0, *ladder()]
    moved = move_limits(np.array([limit]), steps, Rules()).tolist()
    expected = values[min(max(values.index(limit) + steps, 0), 63)] if limit else 0
    assert moved == [expected]


@pytest.mark.jit
def test_all_thresholds_at_once_as_one_by_one():
    hands, seats = all_hands(DEALS[:4])
    thresholds = [0.5, 0.7, 0.9]
    found = limits_by_threshold(RuleBidder(), hands, seats, thresholds, Rules())
    for row, threshold in zip(found, thresholds, strict=True):
        assert row.tolist() == ThresholdBidder("rule", threshold).limits(hands, seats, Rules()).tolist()
    assert found[0].sum() > found[2].sum()


def test_points_of_one_deal_by_hand():
    """Forehand wins a grand at 18; moved one step down nobody plays, and moved up nothing changes."""
    bidder = FunctionBidder(lambda hand, seat: 18 if hand == GRAND.hands[0] else 0, "one")
    nobody = FunctionBidder(lambda hand: 0, "nobody")
    found = sweep(bidder, [GRAND], [1, 0, -1], field=nobody)
    assert [row.setting for row in found.rows] == [-1.0, 0.0, 1.0]
    assert (found.what, found.deals, found.optimum) == ("steps", 1, None)
    down, same, up = found.rows
    won = same.points.mean * 3
    assert won - 50 in (24 * 8, 24 * 11, 24 * 6, 24 * 7)
    assert (down.declared, down.points.mean, down.difference.mean) == (0.0, 0.0, pytest.approx(-won / 3))
    assert np.isnan(down.won)
    assert (same.declared, same.won, same.difference.mean) == (pytest.approx(1 / 3), 1.0, 0.0)
    assert up.points.mean == same.points.mean


def test_a_lost_game_by_hand():
    """Forehand drives middlehand up to 264; alone, either of them wins at 18."""
    forehand, middlehand = GRAND.hands[:2]
    drives = FunctionBidder(lambda hand: 240 if hand == forehand else 0, "drives")
    bold = FunctionBidder(lambda hand: 264 if hand == middlehand else 0, "bold")
    grand, lost = outcomes(Ventures((GRAND, GRAND), np.zeros(2, np.int64), np.arange(2), np.array([18, 264]))).scores
    assert grand > 0 > lost
    # in forehand and rearhand bold passes: nobody plays, then the one who drives plays the grand
    assert sweep(bold, [GRAND], [0], field=drives).rows[0].points.mean * 3 == pytest.approx(lost - 50)
    lead = sweep(bold, [GRAND], [0], field=drives, measure="lead").rows[0]
    assert lead.points.mean * 3 == pytest.approx((lost - 50 - 40) - (grand + 50) / 2)
    assert (lead.declared, lead.won) == (pytest.approx(1 / 3), 0.0)
    # one who never bids gets 40 where the two others meet
    both = FunctionBidder(lambda hand: max(drives.function(hand), bold.function(hand)), "both")
    watching = sweep(FunctionBidder(lambda hand: 0, "nobody"), [GRAND], [0], field=both).rows[0]
    assert watching.points.mean * 3 == pytest.approx(40.0)


@pytest.mark.jit
@pytest.mark.parametrize("margin", [-40.0, 10.0])
def test_the_same_points_as_in_a_tournament(margin):
    """Auctions by limits and games played once each, against the arena with agents that bid by these limits."""
    row = sweep("rule", DEALS, [margin]).rows[0]
    seated = [BiddingAgent(RuleBidder(margin)), BiddingAgent(RuleBidder())]
    seated[0].name = "shifted"
    design = SeatDesign("alone", ("ABB", "BAB", "BBA"), "B")
    records = Tournament(seated, DEALS, design=design).run().records
    own = [record.list_points[record.seats.index("shifted")] for record in records]
    declared = [record.declarer is not None and record.seats[record.declarer] == "shifted" for record in records]
    assert row.points.mean == pytest.approx(np.mean(own))
    assert row.declared == np.mean(declared)
    assert row.points.n == len(DEALS)


@pytest.mark.jit
def test_what_is_shifted_and_what_it_is_like():
    rule = sweep("rule", DEALS, [-60, -5, 30])
    assert rule.what == "margin" and rule.rows[1].difference.mean == 0.0
    assert rule.rows[0].declared > rule.rows[1].declared > rule.rows[2].declared
    claims = sweep("rule@0.7", DEALS[:4], [0.5, 0.7, 0.95])
    assert claims.what == "threshold" and claims.rows[1].difference.mean == 0.0
    assert claims.rows[0].declared > claims.rows[2].declared
    assert sweep("random", DEALS[:2], [0]).what == "steps"
    assert sweep("rule", DEALS[:2], [0, 1], what="steps").what == "steps"


@pytest.mark.jit
def test_workers_do_not_matter():
    one, two = (sweep("rule", DEALS, rest="random", seed=4, workers=n, backend="threads") for n in (1, 2))
    assert one == two
    assert one != sweep("rule", DEALS, rest="random", seed=5)


def test_the_top_of_a_parabola():
    settings = np.array([-2.0, 0.0, 2.0, 4.0])
    means = [-((settings - 1.5) ** 2), -((settings - 9.0) ** 2), (settings - 1.5) ** 2, settings]
    # inside, beyond what was tried, no top: the better end, a line
    assert tops(settings, np.array(means)).tolist() == pytest.approx([1.5, 4.0, -2.0, 4.0])
    assert tops(settings[:2], np.array([[3.0, 1.0]])).tolist() == [-2.0]


def test_the_parabola_goes_through_the_neighbours_of_the_best():
    settings = np.arange(9.0)
    means = -((settings - 2.25) ** 2)
    means[5:] -= 100.0  # settings 0 … 4 count
    other = -((settings - 6.5) ** 2)
    other[:4] = -1000.0  # settings 4 … 8 count
    assert tops(settings, np.array([means, other])).tolist() == pytest.approx([2.25, 6.5])


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=4))
def test_tops_by_fitting_one_by_one(means):
    settings = np.array([0.0, 1.0, 2.0, 4.0])
    a, b, c = np.polyfit(settings, means, 2)
    value = np.poly1d([a, b, c])
    expected = float(np.clip(-b / (2 * a), 0.0, 4.0)) if a < -1e-9 else max(0.0, 4.0, key=value)
    found = tops(settings, np.array([means], dtype=float))[0]
    assert found == pytest.approx(expected) or value(found) == pytest.approx(value(expected), abs=1e-6)


def test_optimum_by_hand():
    settings = np.array([0.0, 1.0, 2.0])
    by_deal = np.array([[0.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 3.0, 0.0]])
    found = optimum(settings, by_deal)
    assert (found.setting, found.low, found.high, found.best) == pytest.approx((1.0, 1.0, 1.0, 1.0))
    assert (found.gain.mean, found.gain.half, found.gain.n) == (3.0, 0.0, 4)


def test_the_gain_is_measured_where_the_setting_was_not_chosen():
    settings = np.array([0.0, 1.0, 2.0])
    by_deal = np.array([[0.0, 10.0, 0.0], [0.0, -2.0, 4.0], [0.0, 12.0, -2.0], [0.0, -4.0, 6.0]])
    # even deals choose 1, odd ones 2: deals 0 and 2 are valued at 2 (0, -2), deals 1 and 3 at 1 (-2, -4)
    assert optimum(settings, by_deal).gain.mean == pytest.approx((0.0 - 2.0 - 2.0 - 4.0) / 4)


@pytest.mark.jit  # 200,000 resamples are slow as plain Python
def test_the_interval_covers_the_true_top():
    """200 experiments with the true top at 0.3: about 95 % of the intervals must hold it."""
    rng = np.random.default_rng(2)
    settings = np.linspace(-1.0, 1.0, 5)
    truth = -((settings - 0.3) ** 2)
    hits = 0
    for _ in range(200):
        by_deal = truth + rng.normal(0.0, 1.0, size=(200, 5))
        found = optimum(settings, by_deal)
        hits += found.low <= 0.3 <= found.high
    assert 0.90 <= hits / 200 <= 0.99  # 95 % within three standard errors


def test_resampled_means_by_their_definition():
    values = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
    out = np.empty((5, 2))
    resampled_means(values, new_rng(3), out)
    rng = Rng(3)
    expected = [values[[rng.below(3) for _ in range(3)]].mean(axis=0) for _ in range(5)]
    assert out == pytest.approx(np.array(expected))


def test_bad_arguments():
    for arguments, how, words in (
        (("rule", []), {}, "without deals"),
        (("rule", DEALS), {"what": "speed"}, "'speed' is none of margin, threshold, steps"),
        (("random", DEALS), {"what": "threshold"}, "'random' has no threshold"),
        (("neural", DEALS), {"what": "margin"}, "'neural' has no margin"),
        (("rule", DEALS), {"measure": "score"}, "measure 'score' is none of list_points, lead"),
        (("rule", DEALS, [float("nan")]), {}, "margin nan, expected list points"),
        (("rule", DEALS, [1.5]), {"what": "threshold"}, "threshold 1.5, expected 0 … 1"),
        (("random", DEALS, [0.5]), {}, "steps 0.5, expected whole steps"),
    ):
        with pytest.raises(SkatError, match=words):
            sweep(*arguments, **how)
    with pytest.raises(SkatError, match="optimum of 1 deals"):
        optimum(np.array([0.0]), np.zeros((1, 1)))
