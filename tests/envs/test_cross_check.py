"""The same deals and actions through the single, the vector and the PettingZoo environment, and through ``Game``."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.agent import decision_rng
from skatai.deal import Deal
from skatai.envs import SkatEnv, SkatVectorEnv, skat_v0
from skatai.game import Game
from skatai.kernels.encodings import ENCODING_SCALE
from skatai.kernels.rollouts import random_action
from skatai.rng import Rng, derive_seed
from tests.naive_encodings import naive_encoding

SEED = 5


def play_alone(table, episodes, observation="int8"):
    """Self-play at one table through ``Game`` and the slow twin of the encoding: what every form must give."""
    rng, rows = Rng(derive_seed(99, table)), []
    for episode in range(episodes):
        game = Game(Deal.random(derive_seed(SEED, table, episode)))
        while not game.is_over:
            seat = game.to_move
            seen = np.array(naive_encoding(game.state, seat))
            if observation == "float32":
                seen = seen.astype(np.float32) * ENCODING_SCALE
            mask = game.legal_mask()
            action = int(random_action(game.state, rng.state))
            game.play(action)
            rewards = game.result.list_points if game.is_over else (0, 0, 0)
            rows.append((seat, seen, mask, action, rewards, game.is_over))
    return rows


@pytest.mark.parametrize(("tables", "observation"), [(1, "int8"), (3, "int8"), (17, "float32")])
def test_vector_self_play_equals_games(tables, observation):
    envs = SkatVectorEnv(tables, "self", observation=observation)
    wanted = [play_alone(i, 2, observation) for i in range(min(tables, 3))]
    seen, infos = envs.reset(seed=SEED)
    place, ended = [0] * tables, np.zeros(tables, dtype=bool)
    filler = SkatVectorEnv.sample_actions
    while any(place[i] < len(rows) for i, rows in enumerate(wanted)):
        actions = filler(envs)
        for i, rows in enumerate(wanted):
            if place[i] < len(rows) and not ended[i]:
                seat, row, mask, actions[i], *_ = rows[place[i]]
                assert infos["current_player"][i] == seat
                assert np.array_equal(seen[i], row)
                assert infos["action_mask"][i].tolist() == mask.tolist()
        before = ended
        seen, rewards, ended, truncated, infos = envs.step(actions)
        assert not truncated.any()
        for i, rows in enumerate(wanted):
            if place[i] < len(rows) and not before[i]:
                *_, points, over = rows[place[i]]
                assert ended[i] == over and rewards[i].tolist() == list(points)
                place[i] += 1
            elif before[i]:
                assert not ended[i] and not rewards[i].any()  # the step of the autoreset


def test_pettingzoo_equals_games():
    env = skat_v0.raw_env()
    rows = play_alone(0, 2)
    env.reset(seed=SEED)
    for seat, row, mask, action, points, over in rows:
        agent = env.agent_selection
        assert agent == f"player_{seat}"
        seen = env.observe(agent)
        assert seen["observation"].tolist() == row.tolist() and seen["action_mask"].tolist() == mask.tolist()
        for other in {"player_0", "player_1", "player_2"} - {agent}:
            assert not env.observe(other)["action_mask"].any()
        env.step(action)
        assert [env.rewards[f"player_{i}"] for i in range(3)] == list(points)
        assert all(env.terminations.values()) == over
        if over:
            env.reset()


def one_learner(table, seat_of, opponent, episodes, phase):
    """One learner against ``opponent`` through ``Game``, without the environments' kernels."""
    rng, rows = Rng(derive_seed(98, table)), []
    for episode in range(episodes):
        game = Game(Deal.random(derive_seed(SEED, table, episode)))
        learner, decisions = seat_of(episode), 0
        key = derive_seed(SEED, table, episode)
        while not game.is_over:
            if game.to_move == learner:
                seen, mask = naive_encoding(game.state, learner), game.legal_mask()
                action = int(random_action(game.state, rng.state))
                rows.append([learner, seen, mask, action, 0, False])
            else:
                action = opponent(game, decision_rng(key, 0, game.to_move, decisions))
            game.play(action)
            decisions += 1
        rows[-1][4:] = [game.result.list_points[learner], True]
    return rows


def random_opponent(game, rng):
    return int(random_action(game.state, rng.state))


def random_function(view, rng):
    return int(random_action(view.state, rng.state))


@pytest.mark.parametrize("opponents", ["random", ["random", random_function], random_function])
def test_single_env_equals_games(opponents):
    env = SkatEnv(opponents, table=2)
    rows = one_learner(2, lambda episode: (2 + episode) % 3, random_opponent, 4, "full")
    seen, info = env.reset(seed=SEED)
    for learner, row, mask, action, reward, over in rows:
        assert info["seat"] == learner
        assert seen.tolist() == row and info["action_mask"].tolist() == mask.tolist()
        assert env.action_masks().tolist() == (mask == 1).tolist()
        seen, got, terminated, truncated, info = env.step(action)
        assert (got, terminated, truncated) == (reward, over, False)
        if over:
            seen, info = env.reset()


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "random"},
        {"opponents": "rule", "phase": "play", "contract": "suit", "seat": "declarer"},
        {"opponents": ["rule", "random"], "phase": "bidding", "reward": "win"},
        {"opponents": "rule", "phase": "play", "bidder": "forced", "contract": "G|NO", "reward": "points"},
    ],
)
def test_single_equals_vector(tables, options):
    """The same trajectory at table i of any vector environment and in the single one."""
    envs = SkatVectorEnv(tables, **options)
    singles = [SkatEnv(table=i, **options) for i in range(tables)]
    seen, infos = envs.reset(seed=SEED)
    states = [env.reset(seed=SEED) for env in singles]
    over = np.zeros(tables, dtype=bool)
    for _ in range(40):
        for i, (row, info) in enumerate(states):
            assert seen[i].tolist() == row.tolist()
            assert infos["action_mask"][i].tolist() == info["action_mask"].tolist()
            assert infos["current_player"][i] == info["seat"]
        actions = envs.sample_actions()
        before = over
        seen, rewards, over, _, infos = envs.step(actions)
        for i, env in enumerate(singles):
            if before[i]:
                states[i] = env.reset()
            else:
                row, reward, terminated, _, info = env.step(int(actions[i]))
                assert (reward, terminated) == (rewards[i], over[i])
                states[i] = row, info


def test_predicate_gives_the_same_deals_everywhere():
    def four_jacks(deal):
        return any(hand.mask & 0x80808080 == 0x80808080 for hand in deal.hands)

    envs = SkatVectorEnv(2, "self", deals=four_jacks)
    env = SkatEnv("random", deals=four_jacks, table=1)
    aec = skat_v0.raw_env(deals=four_jacks)
    envs.reset(seed=SEED)
    env.reset(seed=SEED)
    aec.reset(seed=SEED)
    for _ in range(2):
        assert four_jacks(env.game.deal)
        assert envs.game(1).deal == env.game.deal and envs.game(0).deal == aec.game.deal
        env.reset()
        aec.reset()
        envs.reset()
    over = np.zeros(2, dtype=bool)
    for _ in range(60):  # and after autoreset
        *_, over, _, _ = envs.step(envs.sample_actions())
        if over.any():
            break
    envs.step(envs.sample_actions())
    assert four_jacks(envs.game(int(np.argmax(over))).deal)
