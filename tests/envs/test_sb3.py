"""The vector environment under Stable-Baselines3 and sb3-contrib."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.logger import configure

from skatai.envs import SkatEnv
from skatai.envs.sb3 import SkatVecEnv
from skatai.errors import SkatError


def test_learns_a_little_without_a_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = SkatVecEnv(8, seed=1, opponents="random", phase="play", observation="float32")
        model = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
        model.set_logger(configure(str(tmp_path), ["csv"]))
        model.learn(256)
        model.logger.close()
    assert model.ep_info_buffer and {"r", "l", "t"} <= set(model.ep_info_buffer[0])
    seen = envs.reset()
    actions, _ = model.predict(seen, action_masks=envs.action_masks())
    assert envs.action_masks()[np.arange(8), actions].all()


def test_masks_and_episodes():
    envs = SkatVecEnv(3, seed=1, opponents="random", phase="play")
    envs.reset()
    assert is_masking_supported(envs)
    lengths = []
    for _ in range(25):
        masks = get_action_masks(envs)
        assert masks.shape == (3, 136) and masks.any(axis=1).all()
        seen, rewards, dones, infos = envs.step(masks.argmax(axis=1))
        for i in range(3):
            assert ("episode" in infos[i]) == dones[i] == ("terminal_observation" in infos[i])
            if dones[i]:
                assert infos[i]["terminal_observation"].shape == seen[i].shape
                assert infos[i]["episode"]["r"] == rewards[i]
                lengths.append(infos[i]["episode"]["l"])
    assert len(lengths) >= 6 and max(lengths) <= 10


def test_seed_gives_the_deals_of_the_single_environment():
    envs = SkatVecEnv(2, opponents="rule")
    envs.seed(7)
    first = envs.reset()
    for i in range(2):
        seen, _ = SkatEnv("rule", table=i).reset(seed=7)
        assert first[i].tolist() == seen.tolist()
    assert not np.array_equal(first, envs.reset())


def test_bad_use():
    with pytest.raises(SkatError, match="trains one learner"):
        SkatVecEnv(2, opponents="self")
    with pytest.raises(SkatError, match="same-step"):
        SkatVecEnv(2, autoreset="Disabled")
    with pytest.raises(SkatError, match=r"copy=False: .* keeps the last observations"):
        SkatVecEnv(2, copy=False)
    envs = SkatVecEnv(2, opponents="random")
    envs.set_options({"deals": []})
    with pytest.raises(SkatError, match=r"set_options\(\): the tables take no options"):
        envs.reset()
    with pytest.raises(SkatError, match="before step_async"):
        envs.step_wait()
    with pytest.raises(SkatError, match="only 'action_masks'"):
        envs.env_method("reset")
    with pytest.raises(SkatError, match="make a new one"):
        envs.set_attr("phase", "play")
    assert envs.env_is_wrapped(object) == [False, False]
    assert envs.get_attr("num_envs", [0]) == [2]
    with pytest.raises(AttributeError):
        envs.get_attr("nothing")
    envs.close()
