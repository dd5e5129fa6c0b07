"""The PettingZoo environment: PettingZoo's checks, and bad use."""

from __future__ import annotations

import pickle
import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

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
BESIDE = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("make", [skat_v0.env, skat_v0.raw_env])
@pytest.mark.parametrize(("mask", "warned"), [("observation", BESIDE), ("info", set())])
def test_api(make, options, mask, warned):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(make(**options, mask=mask), num_cycles=40)
    assert {str(w.message) for w in found} == warned


@pytest.mark.parametrize("options", OPTIONS[:3], ids=str)
def test_seed(options):
    seed_test(lambda: skat_v0.env(**options), num_cycles=60)


def test_observations_can_be_saved():
    save_obs(skat_v0.env(render_mode="rgb_array"))


@pytest.mark.parametrize("mask", ["observation", "info"])
def test_parallel_form(mask):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(skat_v0.parallel_env(mask=mask), num_cycles=40)


def test_mask_in_info_is_the_mask_beside_the_observation():
    beside, inside = skat_v0.env(), skat_v0.env(mask="info")
    for env in (beside, inside):
        env.reset(seed=8)
    rng = random.Random(1)
    for agent in beside.agent_iter():
        seen, *state = beside.last()
        array, *other, info = inside.last()
        assert agent == inside.agent_selection and state[:-1] == other
        assert array.tolist() == seen["observation"].tolist()
        action = None
        if not state[1]:
            assert info["action_mask"].tolist() == seen["action_mask"].tolist()
            assert all(inside.infos[name]["action_mask"].any() == (name == agent) for name in inside.agents)
            action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        beside.step(action)
        inside.step(action)
    assert inside.agents == []
    with pytest.raises(SkatError, match="mask='left': expected one of 'info', 'observation'"):
        skat_v0.env(mask="left")


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("illegal", [False, True])
def test_the_wrapper_for_illegal_actions(mask, illegal, capsys):
    env = TerminateIllegalWrapper(skat_v0.raw_env(mask=mask), illegal_reward=-7)
    env.reset(seed=8)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        total[agent] += reward
        mask_now = seen["action_mask"] if mask == "observation" else info["action_mask"]
        env.step(None if over else int(np.argmin(mask_now) if illegal else np.flatnonzero(mask_now)[0]))
    assert env.agents == []
    expected = (0, -7, 0) if illegal else env.unwrapped.game.result.list_points
    assert tuple(total.values()) == tuple(expected)


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
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_100_000_random_steps_without_a_warning(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(skat_v0.env(**options), 100_000, 1)


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


@pytest.mark.parametrize(("reward", "cost"), [("list_points", -200), ("win", -1), ("points", -60)])
def test_illegal_action_ends_the_deal(reward, cost):
    env = skat_v0.env(reward=reward)
    env.reset(seed=1)
    env.step(0)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": 0, "player_1": cost, "player_2": 0}
    env.reset()
    assert play(env, 50, 2) == play(skat_v0.env(reward=reward), 50, 2)


def test_illegal_actions():
    env = skat_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError, match=r"'play D7' \(0\) is not legal for player_1 \(middlehand\) in auction"
    ):
        env.step(0)
    for bad in (136, None, 1.5):
        with pytest.raises(IllegalActionError, match="expected an id"):
            env.step(bad)


def test_order_of_calls():
    env = skat_v0.env()
    assert str(env) == "skat_v0"
    for call in (env.last, lambda: env.step(32), lambda: env.observe("player_0"), lambda: list(env.agent_iter())):
        with pytest.raises((AttributeError, AssertionError), match=r"before reset|reset\(\) needs to be called"):
            call()
    env.reset(seed=1)
    seen, *rest = env.last()
    assert rest == [0, False, False, {}] and seen["action_mask"].any()
    assert env.last(observe=False)[0] is None


def test_bad_use():
    with pytest.raises(SkatError, match="before reset"):
        skat_v0.raw_env().step(0)
    with pytest.raises(SkatError, match="render_mode='vr'"):
        skat_v0.env(render_mode="vr")
    env = skat_v0.raw_env()
    for bad in (-1, 1.5, "1"):
        with pytest.raises(SkatError, match=r"reset: seed .*: expected"):
            env.reset(seed=bad)
    env.reset(seed=1)
    with pytest.raises(SkatError, match="the agents are player_0"):
        env.observe("player_3")
    for options, message in (({"deals": []}, "no option 'deals'; possible: 'deal'"), (5, "options of type int")):
        with pytest.raises(SkatError, match=message):
            env.reset(options=options)
    for look in (lambda: skat_v0.raw_env().observe("player_0"), lambda: skat_v0.raw_env().game):
        with pytest.raises(SkatError, match=r"before reset\(\)"):
            look()


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
