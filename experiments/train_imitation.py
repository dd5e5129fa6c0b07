"""Train the neural agent: imitation of the rule player, and one step beyond it.

One file tells the whole experiment. The compiled rule player plays random deals, and every decision that is not forced becomes a
sample: what the seat knows, the legal actions, the action taken, the result of the deal. Besides, each legal action is tried in
the true deal, with the rule player playing on, and its result is compared with that of the action taken. The network learns

* the action (cross-entropy): imitation,
* the advantage of each action over the rule player's (regression, hence its mean over what the seat cannot see): the agent adds
  ``trust`` times this to the logits, which is one step of policy iteration kept close to the rule player,
* the seat's list points and the declarer's chance (two value heads).

The declarer's chance is learnt from games as they are bid, so it is far too high for hands that would pass; ``fit_claims.py``
refits that head afterwards.

Data are made on the fly, beside the training; accuracy and gain are measured on deals of another seed.

    python experiments/train_imitation.py
    python experiments/train_imitation.py --run-name NAME     # goes on where a run of that name was stopped

The run may be killed at any time. ``runs/NAME/`` holds the checkpoint, ``metrics.jsonl`` (one line an evaluation) and, with
``--track``, TensorBoard events; the weights go to ``--weights`` at the end.
"""

from __future__ import annotations

import dataclasses
import json
import math
import random
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from tqdm import tqdm

from skatai.errors import SkatError
from skatai.learn import NetworkConfig, SkatNetwork, load_checkpoint, load_network, save_checkpoint, save_network
from skatai.learn.demonstrations import generate_demonstrations
from skatai.learn.imitation import Batch, advantage_scales, imitation_loss, measure, to_batch
from skatai.rng import Rng, derive_seed

HELD_OUT, TRAINING, ORDER = range(3)  # streams of random numbers of one seed
WITHOUT_EFFECT = ("run_name", "runs", "weights", "track", "checkpoint_every", "evaluate_every", "trust", "threads")


@dataclass
class Args:
    """Train the neural agent by imitation of the rule player, and one step beyond it."""

    seed: int = 1
    """seed of deals, initial weights and the order of samples"""
    steps: int = 4000
    """optimizer steps"""
    batch_size: int = 1024
    """samples a step"""
    learning_rate: float = 2e-3
    """highest learning rate: it rises over the first 2 % of the steps and falls to 0 along a half cosine"""
    weight_decay: float = 1e-4
    """of AdamW"""
    advantage_weight: float = 0.5
    """weight of the advantages' loss beside the policy's; 0 leaves imitation alone (and data are made many times as fast)"""
    value_weight: float = 0.2
    """weight of each value head's loss beside the policy's"""
    noise: float = 0.03
    """probability that a card played in the data is random (the recorded action never is)"""
    keep: tuple[float, ...] = (0.5, 1.0, 1.0, 0.4, 0.4, 1.0, 1.0)
    """share of the decisions recorded of bid, declare, discard, declarer, defender, null declarer, null defender"""
    width: int = 256
    """units of a layer"""
    blocks: int = 2
    """residual blocks"""
    chunk: int = 65_536
    """samples made at once"""
    passes: int = 2
    """how often each chunk is used"""
    held_out: int = 40_000
    """samples for accuracy and gain"""
    trust: tuple[float, ...] = (0.0, 0.03, 0.1, 0.3, 1.0)
    """values of the agent's option ``trust`` to report on"""
    evaluate_every: int = 2000
    """steps between evaluations"""
    checkpoint_every: int = 500
    """steps between checkpoints"""
    threads: int = 1
    """threads of PyTorch; another one makes data"""
    run_name: str = ""
    """name of the run; that of a stopped run goes on with it (default: imitation__SEED__TIME)"""
    runs: Path = Path("runs")
    """folder of the runs"""
    weights: Path = Path("agents/skatai_agents/weights/neural.safetensors")
    """where the trained weights go"""
    track: bool = False
    """write TensorBoard events, too"""


def command(args: Args) -> str:
    """The command that makes the same weights: options without effect on them are left out."""
    parts = ["python", "experiments/train_imitation.py"]
    for field in dataclasses.fields(Args):
        value = getattr(args, field.name)
        if field.name not in WITHOUT_EFFECT and value != field.default:
            parts.append("--" + field.name.replace("_", "-"))
            parts += map(str, value if isinstance(value, tuple) else [value])
    return shlex.join(parts)


