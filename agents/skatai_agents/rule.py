"""The rule agent: the compiled rule player."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skatai.agent import BaseAgent
from skatai.kernels.policies import rule_action, rule_actions
from skatai.kernels.prospects import declarer_chance
from skatai.kernels.rng import new_rng
from skatai.kernels.state import STATE
from skatai.rng import Rng
from skatai.view import PlayerView
from skatai_agents.claims import check_claim

__all__ = ["RuleAgent"]


class RuleAgent(BaseAgent):
    """Bids by the estimated chance of winning and plays by rules of thumb (:mod:`skatai.kernels.policies`); no randomness."""

    name = "rule"

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return int(rule_action(view.state, view.seat, rng.state))

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view, in one compiled loop."""
        states = np.array([view.state for view in views], dtype=STATE)
        seats = np.array([view.seat for view in views], dtype=np.int64)
        actions = np.empty(len(views), dtype=np.int64)
        rule_actions(states, seats, new_rng(0), actions)
        return [int(action) for action in actions]

    def win_chance(self, view: PlayerView, rng: Rng) -> float:
        """The chance of winning as declarer, by the models behind its bids (:mod:`skatai.kernels.prospects`); ``rng`` is not used.

        Raises:
            AgentError: not the declarer's view in ``skat``, or in ``play`` before the first card.
        """
        check_claim(self.name, view)
        return float(declarer_chance(view.state, view.seat))

    def win_chance_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[float]:
        """One chance for each view."""
        return [self.win_chance(view, rng) for view, rng in zip(views, rngs, strict=True)]
