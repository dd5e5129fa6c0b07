"""TorchRL on the single environment: masked rollouts with ``GymEnv`` and one REINFORCE step, as a starting point.

Needs ``pip install torchrl``, which is no extra of this project. Run with torchrl 0.14.1, tensordict 0.14.3, gymnasium 1.4.0,
torch 2.13.0.

    python experiments/torchrl_example.py
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import tyro
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.data import Categorical
from torchrl.envs import GymEnv, TransformedEnv
from torchrl.envs.transforms import ActionMask, DTypeCastTransform, RewardSum
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import skatai.envs


@dataclass
class Args:
    """A few masked rollouts and policy-gradient steps."""

    updates: int = 5
    """policy-gradient steps"""
    frames: int = 400
    """decisions in a rollout"""
    seed: int = 1


def main(args: Args) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    options = {"phase": "play", "contract": "suit", "observation": "float32", "mask": "observation"}
    env = GymEnv(skatai.envs.ENV_ID, categorical_action_encoding=True, **options)
    env = TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    env.append_transform(ActionMask(action_key="action", mask_key="action_mask"))
    env.append_transform(RewardSum())
    env.set_seed(args.seed)
    check_env_specs(env)
    assert isinstance(env.full_action_spec["action"], Categorical)
    net = nn.Sequential(nn.Linear(399, 128), nn.ReLU(), nn.Linear(128, 136))
    actor = ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    optimizer = torch.optim.Adam(actor.parameters(), 1e-3)
    for number in range(args.updates):
        with torch.no_grad():
            data = env.rollout(args.frames, actor, break_when_any_done=False)
        over = data["next", "done"][:, 0]
        reward = data["next", "reward"][:, 0]
        returns = torch.zeros_like(reward)
        ahead = torch.zeros(())
        for t in range(len(reward) - 1, -1, -1):  # the only reward of a deal comes at its end
            ahead = reward[t] if over[t] else ahead
            returns[t] = ahead
        gain = (returns - returns.mean()) / (returns.std() + 1e-6)
        log_prob = actor.get_dist(data).log_prob(data["action"])
        loss = -(log_prob * gain).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(
            f"update {number}: {int(over.sum())} deals, {reward[over].mean():+.1f} list points a deal, loss {loss:+.3f}"
        )


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