def set_learning_rate(optimizer: torch.optim.Optimizer, args: Args, step: int) -> None:
    """Linear warm-up, then half a cosine."""
    warm_up = max(1, args.steps // 50)
    share = (step + 1) / warm_up if step < warm_up else 0.5 * (1 + math.cos(math.pi * step / args.steps))
    for group in optimizer.param_groups:
        group["lr"] = args.learning_rate * share


def training_samples(args: Args, index: int) -> NDArray[np.void]:
    """Chunk ``index`` of the training data: a function of the seed alone, so that a run can be resumed."""
    seed = derive_seed(args.seed, TRAINING, index)
    return generate_demonstrations(args.chunk, seed, args.keep, args.noise, args.advantage_weight > 0)[0]


def shuffled(args: Args, samples: NDArray[np.void], epoch: int) -> Batch:
    """The samples as tensors, in the order of pass number ``epoch`` of the whole training."""
    return to_batch(samples[Rng(derive_seed(args.seed, ORDER, epoch)).numpy().permutation(len(samples))])


def batches(args: Args, first: int) -> Iterator[Batch]:
    """The batches of steps ``first``, ``first + 1``, …; the next chunk is made while the present one is used."""
    per_pass = args.chunk // args.batch_size
    with ThreadPoolExecutor(1) as maker:
        ahead = maker.submit(training_samples, args, first // per_pass // args.passes)
        samples, step, skip = None, first, first % per_pass
        while True:
            epoch = step // per_pass
            if samples is None or (epoch % args.passes == 0 and skip == 0):
                samples = ahead.result()
                ahead = maker.submit(training_samples, args, epoch // args.passes + 1)
            columns = shuffled(args, samples, epoch)
            for i in range(skip, per_pass):
                yield Batch(*(column[i * args.batch_size : (i + 1) * args.batch_size] for column in columns))
                step += 1
            skip = 0


def main(args: Args) -> None:
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
        step, extra = load_checkpoint(checkpoint, network, optimizer)
        if extra.get("command") != command(args):
            raise SkatError(f"run {run} was started as: {extra.get('command')}")
        print(f"resumed at step {step}", file=sys.stderr)
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(run), purge_step=step)
        writer.add_text("args", json.dumps(dataclasses.asdict(args), default=str, indent=1))

    evaluate = args.advantage_weight > 0
    held_out, deals = generate_demonstrations(args.held_out, derive_seed(args.seed, HELD_OUT), evaluate=evaluate)
    scales = advantage_scales(to_batch(held_out))
    print(f"held out: {len(held_out)} decisions of {deals} deals; {network.n_parameters} parameters", file=sys.stderr)

    bar = tqdm(total=args.steps, initial=step, unit="step", disable=None)
    source = batches(args, step)
    with open(run / "metrics.jsonl", "a", encoding="utf-8") as log, bar:
        while step < args.steps:
            set_learning_rate(optimizer, args, step)
            losses = imitation_loss(network, next(source), scales)
            loss = losses.policy + args.value_weight * (losses.list_points + losses.win)
            if evaluate:
                loss = loss + args.advantage_weight * losses.advantage
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            bar.update()
            if step % 50 == 0:
                bar.set_postfix({name: f"{value.item():.3f}" for name, value in losses._asdict().items()})
            if step % args.evaluate_every == 0 or step == args.steps:
                record = {"step": step}
                record |= {f"loss/{name}": round(value.item(), 4) for name, value in losses._asdict().items()}
                for trust in (0.0, 0.1) if evaluate else (0.0,):
                    for name, score in measure(network, held_out, trust).items():
                        record[f"accuracy/{trust}/{name}"] = round(score.accuracy, 4)
                        record[f"gain/{trust}/{name}"] = round(score.gain, 3)
                log.write(json.dumps(record) + "\n")
                log.flush()
                if writer is not None:
                    for name, value in record.items():
                        writer.add_scalar(name, value, step)
            if step % args.checkpoint_every == 0 or step == args.steps:
                save_checkpoint(checkpoint, network, optimizer, step, {"command": command(args)})
    source.close()
    if writer is not None:
        writer.close()

    # Measured on what the file holds: 16-bit numbers.
    save_network(args.weights, network)
    network = load_network(args.weights)[0]
    scores = {trust: measure(network, held_out, trust) for trust in (args.trust if evaluate else (0.0,))}
    imitation = {name: f"{score.accuracy:.4f}" for name, score in measure(network, held_out).items()}
    save_network(args.weights, network, {"command": command(args), "held_out_accuracy": json.dumps(imitation)})
    print(
        f"agreement with the rule player / gain over it in list points a decision, {args.held_out} decisions held out"
    )
    print("| decision | number | " + " | ".join(f"trust {trust:g}" for trust in scores) + " |")
    print("|---" * (2 + len(scores)) + "|")
    for name, score in measure(network, held_out).items():
        cells = [f"{column[name].accuracy:.1%} / {column[name].gain:+.2f}" for column in scores.values()]
        print(f"| {name} | {score.decisions} | " + " | ".join(cells) + " |")
    size = args.weights.stat().st_size / 1000
    print(f"weights: {args.weights} ({size:.0f} kB); run: {run}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except SkatError as error:
        print(f"train_imitation: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; the same command with --run-name goes on from the last checkpoint", file=sys.stderr)
        sys.exit(130)
