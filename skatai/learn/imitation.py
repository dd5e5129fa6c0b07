"""Learning from demonstrations: the loss, and accuracy on data held out."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skatai.learn.demonstrations import KINDS
from skatai.learn.network import LIST_POINTS_SCALE, SkatNetwork, masked_log_probs

__all__ = ["Batch", "Losses", "accuracy", "imitation_loss", "to_batch"]

_EVALUATION_ROWS: Final = 4096


class Batch(NamedTuple):
    """Demonstrations as tensors, (n, …) each; the fields of :data:`~skatai.kernels.demonstrations.DEMONSTRATION`."""

    encoding: Tensor
    mask: Tensor
    action: Tensor
    kind: Tensor
    declarer_won: Tensor
    list_points: Tensor


class Losses(NamedTuple):
    """Parts of the loss, means over a batch.

    Attributes:
        policy: cross-entropy of the demonstrated actions.
        list_points: squared error of list points / ``LIST_POINTS_SCALE``.
        win: cross-entropy of the declarer's win, over deals that were not passed in.
    """

    policy: Tensor
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
    )


def imitation_loss(network: SkatNetwork, batch: Batch) -> Losses:
    """The parts of the loss; their gradients flow into ``network``."""
    outputs = network(batch.encoding)
    log_probs = masked_log_probs(outputs.logits, batch.mask)
    policy = functional.nll_loss(log_probs, batch.action)
    points = functional.mse_loss(outputs.list_points, batch.list_points / LIST_POINTS_SCALE)
    played = (batch.declarer_won >= 0).to(outputs.win_logits.dtype)
    each = functional.binary_cross_entropy_with_logits(
        outputs.win_logits, batch.declarer_won.clamp(min=0), reduction="none"
    )
    return Losses(policy, points, (each * played).sum() / played.sum().clamp(min=1))


def accuracy(network: SkatNetwork, samples: NDArray[np.void]) -> dict[str, float]:
    """Share of ``samples`` in which the likeliest legal action is the demonstrated one, by kind, and ``all``; 0…1.

    Kinds without samples are left out. Forced actions are not in the data: these are shares of real choices.
    """
    right = np.empty(len(samples), dtype=bool)
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for start in range(0, len(samples), _EVALUATION_ROWS):
            batch = to_batch(samples[start : start + _EVALUATION_ROWS])
            best = masked_log_probs(network(batch.encoding).logits, batch.mask).argmax(dim=1)
            right[start : start + len(best)] = (best == batch.action).numpy()
    network.train(was_training)
    shares = {"all": float(right.mean())}
    for kind, name in enumerate(KINDS):
        chosen = samples["kind"] == kind
        if chosen.any():
            shares[name] = float(right[chosen].mean())
    return shares
