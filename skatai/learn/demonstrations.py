"""Demonstrations: decisions of the compiled rule player as training data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skatai.errors import SkatError
from skatai.kernels.demonstrations import DEMONSTRATION, KINDS, record_deals
from skatai.kernels.rng import new_rng
from skatai.kernels.state import STATE
from skatai.rules import Rules

__all__ = ["DEMONSTRATION", "KINDS", "generate_demonstrations"]


def generate_demonstrations(
    n: int,
    seed: int,
    keep: Sequence[float] = (1.0,) * len(KINDS),
    noise: float = 0.0,
    evaluate: bool = False,
    rules: Rules | None = None,
) -> tuple[NDArray[np.void], int]:
    """``n`` decisions of the rule player on random deals.

    Args:
        n: how many.
        seed: equal seeds give equal data.
        keep: for each of ``KINDS``, the share of its decisions that is recorded: to balance the phases. Decisions with one
            legal action are left out.
        noise: probability that a card played is a random legal one instead of the recorded one, so that the data show the
            rule player's answers in more kinds of positions.
        evaluate: try every sensible action of each decision in play-outs of the rule player (``tried``, ``advantage``); some
            thirty times slower.
        rules: of the deals; the default rules if ``None``.

    Returns:
        The samples, shape (n,), dtype :data:`DEMONSTRATION`, in the order played; and the number of deals they come from.

    Raises:
        SkatError: a number out of range.
    """
    shares = np.asarray(keep, dtype=np.float64)
    if n < 1 or not 0 <= noise <= 1:
        raise SkatError(f"demonstrations: n {n}, noise {noise}; expected at least 1 and 0 … 1")
    # Every deal begins with a bid: with a share above 0 the samples fill up.
    if shares.shape != (len(KINDS),) or not (shares >= 0).all() or not (shares <= 1).all() or shares[0] == 0:
        raise SkatError(
            f"demonstrations: keep {list(keep)}; expected {len(KINDS)} shares in 0 … 1, that of bids above 0"
        )
    samples = np.zeros(n, dtype=DEMONSTRATION)
    packed = (rules or Rules()).to_int()
    deals = record_deals(samples, np.zeros(2, dtype=STATE), new_rng(seed), shares, noise, evaluate, packed)
    return samples, int(deals)
