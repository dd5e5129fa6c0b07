"""Tune the weights of the solver's move order: hill-climbing on the number of nodes of exact solutions.

    python benchmarks/tune_order.py --kind grand --seconds 600

Each step changes one to three weights at random and keeps them if a fixed list of contract-like deals then needs no more nodes. It
prints the weights in the form of ``skatai/kernels/search/weights.py`` whenever a tenth improvement has been made, and at the end.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Literal

import numpy as np
import tyro
from contract_like import contract_likes

from skatai._jit import kernel
from skatai.kernels.search.layout import points_of
from skatai.kernels.search.points import exact
from skatai.kernels.search.solve import enter
from skatai.kernels.search.weights import BLOCK, FEATURES, SECOND, THIRD, WEIGHT_TABLE
from skatai.kernels.search.workspace import NODES, WEIGHTS, begin, make_workspace


@dataclass
class Args:
    kind: Literal["suit", "grand"] = "suit"
    """which set of weights"""
    seconds: float = 600
    """how long"""
    seed: int = 1
    """of the deals and of the steps"""
    deals: int = 200
    """how many deals; the heaviest fifth and the lightest tenth are then left out, which makes steps quick"""


@kernel
def nodes_of(hands, game, declarer, weights, cap, nodes, work):  # type: ignore[no-untyped-def]
    """Total nodes of the exact solutions, each deal with an empty table; stops beyond ``cap``."""
    own = np.zeros(3, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    bounds = np.zeros(2, dtype=np.int64)
    total = 0
    for i in range(len(game)):
        forced = enter(hands[i], game[i], 0, table, 0, own)
        begin(game[i], work)
        work[WEIGHTS : WEIGHTS + len(weights)] = weights
        bounds[0] = 0
        bounds[1] = points_of(own[0] | own[1] | own[2])
        exact(own, declarer[i], forced, bounds, work)
        nodes[i] = work[NODES]
        total += work[NODES]
        if total > cap:
            break
    return total


def show(weights: np.ndarray) -> None:
    for block in weights.reshape(3, BLOCK):
        for part in (block[:SECOND], block[SECOND:THIRD], block[THIRD:]):
            print("    " + ", ".join(map(str, part.tolist())) + ",")


def main(args: Args) -> None:
    rng = random.Random(args.seed)
    work = make_workspace(16)
    positions = [position for position, _ in contract_likes(args.kind, args.seed, args.deals)]
    hands = np.array([[hand.mask for hand in p.hands] for p in positions], dtype=np.int64)
    game = np.array([p.game for p in positions], dtype=np.int64)
    declarer = np.array([p.declarer for p in positions], dtype=np.int64)
    nodes = np.zeros(len(positions), dtype=np.int64)
    weights = WEIGHT_TABLE[1 if args.kind == "grand" else 0].copy()
    no_cap = 1 << 60
    print(f"all deals: {nodes_of(hands, game, declarer, weights, no_cap, nodes, work) / len(nodes):.0f} nodes a deal")
    chosen = np.sort(np.argsort(nodes)[len(nodes) // 10 : len(nodes) * 4 // 5])
    hands, game, declarer, nodes = hands[chosen], game[chosen], declarer[chosen], nodes[chosen]
    best = nodes_of(hands, game, declarer, weights, no_cap, nodes, work)
    print(f"chosen ones: {best / len(nodes):.0f}", flush=True)
    features = [i for i, name in enumerate(FEATURES) if name != "(not used)"]
    start, improvements = time.monotonic(), 0
    while time.monotonic() - start < args.seconds:
        changed = weights.copy()
        for _ in range(rng.choice((1, 1, 2, 3))):
            i = rng.choice(features)
            unit = 4 if "points" in FEATURES[i] or "length" in FEATURES[i] else 30
            changed[rng.randrange(3) * BLOCK + i] += round(rng.gauss(0, 1.5) * unit) or rng.choice((-1, 1))
        total = nodes_of(hands, game, declarer, changed, best, nodes, work)
        if total <= best:
            improvements += total < best
            if total < best and improvements % 10 == 0:
                print(
                    f"{time.monotonic() - start:.0f} s, {improvements} improvements: {total / len(nodes):.0f}",
                    flush=True,
                )
                show(changed)
            best, weights = total, changed
    print(f"end: {best / len(nodes):.0f}")
    show(weights)


if __name__ == "__main__":
    main(tyro.cli(Args))
