"""The rule agent: the compiled rule player."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.agent import BaseAgent
from skatai.kernels.policies import rule_action, rule_actions
from skatai.kernels.prospects import declarer_chance
from skatai.kernels.rng import RngState, new_rng
from skatai.rng import Rng
from skatai.view import PlayerView, stack_views
from skatai_agents.claims import check_claim

__all__ = ["RuleAgent", "rule_choice"]


@kernel
def rule_choice(states: NDArray[np.void], seat: int, rng: RngState) -> int:
    """What the rule player does as ``seat`` in the state of ``states``, shape (1,): an array is cheaper to pass than a record."""
    return rule_action(states[0], seat, rng)


class RuleAgent(BaseAgent):
    """Bids by the estimated chance of winning and plays by rules of thumb (:mod:`skatai.kernels.policies`); no randomness."""

    name = "rule"

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return int(rule_choice(view.states, view.seat, rng.state))

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view, in one compiled loop."""
        states, seats = stack_views(views)
        out = np.empty(len(views), dtype=np.int64)
        rule_actions(states, seats, new_rng(0), out)
        actions: list[int] = out.tolist()
        return actions

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
