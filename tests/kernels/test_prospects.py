"""Chances of a declarer: overbid games, matadors in the skat, all skats, and shares of worlds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from skatai.cards import ALL_CARDS, CardSet
from skatai.contract import Contract
from skatai.deal import Deal, deals_from_seed
from skatai.game import Game
from skatai.kernels.action_ids import (
    BID_VALUES,
    DECLARATIONS,
    FIRST_DECLARATION,
    HAND,
    OUVERT,
    PICK_UP,
    SCHNEIDER,
    SCHWARZ,
)
from skatai.kernels.policies import best_discard_and_contract, limit, rule_skat
from skatai.kernels.policies.bidding import MARGIN
from skatai.kernels.policies.strength import (
    BY_HAND,
    BY_HAND_SCHNEIDER,
    KEPT,
    NULL_KEPT,
    NULL_OUVERT,
    null_chance,
    trump_chance,
)
from skatai.kernels.prospects import by_hand_chance, declarer_chance, kept_chance, rule_chances, rule_limits, win_share
from skatai.kernels.state import new_state, new_states
from skatai.rules import Rules
from skatai.scoring import matadors, score_game

RULES = Rules().to_int()
D, H, S, C, G, N = range(6)


def mask(text):
    return CardSet.parse(text).mask


def value_of(contract, cards, schneider=False):
    points = 95 if schneider else 70
    return score_game(contract, matadors(contract.game, cards), points, 8, 2).value


def test_kept_chance_knows_what_the_bid_asks_for():
    hand, away = mask("CJ SJ HA HT HK HQ H9 CA ST S9"), mask("D7 D8")  # hearts with two: 30, with schneider 40
    plain = trump_chance(KEPT, hand, H, 0, 0)
    assert kept_chance(hand, away, H, 0, 0, 18, RULES) == kept_chance(hand, away, H, 0, 0, 30, RULES) == plain
    needed = kept_chance(hand, away, H, 0, 0, 33, RULES)
    assert needed == kept_chance(hand, away, H, 0, 0, 40, RULES) == trump_chance(BY_HAND_SCHNEIDER, hand, H, 0, 0)
    assert needed < plain
    assert kept_chance(hand, away, H, 0, 0, 44, RULES) == 0.0


def test_kept_chance_in_null():
    hand, away = mask("D7 D8 D9 H7 H8 H9 S7 S8 C7 C9"), mask("CA SA")
    assert kept_chance(hand, away, N, 0, 1, 23, RULES) == null_chance(NULL_KEPT, hand, 1)
    assert kept_chance(hand, away, N, OUVERT, 1, 46, RULES) == null_chance(NULL_OUVERT, hand, 1)
    assert kept_chance(hand, away, N, 0, 1, 24, RULES) == 0.0


@pytest.mark.parametrize("cards", ["CJ SJ HA HT HK HQ H9 CA ST S9", "HA HT HK HQ H9 H8 H7 CA ST S9"])
@pytest.mark.parametrize("bid", [18, 30, 40, 50, 60])
def test_by_hand_chance_counts_all_skats(cards, bid):
    """Without four a jack in the skat lowers the value; with two the third one raises it."""
    hand = CardSet.parse(cards)
    chance61 = trump_chance(BY_HAND, hand.mask, H, 2, 0)
    chance90 = trump_chance(BY_HAND_SCHNEIDER, hand.mask, H, 2, 0)
    total = 0.0
    for pair in combinations(ALL_CARDS - hand, 2):
        twelve = hand | CardSet.of(pair)
        if value_of(Contract.parse("HH"), twelve) >= bid:
            total += chance61
        elif value_of(Contract.parse("HH"), twelve, schneider=True) >= bid:
            total += chance90
    assert by_hand_chance(hand.mask, H, HAND, 2, bid, RULES) == pytest.approx(total / 231)


def test_by_hand_chance_of_announced_games():
    sure = mask("CJ SJ HJ DJ CA CT CK CQ C9 C8")
    flags = HAND | SCHNEIDER | SCHWARZ | OUVERT
    assert by_hand_chance(sure, G, flags, 0, 18, RULES) == 1.0  # forehand draws what is out
    weak = mask("SJ HJ DJ CA CT CK CQ C9 C8 D7")
    assert by_hand_chance(weak, G, flags, 0, 18, RULES) == 0.0
    schneider = by_hand_chance(sure, C, HAND | SCHNEIDER, 0, 18, RULES)
    assert schneider == trump_chance(BY_HAND_SCHNEIDER, sure, C, 0, 0)


def _deal_with(hand):
    """Some deal in which middlehand holds ``hand``."""
    rest = list(ALL_CARDS - hand)
    return Deal((CardSet.of(rest[:10]), hand, CardSet.of(rest[10:20])), CardSet.of(rest[20:]))


@pytest.mark.jit
def test_chance_before_the_pick_up_is_the_mean_over_all_skats():
    hand, seat, bid = CardSet.parse("CJ HJ DA DT D9 D8 SK S9 C8 H7"), 1, 18
    game = Game(_deal_with(hand)).play("bid 18").play("pass").play("pass")
    assert rule_skat(game.state, seat) == PICK_UP
    total = 0.0
    for pair in combinations(ALL_CARDS - hand, 2):
        twelve = (hand | CardSet.of(pair)).mask
        action, away = best_discard_and_contract(twelve, seat, bid, RULES, 0)
        game, flags = DECLARATIONS[action - FIRST_DECLARATION]
        total += kept_chance(twelve & ~away, away, game, flags, seat, bid, RULES)
    out = np.empty(1)
    index = np.searchsorted(BID_VALUES, [bid])
    rule_chances(np.array([hand.mask], dtype=np.uint32), np.array([seat]), index, RULES, new_state(), out)
    assert out[0] == pytest.approx(total / 231)


def test_chance_after_the_declaration_is_that_of_the_contract():
    game = Game(
        Deal.parse("CJ.SJ.HA.HT.HK.HQ.H9.CA.ST.S9|DA.DT.DK.DQ.D9.SA.SK.SQ.S8.C7|HJ.DJ.S7.CT.CK.CQ.C9.C8.H8.H7|D8.D7")
    )
    for name in ("bid 18", "hold", "pass", "pass", "pick up", "D7", "D8", "declare H"):
        game.play(name)
    hand = mask("CJ SJ HA HT HK HQ H9 CA ST S9")
    assert declarer_chance(game.view(0).state, 0) == trump_chance(KEPT, hand, H, 0, 0)
    assert declarer_chance(game.state, 0) == declarer_chance(game.view(0).state, 0)


def test_limits_of_many_hands():
    hands = np.array([hand.mask for deal in deals_from_seed(1, 20) for hand in deal.hands], dtype=np.uint32)
    seats, out = np.arange(60) % 3, np.empty(60, dtype=np.int64)
    rule_limits(hands, seats, RULES, MARGIN, out)
    assert out.tolist() == [limit(int(hand), int(seat), RULES) for hand, seat in zip(hands, seats, strict=True)]
    bolder = np.empty(60, dtype=np.int64)
    rule_limits(hands, seats, RULES, -40.0, bolder)
    assert (bolder >= out).all() and (bolder > out).any()


def test_win_share_counts_worlds_as_often_as_they_stand_for():
    grand = Deal.parse(
        "CJ.SJ.HJ.DJ.CA.CT.CK.HA.HT.D7|DA.DT.DK.DQ.D9.SA.ST.SK.SQ.S9|D8.S8.S7.C9.C8.C7.CQ.HK.HQ.H9|H8.H7"
    )
    pool, counts = new_states(3), np.array([3, 1, 0])
    for place, contract in enumerate(("GH", "NH", "NH")):  # won, lost, not counted
        game = Game(grand)
        for name in ("bid 18", "hold", "pass", "pass", f"declare {contract}"):
            game.play(name)
        pool[place] = game.state
    assert win_share(pool, counts, 0) == 0.75
