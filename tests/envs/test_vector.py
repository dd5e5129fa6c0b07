"""The vector environment: Gymnasium's conventions, autoreset, arrays and bad use."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from skatai.deal import Deal
from skatai.envs import SkatVectorEnv
from skatai.errors import IllegalActionError, SkatError
from skatai.rng import derive_seed


def test_made_by_gymnasium():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("skatai/Skat-v0", num_envs=6, opponents="random")
        assert isinstance(envs.unwrapped, SkatVectorEnv) and envs.num_envs == 6
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        seen, infos = envs.reset(seed=3)
        assert envs.observation_space.contains(seen) and infos["action_mask"].shape == (6, 136)
        for _ in range(60):
            seen, rewards, over, cut, infos = envs.step(envs.unwrapped.sample_actions())
            assert envs.observation_space.contains(seen)
            assert rewards.shape == over.shape == cut.shape == (6,)
            assert rewards.dtype == np.float32 and over.dtype == np.bool_ and not cut.any()
            assert not infos["action_mask"][over].any() and infos["action_mask"][~over].any(axis=1).all()
    envs.close()


@pytest.mark.parametrize("observation", ["int8", "float32", "history", "perfect", "none"])
def test_observations_lie_in_their_space(observation):
    envs = SkatVectorEnv(9, "self", observation=observation)
    seen, _ = envs.reset(seed=1)
    for _ in range(80):
        assert envs.observation_space.contains(seen)
        seen, *_ = envs.step(envs.sample_actions())


@pytest.mark.slow
@pytest.mark.parametrize("opponents", ["self", "random", "rule"])
def test_100_000_random_steps_without_a_warning(opponents):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = SkatVectorEnv(100, opponents)
        envs.reset(seed=1)
        for _ in range(1000):
            seen, *_ = envs.step(envs.sample_actions())
        assert envs.observation_space.contains(seen)


def test_next_step_autoreset():
    envs = SkatVectorEnv(5, "random")
    envs.reset(seed=2)
    over = np.zeros(5, dtype=bool)
    for _ in range(60):
        before, episodes = over, envs.episodes
        _, rewards, over, _, _ = envs.step(envs.sample_actions())
        assert (envs.episodes == episodes + before).all()
        assert not rewards[before].any() and not over[before].any()
        for i in np.flatnonzero(before):
            assert envs.game(i).deal == Deal.random(derive_seed(2, int(i), int(envs.episodes[i])))


def test_same_step_autoreset_gives_the_same_deals():
    late, soon = SkatVectorEnv(1, "random"), SkatVectorEnv(1, "random", autoreset="SameStep")
    assert soon.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    late.reset(seed=2)
    soon.reset(seed=2)
    for _ in range(60):
        actions = late.sample_actions()
        seen, reward, over, *_ = late.step(actions)
        other, value, ended, _, infos = soon.step(actions)
        assert (reward == value).all() and (over == ended).all()
        if over[0]:
            assert infos["_final_obs"].tolist() == [True]
            assert infos["final_obs"][0].tolist() == seen[0].tolist()
            seen, *_ = late.step(actions)
        assert seen.tolist() == other.tolist()


def test_same_step_autoreset_tells_whose_observation_it_is():
    envs = SkatVectorEnv(4, "self", autoreset="SameStep")
    _, infos = envs.reset(seed=2)
    endings = 0
    for _ in range(90):
        _, _, over, _, infos = envs.step(envs.sample_actions())
        endings += int(over.sum())
        assert infos["current_player"].tolist() == envs.states["to_move"].tolist()
    assert endings > 4


def test_disabled_autoreset():
    envs = SkatVectorEnv(3, "random", autoreset=AutoresetMode.DISABLED)
    envs.reset(seed=2)
    over = np.zeros(3, dtype=bool)
    while not over.any():
        _, _, over, _, _ = envs.step(envs.sample_actions())
    with pytest.raises(SkatError, match="step\\(\\) after the deal is over"):
        envs.step(envs.sample_actions())
    held = [envs.game(i).deal for i in range(3)]
    envs.reset(options={"reset_mask": over})
    for i in range(3):
        assert (envs.game(i).deal == held[i]) == (not over[i])
    envs.step(envs.sample_actions())


def test_given_deals():
    deals = [Deal.random(i) for i in range(4)]
    envs = SkatVectorEnv(4, "self")
    envs.reset(seed=1, options={"deals": deals})
    assert [envs.game(i).deal for i in range(4)] == deals
    envs = SkatVectorEnv(2, "self", deals=[str(deal) for deal in deals])
    envs.reset(seed=1)
    assert {envs.game(0).deal, envs.game(1).deal} <= set(deals)


def test_copies():
    fresh, same = SkatVectorEnv(3, "self"), SkatVectorEnv(3, "self", copy=False)
    for envs, shared in ((fresh, False), (same, True)):
        first, infos = envs.reset(seed=1)
        kept, masks = first.copy(), infos["action_mask"].copy()
        second, rewards, *_, later = envs.step(envs.sample_actions())
        assert np.shares_memory(first, second) == shared
        assert np.shares_memory(infos["action_mask"], later["action_mask"]) == shared
        assert shared or (np.array_equal(first, kept) and np.array_equal(masks, infos["action_mask"]))
        assert np.shares_memory(rewards, envs.step(envs.sample_actions())[1]) == shared


def test_masks_on_demand():
    envs = SkatVectorEnv(3, "self", masks=False)
    _, infos = envs.reset(seed=1)
    assert "action_mask" not in infos
    masks = envs.action_masks()
    assert masks.dtype == np.bool_ and masks[:, 32].all()
    assert np.array_equal(envs.current_player, [1, 1, 1])
    assert envs.states.shape == (3,)


def test_illegal_actions():
    envs = SkatVectorEnv(3, "self")
    seen, _ = envs.reset(seed=1)
    actions = np.array([32, 5, 64])
    with pytest.raises(
        IllegalActionError, match=r"table 1: 'play DA' \(5\)|table 1: 'play .*' \(5\) is not legal for middlehand"
    ):
        envs.step(actions)
    assert envs.observe_as("int8").tolist() == seen.tolist()  # no table has moved
    envs = SkatVectorEnv(3, "self", illegal_action="terminate")
    envs.reset(seed=1)
    _, rewards, over, _, infos = envs.step(actions)
    assert over.tolist() == infos["illegal_action"].tolist() == [False, True, False]
    assert rewards[1].tolist() == [0, -200, 0]
    with pytest.raises(IllegalActionError, match="table 2: action 136"):
        envs.step(np.array([32, 0, 136]))
    envs.step(np.array([32, 136, 32]))  # where a deal is over, the action is not looked at


def test_a_table_that_is_not_reset_stays_as_it_is():
    envs = SkatVectorEnv(3, "self", illegal_action="terminate", autoreset="Disabled")
    envs.reset(seed=1)
    _, _, over, _, _ = envs.step(np.array([5, 64, 5]))
    assert over.tolist() == [True, False, True]
    seen, infos = envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert infos["illegal_action"].tolist() == [False, False, True]
    assert infos["current_player"].tolist() == [1, 0, 1]
    assert seen[0].tolist() != seen[2].tolist() and infos["action_mask"].any(axis=1).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(2, dtype=int), r"actions: int64 \(2,\), expected integers of shape \(3,\)"),
        (np.zeros((3, 1), dtype=int), r"\(3, 1\)"),
        (np.zeros(3), "float64"),
        (32, r"\(\)"),
        ([32, 32], r"\(2,\)"),
        ([32, [32], 32], r"actions: object \(\), expected integers of shape \(3,\)"),
    ],
)
def test_wrong_shapes(actions, message):
    envs = SkatVectorEnv(3, "self")
    with pytest.raises(SkatError, match=r"step\(\) before reset"):
        envs.step(actions)
    envs.reset(seed=1)
    with pytest.raises(SkatError, match=message):
        envs.step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs=0"),
        ({"num_envs": 2.5}, "num_envs=2.5"),
        ({"opponents": "pimc"}, "in the vector environment 'self', or of 'random', 'rule'"),
        ({"opponents": lambda view, rng: 0}, "in the vector environment"),
        ({"autoreset": "now"}, "autoreset='now'"),
        ({"illegal_action": "ignore"}, "illegal_action='ignore'"),
        ({"render_mode": "human"}, "draws nothing"),
        ({"observation": "pixels"}, "observation='pixels'"),
        ({"phase": "play", "seat": "left"}, "seat='left'"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(SkatError, match=message):
        SkatVectorEnv(**{"num_envs": 2, **options})


def test_bad_reset_options():
    envs = SkatVectorEnv(3, "self")
    with pytest.raises(SkatError, match="nor with the first reset"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset(seed=1)
    with pytest.raises(SkatError, match="reset_mask: bool"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(SkatError, match="2 deals, expected one for each of the 3 tables"):
        envs.reset(options={"deals": [Deal.random(1), Deal.random(2)]})
    with pytest.raises(SkatError, match="no option 'deal'"):
        envs.reset(options={"deal": 1})


@pytest.mark.parametrize("seed", [-1, 1.5, "1", 2**64])
def test_seeds_that_would_be_another(seed):
    with pytest.raises(SkatError, match=r"reset: seed .*: expected"):
        SkatVectorEnv(2, "self").reset(seed=seed)


def test_a_reset_with_bad_options_changes_nothing():
    envs, twins = SkatVectorEnv(2, "self"), SkatVectorEnv(2, "self")
    for one in (envs, twins):
        one.reset(seed=1)
    deal = Deal.random(1)
    for options in (5, {"deal": deal}, {"deals": deal}, {"deals": 5}, {"deals": [1, 2]}, {"reset_mask": [1, 1]}):
        for seed in (None, 2):
            with pytest.raises(SkatError):
                envs.reset(seed=seed, options=options)
    for one in (envs, twins):
        one.reset()
    assert envs.episodes.tolist() == [1, 1] and envs.game(1).deal == twins.game(1).deal


def test_no_deal_is_played_after_a_reset_that_failed():
    passed_in, played = Deal.random(12), Deal.random(77)
    envs = SkatVectorEnv(3, "rule", phase="play")
    with pytest.raises(SkatError, match="table 1: no deal found"):
        envs.reset(seed=1, options={"deals": [played, passed_in, played]})
    with pytest.raises(SkatError, match=r"step\(\) after a reset that failed: call reset\(\)"):
        envs.step(envs.sample_actions())
    with pytest.raises(SkatError, match="or the one after a failure"):
        envs.reset(options={"reset_mask": np.array([False, True, False])})
    _, infos = envs.reset(seed=1)
    assert (infos["action_mask"][:, :32].sum(axis=1) > 0).all()
    envs.step(envs.sample_actions())


def test_same_step_autoreset_that_fails():
    calls = []

    def fails_later(deal):
        calls.append(deal)
        if len(calls) == 3:
            raise ZeroDivisionError("oh")
        return True

    envs = SkatVectorEnv(2, "self", deals=fails_later, autoreset="SameStep")
    envs.reset(seed=1)
    with pytest.raises(SkatError, match="deals: the function raised ZeroDivisionError: oh"):
        for _ in range(3):
            envs.step(np.array([32, 32]))
    with pytest.raises(SkatError, match="after a reset that failed"):
        envs.step(np.array([32, 32]))
    envs.reset()
    assert envs.game(0).deal == calls[3]


def test_nothing_to_see_before_reset():
    envs = SkatVectorEnv(2)
    for look in (lambda: envs.game(0), lambda: envs.observe_as("int8")):
        with pytest.raises(SkatError, match=r"before reset\(\)"):
            look()


def test_reset_without_a_seed_goes_on():
    envs = SkatVectorEnv(2, "self")
    envs.reset(seed=5)
    envs.reset()
    assert envs.episodes.tolist() == [1, 1]
    assert envs.game(1).deal == Deal.random(derive_seed(5, 1, 1))
    other = SkatVectorEnv(2, "self")
    other.reset()
    other.reset(seed=5)
    assert other.episodes.tolist() == [0, 0] and other.game(1).deal == Deal.random(derive_seed(5, 1, 0))
