"""The PIMC agent."""

from __future__ import annotations

import pytest

from skatai.actions import parse_action
from skatai.agent import choose, decision_rng, make_agent
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError
from skatai.game import Game
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.testing import check_agent
from skatai.view import PlayerView
from skatai.worlds import sample_worlds
from skatai_agents.pimc import PimcAgent

QUICK = {"worlds": 4, "endgame": 5, "bid_worlds": 4, "width": 4, "pool": 2, "bid": "pimc"}
STRONG = "CJ.SJ.HJ.DJ.CA.CT.CK.HA.HT.D7|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.S8.S7.C9.C8.C7.CQ.HK.HQ.H9|H8.H7"


def test_keeps_the_protocol() -> None:
    """Legal, repeatable, blind to hidden cards, the same in a batch."""
    report = check_agent(PimcAgent(**QUICK), deals=2, opponents="rule")
    assert report.ok, report.faults


def test_keeps_the_protocol_with_concessions_and_claims() -> None:
    report = check_agent(PimcAgent(**QUICK), deals=2, seed=1, opponents="random", rules=Rules.table())
    assert report.ok, report.faults


@pytest.mark.parametrize("rules", [Rules.iss(), Rules(declaration_check="strict", null_overbid="multiple")])
def test_plays_by_other_rules(rules: Rules) -> None:
    report = check_agent(PimcAgent(**QUICK), deals=1, seed=2, opponents="rule", rules=rules)
    assert report.ok, report.faults


def test_spec_with_options() -> None:
    agent = make_agent("pimc:worlds=7,endgame=4,bid=rule,discard=rule")
    assert isinstance(agent, PimcAgent)
    assert (agent.worlds, agent.endgame, agent.bid, agent.discard) == (7, 4, "rule", "rule")


@pytest.mark.parametrize("spec", ["worlds=0", "endgame=11", "width=0", "bid=loud", "worlds=2.5", "discard=none"])
def test_bad_options(spec: str) -> None:
    with pytest.raises(AgentError, match=spec.split("=")[0]):
        make_agent(f"pimc:{spec}")


def test_a_hand_that_cannot_lose_is_bid_for_and_named() -> None:
    game = Game(Deal.parse(STRONG))
    agent = PimcAgent(worlds=10, bid_worlds=10, bid="pimc")
    game.play("bid 18")
    assert choose(agent, game, Rng(1)) == parse_action("hold")
    for action in ("hold", "pass", "pass"):
        game.play(action)
    number = 0
    while game.phase != "play":
        game.play(choose(agent, game, decision_rng(1, 0, 0, number)))
        number += 1
    contract = game.contract
    assert contract is not None
    assert contract.game == 4


def test_plays_the_card_of_most_value() -> None:
    agent = PimcAgent(worlds=10)
    game = Game(Deal.parse(STRONG))
    for action in ("bid 18", "hold", "pass", "pass", "declare GH"):
        game.play(action)
    values = agent.card_values(game.view(0), Rng(2))
    assert set(values) == set(game.legal_actions)
    assert choose(agent, game, Rng(2)) == max(values, key=lambda card: values[card])


def test_hidden_cards_do_not_matter_in_any_phase() -> None:
    """The same view from another world gives the same action: auction, skat, discard, declaration and cards."""
    agent = PimcAgent(**QUICK)
    game, phases = Game(deals_from_seed(8, 1)[0]), set()
    actions = ["pass", "pass", "bid 18", "pick up"]
    while len(game.plays) < 12:
        seat = game.to_move
        assert seat is not None
        view = game.view(seat)
        action = agent.act(view, Rng(1))
        for world in sample_worlds(view, 2, Rng(2)):
            assert agent.act(PlayerView(world, seat), Rng(1)) == action
        phases.add(game.phase)
        game.play(actions.pop(0) if actions else action)
    assert phases == {"auction", "skat", "discard", "declare", "play"}


def test_worth_more_than_random_play() -> None:
    """Robust: two random players lose to one PIMC player, seat by seat, over a few deals."""
    agents = {"pimc": PimcAgent(**QUICK), "random": make_agent("random")}
    totals = {"pimc": 0, "random": 0}
    for index, deal in enumerate(deals_from_seed(5, 6)):
        for mine in range(3):
            game, number = Game(deal), 0
            while not game.is_over:
                seat = game.to_move
                assert seat is not None
                agent = agents["pimc" if seat == mine else "random"]
                game.play(choose(agent, game, decision_rng(3, index, seat, number)))
                number += 1
            for seat, points in enumerate(game.result.list_points):
                totals["pimc" if seat == mine else "random"] += points
    assert totals["pimc"] > totals["random"] / 2 + 18 * 20
