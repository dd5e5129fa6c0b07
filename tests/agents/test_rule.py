"""The rule agent."""

from __future__ import annotations

from skatai.agent import make_agent
from skatai.deal import Deal
from skatai.game import Game
from skatai.rng import Rng
from skatai.testing import check_agent
from skatai_agents.rule import RuleAgent

STRONG = "CJ.SJ.HJ.DJ.CA.CT.CK.HA.HT.D7|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.S8.S7.C9.C8.C7.CQ.HK.HQ.H9|H8.H7"


def test_keeps_the_protocol() -> None:
    report = check_agent(RuleAgent(), deals=4)
    assert report.ok, report.faults


def test_keeps_the_protocol_among_its_like() -> None:
    report = check_agent(RuleAgent(), deals=4, seed=1, opponents="rule")
    assert report.ok, report.faults


def test_is_registered() -> None:
    assert isinstance(make_agent("rule"), RuleAgent)


def test_batch_answers_like_act_and_rng_does_not_matter() -> None:
    agent = RuleAgent()
    views = [Game(Deal.random(seed)).view(1) for seed in range(20)]
    batch = agent.act_batch(views, [Rng(0)] * 20)
    assert batch == [agent.act(view, Rng(seed)) for seed, view in enumerate(views)]


def test_batch_of_none() -> None:
    assert RuleAgent().act_batch([], []) == []


def test_beats_the_random_agent_as_declarer() -> None:
    """A grand with four jacks is made against random defenders."""
    for seed in range(5):
        game = Game(Deal.parse(STRONG))
        for action in ("bid 18", "hold", "pass", "pass"):  # forehand becomes declarer
            game.play(action)
        rule, random = RuleAgent(), make_agent("random")
        while not game.is_over:
            seat = game.to_move
            assert seat is not None
            agent = rule if seat == game.view(seat).declarer or game.phase != "play" else random
            game.play(agent.act(game.view(seat), Rng(100 * seed + len(game.plays))))
        assert game.result is not None
        assert game.result.won and game.result.contract.game == 4
