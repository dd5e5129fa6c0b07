"""Regret: judgements worked out by hand, open-card values by the solver, rollouts by games played one by one."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.actions import parse_action
from skatai.agent import BaseAgent, make_agent
from skatai.bidding.judging import Judgement, Regret, judge, judge_fairly, judge_freely
from skatai.bidding.outcomes import Ventures, declarations
from skatai.bidding.regret import hindsight_regret, rollout_regret
from skatai.deal import Deal, deals_from_seed
from skatai.errors import SkatError
from skatai.solver import Position, solve, solve_contracts

#: forehand makes every trick of a grand
GRAND = Deal.parse("CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.D7.S8.S7.C7.HK.HQ.H9.HA.HT|H8.H7")


class Declares(BaseAgent):
    """Declares one contract by hand, or picks up, puts the lowest cards away and declares it."""

    def __init__(self, contract, hand=True):
        self.name, self.contract, self.hand = f"declares-{contract}", contract, hand

    def act(self, view, rng):
        if view.phase == "skat" and not self.hand:
            return parse_action("pick up")
        return view.legal_actions[0] if view.phase == "discard" else parse_action(f"declare {self.contract}")


def test_judgements_by_hand():
    gains = np.array([84.0, -126.0, 70.0])
    assert judge(gains, 0) == Judgement()
    assert judge(gains, 2) == Judgement(contract=14.0)
    assert judge(gains, 1) == Judgement(contract=210.0)
    assert judge(gains, -1) == Judgement(passed=84.0)
    losing = np.array([-126.0, -186.0])
    assert judge(losing, -1) == Judgement()
    assert judge(losing, 0) == Judgement(lost=126.0)
    assert judge(losing, 1) == Judgement(lost=186.0)
    assert judge(losing, 1, may_pass=False) == Judgement(contract=60.0)


def test_equal_choices_bring_no_regret():
    assert judge(np.array([84.0, 84.0]), 1) == Judgement()
    assert judge(np.array([0.0, -10.0]), -1) == Judgement()  # a game worth nothing is no better than a pass
    measured = judge(np.array([10.0, 30.0]), 1, by=np.array([50.0, 50.0]))
    assert measured == Judgement()  # equal where it is chosen: the own choice stands


def test_halves_of_worlds_by_hand():
    """In the first half the first plan is the best (mean 80), in the second the other (60): each is valued in the other half."""
    gains = np.array([[100.0, 0.0], [60.0, 20.0], [20.0, 50.0], [-40.0, 70.0]])
    # chosen by the second half: plan 1, worth 10 in the first; by the first half: plan 0, worth -10 in the second
    assert judge_fairly(gains, -1) == Judgement(passed=(10.0 - 10.0) / 2)
    # own plan 0: 10 - 80 when judged by the second half, nothing by the first
    assert judge_fairly(gains, 0) == Judgement(contract=(10.0 - 80.0) / 2)
    assert judge_freely(gains, 0).contract >= max(0.0, judge_fairly(gains, 0).contract)
    assert Judgement(1.0, 2.0, 3.0).and_then(Judgement(contract=4.0)) == Judgement(1.0, 2.0, 7.0)


def test_luck_of_many_choices_is_no_regret():
    """Plans that are all worth the same: picking the luckiest in the same worlds would find a regret of 50 and more."""
    rng = np.random.default_rng(1)
    gains = 100.0 + rng.normal(0.0, 100.0, size=(400, 20, 20))
    naive = np.mean([judge_freely(deal, 0).contract for deal in gains])
    fair = [judge_fairly(deal, 0).contract for deal in gains]
    assert naive > 30.0
    error = np.std(fair) / np.sqrt(len(fair))
    assert abs(np.mean(fair)) < 4.0 * error


def test_summary_by_hand():
    parts = np.zeros((6, 3))
    parts[0, 0], parts[4, 1], parts[5, 2] = 30.0, 60.0, 90.0
    most = np.array([40.0, 0.0, 0.0, 0.0, 80.0, 120.0])
    regret = Regret("me", "rollouts", np.array([False, True, False, False, True, True]), parts, most)
    summary = regret.summary()
    assert (summary.hands, summary.declared) == (6, 3)
    assert (summary.total.mean, summary.passed.mean, summary.lost.mean, summary.contract.mean) == (
        30.0,
        5.0,
        10.0,
        15.0,
    )
    assert summary.most.mean == 40.0
    assert summary.total.n == 2  # deals
    # deals 10 and 50: mean 30, standard error 20, t(1) = 12.706
    assert summary.total.half == pytest.approx(12.7062 * 20.0, rel=1e-4)
    assert regret.total.tolist() == [30.0, 0.0, 0.0, 0.0, 60.0, 90.0]


@pytest.mark.jit
def test_hindsight_of_a_sure_game():
    """All that forehand's grand can bring: with four, schneider and schwarz by hand, eight times 24."""
    by_hand = solve_contracts(GRAND, 0, hand=True)
    assert by_hand[4].total == 120
    best = 24 * (4 + 1 + 1 + 2) + 50
    passed = hindsight_regret([GRAND], lambda hand: 0)
    assert passed.parts[0].tolist() == [best, 0.0, 0.0] and not passed.declared.any()
    played = hindsight_regret([GRAND], lambda hand, seat: 18 if seat == 0 else 0, Declares("GH"))
    assert played.parts[0].tolist() == [0.0, 0.0, 0.0] and played.declared.tolist() == [True, False, False]
    clubs = hindsight_regret([GRAND], lambda hand, seat: 18 if seat == 0 else 0, Declares("CH"))
    # with ten (CJ SJ HJ DJ CA CT CK CQ C9 C8), game, hand, schneider, schwarz: 14 times 12
    assert clubs.parts[0].tolist() == [0.0, 0.0, best - (12 * 14 + 50)]
    announced = hindsight_regret([GRAND], lambda hand, seat: 18 if seat == 0 else 0, Declares("GO"))
    assert announced.parts[0].tolist() == [0.0, 0.0, 0.0]  # better than the candidates: there is no regret


