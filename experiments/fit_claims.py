"""Refit what the neural agent claims, its chance of winning as declarer, on hands of all kinds.

A network trained on games as they are bid (``train_imitation.py``) sees only hands as declarer that were worth a bid, and claims
far too much for all others; a bidder that goes by its claims bids far too high. Here every hand of a random deal becomes declarer,
also those that would pass, at values from the whole ladder: a third at 18, a third within three steps of what the rule player would
bid, a third anywhere, low values more often. The rule player puts away, declares and plays. Samples are the declarer's views before
the pick-up and before the first card, and decisions of ordinary games, so that the claims stay right there, too.

Only the head for the chance is new, and it is made from nothing; everything else in the weight file stays as it is, bit for bit,
and with it every move of the agent. So the command may be repeated on its own result, which does not change.

    python experiments/fit_claims.py
    python experiments/fit_claims.py --run-name NAME     # goes on where a run of that name was stopped

The weights are replaced at the end; claims are measured before and after, on deals of another seed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch.nn import functional
from tqdm import tqdm

from skatai.arena.calibration import calibration
from skatai.auction import ladder
from skatai.bidding import RuleBidder
from skatai.bidding.outcomes import Ventures, all_hands
from skatai.bidding.protocol import Values, bid_indices
from skatai.deal import Deal, deals_from_seed
from skatai.errors import SkatError
from skatai.kernels.demonstrations import KINDS
from skatai.kernels.encodings import ENCODING_SIZE, encode_batch
from skatai.kernels.rng import new_rng
from skatai.kernels.staged import rule_declarations, rule_games, stage_games
from skatai.kernels.state import new_states
from skatai.learn import SkatNetwork, load_checkpoint, load_network, save_checkpoint, save_network
from skatai.learn.demonstrations import generate_demonstrations
from skatai.rng import Rng, derive_seed
from skatai.rules import Rules

# Streams of random numbers of one seed; others than in ``train_imitation.py``, whose games the trunk knows.
VENTURES, GAMES, BIDS, ORDER, HELD_OUT = range(10, 15)
WITHOUT_EFFECT = ("run_name", "runs", "weights", "threads", "held_out")
ROWS = 8192  # positions in one forward pass
NEAR = 3  # steps of the ladder around the rule player's limit


@dataclass
class Args:
    """Refit what the neural agent claims, its chance of winning as declarer, on hands of all kinds."""

    seed: int = 1
    """seed of deals, initial head and the order of samples"""
    chunks: int = 16
    """how often data are made"""
    deals: int = 25_000
    """deals of a chunk; each gives six samples of hands made declarer, and three decisions of ordinary games are added"""
    passes: int = 2
    """how often each chunk is used"""
    units: int = 128
    """units of the head's hidden layer; 0 for none"""
    batch_size: int = 1024
    """samples a step"""
    learning_rate: float = 2e-3
    """at the start; it falls to 0 along half a cosine"""
    weight_decay: float = 1e-3
    """of AdamW"""
    keep: tuple[float, ...] = (0.5, 1.0, 1.0, 0.4, 0.4, 1.0, 1.0)
    """share of the ordinary decisions recorded of bid, declare, discard, declarer, defender, null declarer, null defender"""
    held_out: int = 5000
    """deals for measuring"""
    threads: int = 1
    """threads of PyTorch"""
    run_name: str = ""
    """name of the run; that of a stopped run goes on with it (default: claims__SEED__TIME)"""
    runs: Path = Path("runs")
    """folder of the runs"""
    weights: Path = Path("agents/skatai_agents/weights/neural.safetensors")
    """the weights, which are replaced"""


class Samples(NamedTuple):
    """Positions, int8 (n, ENCODING_SIZE), and whether the declarer won, float32 (n,)."""

    encodings: NDArray[np.int8]
    won: NDArray[np.float32]


def command(args: Args) -> str:
    """The command that makes the same head: options without effect on it are left out."""
    parts = ["python", "experiments/fit_claims.py"]
    for field in dataclasses.fields(Args):
        value = getattr(args, field.name)
        if field.name not in WITHOUT_EFFECT and value != field.default:
            parts.append("--" + field.name.replace("_", "-"))
            parts += map(str, value if isinstance(value, tuple) else [value])
    return shlex.join(parts)


