"""One network for every phase: a residual perceptron with heads for policy, advantages and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skatai.errors import SkatError
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SCALE, ENCODING_SIZE
from skatai.kernels.tables import CLUBS, N_GAMES
from skatai.learn.features import N_FEATURES, CardFeatures

__all__ = [
    "LIST_POINTS_SCALE",
    "NetworkConfig",
    "Outputs",
    "Prediction",
    "SkatNetwork",
    "masked_log_probs",
    "masked_probs",
    "predict",
]

#: the heads for list points and advantages give points divided by this
LIST_POINTS_SCALE = 100.0

#: decimals that :func:`predict` keeps: far above the rounding error of float64, far below any difference that matters
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Size of a :class:`SkatNetwork`: ``blocks`` residual blocks of ``width`` units.

    The head for the declarer's chance has a hidden layer of ``win_units`` units, or none (0), as the other heads.

    Raises:
        SkatError: a size out of 1 … 4096 (width), 0 … 64 (blocks) or 0 … 4096 (win_units).
    """

    width: int = 256
    blocks: int = 2
    win_units: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.width <= 4096 or not 0 <= self.blocks <= 64:
            raise SkatError(f"network: width {self.width}, blocks {self.blocks}; expected 1 … 4096 and 0 … 64")
        if not 0 <= self.win_units <= 4096:
            raise SkatError(f"network: win_units {self.win_units}, expected 0 … 4096")


class Outputs(NamedTuple):
    """What the network says of ``n`` positions.

    Attributes:
        logits: (n, 136), of every action, legal or not: use them with a mask.
        advantages: (n, 136), expected gain of each action over the demonstrator's, in list points relative to the other seats,
            divided by ``LIST_POINTS_SCALE``; of legal actions only.
        list_points: (n,), expected list points of the seat divided by ``LIST_POINTS_SCALE``.
        win_logits: (n,), log-odds that the declarer (whoever it is or will be) wins.
    """

    logits: Tensor
    advantages: Tensor
    list_points: Tensor
    win_logits: Tensor


def _trump_permutations() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each game type, where entries and actions go when the trump suit and clubs change places: (6, 399), (6, 136).

    Jacks stay: their order does not depend on the trump suit. In clubs, grand and null nothing changes.
    """
    entries = np.tile(np.arange(ENCODING_SIZE), (N_GAMES, 1))
    actions = np.tile(np.arange(N_ACTIONS), (N_GAMES, 1))
    card_blocks = [ENCODING_BLOCKS[name] for name in ("HAND", "PUT_AWAY", "PICKED_UP", "SHOWN", "PLAYED", "ON_TABLE")]
    starts = [start for block in card_blocks for start in range(block.start, block.stop, 32)]
    voids = ENCODING_BLOCKS["VOIDS"]
    for suit in range(CLUBS):
        for rank in range(7):
            one, other = 8 * suit + rank, 8 * CLUBS + rank
            actions[suit, [one, other]] = other, one
            for start in starts:
                entries[suit, [start + one, start + other]] = start + other, start + one
        for start in range(voids.start, voids.stop, 5):
            entries[suit, [start + suit, start + CLUBS]] = start + CLUBS, start + suit
    return entries, actions


class _Block(nn.Module):
    """x + W₂ relu(W₁ norm(x))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        change: Tensor = self.outer(torch.relu(self.inner(self.norm(x))))
        return x + change


def _win_head(config: NetworkConfig) -> nn.Module:
    if not config.win_units:
        return nn.Linear(config.width, 1)
    return nn.Sequential(nn.Linear(config.width, config.win_units), nn.ReLU(), nn.Linear(config.win_units, 1))


def _game_types(encodings: Tensor) -> Tensor:
    """int64 (n,); clubs before the declaration, when the block is empty: as there, nothing changes places."""
    games = encodings[:, ENCODING_BLOCKS["GAME"]]
    return torch.where(games.sum(dim=1) > 0, games.argmax(dim=1), CLUBS)


