"""Deals that a seat cannot tell apart: how many there are, and exact uniform samples.

The counting argument is in :mod:`skatai.kernels.worlds`. A *world* is a full state record: it can be played on with ``apply``
and is scored like any game, and what the seat may know of it is again the view it was drawn from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai.errors import SkatError
from skatai.kernels import worlds as kernels
from skatai.kernels.inference import log_weights
from skatai.kernels.state import PHASES, STATE, new_state
from skatai.rng import Rng
from skatai.view import PlayerView

__all__ = ["count_worlds", "sample_worlds", "world_weights"]


def _checked(view: PlayerView) -> int:
    """Number of placings of the hidden cards; raises where there is none."""
    if view.seat not in (0, 1, 2):
        raise SkatError(f"worlds: seat {view.seat}, expected 0, 1 or 2")
    if int(view.state["phase"]) >= len(PHASES):
        raise SkatError(f"worlds: phase {int(view.state['phase'])} of the view does not exist")
    placings = int(kernels.count_placings(view.state, view.seat))
    if placings == 0:
        raise SkatError(
            f"worlds: no deal is consistent with the view of seat {view.seat} in phase {view.phase} after "
            f"{int(view.state['n_plays'])} cards; expected cards and voids as a game can show them"
        )
    return placings


def count_worlds(view: PlayerView) -> int:
    """Number of full states that the seat cannot tell apart; 1 when the game is over.

    It is the number of ways the hidden cards can lie, times 66 for a defender of a game with pick-up: any two of the declarer's
    twelve cards may have been the skat. While the declarer puts cards away the others see nothing of it, and the states in which he
    still holds twelve cards are counted.

    Raises:
        SkatError: no deal is consistent with the view.

    >>> from skatai.game import Game
    >>> from skatai.deal import Deal
    >>> count_worlds(Game(Deal.random(1)).view(0))
    42678636
    """
    placings = _checked(view)
    return placings * int(kernels.dealt_skats(view.state, view.seat))


def sample_worlds(view: PlayerView, n: int, rng: Rng) -> NDArray[np.void]:
    """``n`` independent worlds, each uniform over the :func:`count_worlds` states: shape (n,), dtype ``STATE``.

    Raises:
        SkatError: no deal is consistent with the view, or ``n`` is negative.
    """
    if n < 0:
        raise SkatError(f"worlds: a sample of {n}, expected 0 or more")
    _checked(view)
    out = np.zeros(n, dtype=STATE)
    kernels.sample_worlds_into(view.state, view.seat, rng.state, out)
    return out


def world_weights(view: PlayerView, worlds: NDArray[np.void]) -> NDArray[np.float64]:
    """How well each world explains what the other seats did: float64, shape (n,), adding up to 1.

    The measure is the rule player (:mod:`skatai.kernels.inference`): calls against its limits, contracts with a poor chance and
    cards other than its own make a world less likely. ``worlds`` are samples of the same view.

    Raises:
        SkatError: no worlds, or worlds of another dtype.
    """
    if worlds.dtype != STATE or worlds.ndim != 1 or len(worlds) == 0:
        raise SkatError(f"world weights: {worlds.dtype} of shape {worlds.shape}, expected (n,) states with n > 0")
    weights = np.empty(len(worlds), dtype=np.float64)
    log_weights(worlds, view.seat, new_state(), weights)
    weights = np.exp(weights - weights.max())
    return np.asarray(weights / weights.sum())
