"""Masked PPO by self-play on the vector environment: card play of suit games from nothing, in one file.

One network plays all three seats of every table (``opponents="self"``); each seat has its own trajectory, with list points as its
only reward, at the end of the deal. Before, during and after training the network plays as one learner against two ``random`` and
against two ``rule`` players; the last table pairs the trained with the untrained network on the same deals and seats.

    python experiments/train_ppo.py
    python experiments/train_ppo.py --run-name NAME          # goes on where a run of that name was stopped
    python experiments/train_ppo.py --phase full --contract any --total-decisions 50000000

``runs/NAME/`` holds the checkpoint, ``metrics.jsonl`` (one line an evaluation), ``curve.png`` and TensorBoard events
(``--no-track`` leaves them out). The run may be killed at any time.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from skatai.arena.intervals import mean_interval
from skatai.envs import SkatVectorEnv
from skatai.errors import SkatError, whole_number
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE
from skatai.rng import derive_seed

OPPONENTS = ("random", "rule")
TRAINING, EVALUATION = range(2)  # streams of deals of one seed
COUNTS = (
    *("total_decisions", "tables", "steps", "epochs", "batch_size", "width", "threads"),
    *("evaluate_every", "evaluation_deals", "final_deals"),
)


@dataclass
class Args:
    """Train a network to play cards by self-play."""

    seed: int = 1
    """seed of deals, initial weights and the order of samples"""
    total_decisions: int = 3_000_000
    """decisions of all seats in training"""
    phase: str = "play"
    """part of the deal to learn: full, bidding or play"""
    contract: str = "suit"
    """contracts to learn, such as suit, grand, "G|CH"; any for all"""
    tables: int = 256
    """tables of the vector environment"""
    steps: int = 62
    """steps of a rollout; two deals of card play are 2 * (30 + 1)"""
    learning_rate: float = 1e-3
    """at the beginning; it falls linearly to 0"""
    gae_lambda: float = 0.95
    """of generalised advantage estimation; there is no discount"""
    epochs: int = 4
    """passes over a rollout"""
    batch_size: int = 1024
    """samples of an optimizer step"""
    clip: float = 0.2
    """PPO's clipping of the probability ratio"""
    entropy: float = 0.01
    """weight of the entropy bonus"""
    value_weight: float = 0.5
    """weight of the value loss"""
    max_norm: float = 0.5
    """gradients are scaled down to this norm"""
    reward_scale: float = 0.01
    """list points are multiplied by this"""
    width: int = 256
    """units of each of the two layers"""
    evaluate_every: int = 20
    """rollouts between evaluations"""
    evaluation_deals: int = 600
    """deals against each kind of opponents in an evaluation on the way"""
    final_deals: int = 4000
    """deals of the paired evaluation at the end"""
    minutes: float = 0.0
    """stop training after this time; 0: no limit"""
    threads: int = 1
    """threads of PyTorch; more are slower for a network of this size where others use the cores, too"""
    run_name: str = ""
    """name of the run; that of a stopped run goes on with it (default: ppo__PHASE__SEED__TIME)"""
    runs: Path = Path("runs")
    """folder of the runs"""
    track: bool = True
    """write TensorBoard events"""


class Network(nn.Module):
    """Observation to logits and value: two layers shared, a head each."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(ENCODING_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, N_ACTIONS), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.zeros_(self.policy.bias)
        self.register_buffer("scale", torch.from_numpy(ENCODING_SCALE.copy()))

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities (n, 136), 0 probability for what is not legal, and values (n,); observations int8, masks bool."""
        hidden = self.body(observations.float() * self.scale)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return torch.log_softmax(logits, dim=1), self.value(hidden)[:, 0]


def legal(mask: NDArray[np.int8]) -> Tensor:
    """Masks as bool; a finished table has none, and any action will do there."""
    rows = torch.from_numpy(mask).bool()
    return rows | ~rows.any(dim=1, keepdim=True)


