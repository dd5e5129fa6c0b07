"""The chance an agent gives itself as declarer: honest, the same in a batch, and about right."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.agent import make_agent
from skatai.bidding import AgentBidder, RuleBidder
from skatai.bidding.outcomes import Ventures, all_hands, outcomes
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError
from skatai.game import Game
from skatai.rng import Rng
from skatai.rules import Rules

pytestmark = pytest.mark.jit  # hundreds of games are slow as plain Python

AGENTS = ("rule", "neural", "pimc")
GRAND = "CJ.SJ.HJ.DJ.CA.CT.CK.HA.HT.D7|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.S8.S7.C9.C8.C7.CQ.HK.HQ.H9|H8.H7"


def declarers_views(n):
    """Views of the rule player as declarer before the pick-up and before the first card, and who won, of ``n`` random deals."""
    rule, skat, play, won = make_agent("rule"), [], [], []
    for deal in deals_from_seed(11, n):
        game, found = Game(deal), {}
        while not game.is_over:
            if game.declarer is not None and not game.plays:
                found[game.phase] = game.view(game.declarer)
            game.play(rule.act(game.view(game.to_move), Rng(0)))
        if game.declarer is not None:
            skat.append(found["skat"])
            play.append(found["play"])
            won.append(game.result.won)
    return skat, play, np.array(won, dtype=float)


@pytest.fixture(scope="module")
def views():
    return declarers_views(300)


@pytest.mark.parametrize(("name", "moment"), [("rule", 0), ("rule", 1), ("neural", 0), ("neural", 1), ("pimc", 1)])
def test_claims_say_more_than_the_share_of_games_won(views, name, moment):
    agent, won = make_agent(name), views[2]
    claims = np.array(agent.win_chance_batch(views[moment], [Rng(i) for i in range(len(won))]))
    assert np.all((claims >= 0) & (claims <= 1))
    assert abs(claims.mean() - won.mean()) < 0.05  # three standard errors of the mean
    assert np.mean((claims - won) ** 2) < won.mean() * (1 - won.mean())


@pytest.mark.parametrize("name", ["rule", "neural"])
def test_claims_on_hands_that_would_pass(name):
    """Made declarer at 18, they win about as often as claimed; who learns from declarers' games alone claims far too much."""
    deals = deals_from_seed(12, 300)
    hands, seats = all_hands(deals)
    claims = AgentBidder(name).win_chances(hands, seats, np.full(900, 18), Rules())
    won = outcomes(Ventures.of_all(deals, 18)).won.astype(float)
    passes = RuleBidder().limits(hands, seats, Rules()) == 0
    assert 0.4 < passes.mean() < 0.6 and won[passes].mean() < 0.6 < won[~passes].mean()
    for part in (passes, ~passes):
        assert abs(claims[part].mean() - won[part].mean()) < 0.05  # two standard errors of the mean
    assert np.mean((claims - won) ** 2) < 0.2  # 0.23 for the share of games won


@pytest.mark.parametrize("name", AGENTS)
def test_the_batch_is_one_by_one(views, name):
    agent, some = make_agent(name), views[1][:12]
    batch = agent.win_chance_batch(some, [Rng(i) for i in range(12)])
    assert batch == [agent.win_chance(view, Rng(i)) for i, view in enumerate(some)]
    assert agent.win_chance_batch([], []) == []


@pytest.mark.parametrize("name", AGENTS)
def test_hidden_cards_make_no_difference(name):
    agent = make_agent(name)
    deal = Deal.parse(GRAND)
    other = Deal((deal.hands[0], deal.hands[2], deal.hands[1]), deal.skat)
    claims = set()
    for cards in (deal, other):
        game = Game(cards)
        for action in ("bid 18", "hold", "pass", "pass"):
            game.play(action)
        before = agent.win_chance(game.view(0), Rng(1))
        game.play("declare GH")
        claims.add((before, agent.win_chance(game.view(0), Rng(1))))
    assert len(claims) == 1
    assert min(claims.pop()) > 0.9


@pytest.mark.parametrize("name", AGENTS)
def test_other_views_are_refused(name):
    agent, game = make_agent(name), Game(Deal.parse(GRAND))
    with pytest.raises(AgentError, match="bidder 0 in auction"):
        agent.win_chance(game.view(0), Rng(0))
    for action in ("bid 18", "hold", "pass", "pass", "declare GH"):
        game.play(action)
    with pytest.raises(AgentError, match="defender 1 in play after 0 cards"):
        agent.win_chance(game.view(1), Rng(0))
    game.play("CJ")
    with pytest.raises(AgentError, match="declarer 0 in play after 1 cards; expected the declarer"):
        agent.win_chance_batch([game.view(0)], [Rng(0)])
