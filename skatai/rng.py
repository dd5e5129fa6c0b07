"""Seeds and random streams for Python code: the same splitmix64 as in the kernels."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

import numpy as np

from skatai.errors import SkatError
from skatai.kernels.rng import RngState, mix64, new_rng, next_bits, rand_below, rand_float

__all__ = ["Rng", "derive_seed"]

T = TypeVar("T")

_MASK = 0xFFFFFFFFFFFFFFFF


def derive_seed(*keys: int) -> int:
    """A 64-bit seed from any number of integers; every key and its place matter.

    >>> derive_seed(1, 2) != derive_seed(2, 1)
    True
    """
    seed = 0
    for key in keys:
        seed = int(mix64(np.uint64((seed + 0x9E3779B97F4A7C15 + (int(key) & _MASK)) & _MASK)))
    return seed


class Rng:
    """A seeded random stream whose values never change between versions of NumPy.

    Attributes:
        seed: the 64-bit seed it began with.
        state: ``uint64[1]``, the generator state that kernels take.
    """

    __slots__ = ("seed", "state")

    def __init__(self, seed: int) -> None:
        self.seed = seed & _MASK
        self.state: RngState = new_rng(self.seed)

    def __repr__(self) -> str:
        return f"Rng(seed={self.seed})"

    def below(self, n: int) -> int:
        """Uniform integer in ``0 … n-1``.

        Raises:
            SkatError: ``n`` is below 1 or above 2**31 - 1.
        """
        if not 1 <= n < 1 << 31:
            raise SkatError(f"Rng.below: n is {n}, expected 1 … 2**31 - 1")
        return int(rand_below(self.state, n))

    def bits(self) -> int:
        """62 random bits."""
        return int(next_bits(self.state))

    def random(self) -> float:
        """Uniform float in [0, 1)."""
        return float(rand_float(self.state))

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, uniformly."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher-Yates shuffle in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def spawn(self, *keys: int) -> Rng:
        """An independent stream named by ``keys``; it does not depend on how much of this one was used."""
        return Rng(derive_seed(self.seed, *keys))

    def numpy(self) -> np.random.Generator:
        """A NumPy generator seeded from this stream (its values may change with NumPy's version)."""
        return np.random.default_rng(self.bits())