@pytest.mark.jit
def test_hindsight_of_the_other_hands():
    """Middlehand can win nothing, rearhand a null by hand, of which nobody else has the hearts."""
    assert not any(value.won for hand in (False, True) for value in solve_contracts(GRAND, 1, hand=hand).values())
    assert hindsight_regret([GRAND], lambda hand: 0).parts[1:].tolist() == [[0.0, 0.0, 0.0], [35.0 + 50.0, 0.0, 0.0]]
    wants = lambda hand, seat: 18 if seat > 0 else 0  # noqa: E731
    grands = hindsight_regret([GRAND], wants, Declares("GH"))
    # without four, game, hand, schneider, schwarz: eight times 24, lost doubled, and 50 and 40
    lost = 2 * 24 * 8 + 90.0
    assert grands.parts[1].tolist() == [0.0, lost, 0.0]
    state = declarations(Ventures((GRAND,), np.array([0]), np.array([2]), np.array([18])), Declares("GH"))[0]
    assert solve(Position.from_state(state)).value == 0
    assert grands.parts[2].tolist() == [0.0, 0.0, 85.0 + lost]


@pytest.mark.jit
def test_rollouts_of_a_sure_game():
    """In every world the rule player makes all tricks of forehand's grand: only the announcements are left to regret."""
    wants = lambda hand, seat: 18 if seat == 0 else 0  # noqa: E731
    open_grand = rollout_regret([GRAND], wants, Declares("GO"), worlds=6)
    assert open_grand.parts[0].tolist() == [0.0, 0.0, 0.0]
    plain = rollout_regret([GRAND], wants, Declares("GH"), worlds=6)
    assert plain.parts[0].tolist() == [0.0, 0.0, 24.0 * 3]  # 8 times 24 against 11
    passed = rollout_regret([GRAND], lambda hand: 0, worlds=6)
    assert passed.parts[0].tolist() == [24.0 * 11 + 50.0, 0.0, 0.0]


@pytest.mark.jit
def test_a_pass_that_was_right_and_a_null_that_was_wrong():
    wants = lambda hand, seat: 18 if seat == 0 else 0  # noqa: E731
    found = rollout_regret([GRAND], wants, Declares("NH"), worlds=6)
    assert found.parts[0].tolist() == [0.0, 0.0, 24.0 * 11 + 50.0 + 2 * 35 + 90.0]
    weak = Deal((GRAND.hands[1], GRAND.hands[0], GRAND.hands[2]), GRAND.skat)
    assert rollout_regret([weak], lambda hand: 0, worlds=6).parts[1].tolist() == [24.0 * 11 + 50.0, 0.0, 0.0]


@pytest.mark.jit
def test_the_regret_after_the_pick_up_is_that_of_the_contract():
    """Putting the lowest cards away and playing null with four jacks is a matter of the contract, not of the bid."""
    wants = lambda hand, seat: 18 if seat == 0 else 0  # noqa: E731
    found = rollout_regret([GRAND], wants, Declares("N", hand=False), worlds=6)
    assert found.parts[0, 0] == found.parts[0, 1] == 0.0
    assert found.parts[0, 2] > 100.0


@pytest.mark.jit
def test_neither_workers_nor_other_deals_matter():
    deals = deals_from_seed(3, 6)
    one = rollout_regret(deals, "rule", worlds=4, seed=5)
    two = rollout_regret(deals, "rule", worlds=4, seed=5, workers=2)
    first = rollout_regret(deals[:2], "rule", worlds=4, seed=5)
    assert one.parts.tolist() == two.parts.tolist()
    assert one.parts[:6].tolist() == first.parts.tolist()
    assert one.parts.tolist() != rollout_regret(deals, "rule", worlds=4, seed=6).parts.tolist()
    assert one.most.tolist() == two.most.tolist() and (one.most >= one.total).all() and (one.most > one.total).any()
    threads = hindsight_regret(deals[:2], "rule", workers=2)
    assert threads.most.tolist() == threads.total.tolist()
    assert threads.parts.tolist() == hindsight_regret(deals[:2], "rule").parts.tolist()
    assert (threads.parts >= 0.0).all()


@pytest.mark.jit
def test_good_bidders_have_less_regret_than_bad_ones():
    deals = deals_from_seed(8, 40)
    totals = [rollout_regret(deals, bidder, worlds=8).total.mean() for bidder in ("rule", lambda hand: 0, "random")]
    assert totals[0] < 5.0 < totals[1] < totals[2]


def test_bad_arguments():
    with pytest.raises(SkatError, match="worlds 1: expected 2"):
        rollout_regret([GRAND], "rule", worlds=1)
    with pytest.raises(SkatError, match="19 is not a value"):
        rollout_regret([GRAND], "rule", bid=19)
    with pytest.raises(SkatError, match="sees all cards"):
        hindsight_regret([GRAND], make_agent("open"))
    with pytest.raises(SkatError, match="regret without deals"):
        rollout_regret([], "rule")
