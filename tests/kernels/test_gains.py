"""Gains in list points, against the scores of people's arithmetic and games played move by move."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.actions import contract_of
from skatai.agent import make_agent
from skatai.contract import Contract
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import PICK_UP
from skatai.kernels.gains import gain, open_gain, plan_gains
from skatai.kernels.state import new_states
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.scoring import list_points, score_game

RULES = Rules().to_int()


@pytest.mark.parametrize("score", [18, 48, 264, -36, -96, -1320])
def test_gain_is_the_lead_over_a_defender(score):
    points = list_points(score, 1)
    assert gain(score) == points[1] - points[0]


def test_gain_of_a_deal_passed_in():
    assert gain(0) == 0.0


@pytest.mark.parametrize("contract", ["C", "CH", "CHS", "CHZ", "G", "GH", "GO"])
@pytest.mark.parametrize("total", [0, 15, 30, 31, 60, 61, 89, 90, 119, 120])
@pytest.mark.parametrize("bid", [18, 48, 120])
def test_open_gain_by_the_score_sheet(contract, total, bid):
    what = Contract.parse(contract)
    own, others = (10, 0) if total == 120 else (0, 10) if total == 0 else (5, 5)
    score = score_game(what, 2, total, own, others, bid=bid).score
    assert open_gain(what.game, what.flags, 2, total, bid, RULES) == gain(score)


def test_open_gain_in_null():
    assert open_gain(5, 0, 0, 1, 18, RULES) == 23 + 50
    assert open_gain(5, 0, 0, 0, 18, RULES) == -46 - 90


@pytest.mark.jit
def test_plan_gains_as_the_rule_player_plays():
    rule = make_agent("rule")
    plans = np.array([[PICK_UP, 0], [42, 0], [58, 0]])  # pick up, diamonds by hand, grand by hand
    assert [str(contract_of(int(action))) for action in plans[1:, 0]] == ["DH", "GH"]
    pool, out, expected = new_states(4), np.empty((3, 3)), []
    for world in range(3):
        row = []
        for action in plans[:, 0]:
            game = Game(Deal.random(world)).play("bid 18").play("pass").play("pass")
            pool[world] = game.state
            game.play(int(action))
            while not game.is_over:
                game.play(rule.act(game.view(game.to_move), Rng(0)))
            points = game.result.list_points
            row.append(points[1] - points[0])
        expected.append(row)
    plan_gains(pool, 1, plans, out)
    assert out.tolist() == expected
