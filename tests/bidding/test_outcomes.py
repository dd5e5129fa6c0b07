"""Every hand as declarer: compiled and move by move the same, whatever the workers."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.agent import BaseAgent, decision_rng, make_agent
from skatai.bidding.outcomes import Outcomes, Ventures, all_hands, declarations, outcomes
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.kernels.state import PLAY

DEALS = deals_from_seed(6, 8)
#: forehand has a grand with four jacks that cannot be lost; middlehand nothing
GRAND = Deal.parse("CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.D7.S8.S7.C7.HK.HQ.H9.HA.HT|H8.H7")


class Illegal(BaseAgent):
    name = "illegal"

    def act(self, view, rng):
        return 0 if view.phase == "skat" else view.legal_actions[0]


def same(one: Outcomes, two: Outcomes) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(two, name))
        for name in ("won", "overbid", "games", "flags", "scores")
    )


def test_all_hands_in_the_order_of_deals_and_seats():
    hands, seats = all_hands(DEALS)
    assert hands.tolist() == [hand.mask for deal in DEALS for hand in deal.hands]
    assert seats.tolist() == [0, 1, 2] * 8
    ventures = Ventures.of_all(DEALS)
    assert len(ventures) == 24 and ventures.numbers.tolist() == [i // 3 for i in range(24)]
    assert ventures.seats.tolist() == seats.tolist() and set(ventures.bids.tolist()) == {18}


def test_a_bidders_limits_as_bids():
    limits = np.array([0, 24, 264] * 8)
    assert Ventures.of_all(DEALS, limits).bids.tolist() == [18, 24, 264] * 8


def test_a_game_that_cannot_be_lost():
    found = outcomes(Ventures.of_all([GRAND], 18))
    assert found.won[0] and found.games[0] == 4
    assert found.list_points[0] == found.scores[0] + 50
    assert found.scores[0] % 24 == 0 and found.scores[0] >= 24 * 6  # with four, game, hand or schneider
    over = outcomes(Ventures.of_all([GRAND], np.array([264, 264, 264])))
    lost = ~over.won
    assert over.overbid[1] and lost[1] and over.scores[1] < -2 * 18
    assert over.list_points[1] == over.scores[1] - 50


@pytest.mark.jit
def test_agents_in_lock_step_play_as_the_compiled_player():
    ventures = Ventures.of_all(DEALS, np.array([18, 24, 48] * 8))
    compiled = outcomes(ventures)
    assert same(compiled, outcomes(ventures, make_agent("rule"), "rule"))
    assert same(compiled, outcomes(ventures, "rule", make_agent("rule")))
    assert same(compiled, outcomes(ventures, workers=2, backend="threads"))


@pytest.mark.jit
def test_seeds_decide_and_workers_do_not():
    ventures = Ventures.of_all(DEALS)
    one = outcomes(ventures, "random", "random", seed=1)
    assert same(one, outcomes(ventures, "random", "random", seed=1, workers=2, backend="threads"))
    assert not same(one, outcomes(ventures, "random", "random", seed=2))
    part = Ventures(tuple(DEALS), ventures.numbers[7:9], ventures.seats[7:9], ventures.bids[7:9])
    assert outcomes(part, "random", "random", seed=1).scores.tolist() == one.scores[7:9].tolist()


def test_decisions_are_seeded_by_deal_seat_and_move():
    game = Game(DEALS[2])
    for name in ("bid 18", "pass", "pass"):
        game.play(name)
    agent = make_agent("random")
    while not game.is_over:
        legal = game.legal_actions
        rng = decision_rng(9, 2, game.to_move, len(game.history))
        game.play(agent.act(game.view(game.to_move), rng) if len(legal) > 1 else legal[0])
    found = outcomes(Ventures(tuple(DEALS), np.array([2]), np.array([1]), np.array([18])), "random", "random", seed=9)
    assert found.scores.tolist() == [game.result.score]


def test_declarations_stop_before_the_first_card():
    for agent in ("rule", make_agent("rule")):
        states = declarations(Ventures.of_all(DEALS[:3]), agent)
        assert (states["phase"] == PLAY).all() and (states["n_plays"] == 0).all()
        assert states["declarer"].tolist() == [0, 1, 2] * 3
    one = declarations(Ventures.of_all(DEALS[:3]))
    assert one.tobytes() == states.tobytes()


def test_an_agent_that_sees_all_cards_may_play():
    found = outcomes(Ventures.of_all([GRAND]), "rule", "open:endgame=3")
    assert found.won[0]


def test_what_does_not_fit():
    numbers, seats, bids = np.array([0]), np.array([0]), np.array([18])
    for arguments, words in (
        ((numbers, seats, np.array([19])), "19 is not a value"),
        ((np.array([8]), seats, bids), "deal 8 to 8, expected 0 … 7"),
        ((numbers, np.array([3]), bids), "seat 3 to 3, expected 0 … 2"),
        ((numbers, seats, np.array([18, 18])), "expected"),
    ):
        with pytest.raises(SkatError, match=words):
            Ventures(tuple(DEALS), *arguments)
    with pytest.raises(AgentError, match="agent 'illegal\\+rule', deal 0, forehand: 'play D7' is not legal"):
        outcomes(Ventures.of_all(DEALS[:1]), Illegal(), "rule")
    nothing = np.zeros(0, dtype=np.int64)
    assert len(outcomes(Ventures((), nothing, nothing, nothing)).won) == 0
