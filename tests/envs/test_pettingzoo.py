"""The PettingZoo environment: PettingZoo's checks, and bad use."""

from __future__ import annotations

import pickle
import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs

from skatai.deal import Deal
from skatai.envs import skat_v0
from skatai.errors import IllegalActionError, SkatError
from skatai.rng import derive_seed

OPTIONS = [
    {},
    {"phase": "play", "contract": "suit", "reward": "win"},
    {"phase": "bidding", "observation": "history"},
    {"observation": "float32", "phase": "play", "bidder": "forced"},
]
#: PettingZoo says these of every environment with a mask beside the observation, but for its own
USUAL = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("make", [skat_v0.env, skat_v0.raw_env])
def test_api(make, options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(make(**options), num_cycles=60)
    assert [str(w.message) for w in found if not str(w.message).startswith(USUAL)] == []


@pytest.mark.parametrize("options", OPTIONS[:3], ids=str)
def test_seed(options):
    seed_test(lambda: skat_v0.env(**options), num_cycles=60)


def test_observations_can_be_saved():
    save_obs(skat_v0.env(render_mode="rgb_array"))


def test_parallel_form():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(skat_v0.parallel_env(), num_cycles=40)


def play(env, steps, seed):
    """Random play; actions and rewards."""
    rng, found = random.Random(seed), []
    env.reset(seed=seed)
    for _ in range(steps):
        seen, _, over, _, _ = env.last()
        if over:
            env.reset()
            continue
        action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        env.step(action)
        found.append((action, dict(env.rewards)))
    return found


def test_same_seed_same_game():
    assert play(skat_v0.env(), 120, 4) == play(skat_v0.raw_env(), 120, 4)


@pytest.mark.slow
def test_100_000_random_steps_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(skat_v0.env(), 100_000, 1)


def test_deals():
    env = skat_v0.raw_env()
    env.reset(seed=4)
    for episode in range(3):
        assert env.game.deal == Deal.random(derive_seed(4, 0, episode))
        env.reset()
    deal = Deal.random(9)
    env.reset(options={"deal": str(deal)})
    assert env.game.deal == deal
    env = pickle.loads(pickle.dumps(env))
    env.reset(seed=4)
    assert env.game.deal == Deal.random(derive_seed(4, 0, 0))


def test_dead_steps_and_total_rewards():
    env = skat_v0.env(phase="play")
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[0]))
    assert env.agents == []
    assert list(total.values()) == list(env.unwrapped.game.result.list_points)
    with pytest.raises(SkatError, match="call reset"):
        env.unwrapped.step(0)


def test_illegal_actions():
    env = skat_v0.env()
    env.reset(seed=1)
    env.step(0)
    assert all(env.terminations.values()) and env.rewards["player_1"] == skat_v0.ILLEGAL_REWARD
    env = skat_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError, match=r"'play D7' \(0\) is not legal for player_1 \(middlehand\) in auction"
    ):
        env.step(0)
    for bad in (136, None, 1.5):
        with pytest.raises(IllegalActionError, match="expected an id"):
            env.step(bad)


def test_bad_use():
    with pytest.raises(SkatError, match="before reset"):
        skat_v0.raw_env().step(0)
    with pytest.raises(SkatError, match="render_mode='vr'"):
        skat_v0.env(render_mode="vr")
    env = skat_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(SkatError, match="the agents are player_0"):
        env.observe("player_3")


def test_rendering(capsys):
    for mode in ("ansi", "human", "rgb_array"):
        env = skat_v0.env(render_mode=mode, open_cards=mode == "ansi")
        env.reset(seed=1)
        shown = env.render()
        env.step(32)
        if mode == "rgb_array":
            assert shown.shape == (300, 400, 3)
        else:
            assert "middlehand" in (shown or capsys.readouterr().out)
    assert skat_v0.raw_env().render() is None
