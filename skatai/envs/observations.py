"""The forms of an observation: their spaces, and how they are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from skatai.errors import SkatError
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE, encode_batch, encode_scaled_batch
from skatai.kernels.encodings_history import (
    HISTORY_LENGTH,
    N_TOKENS,
    PERFECT_SIZE,
    encode_history_batch,
    encode_perfect_batch,
)

__all__ = ["OBSERVATIONS", "choice", "integer", "observation_form", "observation_space", "write_observations"]

#: names of the observations: dtype and shape of one
OBSERVATIONS: Final[dict[str, tuple[type[np.generic], tuple[int, ...]]]] = {
    "int8": (np.int8, (ENCODING_SIZE,)),
    "float32": (np.float32, (ENCODING_SIZE,)),
    "history": (np.int16, (HISTORY_LENGTH, 2)),
    "perfect": (np.int8, (PERFECT_SIZE,)),
    "none": (np.int8, (0,)),
}


def choice(what: str, value: Any, choices: Iterable[Any]) -> Any:
    """Check a word given by the user."""
    choices = tuple(choices)
    if isinstance(value, (bool, np.ndarray)) or value not in choices:
        raise SkatError(f"{what}={value!r}: expected one of {', '.join(map(repr, choices))}")
    return value


def integer(what: str, value: Any, least: int, most: int | None = None) -> int:
    """Check a whole number given by the user."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        wanted = f"from {least} on" if most is None else f"{least} … {most}"
        raise SkatError(f"{what}={value!r}: expected a whole number {wanted}")
    return int(value)


def observation_form(observation: str) -> tuple[type[np.generic], tuple[int, ...]]:
    """Type and shape of one observation.

    Raises:
        SkatError: no such observation.
    """
    return OBSERVATIONS[choice("observation", observation, OBSERVATIONS)]


def observation_space(observation: str, with_mask: bool = False) -> spaces.Space[Any]:
    """The space of one observation; ``with_mask``: of a dict of ``observation`` and ``action_mask``."""
    if with_mask:
        mask = spaces.Box(0, 1, (N_ACTIONS,), np.int8)
        return spaces.Dict({"observation": observation_space(observation), "action_mask": mask})
    _, shape = observation_form(observation)
    if observation == "int8":
        return spaces.Box(0, np.rint(1 / ENCODING_SCALE).astype(np.int8), dtype=np.int8)
    if observation == "history":
        high = np.full(shape, 3, dtype=np.int16)
        high[:, 0] = N_TOKENS - 1
        return spaces.Box(np.int16(0), high, dtype=np.int16)
    if observation == "perfect":
        own = np.rint(1 / ENCODING_SCALE).astype(np.int8)
        return spaces.Box(0, np.concatenate([own, np.ones(PERFECT_SIZE - ENCODING_SIZE, dtype=np.int8)]), dtype=np.int8)
    return spaces.Box(0, 1, shape, np.float32 if observation == "float32" else np.int8)


def write_observations(observation: str, states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[Any]) -> None:
    """Write what ``seats`` (int64, (n,)) know into ``out`` (n, …), in the form named ``observation``."""
    if observation == "int8":
        encode_batch(states, seats, out)
    elif observation == "float32":
        encode_scaled_batch(states, seats, out)
    elif observation == "history":
        encode_history_batch(states, seats, out)
    elif observation == "perfect":
        encode_perfect_batch(states, seats, out)
