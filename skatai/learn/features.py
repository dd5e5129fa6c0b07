"""Card-play facts that a small network would find hard to work out from the encoding by itself."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from skatai.kernels.encodings import ENCODING_BLOCKS
from skatai.kernels.tables import BEATS, CLUBS, FOLLOW, GRAND, NULL

__all__ = ["N_FEATURES", "CardFeatures"]

#: 32 own cards that are the highest left of their suit class, 32 own cards that would take over the trick, and whose it is now
N_FEATURES: Final = 67

_GAMES: Final = (CLUBS, GRAND, NULL)


def _relation(table: np.ndarray) -> Tensor:
    """Masks (6, 32) of the three orders of cards as one 0/1 matrix: entry [card, 32·game + other] says other ∈ table[card]."""
    bits = [[[int(table[game, card]) >> other & 1 for other in range(32)] for game in _GAMES] for card in range(32)]
    return torch.tensor(bits, dtype=torch.float32).reshape(32, 96)


class CardFeatures(nn.Module):
    """From scaled encodings whose trump suit is clubs, as in :class:`~skatai.learn.network.SkatNetwork`."""

    beaten_by: Tensor
    beats_in_suit: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("beaten_by", _relation(BEATS), persistent=False)
        in_suit = _relation(BEATS & FOLLOW).reshape(32, 3, 32).transpose(0, 2)  # [other, game, card]
        self.register_buffer("beats_in_suit", in_suit.reshape(32, 96).contiguous(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Features (n, 67) of encodings ``x`` (n, 399); all 0 before the declaration."""
        n = len(x)
        games = x[:, ENCODING_BLOCKS["GAME"]]
        # Which of the three orders: one-hot (n, 3, 1); all suit games have been made clubs.
        order = torch.stack([games[:, :GRAND].sum(dim=1), games[:, GRAND], games[:, NULL]], dim=1).unsqueeze(2)
        hand = x[:, ENCODING_BLOCKS["HAND"]]
        known = hand + x[:, ENCODING_BLOCKS["PUT_AWAY"]] + x[:, ENCODING_BLOCKS["SHOWN"]]
        known = known + x[:, ENCODING_BLOCKS["PLAYED"]].reshape(n, 3, 32).sum(dim=1)
        unseen = torch.relu(1 - known)
        stronger = ((unseen @ self.beats_in_suit).reshape(n, 3, 32) * order).sum(dim=1)
        highest = hand * (stronger == 0) * order.sum(dim=1)

        on_table = x[:, ENCODING_BLOCKS["ON_TABLE"]].reshape(n, 3, 32)
        led = (on_table * x[:, ENCODING_BLOCKS["LEADER"]].unsqueeze(2)).sum(dim=1)
        second = on_table.sum(dim=1) - led
        taken = (self._stronger_than(led, order) * second).sum(dim=1, keepdim=True).clamp(max=1)
        best = led * (1 - taken) + second * taken
        takes_over = hand * self._stronger_than(best, order)
        owner = (on_table * best.unsqueeze(1)).sum(dim=2)
        return torch.cat([highest, takes_over, owner], dim=1)

    def _stronger_than(self, card: Tensor, order: Tensor) -> Tensor:
        """Cards (n, 32) that beat ``card`` (one-hot, or no card at all)."""
        return ((card @ self.beaten_by).reshape(len(card), 3, 32) * order).sum(dim=1)