@dataclass
class Rollout:
    """Steps of all tables: arrays (steps, tables, …)."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    values: NDArray[np.float32]
    seats: NDArray[np.int64]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]
    acting: NDArray[np.bool_]

    @classmethod
    def empty(cls, steps: int, n: int) -> Rollout:
        return cls(
            torch.zeros(steps, n, ENCODING_SIZE, dtype=torch.int8),
            torch.zeros(steps, n, N_ACTIONS, dtype=torch.bool),
            torch.zeros(steps, n, dtype=torch.int64),
            torch.zeros(steps, n),
            np.zeros((steps, n), dtype=np.float32),
            np.zeros((steps, n), dtype=np.int64),
            np.zeros((steps, n, 3), dtype=np.float32),
            np.zeros((steps, n), dtype=np.bool_),
            np.zeros((steps, n), dtype=np.bool_),
        )


def collect(envs: SkatVectorEnv, network: Network, rollout: Rollout, seen: Any, scale: float) -> Any:
    """Play on from ``seen`` (observations, infos, finished tables) and fill ``rollout``; what is seen then."""
    observations, infos, finished = seen
    for t in range(len(rollout.values)):
        rollout.observations[t] = torch.from_numpy(observations)
        rollout.masks[t] = legal(infos["action_mask"])
        with torch.no_grad():
            log_probs, values = network(rollout.observations[t], rollout.masks[t])
        # Gumbel's trick: a sample of the distribution
        noise = -torch.empty_like(log_probs).exponential_().log()
        actions = (log_probs + noise).argmax(dim=1)
        rollout.actions[t] = actions
        rollout.log_probs[t] = log_probs.gather(1, actions[:, None])[:, 0]
        rollout.values[t], rollout.seats[t], rollout.acting[t] = values.numpy(), infos["current_player"], ~finished
        observations, rewards, finished, _, infos = envs.step(actions.numpy())
        rollout.rewards[t], rollout.over[t] = rewards * scale, finished
    return observations, infos, finished


def advantages(rollout: Rollout, gae_lambda: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Generalised advantage estimates (steps, tables) of each seat's own trajectory, and where they are known.

    A decision whose consequences lie beyond the rollout (the deal is not over, the seat does not act again) is left out.
    """
    steps, n = rollout.values.shape
    found, known = np.zeros((steps, n), dtype=np.float32), np.zeros((steps, n), dtype=np.bool_)
    rows = np.arange(n)
    ahead = np.zeros(
        (n, 3), dtype=np.float32
    )  # value of the seat's next decision, or its reward at the end of the deal
    trace = np.zeros((n, 3), dtype=np.float32)
    seen = np.zeros((n, 3), dtype=np.bool_)
    for t in reversed(range(steps)):
        over = rollout.over[t]
        ahead[over], trace[over], seen[over] = rollout.rewards[t][over], 0.0, True
        i = rows[rollout.acting[t]]
        seat, value = rollout.seats[t, i], rollout.values[t, i]
        known[t, i] = seen[i, seat]
        advantage = np.where(known[t, i], ahead[i, seat] - value + gae_lambda * trace[i, seat], 0.0)
        found[t, i] = advantage
        ahead[i, seat], trace[i, seat], seen[i, seat] = value, advantage, True
    return found, known


def update(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, args: Args) -> dict[str, float]:
    """PPO's epochs over one rollout; the mean losses."""
    found, known = advantages(rollout, args.gae_lambda)
    keep = torch.from_numpy(known.reshape(-1))
    flat = [x.flatten(0, 1)[keep] for x in (rollout.observations, rollout.masks, rollout.actions, rollout.log_probs)]
    observations, masks, actions, old = flat
    advantage = torch.from_numpy(found.reshape(-1))[keep]
    target = advantage + torch.from_numpy(rollout.values.reshape(-1))[keep]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    sums: dict[str, float] = {}
    batches = 0
    for _ in range(args.epochs):
        for rows in torch.randperm(len(old)).split(args.batch_size):
            log_probs, values = network(observations[rows], masks[rows])
            new = log_probs.gather(1, actions[rows, None])[:, 0]
            ratio = (new - old[rows]).exp()
            gain = advantage[rows]
            policy = -torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
            error = (values - target[rows]).square().mean()
            loss = policy + args.value_weight * error - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_norm)
            optimizer.step()
            batches += 1
            kl = (old[rows] - new).mean()
            for name, value in {"policy": policy, "value": error, "entropy": entropy, "kl": kl}.items():
                sums[name] = sums.get(name, 0.0) + float(value.detach())
    return {name: value / batches for name, value in sums.items()}


def list_points(network: Network, opponents: str, deals: int, args: Args) -> NDArray[np.float32]:
    """List points of the network (its likeliest actions) in one seat of each of ``deals`` deals: the same deals for any network."""
    envs = SkatVectorEnv(deals, opponents, phase=args.phase, contract=contract(args), copy=False)
    observations, infos = envs.reset(seed=derive_seed(args.seed, EVALUATION))
    points, done = np.zeros(deals, dtype=np.float32), np.zeros(deals, dtype=np.bool_)
    while not done.all():
        with torch.no_grad():
            log_probs, _ = network(torch.from_numpy(observations), legal(infos["action_mask"]))
        observations, rewards, over, _, infos = envs.step(log_probs.argmax(dim=1).numpy())
        first = over & ~done
        points[first], done = rewards[first], done | over
    return points


def contract(args: Args) -> str | None:
    return None if args.contract == "any" else args.contract


def load_checkpoint(path: Path, settings: dict[str, Any]) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, weights_only=True)
    except Exception as error:
        raise SkatError(f"{path}: no checkpoint that can be read ({str(error).splitlines()[0]})") from error
    if saved["settings"] != settings:
        raise SkatError(f"run {path.parent} was started with other settings: {saved['settings']}")
    return saved


