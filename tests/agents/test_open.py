"""The open agent."""

from __future__ import annotations

import pytest

from skatai.agent import choose, decision_rng, make_agent
from skatai.deal import deals_from_seed
from skatai.errors import AgentError
from skatai.game import Game
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.solver import solve_moves
from skatai.testing import check_agent
from skatai_agents.open import OpenAgent


def test_keeps_the_protocol() -> None:
    report = check_agent(OpenAgent(endgame=5, width=4), deals=3, opponents="rule")
    assert report.ok, report.faults


def test_keeps_the_protocol_with_concessions_and_claims() -> None:
    report = check_agent(OpenAgent(endgame=5, width=4), deals=2, seed=1, rules=Rules.table())
    assert report.ok, report.faults


def test_registered_and_marked() -> None:
    agent = make_agent("open:endgame=5")
    assert isinstance(agent, OpenAgent)
    assert agent.sees_all


@pytest.mark.parametrize("spec", ["endgame=0", "width=99"])
def test_bad_options(spec: str) -> None:
    with pytest.raises(AgentError, match=spec.split("=")[0]):
        make_agent(f"open:{spec}")


def played(agents: tuple[str, str, str], index: int) -> Game:
    made = [make_agent(spec) for spec in agents]
    game = Game(deals_from_seed(9, index + 1)[index])
    number = 0
    while not game.is_over:
        seat = game.to_move
        assert seat is not None
        game.play(choose(made[seat], game, decision_rng(3, index, seat, number)))
        number += 1
    return game


def test_endings_are_played_without_loss() -> None:
    """Among three that see all cards, nobody gives anything away from five cards a hand on, unless it changes no score."""
    game = played(("open:endgame=5", "open:endgame=5", "open:endgame=5"), 0)
    if len(game.plays) < 30:
        return
    replay = Game(game.deal)
    for action in game.actions[:-15]:
        replay.play(action)
    best = solve_moves(replay).value
    declarer = game.declarer
    assert declarer is not None
    before = replay.points[declarer]
    assert game.points[declarer] - before == best


def test_gains_on_the_rule_player() -> None:
    """Robust: over a few deals its list points beat those of the two rule players beside it."""
    mine = theirs = 0
    for index in range(4):
        for seat in range(3):
            specs = ["rule"] * 3
            specs[seat] = "open"
            points = played((specs[0], specs[1], specs[2]), index).result.list_points
            mine += points[seat]
            theirs += sum(points) - points[seat]
    assert mine > theirs / 2


def test_nobody_to_move() -> None:
    game = Game(deals_from_seed(1, 1)[0])
    for _ in range(3):
        game.play("pass")
    with pytest.raises(AgentError, match="over"):
        OpenAgent().act_open(game, Rng(1))