class SkatNetwork(nn.Module):
    """Residual perceptron from encodings (:mod:`skatai.kernels.encodings`) to :class:`Outputs`.

    Once the game is declared, the trump suit and clubs change places in the input and back in the output, so that the network
    learns one suit game, not four; and some facts of card play join the input (:mod:`skatai.learn.features`).

    Args:
        config: the size; the default has about 455,000 parameters.
    """

    scale: Tensor
    entry_places: Tensor
    action_places: Tensor

    def __init__(self, config: NetworkConfig | None = None) -> None:
        super().__init__()
        self.config = config or NetworkConfig()
        width = self.config.width
        self.register_buffer("scale", torch.from_numpy(ENCODING_SCALE.copy()), persistent=False)
        entries, actions = _trump_permutations()
        self.register_buffer("entry_places", torch.from_numpy(entries), persistent=False)
        self.register_buffer("action_places", torch.from_numpy(actions), persistent=False)
        self.features = CardFeatures()
        self.stem = nn.Linear(ENCODING_SIZE + N_FEATURES, width)
        self.blocks = nn.ModuleList(_Block(width) for _ in range(self.config.blocks))
        self.norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, N_ACTIONS)
        self.advantages = nn.Linear(width, N_ACTIONS)
        self.list_points = nn.Linear(width, 1)
        self.win = _win_head(self.config)

    def trunk(self, encodings: Tensor) -> Tensor:
        """What the heads are given: (n, width), for ``encodings`` as in :meth:`forward`."""
        x = encodings.gather(1, self.entry_places[_game_types(encodings)]).to(self.scale.dtype) * self.scale
        x = self.stem(torch.cat([x, self.features(x)], dim=1))
        for block in self.blocks:
            x = block(x)
        return torch.relu(self.norm(x))

    def forward(self, encodings: Tensor) -> Outputs:
        """Outputs for ``encodings``: (n, ENCODING_SIZE), int8 or float, as ``encode`` writes them (not scaled)."""
        x = self.trunk(encodings)
        points, win = self.list_points(x).squeeze(-1), self.win(x).squeeze(-1)
        places = self.action_places[_game_types(encodings)]
        return Outputs(self.policy(x).gather(1, places), self.advantages(x).gather(1, places), points, win)

    @property
    def n_parameters(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())


def masked_log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities over the legal actions: (…, 136); illegal ones get the smallest finite number.

    Finite, so that ``0 · log p`` of an illegal action is 0 and not NaN. ``mask`` is nonzero where legal, and every row must have
    a legal action.
    """
    smallest = torch.finfo(logits.dtype).min
    log_probs = torch.log_softmax(logits.masked_fill(mask == 0, smallest), dim=-1)
    return log_probs.masked_fill(mask == 0, smallest)


def masked_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Probabilities over the legal actions: (…, 136); exactly 0 where ``mask`` is 0."""
    return masked_log_probs(logits, mask).exp().masked_fill(mask == 0, 0.0)


class Prediction(NamedTuple):
    """Outputs of :func:`predict` as float64 arrays.

    Attributes:
        logits: (n, 136).
        advantages: (n, 136), in list points.
        list_points: (n,), expected list points of the seat.
        win_probability: (n,), probability that the declarer wins.
    """

    logits: NDArray[np.float64]
    advantages: NDArray[np.float64]
    list_points: NDArray[np.float64]
    win_probability: NDArray[np.float64]


def predict(network: SkatNetwork, encodings: NDArray[np.int8]) -> Prediction:
    """One forward pass without gradients for ``encodings``: int8, (n, ENCODING_SIZE).

    A position's numbers should not depend on what else is in the batch, but matrix products sum in an order that depends on
    the batch's size. So this wants a network in float64 and rounds to six decimals, nine orders of magnitude above such errors.

    Raises:
        SkatError: the network is not in float64 (``network.double()``), or the shape is wrong.
    """
    if network.scale.dtype != torch.float64:
        raise SkatError(
            f"predict: the network computes in {network.scale.dtype}, expected torch.float64: network.double()"
        )
    if encodings.ndim != 2 or encodings.shape[1] != ENCODING_SIZE:
        raise SkatError(f"predict: encodings of shape {encodings.shape}, expected (n, {ENCODING_SIZE})")
    with torch.no_grad():
        outputs = network(torch.from_numpy(np.ascontiguousarray(encodings)))
        win = torch.sigmoid(outputs.win_logits)
    points = LIST_POINTS_SCALE
    tensors = (outputs.logits, outputs.advantages * points, outputs.list_points * points, win)
    return Prediction(*(np.round(tensor.numpy(), _DECIMALS) for tensor in tensors))