def save_checkpoint(path: Path, saved: dict[str, Any]) -> None:
    """Whoever is killed meanwhile leaves the last one as it was."""
    torch.save(saved, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def cut_metrics(path: Path, done: int) -> int:
    """Drop the lines after the checkpoint (killed between both, or in the middle of a line); the rollout of the last one kept."""
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        if record["rollout"] <= done:
            kept.append(record)
    path.write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")
    return kept[-1]["rollout"] if kept else -1


def draw_curve(run: Path) -> None:
    """``curve.png`` of ``metrics.jsonl``."""
    try:
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no curve: matplotlib is not installed", file=sys.stderr)
        return
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for opponents in OPPONENTS:
        name = f"points/{opponents}"
        axes.plot([line["decisions"] for line in lines], [line[name] for line in lines], marker=".", label=opponents)
    axes.set(
        xlabel="decisions in training",
        ylabel="list points a deal",
        title="PPO by self-play, evaluated against two players",
    )
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(run / "curve.png", dpi=100)
    plt.close(figure)


def main(args: Args) -> None:
    begin = time.time()
    for name in COUNTS:
        whole_number(getattr(args, name), f"--{name.replace('_', '-')}", 1, 2**40)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    run = args.runs / (args.run_name or f"ppo__{args.phase}__{args.seed}__{int(begin)}")
    checkpoint = run / "checkpoint.pt"
    run.mkdir(parents=True, exist_ok=True)
    print(f"run: {run}", file=sys.stderr)
    network, untrained = Network(args.width), Network(args.width)
    untrained.load_state_dict(network.state_dict())
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    settings = {
        k: v
        for k, v in dataclasses.asdict(args).items()
        if k not in ("run_name", "runs", "track", "minutes", "threads")
    }
    done, seconds = 0, 0.0
    if checkpoint.exists():
        saved = load_checkpoint(checkpoint, settings)
        network.load_state_dict(saved["network"])
        untrained.load_state_dict(saved["untrained"])
        optimizer.load_state_dict(saved["optimizer"])
        done, seconds = saved["rollouts"], saved["seconds"]
        print(f"resumed after {done} rollouts", file=sys.stderr)
    evaluated = cut_metrics(run / "metrics.jsonl", done if checkpoint.exists() else -1)
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(run), purge_step=done)

    envs = SkatVectorEnv(args.tables, "self", phase=args.phase, contract=contract(args))
    observations, infos = envs.reset(seed=derive_seed(args.seed, TRAINING, done))
    seen = observations, infos, np.zeros(args.tables, dtype=np.bool_)
    rollout = Rollout.empty(args.steps, args.tables)
    total = -(-args.total_decisions // (args.steps * args.tables))
    losses: dict[str, float] = {}
    bar = tqdm(total=total, initial=done, unit="rollout", disable=None)
    with bar, open(run / "metrics.jsonl", "a", encoding="utf-8") as log:
        while True:
            stopping = done >= total or (args.minutes > 0 and time.time() - begin > 60 * args.minutes)
            if done != evaluated and (done % args.evaluate_every == 0 or stopping):
                evaluated = done
                record: dict[str, Any] = {"rollout": done, "decisions": done * args.steps * args.tables}
                record["seconds"] = round(seconds + time.time() - begin, 1)
                record |= {f"loss/{name}": round(value, 4) for name, value in losses.items()}
                for opponents in OPPONENTS:
                    points = list_points(network, opponents, args.evaluation_deals, args)
                    record[f"points/{opponents}"] = round(float(points.mean()), 2)
                log.write(json.dumps(record) + "\n")
                log.flush()
                bar.set_postfix({name: record[f"points/{name}"] for name in OPPONENTS})
                for name, value in record.items():
                    if writer is not None and "/" in name:
                        writer.add_scalar(name, value, done)
                save_checkpoint(
                    checkpoint,
                    {
                        "network": network.state_dict(),
                        "untrained": untrained.state_dict(),
                        "optimizer": optimizer.state_dict(),
                        "rollouts": done,
                        "seconds": seconds + time.time() - begin,
                        "settings": settings,
                    },
                )
            if stopping:
                break
            for group in optimizer.param_groups:
                group["lr"] = args.learning_rate * (1 - done / total)
            seen = collect(envs, network, rollout, seen, args.reward_scale)
            losses = update(network, optimizer, rollout, args)
            done += 1
            bar.update()
    if writer is not None:
        writer.close()
    draw_curve(run)

    print(
        f"{done * args.steps * args.tables} decisions, {(seconds + time.time() - begin) / 60:.1f} min; list points a deal:"
    )
    print("| opponents | deals | untrained | trained | paired gain (95 %) |")
    print("|---|---|---|---|---|")
    for opponents in OPPONENTS:
        before, after = (list_points(net, opponents, args.final_deals, args) for net in (untrained, network))
        gain = mean_interval((after - before).tolist())
        row = f"| {opponents} | {args.final_deals} | {before.mean():+.2f} | {after.mean():+.2f} |"
        print(f"{row} {gain} ({gain.low:+.2f} to {gain.high:+.2f}) |")
    print(f"curve, checkpoint, metrics: {run}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except SkatError as error:
        print(f"train_ppo: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; the same command with --run-name goes on from the last checkpoint", file=sys.stderr)
        sys.exit(130)
