"""Weights of worlds: what the calls, the contract and the cards tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from skatai.cards import Card
from skatai.deal import Deal, deals_from_seed
from skatai.game import Game
from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.inference import CALL_MISS, RULE_SHARE, choose_worlds, log_weight
from skatai.kernels.policies import limit, rule_action, rule_card
from skatai.kernels.rng import new_rng
from skatai.kernels.state import new_state, new_states
from skatai.rng import Rng
from skatai.worlds import sample_worlds
from tests.naive_worlds import suit_class

PACKED = 0  # the official rules


def by_rule(deal: Deal, cards: int) -> Game:
    game = Game(deal)
    rng = new_rng(0)
    while not game.is_over and len(game.plays) < cards:
        seat = game.to_move
        assert seat is not None
        game.play(int(rule_action(game.state, seat, rng)))
    return game


def test_a_call_against_the_limit_costs_a_factor() -> None:
    """Rearhand passes at 20, or holds it: a world weighs less where its limit says otherwise."""
    game = Game(Deal.random(1))
    for action in ("bid 18", "pass", "pass"):
        game.play(action)
    for world in sample_worlds(game.view(0), 30, Rng(1)):
        expected = 0.0
        if limit(int(world["dealt"][1]), 1, PACKED) < 18:
            expected += CALL_MISS
        if limit(int(world["dealt"][2]), 2, PACKED) >= 20:  # it came in above 18
            expected += CALL_MISS
        assert log_weight(world, 0, new_state()) == pytest.approx(expected)


def test_who_has_not_spoken_tells_nothing() -> None:
    game = Game(Deal.random(2))
    game.play("bid 18")
    for world in sample_worlds(game.view(0), 20, Rng(1)):
        expected = CALL_MISS if limit(int(world["dealt"][1]), 1, PACKED) < 18 else 0.0
        assert log_weight(world, 0, new_state()) == pytest.approx(expected)


def test_cards_count_by_replay() -> None:
    """The part of the cards is the sum over the others' choices, by a plain replay."""
    game = by_rule(deals_from_seed(3, 1)[0], 14)
    declarer = game.declarer
    assert declarer is not None
    view = game.view(declarer)  # for the declarer nothing is weighed but calls and cards
    for world in sample_worlds(view, 10, Rng(4)):
        replay = Game(Deal.from_masks([*map(int, world["dealt"]), int(world["skat"])]))
        for action in game.actions[: len(game.actions) - len(game.plays)]:
            replay.play(action)
        total = 0.0
        for seat, card in game.plays:
            n = len(replay.legal_actions)
            if seat != declarer and n > 1:
                choice = int(rule_card(replay.state, seat))
                assert game.contract is not None
                alike = choice == card or (
                    game.contract.game != 5
                    and suit_class(game.contract.game, choice) == suit_class(game.contract.game, card)
                    and Card(choice).points == card.points
                )
                total += math.log((1 - RULE_SHARE) / n + (RULE_SHARE if alike else 0))
            replay.play(card)
        calls = sum(_calls(game, world, seat) for seat in range(3) if seat != declarer)
        assert log_weight(world, declarer, new_state()) == pytest.approx(total + calls)


def _calls(game: Game, world: np.void, seat: int) -> float:
    """Penalty of a seat that lost the auction, from the calls as text."""
    ladder = [0, *(int(value) for value in BID_VALUES)]
    held = named = passed = 0
    unanswered = False
    for who, call in game.calls:
        if call == "pass" and who == seat:  # a responder passes at the value named, a caller at the next one
            passed = named if unanswered else ladder[ladder.index(named) + 1]
        if call not in ("pass", "hold"):
            named = int(call)
        if who == seat and call != "pass":
            held = named
        unanswered = call not in ("pass", "hold")
    value = limit(int(world["dealt"][seat]), seat, PACKED)
    return CALL_MISS if (held and value < held) or (passed and value >= passed) else 0.0


def test_the_truth_weighs_more_than_chance() -> None:
    """Over games of rule players the true deal is more likely than most of the worlds."""
    ranks = []
    for deal in deals_from_seed(11, 12):
        game = by_rule(deal, 9)
        if game.is_over:
            continue
        for seat in range(3):
            truth = log_weight(game.state, seat, new_state())
            others = [log_weight(world, seat, new_state()) for world in sample_worlds(game.view(seat), 20, Rng(1))]
            ranks.append(np.mean([truth > other for other in others]) + 0.5 * np.mean([truth == o for o in others]))
    assert np.mean(ranks) > 0.65


def test_choice_of_worlds() -> None:
    """As many as asked for, heavier ones more often, the same from the same seed."""
    game = by_rule(deals_from_seed(11, 1)[0], 6)
    view = game.view(0)
    pool, counts = new_states(201), np.zeros(200, dtype=np.int64)
    choose_worlds(view.state, 0, new_rng(3), 50, pool, counts)
    assert counts.sum() == 50
    weights = np.array([log_weight(world, 0, new_state()) for world in pool[:200]])
    assert weights[counts > 0].mean() > weights.mean()
    shares = np.exp(weights - weights.max())
    shares *= 50 / shares.sum()
    assert np.all(np.abs(counts - shares) < 1 + 1e-9)
    again, counts2 = new_states(201), np.zeros(200, dtype=np.int64)
    choose_worlds(view.state, 0, new_rng(3), 50, again, counts2)
    assert np.array_equal(counts, counts2)
    few, ones = new_states(6), np.zeros(5, dtype=np.int64)
    choose_worlds(view.state, 0, new_rng(3), 5, few, ones)
    assert ones.tolist() == [1] * 5
    assert few[:5].tobytes() == pool[:5].tobytes()
