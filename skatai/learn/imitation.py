"""Learning from demonstrations: the losses, and what is measured on data held out."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skatai.learn.demonstrations import KINDS
from skatai.learn.network import LIST_POINTS_SCALE, SkatNetwork, masked_log_probs

__all__ = ["Batch", "Losses", "Score", "advantage_scales", "imitation_loss", "measure", "to_batch"]

_EVALUATION_ROWS: Final = 4096
#: advantages beyond this many points are cut: by how much a hopeless action loses does not matter
_LARGEST_ADVANTAGE: Final = 300.0
#: what a legal action that was not tried (a jump in the auction) is taken to lose, and how much that counts beside the others
_UNTRIED_ADVANTAGE: Final = -100.0
_UNTRIED_WEIGHT: Final = 0.02


class Batch(NamedTuple):
    """Demonstrations as tensors, (n, …) each; the fields of :data:`~skatai.kernels.demonstrations.DEMONSTRATION`."""

    encoding: Tensor
    mask: Tensor
    action: Tensor
    kind: Tensor
    declarer_won: Tensor
    list_points: Tensor
    tried: Tensor
    advantage: Tensor


class Losses(NamedTuple):
    """Parts of the loss, means over a batch.

    Attributes:
        policy: cross-entropy of the demonstrated actions.
        advantage: squared error of the advantages, relative to their mean square in decisions of the kind.
        list_points: squared error of list points / ``LIST_POINTS_SCALE``.
        win: cross-entropy of the declarer's win, over deals that were not passed in.
    """

    policy: Tensor
    advantage: Tensor
    list_points: Tensor
    win: Tensor


def to_batch(samples: NDArray[np.void]) -> Batch:
    """Tensors of ``samples`` (dtype ``DEMONSTRATION``)."""
    return Batch(
        torch.from_numpy(np.ascontiguousarray(samples["encoding"])),
        torch.from_numpy(np.ascontiguousarray(samples["mask"])),
        torch.from_numpy(samples["action"].astype(np.int64)),
        torch.from_numpy(samples["kind"].astype(np.int64)),
        torch.from_numpy(samples["declarer_won"].astype(np.float32)),
        torch.from_numpy(samples["list_points"].astype(np.float32)),
        torch.from_numpy(np.ascontiguousarray(samples["tried"])),
        torch.from_numpy(np.ascontiguousarray(samples["advantage"])),
    )


def _cut(advantage: Tensor) -> Tensor:
    return advantage.float().clamp(-_LARGEST_ADVANTAGE, _LARGEST_ADVANTAGE) / LIST_POINTS_SCALE


def advantage_scales(batch: Batch) -> Tensor:
    """Root mean square of the advantages of each of ``KINDS``: float32, (7,).

    A declaration may cost hundreds of points and a defender's card few: without the scales only the former would be learned.
    """
    squares, tried = _cut(batch.advantage).square() * batch.tried, batch.tried.sum(dim=1)
    sums, counts = torch.zeros(len(KINDS)), torch.zeros(len(KINDS))
    sums.index_add_(0, batch.kind, squares.sum(dim=1))
    counts.index_add_(0, batch.kind, tried.float())
    return (sums / counts.clamp(min=1)).sqrt().clamp(min=0.05)


def _advantage_loss(predicted: Tensor, batch: Batch, scales: Tensor) -> Tensor:
    tried = batch.tried == 1
    target = torch.where(tried, _cut(batch.advantage), _UNTRIED_ADVANTAGE / LIST_POINTS_SCALE)
    weights = torch.where(tried, 1.0, _UNTRIED_WEIGHT) * (batch.mask == 1)
    errors = ((predicted - target).square() * weights).sum(dim=1) / weights.sum(dim=1)
    evaluated = tried.any(dim=1)
    return (errors / scales[batch.kind].square() * evaluated).sum() / evaluated.sum().clamp(min=1)


def imitation_loss(network: SkatNetwork, batch: Batch, scales: Tensor | None = None) -> Losses:
    """The parts of the loss; their gradients flow into ``network``.

    Args:
        network: computes in float32.
        batch: demonstrations.
        scales: of the advantages (:func:`advantage_scales`); all 1 by default.
    """
    outputs = network(batch.encoding)
    log_probs = masked_log_probs(outputs.logits, batch.mask)
    policy = functional.nll_loss(log_probs, batch.action)
    advantage = _advantage_loss(outputs.advantages, batch, torch.ones(len(KINDS)) if scales is None else scales)
    points = functional.mse_loss(outputs.list_points, batch.list_points / LIST_POINTS_SCALE)
    played = (batch.declarer_won >= 0).to(outputs.win_logits.dtype)
    each = functional.binary_cross_entropy_with_logits(
        outputs.win_logits, batch.declarer_won.clamp(min=0), reduction="none"
    )
    return Losses(policy, advantage, points, (each * played).sum() / played.sum().clamp(min=1))


class Score(NamedTuple):
    """What :func:`measure` finds for the decisions of one kind.

    Attributes:
        decisions: how many.
        accuracy: share in which the choice is the demonstrated action.
        gain: mean advantage of the choice over the demonstrated action, in list points (0 for a choice that was not tried).
    """

    decisions: int
    accuracy: float
    gain: float


def measure(network: SkatNetwork, samples: NDArray[np.void], trust: float = 0.0) -> dict[str, Score]:
    """How the network decides on ``samples``, by kind, and ``all``; kinds without samples are left out.

    The choice is the legal action with the highest logit plus ``trust`` times its advantage in list points. With 0 this is
    imitation alone. Forced actions are not in the data: these are shares of real choices.
    """
    chosen = np.empty(len(samples), dtype=np.int64)
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for start in range(0, len(samples), _EVALUATION_ROWS):
            part = samples[start : start + _EVALUATION_ROWS]
            outputs = network(torch.from_numpy(np.ascontiguousarray(part["encoding"])))
            merits = outputs.logits + trust * LIST_POINTS_SCALE * outputs.advantages
            merits = merits.masked_fill(torch.from_numpy(np.ascontiguousarray(part["mask"])) == 0, -torch.inf)
            chosen[start : start + len(part)] = merits.argmax(dim=1).numpy()
    network.train(was_training)
    right = chosen == samples["action"]
    gains = samples["advantage"][np.arange(len(samples)), chosen]

    def score(rows: NDArray[np.bool_]) -> Score:
        return Score(int(rows.sum()), float(right[rows].mean()), float(gains[rows].mean()))

    scores = {"all": score(np.ones(len(samples), dtype=bool))}
    for kind, name in enumerate(KINDS):
        rows = samples["kind"] == kind
        if rows.any():
            scores[name] = score(rows)
    return scores
