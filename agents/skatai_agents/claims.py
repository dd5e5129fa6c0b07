"""Claims: the chance an agent gives itself to win as declarer, ``win_chance(view, rng)``.

An agent that makes claims has ``win_chance`` and ``win_chance_batch``; they are asked for the declarer's own view, before the
skat is picked up (phase ``skat``) or before the first card (phase ``play``), and like ``act`` know nothing else. Whether claims
are right is measured by :mod:`skatai.bidding`.
"""

from __future__ import annotations

from skatai.errors import AgentError
from skatai.kernels.state import PLAY, SKAT
from skatai.view import PlayerView

__all__ = ["check_claim"]


def check_claim(agent: str, view: PlayerView) -> None:
    """Refuse a view for which there is no claim.

    Raises:
        AgentError: not the declarer's, or not at one of the two moments.
    """
    phase, plays = int(view.state["phase"]), int(view.state["n_plays"])
    if view.declarer != view.seat or phase not in (SKAT, PLAY) or plays:
        raise AgentError(
            f"{agent}: chance of winning asked of {view.role} {view.seat} in {view.phase} after {plays} cards; expected the "
            f"declarer in skat, or in play before the first card"
        )