def venture_bids(limits: Values, rng: np.random.Generator) -> Values:
    """A value for each hand, given the rule player's limits: a third each 18, about the limit, anywhere."""
    steps = np.asarray(ladder(Rules()), dtype=np.int64)
    n, top = len(limits), len(steps) - 1
    near = np.searchsorted(steps, np.maximum(limits, steps[0])) + rng.integers(-NEAR, NEAR + 1, n)
    anywhere = (len(steps) * rng.random(n) ** 3).astype(np.int64)
    kind = rng.integers(0, 3, n)
    at = np.where(kind == 0, 0, np.where(kind == 1, near.clip(0, top), anywhere))
    return steps[at].astype(np.int64)


def play_ventures(deals: list[Deal], bids: int | Values, seed: int) -> tuple[Samples, Samples]:
    """The declarers' views before the pick-up and before the first card, every seat of every deal, played by the rule player."""
    ventures = Ventures.of_all(deals, bids)
    cards = np.array([deal.masks for deal in deals], dtype=np.int64)[ventures.numbers]
    states, rng = new_states(len(cards)), new_rng(seed)
    stage_games(cards, ventures.seats, bid_indices(ventures.bids), Rules().to_int(), states)
    views = np.empty((2, len(cards), ENCODING_SIZE), dtype=np.int8)
    encode_batch(states, ventures.seats, views[0])
    rule_declarations(states, rng)
    encode_batch(states, ventures.seats, views[1])
    rule_games(states, rng)
    won = states["won"].astype(np.float32)
    return Samples(views[0], won), Samples(views[1], won)


def games(n: int, seed: int, keep: tuple[float, ...]) -> tuple[Samples, NDArray[np.int64]]:
    """About ``n`` decisions of games as the rule player bids and plays them, and their kinds; deals passed in have no winner."""
    found = generate_demonstrations(n, seed, keep)[0]
    found = found[found["declarer_won"] >= 0]
    return Samples(found["encoding"], found["declarer_won"].astype(np.float32)), found["kind"].astype(np.int64)


def chunk_of_samples(args: Args, index: int) -> Samples:
    """Chunk ``index`` of the training data: a function of the seed alone, so that a run can be resumed."""
    deals = deals_from_seed(derive_seed(args.seed, VENTURES, index), args.deals)
    bids = venture_bids(
        RuleBidder().limits(*all_hands(deals), Rules()), Rng(derive_seed(args.seed, BIDS, index)).numpy()
    )
    ventures = play_ventures(deals, bids, derive_seed(args.seed, VENTURES, index))
    ordinary, _ = games(3 * args.deals, derive_seed(args.seed, GAMES, index), args.keep)
    parts = (*ventures, ordinary)
    return Samples(np.concatenate([part.encodings for part in parts]), np.concatenate([part.won for part in parts]))


def with_new_head(old: SkatNetwork, units: int) -> SkatNetwork:
    """``old`` with an untrained head for the chance; nothing else can be trained."""
    network = SkatNetwork(dataclasses.replace(old.config, win_units=units))
    kept = {name: tensor for name, tensor in old.state_dict().items() if not name.startswith("win.")}
    network.load_state_dict({**network.state_dict(), **kept})
    network.requires_grad_(False)
    network.win.requires_grad_(True)
    return network.eval()


def trunk(network: SkatNetwork, encodings: NDArray[np.int8]) -> torch.Tensor:
    """What the head is given; it stays the same while the head learns."""
    with torch.no_grad():
        return torch.cat(
            [network.trunk(torch.from_numpy(part)) for part in np.split(encodings, range(ROWS, len(encodings), ROWS))]
        )


