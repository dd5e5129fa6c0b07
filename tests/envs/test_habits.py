"""What people bring: Gymnasium's own vector forms and wrappers, a CleanRL loop, MaskablePPO on ``gymnasium.make``."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordVectorStatistics
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

from skatai.envs import SkatVectorEnv

ID = "skatai/Skat-v0"


OPTIONS = {"observation": "float32", "illegal_action": "raise"}


def recorded():
    return RecordEpisodeStatistics(gymnasium.make(ID, **OPTIONS))


FORMS = {
    "sync": lambda: SyncVectorEnv([recorded] * 3),
    "sync, same step": lambda: SyncVectorEnv([recorded] * 3, autoreset_mode=AutoresetMode.SAME_STEP),
    "make_vec, sync": lambda: RecordVectorStatistics(
        gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", **OPTIONS)
    ),
    "make_vec": lambda: RecordVectorStatistics(gymnasium.make_vec(ID, num_envs=3, **OPTIONS)),
    "make_vec, same step": lambda: RecordVectorStatistics(
        gymnasium.make_vec(ID, num_envs=3, **OPTIONS, autoreset=AutoresetMode.SAME_STEP)
    ),
}


def finished(infos):
    """Returns of the deals that ended in this step, wherever the form puts them."""
    infos = infos.get("final_info", infos)
    return infos["episode"]["r"][infos["_episode"]].tolist() if "episode" in infos else []


@pytest.mark.parametrize("form", FORMS)
def test_a_cleanrl_loop(form):
    torch.manual_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = FORMS[form]()
        network = torch.nn.Linear(envs.single_observation_space.shape[0], envs.single_action_space.n)
        seen, infos = envs.reset(seed=1)
        returns, total = [], 0.0
        for _ in range(60):
            mask = torch.tensor(infos["action_mask"], dtype=torch.bool)
            with torch.no_grad():
                logits = network(torch.tensor(seen)).masked_fill(~mask, -1e8)
            actions = torch.distributions.Categorical(logits=logits).sample().numpy()
            seen, rewards, terminated, truncated, infos = envs.step(actions)
            returns += finished(infos)
            total += float(rewards.sum())
            assert not truncated.any() and (rewards[~terminated] == 0).all()
        assert len(returns) > 5 and sum(returns) == total
        envs.close()


def test_maskable_ppo_finds_the_masks_behind_the_wrappers():
    env = FlattenObservation(gymnasium.make(ID, phase="play", illegal_action="raise"))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=1)
    model.learn(64)  # an illegal action would raise an error
    seen, info = env.reset(seed=1)
    assert get_action_masks(env).tolist() == info["action_mask"].astype(bool).tolist()
    action, _ = model.predict(seen, action_masks=info["action_mask"])
    env.step(action)


def test_copies_go_their_own_way():
    env = gymnasium.make(ID, opponents="random")
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = str(env.unwrapped.game)
        assert str(twin.unwrapped.game) == before
        twin.step(32)
        assert str(env.unwrapped.game) == before != str(twin.unwrapped.game)
    envs = SkatVectorEnv(2, "self")
    envs.reset(seed=1)
    twins = pickle.loads(pickle.dumps(envs))
    assert twins.step(np.array([32, 32]))[0].tolist() == envs.step(np.array([32, 32]))[0].tolist()
