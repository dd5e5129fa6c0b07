"""Control variates: figures of a deal that do not depend on who plays, to take luck out of a mean.

The control of a deal is what the compiled rule player makes of it in all three seats: the list points of the table, whether the
game is won, and its value. It goes with the cards, not with the agents; where agents score well on deals with good cards, part of
the scatter of their points is explained. The mean of the control over all deals is known from thousands of other random deals,
which cost the compiled player a second, so the mean of a tournament can be moved by what its deals were luckier than usual
(Lavenberg and Welch 1981). Differences between agents on the same deals have lost that luck already: there the factor is near 1.

The control is right for deals drawn at random only, not for chosen ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.arena.intervals import Interval, student_quantile
from skatai.deal import Deal
from skatai.kernels.events import apply
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import RngState, new_rng
from skatai.kernels.rollouts import deal_cards
from skatai.kernels.state import OVER, STATE, StateRecord, set_deal
from skatai.rng import derive_seed
from skatai.rules import Rules
from skatai.scoring import list_points

__all__ = ["CONTROL_DEALS", "Adjusted", "adjusted_interval", "control_means", "deal_controls"]

#: random deals from which the control's mean is taken
CONTROL_DEALS: Final = 20_000
_SEED: Final = derive_seed(0x636F6E74726F6C)  # apart from every seed a tournament is likely to have


@kernel
def _play_out(state: StateRecord, rng: RngState) -> None:
    while state["phase"] != OVER:
        apply(state, rule_action(state, int(state["to_move"]), rng))


@kernel
def _play_all(states: NDArray[np.void], rng: RngState) -> None:
    for i in range(len(states)):
        _play_out(states[i], rng)


@kernel
def _deal_all(states: NDArray[np.void], rules: int, rng: RngState) -> None:
    deck, cards = np.empty(32, dtype=np.int64), np.empty(4, dtype=np.int64)
    for i in range(len(states)):
        deal_cards(rng, deck, cards)
        set_deal(states[i], cards[0], cards[1], cards[2], cards[3], rules)


def _controls(states: NDArray[np.void]) -> NDArray[np.float64]:
    _play_all(states, new_rng(0))
    controls = np.zeros((len(states), 3))
    for row, state in zip(controls, states, strict=True):
        if state["declarer"] < 3:
            score = int(state["score"])
            row[:] = sum(list_points(score, int(state["declarer"]))), float(score > 0), abs(score) / (1 + (score < 0))
    return controls


def deal_controls(deals: Sequence[Deal], rules: Rules | None = None) -> NDArray[np.float64]:
    """The control of each deal: float64 (n, 3): list points of the table, 1 if the declarer wins, game value; 0 if passed in."""
    packed = (rules or Rules()).to_int()
    states = np.zeros(len(deals), dtype=STATE)
    for i, deal in enumerate(deals):
        set_deal(states[i], *deal.masks, packed)
    return _controls(states)


@cache
def control_means(rules: Rules | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean (3,) and covariance of the mean (3, 3) of the control over ``CONTROL_DEALS`` random deals."""
    states = np.zeros(CONTROL_DEALS, dtype=STATE)
    _deal_all(states, (rules or Rules()).to_int(), new_rng(_SEED))
    controls = _controls(states)
    return controls.mean(axis=0), np.cov(controls, rowvar=False) / len(controls)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A mean with its luck taken out.

    Attributes:
        interval: of the adjusted mean.
        factor: variance of the plain mean divided by that of the adjusted one: so many times the deals the control is worth.
    """

    interval: Interval
    factor: float


def adjusted_interval(
    values: Sequence[float],
    controls: NDArray[np.float64],
    means: NDArray[np.float64],
    covariance: NDArray[np.float64],
    level: float = 0.95,
) -> Adjusted | None:
    """The mean of ``values`` adjusted by regression on controls with known means.

    Args:
        values: one for each deal, (n,).
        controls: (n, k).
        means: the controls' means, (k,).
        covariance: of the error of ``means``, (k, k).

    Returns:
        ``None`` where there are too few deals (fewer than ten for each control).
    """
    y = np.asarray(values, dtype=np.float64)
    n, k = controls.shape
    if n < 10 * k:
        return None
    luck = controls.mean(axis=0) - means
    centred = controls - controls.mean(axis=0)
    beta = np.linalg.lstsq(centred, y - y.mean(), rcond=None)[0]
    residuals = y - y.mean() - centred @ beta
    df = n - k - 1
    # The error of the regression at the controls' true means (the usual formula of a prediction), and the error of those means.
    spread = 1.0 / n + float(luck @ np.linalg.pinv(centred.T @ centred) @ luck)
    variance = float(residuals @ residuals) / df * spread + float(beta @ covariance @ beta)
    plain = float(y.var(ddof=1)) / n
    mean = float(y.mean() - luck @ beta)
    half = student_quantile(0.5 + level / 2.0, df) * math.sqrt(variance)
    return Adjusted(Interval(mean, mean - half, mean + half, n), plain / variance if variance > 0 else 1.0)
