"""The random agent: a baseline that plays every deal to its end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.agent import BaseAgent
from skatai.kernels.rng import RngState
from skatai.kernels.rollouts import random_action
from skatai.rng import Rng
from skatai.view import PlayerView

__all__ = ["RandomAgent"]


@kernel
def _random_choice(states: NDArray[np.void], rng: RngState) -> int:
    return random_action(states[0], rng)  # an array is cheaper to pass than a record


class RandomAgent(BaseAgent):
    """Uniform over the legal actions; in the auction, it names the next value or holds with probability 1/2, else it passes."""

    name = "random"

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return int(_random_choice(view.states, rng.state))
