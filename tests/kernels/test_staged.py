"""Auctions by limits and games that begin with a given declarer, against games played move by move."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.actions import ACTION_NAMES
from skatai.agent import make_agent
from skatai.auction import ladder
from skatai.deal import Deal, deals_from_seed
from skatai.game import Game
from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.rng import new_rng
from skatai.kernels.staged import auctions_by_limits, rule_declarations, rule_games, stage_games
from skatai.kernels.state import NOBODY, PLAY, new_state, new_states
from skatai.rng import Rng
from skatai.rules import Rules

RULES = Rules().to_int()


def naive_auction(limits, rules):
    """Declarer and value, people calling one after the other by rules 2.2."""
    game = Game(Deal.random(0), rules=rules)
    while game.phase == "auction":
        names = game.legal_action_names
        limit = limits[game.to_move]
        if "hold" in names:
            game.play("hold" if limit >= game.bid else "pass")
        else:
            values = [int(name.split()[1]) for name in names if name.startswith("bid")]
            game.play(f"bid {values[0]}" if values and limit >= values[0] else "pass")
    return (-1, 0) if game.declarer is None else (game.declarer, game.bid)


@given(st.lists(st.sampled_from([0, 0, 17, 18, 20, 22, 23, 24, 30, 59, 264, 300]), min_size=3, max_size=3))
def test_auctions_by_limits_as_people_call(limits):
    out = np.empty((1, 2), dtype=np.int64)
    for rules in (Rules(), Rules(grand_base=20)):
        auctions_by_limits(np.array([limits], dtype=np.int64), rules.to_int(), new_state(), out)
        declarer, bid = naive_auction(limits, rules)
        assert out[0, 0] == declarer
        assert declarer < 0 or out[0, 1] == bid


def test_auctions_worked_out_by_hand():
    cases = {
        (0, 0, 0): -1,
        (30, 0, 0): (0, 18),  # forehand's last chance: 18, whatever the limit
        (30, 24, 0): (0, 24),
        (20, 24, 0): (1, 22),  # 18 hold, 20 hold, 22 pass
        (20, 24, 27): (2, 27),  # middlehand at 22, then 23, 24 held, 27
        (20, 24, 24): (1, 24),  # rearhand names 23 and 24, middlehand holds
        (264, 264, 264): (0, 264),
    }
    limits = np.array(list(cases), dtype=np.int64)
    out = np.empty((len(cases), 2), dtype=np.int64)
    auctions_by_limits(limits, RULES, new_state(), out)
    assert [-1 if seat < 0 else (seat, bid) for seat, bid in out.tolist()] == list(cases.values())


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_make_declarer_at_every_value(seat):
    deal = Deal.random(5)
    values = ladder()
    cards = np.tile(np.array(deal.masks, dtype=np.int64), (len(values), 1))
    states = new_states(len(values))
    indices = np.searchsorted(BID_VALUES, values)
    stage_games(cards, np.full(len(values), seat), indices, RULES, states)
    for state, value in zip(states, values, strict=True):
        game = Game(deal)
        for name in {0: (f"bid {value}", "hold", "pass", "pass"), 1: (f"bid {value}", "pass", "pass")}.get(
            seat, ("pass", f"bid {value}", "pass")
        ):
            game.play(name)
        assert (game.phase, game.declarer, game.bid) == ("skat", seat, value)
        assert state.tobytes() == game.state.tobytes()


@pytest.mark.jit
def test_games_of_the_rule_player_as_its_agent_plays_them():
    rule = make_agent("rule")
    deals = deals_from_seed(4, 20)
    cards = np.array([deal.masks for deal in deals], dtype=np.int64)
    seats = np.arange(20) % 3
    states, ended = new_states(20), new_states(20)
    for out in (states, ended):
        stage_games(cards, seats, np.zeros(20, dtype=np.int64), RULES, out)
    rule_declarations(states, new_rng(0))
    rule_games(ended, new_rng(0))
    for deal, seat, declared, state in zip(deals, seats, states, ended, strict=True):
        game = Game(deal)
        for name in (("bid 18", "hold", "pass", "pass"), ("bid 18", "pass", "pass"), ("pass", "bid 18", "pass"))[seat]:
            game.play(name)
        while not game.is_over:
            if game.phase == "play" and not game.plays:
                assert declared["phase"] == PLAY
                assert declared.tobytes() == game.state.tobytes()
            game.play(ACTION_NAMES[rule.act(game.view(game.to_move), Rng(0))])
        assert state.tobytes() == game.state.tobytes()


def test_a_deal_that_is_passed_in_has_no_declarer():
    state, out = new_state(), np.empty((1, 2), dtype=np.int64)
    auctions_by_limits(np.zeros((1, 3), dtype=np.int64), RULES, state, out)
    assert state["declarer"] == NOBODY and out[0, 0] == -1
