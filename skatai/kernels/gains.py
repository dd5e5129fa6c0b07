"""What declarations gain, in list points on each opponent: the measure of regret.

The gain is the declarer's list points less those of a defender (rules 5.4): the score and 50 of a game won; the score, -50 and the
-40 that each defender gets of a game lost; 0 for a deal that is passed in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import SCHNEIDER, SCHWARZ
from skatai.kernels.events import apply
from skatai.kernels.observe import copy_state
from skatai.kernels.playouts import LOSS, carry_out
from skatai.kernels.policies import rule_card
from skatai.kernels.settle import settle
from skatai.kernels.state import OVER
from skatai.kernels.tables import NULL

__all__ = ["gain", "open_gain", "plan_gains"]


@kernel
def gain(score: int) -> float:
    """List points gained on each opponent by the declarer's signed score; 0 for a score of 0."""
    if score == 0:
        return 0.0
    return score + 50.0 if score > 0 else score - LOSS


@kernel
def open_gain(game: int, flags: int, matadors: int, total: int, bid: int, rules: int) -> float:
    """The gain of a contract in which the declarer gets ``total`` card points in all (null: 1 if he takes no trick, else 0).

    All 120 points are taken as schwarz, none of them as schwarz the other way: right but for tricks without a point.
    """
    if game == NULL:
        score = settle(game, flags, np.int64(0), False, False, total == 1, bid, rules)[3]
        return gain(score)
    schwarz = total == 120 or total == 0
    goal = total >= 61
    if flags & SCHWARZ:
        goal = total == 120
    elif flags & SCHNEIDER:
        goal = total >= 90
    score = settle(game, flags, matadors, total >= 90 or total <= 30, schwarz, goal, bid, rules)[3]
    return gain(score)


@kernel
def plan_gains(pool: NDArray[np.void], seat: int, plans: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    """The gain of every plan of the declarer ``seat`` in every world into ``out`` (float64[n, plans]).

    ``pool``: n worlds in ``SKAT``, ``DISCARD`` or ``DECLARE`` and one more record for workings; ``plans`` (int64[m, 2]) as in
    :func:`skatai.kernels.playouts.carry_out`. The rule player plays all cards, each seat knowing only what it may.
    """
    state = pool[len(out)]
    for i in range(len(out)):
        for j in range(len(plans)):
            copy_state(pool[i], state)
            carry_out(state, seat, plans[j, 0], plans[j, 1])
            while state["phase"] != OVER:
                apply(state, rule_card(state, np.int64(state["to_move"])))
            out[i, j] = gain(np.int64(state["score"]))
