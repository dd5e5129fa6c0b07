"""Rewards on the way: card points as they are taken."""

from __future__ import annotations

from math import isfinite
from typing import Any, SupportsFloat

import gymnasium
from numpy.typing import NDArray

from skatai.envs.single import SkatEnv
from skatai.errors import SkatError

__all__ = ["CardPointShaping"]


class CardPointShaping(gymnasium.Wrapper[NDArray[Any], int, NDArray[Any], int]):
    """Adds ``weight`` times the card points that the learner's side has won, minus the other side's, as they are taken.

    ``potential=True`` takes the sum back with the last reward, which leaves the optimum where it was (Ng, Harada and Russell, ICML
    1999); without it, ``weight`` times the difference at the end stays in the reward.

    Args:
        env: a :class:`SkatEnv`, wrapped or not.
        weight: reward of one card point.
        potential: take the sum back at the end.

    Raises:
        SkatError: another environment, or a weight that is no finite number.
    """

    def __init__(self, env: gymnasium.Env[NDArray[Any], int], weight: float = 0.1, potential: bool = True) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, SkatEnv):
            raise SkatError(f"CardPointShaping: {type(env.unwrapped).__name__} is not a SkatEnv")
        try:
            finite = isfinite(weight)
        except TypeError:
            finite = False
        if not finite:
            raise SkatError(f"CardPointShaping: weight={weight!r}, expected a finite number")
        self._skat: SkatEnv = env.unwrapped
        self.weight, self.potential = weight, potential
        self._level = 0.0

    def _difference(self) -> float:
        view = self._skat.view
        if view.declarer is None:
            return 0.0
        points = view.points
        declarers = points[view.declarer]
        sign = 1 if view.declarer == self._skat.seat else -1
        return float(sign * (2 * declarers - sum(points)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal; the difference counts from here."""
        result = self.env.reset(seed=seed, options=options)
        self._level = self._difference()
        return result

    def step(self, action: int) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Act; ``info["shaping"]`` is what was added."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        level = 0.0 if terminated and self.potential else self._difference()
        added = self.weight * (level - self._level)
        self._level = level
        info["shaping"] = added
        return observation, float(reward) + added, terminated, truncated, info