def train_chunk(args: Args, network: SkatNetwork, optimizer: torch.optim.Optimizer, index: int) -> float:
    """Learn from chunk ``index``; the mean loss of its last pass, in nats."""
    samples = chunk_of_samples(args, index)
    inputs, won = trunk(network, samples.encodings), torch.from_numpy(samples.won)
    per_pass = max(1, len(won) // args.batch_size)
    losses: list[float] = []
    for i in range(args.passes):
        order = torch.from_numpy(Rng(derive_seed(args.seed, ORDER, index, i)).numpy().permutation(len(won)))
        losses.clear()
        for j in range(per_pass):
            rows = order[j * args.batch_size : (j + 1) * args.batch_size]
            done = (index + (i + j / per_pass) / args.passes) / args.chunks
            for group in optimizer.param_groups:
                group["lr"] = args.learning_rate * 0.5 * (1 + math.cos(math.pi * done))
            loss = functional.binary_cross_entropy_with_logits(network.win(inputs[rows]).squeeze(1), won[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return sum(losses) / len(losses)


def claims(network: SkatNetwork, inputs: torch.Tensor) -> NDArray[np.float64]:
    """Claimed chances from what the head is given: float64 (n,)."""
    with torch.no_grad():
        return torch.sigmoid(network.win(inputs).squeeze(1)).double().numpy()


def held_out(args: Args) -> dict[str, tuple[Samples, NDArray[np.float64] | None]]:
    """What claims are measured on, with the rule player's claims where it makes them from the ten cards."""
    deals = deals_from_seed(derive_seed(args.seed, HELD_OUT), args.held_out)
    found: dict[str, tuple[Samples, NDArray[np.float64] | None]] = {}
    hands, seats = all_hands(deals)
    limits = RuleBidder().limits(hands, seats, Rules())
    for name, bids in (("at 18", np.full(len(hands), 18)), ("at the rule player's limits", np.maximum(limits, 18))):
        skat, play = play_ventures(deals, bids, derive_seed(args.seed, HELD_OUT))
        found[f"{name}, before the pick-up"] = skat, RuleBidder().win_chances(hands, seats, bids, Rules())
        found[f"{name}, before the first card"] = play, None
    ordinary, kinds = games(8 * args.held_out, derive_seed(args.seed, HELD_OUT, 1), (1.0,) * len(KINDS))
    found["ordinary games"] = ordinary, None
    for kind, name in enumerate(KINDS):
        if (kinds == kind).any():
            found[f"ordinary games, {name}"] = Samples(*(column[kinds == kind] for column in ordinary)), None
    return found


def table(args: Args, old: SkatNetwork, new: SkatNetwork) -> str:
    """Claims before and after, in Markdown."""
    lines = ["| positions | number | won | before | after | rule player |", "|---|---|---|---|---|---|"]
    for name, (samples, rules) in held_out(args).items():
        cells, inputs = [], trunk(new, samples.encodings)  # the old one's is the same
        for claimed in (claims(old, inputs), claims(new, inputs), rules):
            if claimed is None:
                cells.append("")
                continue
            found = calibration(claimed, samples.won.astype(np.int64))
            cells.append(f"{claimed.mean():.1%} / {found.brier:.3f} / {found.ece:.3f}")
        lines.append(f"| {name} | {len(samples.won)} | {samples.won.mean():.1%} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(args: Args) -> None:
    if min(args.chunks, args.deals, args.passes, args.batch_size, args.held_out) < 1:
        raise SkatError("--chunks, --deals, --passes, --batch-size, --held-out: expected at least 1")
    torch.set_num_threads(args.threads)
    old, metadata = load_network(args.weights)
    torch.manual_seed(args.seed)  # loading draws numbers, too, as many as the old head has
    network = with_new_head(old, args.units)
    optimizer = torch.optim.AdamW(network.win.parameters(), lr=args.learning_rate, weight_decay=args.weight_decay)
    run = args.runs / (args.run_name or f"claims__{args.seed}__{int(time.time())}")
    checkpoint, first = run / "checkpoint.pt", 0
    run.mkdir(parents=True, exist_ok=True)
    print(f"run: {run}", file=sys.stderr)
    if checkpoint.exists():
        first, extra = load_checkpoint(checkpoint, network, optimizer)
        if extra.get("command") != command(args):
            raise SkatError(f"run {run} was started as: {extra.get('command')}")
        print(f"resumed at chunk {first}", file=sys.stderr)
    with open(run / "metrics.jsonl", "a", encoding="utf-8") as log:
        bar = tqdm(range(first, args.chunks), initial=first, total=args.chunks, unit="chunk", disable=None)
        for index in bar:
            loss = train_chunk(args, network, optimizer, index)
            bar.set_postfix(loss=f"{loss:.4f}")
            log.write(json.dumps({"chunk": index + 1, "loss": round(loss, 4)}) + "\n")
            log.flush()
            save_checkpoint(checkpoint, network, optimizer, index + 1, {"command": command(args)})
    save_network(args.weights, network, {**metadata, "claims_command": command(args)})
    print("mean claim / Brier score / expected calibration error")
    print(table(args, old, load_network(args.weights)[0]))
    print(f"weights: {args.weights} ({args.weights.stat().st_size / 1000:.0f} kB)", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except SkatError as error:
        print(f"fit_claims: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; the same command with --run-name goes on from the last chunk", file=sys.stderr)
        sys.exit(130)
