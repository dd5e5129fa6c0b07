"""RLlib (Ray's learning library) on the single environment: PPO with an action mask, as a starting point.

Needs ``pip install "ray[rllib]"``, which is no extra of this project because it pins another gymnasium. Run with ray 2.60.0,
gymnasium 1.2.2, torch 2.13.0.

    python experiments/rllib_example.py
"""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium
import numpy as np
import ray
import tyro
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from skatai.envs import SkatEnv


class MaskInObservation(gymnasium.ObservationWrapper):
    """Mask and observation as a dict, under the names that RLlib's masking module reads."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        mask = gymnasium.spaces.Box(0, 1, (env.action_space.n,), np.float32)
        self.observation_space = gymnasium.spaces.Dict({"action_mask": mask, "observations": env.observation_space})

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        return {"action_mask": self.unwrapped.action_masks().astype(np.float32), "observations": observation}


@dataclass
class Args:
    """A few iterations of PPO."""

    iterations: int = 2
    """training iterations"""
    batch: int = 2000
    """decisions an iteration"""


def make(config: dict) -> gymnasium.Env:
    return MaskInObservation(SkatEnv(**config))


def main(args: Args) -> None:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    register_env("skat", make)
    config = (
        PPOConfig()
        .environment("skat", env_config={"phase": "play", "contract": "suit", "observation": "float32"})
        .env_runners(num_env_runners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [128], "fcnet_hiddens": [128]},
            )
        )
        .training(train_batch_size_per_learner=args.batch, minibatch_size=500, num_epochs=2, lr=3e-4, gamma=1.0)
    )
    algorithm = config.build_algo()
    for number in range(args.iterations):
        found = algorithm.train()["env_runners"]
        print(
            f"iteration {number}: {found['episode_return_mean']:+.1f} list points a deal, {found['episode_len_mean']:.1f} decisions"
        )
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
