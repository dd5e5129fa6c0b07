"""The random agent."""

from __future__ import annotations

from collections import Counter

from skatai.agent import make_agent
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import FIRST_BID, PASS
from skatai.rng import Rng
from skatai.testing import check_agent
from skatai_agents.random import RandomAgent


def test_keeps_the_protocol() -> None:
    report = check_agent(RandomAgent(), deals=4)
    assert report.ok, report.faults


def test_is_registered() -> None:
    assert isinstance(make_agent("random"), RandomAgent)


def test_auction_is_pass_or_the_next_value() -> None:
    view = Game(Deal.random(1)).view(1)
    agent = RandomAgent()
    counts = Counter(agent.act(view, Rng(seed)) for seed in range(400))
    assert set(counts) == {PASS, FIRST_BID}
    assert 150 < counts[PASS] < 250


def test_every_legal_card_is_played() -> None:
    game = Game(Deal.random(2))
    for action in ("bid 18", "pass", "pass", "declare GH"):
        game.play(action)
    view = game.view(0)
    agent = RandomAgent()
    assert {agent.act(view, Rng(seed)) for seed in range(300)} == set(view.legal_actions)
