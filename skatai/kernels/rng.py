"""The one source of randomness inside kernels: splitmix64, its state a ``uint64`` array of one element.

The generator is Steele, Lea and Flood's (OOPSLA 2014). It is written out here because NumPy does not promise the same stream in
every version, while a seed of skatai must give the same deals for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai._jit import JIT_ENABLED, kernel

__all__ = ["mix64", "new_rng", "next_bits", "rand_below", "rand_float", "shuffle"]

RngState = NDArray[np.uint64]

_MASK = 0xFFFFFFFFFFFFFFFF


def _mix64_python(value: Any) -> Any:
    z = int(value)
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return np.uint64(z ^ (z >> 31))


def _next_bits_python(rng: RngState) -> int:
    state = (int(rng[0]) + 0x9E3779B97F4A7C15) & _MASK
    rng[0] = state
    return int(_mix64_python(state)) >> 2


def _mix64_compiled(value: Any) -> Any:
    z = np.uint64(value)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


if JIT_ENABLED:
    mix64 = kernel(_mix64_compiled)

    @kernel
    def next_bits(rng: RngState) -> int:
        """Advance ``rng``; 62 random bits as a non-negative ``int64``."""
        rng[0] += np.uint64(0x9E3779B97F4A7C15)
        return np.int64(mix64(rng[0]) >> np.uint64(2))

else:
    mix64 = _mix64_python
    next_bits = _next_bits_python


@kernel
def rand_below(rng: RngState, n: int) -> int:
    """Uniform integer in ``0 … n-1`` for ``1 <= n < 2**31`` (bias below n / 2**31)."""
    return ((next_bits(rng) >> 31) * n) >> 31


@kernel
def rand_float(rng: RngState) -> float:
    """Uniform float in [0, 1) with 53 bits."""
    return (next_bits(rng) >> 9) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(rng: RngState, values: NDArray[np.int64]) -> None:
    """Fisher-Yates shuffle in place."""
    for i in range(len(values) - 1, 0, -1):
        j = rand_below(rng, i + 1)
        values[i], values[j] = values[j], values[i]


def new_rng(seed: int) -> RngState:
    """Fresh generator state for ``seed`` (any integer; taken modulo 2**64)."""
    return np.array([seed & _MASK], dtype=np.uint64)
