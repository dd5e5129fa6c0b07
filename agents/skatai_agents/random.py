"""The random agent: a baseline that plays every deal to its end."""

from __future__ import annotations

from skatai.agent import BaseAgent
from skatai.kernels.rollouts import random_action
from skatai.rng import Rng
from skatai.view import PlayerView

__all__ = ["RandomAgent"]


class RandomAgent(BaseAgent):
    """Uniform over the legal actions; in the auction, it names the next value or holds with probability 1/2, else it passes."""

    name = "random"

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return int(random_action(view.state, rng.state))
