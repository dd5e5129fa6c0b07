"""MaskablePPO of sb3-contrib learns the card play of suit games against the rule player.

python experiments/train_sb3.py
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from skatai.arena.intervals import mean_interval
from skatai.envs.sb3 import SkatVecEnv
from skatai.errors import SkatError


@dataclass
class Args:
    """Train with Stable-Baselines3."""

    steps: int = 1_000_000
    """decisions of the learner, rounded up to a multiple of 102,400: ten times one rollout of 256 tables and 40 steps"""
    opponents: str = "rule"
    """who plays the other seats in training: rule or random"""
    deals: int = 4000
    """deals of the paired evaluation"""
    seed: int = 1
    run: Path = Path("runs/sb3")
    """folder of the model and the curve"""


def main(args: Args) -> None:
    torch.set_num_threads(1)
    task = {"phase": "play", "contract": "suit", "observation": "float32"}
    envs = SkatVecEnv(256, seed=args.seed, opponents=args.opponents, **task)
    rates = {"learning_rate": 1e-3, "n_steps": 40, "batch_size": 1024, "n_epochs": 4, "gamma": 1.0, "ent_coef": 0.01}
    net = {"net_arch": [256, 256]}
    model = MaskablePPO("MlpPolicy", envs, seed=args.seed, device="cpu", policy_kwargs=net, **rates)

    model.set_logger(configure(str(args.run), ["csv"]))

    def points(opponents: str) -> np.ndarray:
        """List points of the model's likeliest actions, one deal a table: the same deals every time."""
        tables = SkatVecEnv(args.deals, seed=args.seed + 1, opponents=opponents, **task)
        seen, found = tables.reset(), np.full(args.deals, np.nan)
        while np.isnan(found).any():
            actions, _ = model.predict(seen, action_masks=tables.action_masks(), deterministic=True)
            seen, rewards, over, _ = tables.step(actions)
            found = np.where(over & np.isnan(found), rewards, found)
        return found

    curve: list[tuple[int, dict[str, np.ndarray]]] = [(0, {name: points(name) for name in ("random", "rule")})]
    begin = time.time()
    for _ in range(10):
        model.learn(args.steps // 10, reset_num_timesteps=False)
        curve.append((model.num_timesteps, {name: points(name) for name in ("random", "rule")}))
    print(
        f"{model.num_timesteps} decisions, {(time.time() - begin) / 60:.1f} min; list points a deal, {args.deals} deals:"
    )
    args.run.mkdir(parents=True, exist_ok=True)
    for name in ("random", "rule"):
        before, after = curve[0][1][name], curve[-1][1][name]
        gain = mean_interval((after - before).tolist())
        interval = f"{gain} ({gain.low:+.2f} to {gain.high:+.2f})"
        print(f"against {name}: {before.mean():+.2f} -> {after.mean():+.2f}, paired gain {interval}")
        plt.plot([step for step, _ in curve], [found[name].mean() for _, found in curve], marker=".", label=name)
    plt.gca().set(
        xlabel="decisions", ylabel="list points a deal", title=f"MaskablePPO, trained against {args.opponents}"
    )
    plt.legend()
    plt.savefig(args.run / "curve.png", dpi=100)
    model.save(args.run / "model")


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except SkatError as error:
        print(f"train_sb3: {error}", file=sys.stderr)
        sys.exit(2)
