"""One table stepped by itself, against games played one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels import batches
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batch_policies import ANY_CONTRACT, EXTERNAL, RULE
from skatai.kernels.batches import (
    ALL_SEATS,
    CARD_PLAY,
    GIVEN,
    N_OPTIONS,
    OPTION_CONTRACTS,
    OPTION_LEARNER,
    OPTION_REWARD,
    REWARDS,
    TABLE,
)
from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_action
from skatai.kernels.single import ENDED, ILLEGAL, observe_table, start_table, step_table
from skatai.kernels.state import NOBODY, new_states
from skatai.rng import Rng, derive_seed
from tests.naive_encodings import naive_encoding

SEEDS = st.integers(0, 2**32)


class One:
    """A table with its arrays."""

    def __init__(self, seed, pool=(), **options):
        self.seed = seed
        self.states, self.tables, self.scratch = new_states(1), np.zeros(1, dtype=TABLE), new_states(1)
        self.tables["stream"] = derive_seed(seed, 0)
        self.options = np.zeros(N_OPTIONS, dtype=np.int64)
        self.options[OPTION_LEARNER], self.options[OPTION_CONTRACTS] = ALL_SEATS, ANY_CONTRACT
        self.options[OPTION_REWARD] = REWARDS.index("list_points")
        for name, value in options.items():
            self.options[getattr(batches, f"OPTION_{name.upper()}")] = value
        self.pool = np.array(pool, dtype=np.int64).reshape(-1, 4)

    def start(self, episode):
        return start_table(self.states, self.tables, self.options, self.pool, self.scratch, episode)

    def step(self, action, dtype=np.int8):
        self.seen, self.mask = np.full(ENCODING_SIZE, 7, dtype=dtype), np.full(N_ACTIONS, 7, dtype=np.int8)
        scaled = dtype == np.float32
        return step_table(self.states, self.tables, self.options, action, self.seen, self.mask, scaled)


def seat_or_end(game):
    return ENDED if game.is_over else game.to_move


def scaled(entries):
    return (np.array(entries, dtype=np.float32) * ENCODING_SCALE).tolist()


def declarer(game):
    return -1 if game.declarer is None else game.declarer


@given(SEEDS)
def test_all_seats_exposed(seed):
    one, rng = One(seed), Rng(seed)
    for episode in (0, 3):
        game = Game(Deal.random(derive_seed(seed, 0, episode)))
        assert one.start(episode) == (1, -1, NOBODY)
        while not game.is_over:
            action, seat = int(random_action(game.state, rng.state)), game.to_move
            game.play(action)
            points = tuple(map(float, game.result.list_points)) if game.is_over else (0.0, 0.0, 0.0)
            seat = game.to_move if not game.is_over else seat
            assert one.step(action) == (seat_or_end(game), declarer(game), points)
            assert one.states[0] == game.state
            assert one.seen.tolist() == list(naive_encoding(game.state, seat))
            assert np.flatnonzero(one.mask).tolist() == game.legal_actions
        assert one.tables["decisions"][0] == len(game.actions)


@given(SEEDS, st.integers(0, 2))
def test_compiled_players_act_until_another_is_to_move(seed, learner):
    """The next seat is the rule player, the other one is outside the compiled step."""
    one, rng = One(seed, learner=learner, left=RULE, right=EXTERNAL), Rng(seed)
    game = Game(Deal.random(derive_seed(seed, 0, 0)))

    def rule_player_acts():
        while not game.is_over and game.to_move == (learner + 1) % 3:
            game.play(int(rule_action(game.state, game.to_move, new_rng(0))))

    rule_player_acts()
    assert one.start(0) == (seat_or_end(game), declarer(game), learner)
    while not game.is_over:
        action = int(random_action(game.state, rng.state))
        game.play(action)
        rule_player_acts()
        to_move, declares, points = one.step(action, np.float32)
        assert (to_move, declares) == (seat_or_end(game), declarer(game))
        assert list(points) == list(game.result.list_points if game.is_over else (0, 0, 0))
        assert one.states[0] == game.state
        assert one.seen.tolist() == scaled(naive_encoding(game.state, learner))


@given(SEEDS, st.integers(-3, N_ACTIONS + 3))
def test_what_is_not_legal_changes_nothing(seed, action):
    one, rng = One(seed), Rng(seed)
    one.start(0)
    game = Game(Deal.random(derive_seed(seed, 0, 0)))
    for _ in range(seed % 20):
        if not game.is_over:
            move = int(random_action(game.state, rng.state))
            game.play(move)
            one.step(move)
    if action not in game.legal_actions:
        before = one.states.copy(), one.tables.copy()
        assert one.step(action) == (ILLEGAL, declarer(game), (0.0, 0.0, 0.0))
        assert (before[0] == one.states).all() and (before[1] == one.tables).all()
        assert set(one.seen.tolist()) == set(one.mask.tolist()) == {7}


@given(SEEDS, st.integers(0, 2))
def test_observations_and_masks(seed, seat):
    one, rng = One(seed), Rng(seed)
    one.start(0)
    game = Game(Deal.random(derive_seed(seed, 0, 0)))
    seen, floats = np.full(ENCODING_SIZE, 7, dtype=np.int8), np.full(ENCODING_SIZE, 7, dtype=np.float32)
    mask = np.full(N_ACTIONS, 7, dtype=np.int8)
    while True:
        observe_table(one.states, seat, seen, mask, False)
        observe_table(one.states, seat, floats, mask, True)
        wanted = naive_encoding(game.state, seat)
        assert seen.tolist() == list(wanted)
        assert floats.tolist() == scaled(wanted)
        assert np.flatnonzero(mask).tolist() == game.legal_actions and set(mask.tolist()) <= {0, 1}
        if game.is_over:
            break
        action = int(random_action(game.state, rng.state))
        game.play(action)
        one.step(action)
    observe_table(one.states, seat, np.empty(0, dtype=np.int8), mask, False)
    assert not mask.any()


def test_no_deal_that_is_wanted():
    """The rule players pass deal 12 in."""
    one = One(1, [Deal.random(12).masks], phase=CARD_PLAY, deals=GIVEN)
    assert one.start(0)[0] == ILLEGAL
    one.pool[0] = Deal.random(77).masks
    assert one.start(0)[0] == 0


def test_going_on_from_a_position():
    game = Game(Deal.random(77)).play("bid 18").play("pass").play("pass").play("pick up")
    one = One(1, learner=1, left=RULE, right=RULE)
    one.states[0], one.tables["learner"] = game.state, 1
    assert one.start(-1) == (1, 1, 1)
    assert one.states[0] == game.state and one.tables["episode"][0] == 0


@pytest.mark.parametrize("kind", REWARDS)
def test_rewards(kind):
    one = One(5, reward=REWARDS.index(kind))
    one.start(0)
    game, points = Game(Deal.random(derive_seed(5, 0, 0))), (0.0, 0.0, 0.0)
    for call in ("bid 18", "pass", "pass", "pick up"):
        game.play(call)
        one.step(game.actions[-1])
    while not game.is_over:
        action = game.legal_actions[0]
        game.play(action)
        _, _, points = one.step(action)
    declares = {
        "score": (game.result.score, -game.result.score / 2),
        "list_points": (game.result.list_points[1], game.result.list_points[0]),
        "win": (1, -1) if game.result.won else (-1, 1),
        "points": (game.result.points - 60, 60 - game.result.points),
    }[kind]
    assert points == (declares[1], declares[0], declares[1])
