"""Train the neural agent by imitation of the rule player.

One file tells the whole experiment: the compiled rule player plays random deals, every decision that is not forced becomes a
sample (encoding, legal actions, action, result of the deal), and the network learns the action by cross-entropy and the result
with two value heads. Data are made on the fly and never used twice; accuracy is measured on deals of another seed.

    python experiments/train_imitation.py
    python experiments/train_imitation.py --run-name NAME     # goes on where a run of that name was stopped

The run may be killed at any time. ``runs/NAME/`` holds the checkpoint, ``metrics.jsonl`` (one line an evaluation) and, with
``--track``, TensorBoard events; the weights go to ``--weights`` at the end.
"""

from __future__ import annotations

import dataclasses
import json
import random
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from tqdm import tqdm

from skatai.errors import SkatError
from skatai.learn import NetworkConfig, SkatNetwork, load_checkpoint, load_network, save_checkpoint, save_network
from skatai.learn.demonstrations import KINDS, generate_demonstrations
from skatai.learn.imitation import Batch, accuracy, imitation_loss, to_batch
from skatai.rng import Rng, derive_seed

HELD_OUT, TRAINING, ORDER = range(3)  # streams of random numbers of one seed


@dataclass
class Args:
    """Train the neural agent by imitation of the rule player."""

    seed: int = 1
    """seed of deals, initial weights and the order of samples"""
    steps: int = 6000
    """optimizer steps"""
    batch_size: int = 1024
    """samples a step"""
    learning_rate: float = 2e-3
    """highest learning rate: it rises over the first 2 % of the steps and falls to 0 along a half cosine"""
    weight_decay: float = 1e-4
    """of AdamW"""
    value_weight: float = 0.5
    """weight of each value head's loss beside the policy's"""
    noise: float = 0.03
    """probability that a card played in the data is random (the recorded action never is)"""
    keep: tuple[float, ...] = (0.5, 1.0, 1.0, 0.4, 0.4, 1.0, 1.0)
    """share of the decisions recorded of bid, declare, discard, declarer, defender, null declarer, null defender"""
    width: int = 256
    """units of a layer"""
    blocks: int = 2
    """residual blocks"""
    chunk: int = 131_072
    """samples made at once"""
    held_out: int = 100_000
    """samples for the accuracy"""
    evaluate_every: int = 1000
    """steps between evaluations"""
    checkpoint_every: int = 500
    """steps between checkpoints"""
    threads: int = 2
    """threads of PyTorch"""
    run_name: str = ""
    """name of the run; that of a stopped run goes on with it (default: imitation__SEED__TIME)"""
    runs: Path = Path("runs")
    """folder of the runs"""
    weights: Path = Path("agents/skatai_agents/weights/imitation.safetensors")
    """where the trained weights go"""
    track: bool = False
    """write TensorBoard events, too"""


def set_learning_rate(optimizer: torch.optim.Optimizer, args: Args, step: int) -> None:
    """Linear warm-up, then half a cosine."""
    warm_up = max(1, args.steps // 50)
    share = (step + 1) / warm_up if step < warm_up else 0.5 * (1 + np.cos(np.pi * step / args.steps))
    for group in optimizer.param_groups:
        group["lr"] = args.learning_rate * share


def training_chunk(args: Args, index: int) -> Batch:
    """Chunk ``index`` of the training data, in random order: a function of the seed alone, so that a run can be resumed."""
    samples, _ = generate_demonstrations(args.chunk, derive_seed(args.seed, TRAINING, index), args.keep, args.noise)
    order = Rng(derive_seed(args.seed, ORDER, index)).numpy().permutation(len(samples))
    return to_batch(samples[order])


def main(args: Args, command: str) -> None:
    if args.chunk < args.batch_size:
        raise SkatError(f"--chunk {args.chunk} is below --batch-size {args.batch_size}")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    run = args.runs / (args.run_name or f"imitation__{args.seed}__{int(time.time())}")
    checkpoint = run / "checkpoint.pt"
    run.mkdir(parents=True, exist_ok=True)
    print(f"run: {run}", file=sys.stderr)

    network = SkatNetwork(NetworkConfig(args.width, args.blocks))
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.learning_rate, weight_decay=args.weight_decay)
    step = 0
    if checkpoint.exists():
        step, _ = load_checkpoint(checkpoint, network, optimizer)
        print(f"resumed at step {step}", file=sys.stderr)
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(run), purge_step=step)
        writer.add_text("args", json.dumps(dataclasses.asdict(args), default=str, indent=1))

    held_out, deals = generate_demonstrations(args.held_out, derive_seed(args.seed, HELD_OUT))
    print(f"held out: {len(held_out)} decisions of {deals} deals; {network.n_parameters} parameters", file=sys.stderr)

    batches_per_chunk = args.chunk // args.batch_size
    chunk_index, data = -1, None
    bar = tqdm(total=args.steps, initial=step, unit="step", disable=None)
    with open(run / "metrics.jsonl", "a", encoding="utf-8") as log, bar:
        while step < args.steps:
            if data is None or step // batches_per_chunk != chunk_index:
                chunk_index = step // batches_per_chunk
                data = training_chunk(args, chunk_index)
            start = step % batches_per_chunk * args.batch_size
            set_learning_rate(optimizer, args, step)
            losses = imitation_loss(network, Batch(*(column[start : start + args.batch_size] for column in data)))
            loss = losses.policy + args.value_weight * (losses.list_points + losses.win)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            bar.update()
            if step % 50 == 0:
                bar.set_postfix(policy=f"{losses.policy.item():.3f}", win=f"{losses.win.item():.3f}")
            if step % args.evaluate_every == 0 or step == args.steps:
                shares = accuracy(network, held_out)
                record = {"step": step, **{name: value.item() for name, value in losses._asdict().items()}}
                log.write(json.dumps({**record, "accuracy": {k: round(v, 4) for k, v in shares.items()}}) + "\n")
                log.flush()
                if writer is not None:
                    for name, value in record.items():
                        writer.add_scalar(f"loss/{name}", value, step)
                    for name, value in shares.items():
                        writer.add_scalar(f"accuracy/{name}", value, step)
            if step % args.checkpoint_every == 0 or step == args.steps:
                save_checkpoint(checkpoint, network, optimizer, step)
    if writer is not None:
        writer.close()

    # Measured on what the file holds: 16-bit numbers.
    save_network(args.weights, network)
    shares = accuracy(load_network(args.weights)[0], held_out)
    text = {name: f"{share:.4f}" for name, share in shares.items()}
    save_network(args.weights, network, {"command": command, "held_out_accuracy": json.dumps(text)})
    counts = np.bincount(held_out["kind"], minlength=len(KINDS))
    print(f"| decision | held out | accuracy |\n|---|---|---|\n| all | {len(held_out)} | {shares['all']:.1%} |")
    for kind, name in enumerate(KINDS):
        if counts[kind]:
            print(f"| {name} | {counts[kind]} | {shares[name]:.1%} |")
    size = args.weights.stat().st_size / 1000
    print(f"weights: {args.weights} ({size:.0f} kB); run: {run}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(tyro.cli(Args), shlex.join(["python", "experiments/train_imitation.py", *sys.argv[1:]]))
    except SkatError as error:
        sys.exit(f"train_imitation: {error}")
