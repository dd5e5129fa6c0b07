"""Play-outs against plain replays: endings by the search, utilities, plans."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai.cards import CardSet
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import PICK_UP
from skatai.kernels.events import apply
from skatai.kernels.inference import choose_worlds
from skatai.kernels.moves import is_legal
from skatai.kernels.observe import copy_state
from skatai.kernels.playouts import (
    LOSS,
    MAX_PLANS,
    POINT_WEIGHT,
    as_declarer,
    card_values,
    carry_out,
    finish_with,
    list_plans,
    open_card_values,
    plan_values,
    play_out,
    search_area,
    utility,
)
from skatai.kernels.policies import rule_card
from skatai.kernels.rng import new_rng
from skatai.kernels.state import DECLARE, DISCARD, OVER, PLAY, SKAT, new_state, new_states
from skatai.rng import Rng
from skatai.solver import solve
from skatai.view import PlayerView

CONTRACTS = ("D", "G", "N", "SH", "NO", "GH", "CHS", "HHZ", "GOH")


def in_play(seed: int, contract: str, cards: int) -> Game:
    """Middlehand plays a contract at 18; then random cards."""
    rng = Rng(seed)
    game = Game(Deal.random(seed))
    for action in ("bid 18", "pass", "pass"):
        game.play(action)
    if "H" not in contract[1:]:
        game.play("pick up")
        for _ in range(2):
            game.play(rng.choice(game.legal_actions))
    game.play(f"declare {contract}")
    for _ in range(cards):
        if not game.is_over:
            game.play(rng.choice(game.legal_actions))
    return game


def by_rule(game: Game) -> Game:
    """The rest by the rule player."""
    game = Game.parse(str(game))
    while not game.is_over:
        seat = game.to_move
        assert seat is not None
        game.play(int(rule_card(game.state, seat)))
    return game


def worth(game: Game) -> float:
    result = game.result
    assert result.declarer is not None
    points = result.list_points
    others = [p for seat, p in enumerate(points) if seat != result.declarer]
    return points[result.declarer] - others[0] + POINT_WEIGHT * result.points


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), contract=st.sampled_from(CONTRACTS), cards=st.integers(0, 29))
def test_play_out_without_search_is_the_rule_players_game(seed: int, contract: str, cards: int) -> None:
    game = in_play(seed, contract, cards)
    state = new_state()
    copy_state(game.state, state)
    assert play_out(state, 0, search_area(0)) == pytest.approx(worth(by_rule(game)))
    assert state["phase"] == OVER


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), contract=st.sampled_from(CONTRACTS), cards=st.integers(18, 29))
def test_finish_with_gives_the_declarer_what_the_search_found(seed: int, contract: str, cards: int) -> None:
    game = in_play(seed, contract, cards)
    if game.is_over:
        return
    value = solve(game).value
    state = new_state()
    copy_state(game.state, state)
    finish_with(state, value)
    assert state["phase"] == OVER
    declarer = game.declarer
    assert declarer is not None
    if contract[0] == "N":
        assert bool(state["won"]) == (value == 1)
        return
    put_away = game.state["discards"] or game.state["skat"]
    assert int(state["awarded"]) == game.points[declarer] + CardSet(int(put_away)).points + value
    if contract in ("D", "G"):
        assert bool(state["won"]) == (int(state["awarded"]) >= 61)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), contract=st.sampled_from(CONTRACTS), cards=st.integers(0, 29))
def test_both_ways_to_value_cards_agree_near_the_end(seed: int, contract: str, cards: int) -> None:
    """With the search over all cards, a card is worth what the position after it is worth."""
    game = in_play(seed, contract, max(cards, 15))
    if game.is_over:
        return
    work, scratch = search_area(10), new_state()
    solved = np.zeros(32)
    open_card_values(game.state, 10, scratch, work, solved)
    for card in game.legal_actions:
        copy_state(game.state, scratch)
        copy = Game.parse(str(game))
        copy.play(card)
        copy_state(copy.state, scratch)
        assert solved[card] == pytest.approx(play_out(scratch, 10, work))


def test_utility_is_the_gain_in_list_points() -> None:
    won, lost = new_state(), new_state()
    won["score"], won["awarded"] = 48, 70
    lost["score"], lost["awarded"] = -96, 60
    assert utility(won) == 48 + 50 + 70 * POINT_WEIGHT
    assert utility(lost) == -96 - LOSS + 60 * POINT_WEIGHT
    assert utility(new_state()) == 0


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), seat=st.integers(0, 2), bid=st.integers(0, 30), width=st.integers(1, MAX_PLANS))
def test_plans_are_legal_and_lead_to_the_first_trick(seed: int, seat: int, bid: int, width: int) -> None:
    """Every plan of every phase can be carried out by legal actions."""
    game, state = new_state(), new_state()
    as_declarer(Game(Deal.random(seed)).state, seat, bid, game)
    rng = Rng(seed)
    for phase in (SKAT, DISCARD, DISCARD, DECLARE):
        assert game["phase"] == phase
        plans = np.zeros((MAX_PLANS, 2), dtype=np.int64)
        plans = plans[: list_plans(PlayerView(game, seat).state, seat, width, plans)]
        assert 1 <= len(plans) <= MAX_PLANS
        assert len(np.unique(plans, axis=0)) == len(plans)
        for action, away in plans:
            copy_state(game, state)
            carry_out(state, seat, action, away)
            assert (state["phase"], state["n_plays"]) == (PLAY, 0)
            if phase == DISCARD:
                assert int(state["discards"]) == away
                assert away & int(game["discards"]) == int(game["discards"])
            else:
                assert is_legal(game, action)
        _, away = (int(x) for x in rng.choice(list(plans)))
        away &= int(game["hands"][seat])
        if phase != DECLARE:
            apply(game, PICK_UP if phase == SKAT else (away & -away).bit_length() - 1)


def test_values_depend_on_the_stream_alone() -> None:
    game = in_play(5, "D", 4)
    seat = game.to_move
    assert seat is not None
    view = game.view(seat)
    results = []
    for _ in range(2):
        values = np.zeros(32)
        pool, counts = new_states(21), np.zeros(20, dtype=np.int64)
        choose_worlds(view.state, seat, new_rng(9), 5, pool, counts)
        card_values(pool, counts, 6, values)
        results.append(values)
    assert np.array_equal(*results)
    assert set(np.flatnonzero(results[0])) == set(view.legal_actions)


def test_hopeless_games_are_valued_below_sure_ones() -> None:
    """Four jacks and long clubs against a hand that must play null, both at 18."""
    strong = Deal.parse(
        "CJ SJ HJ DJ CA CT CK CQ SA HA  DA DT DK DQ D9 D8 D7 ST SK SQ  HT HK HQ H9 H8 H7 S9 S8 S7 C9  C8 C7"
    )
    worths = []
    for seat in (0, 2):
        state = new_state()
        as_declarer(Game(strong).view(seat).state, seat, 0, state)
        plans = np.zeros((MAX_PLANS, 2), dtype=np.int64)
        plans = plans[: list_plans(state, seat, 8, plans)]
        values = np.zeros(len(plans))
        pool, counts = new_states(11), np.zeros(10, dtype=np.int64)
        choose_worlds(state, seat, new_rng(1), 10, pool, counts)
        plan_values(pool, counts, seat, 6, plans, values)
        worths.append(values.max())
    assert worths[0] > 200 > worths[1] + 50
