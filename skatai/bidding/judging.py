"""Judging decisions by what each choice gains, and what the judgements of many hands come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skatai.arena.intervals import Interval
from skatai.arena.resampling import cluster_interval

__all__ = ["KINDS", "Judgement", "Regret", "RegretSummary", "judge", "judge_fairly", "judge_freely"]

#: what went wrong: passed a game that was worth it; played though no game was worth it; played, but not the best game
KINDS: Final = ("passed", "lost", "contract")


class Judgement(NamedTuple):
    """Regret of one decision, by kind: what the best choice gains more than the one made."""

    passed: float = 0.0
    lost: float = 0.0
    contract: float = 0.0

    def and_then(self, later: Judgement) -> Judgement:
        """This decision and a later one together."""
        return Judgement(*(a + b for a, b in zip(self, later, strict=True)))


def judge(
    gains: NDArray[np.float64], chosen: int, may_pass: bool = True, by: NDArray[np.float64] | None = None
) -> Judgement:
    """The regret of a choice.

    Args:
        gains: float64 (m,), of the games that could be declared.
        chosen: which one was, -1 for a pass.
        may_pass: a pass, with the gain 0, is among the choices.
        by: the gains by which the best choice is found; ``gains`` by default.

    >>> judge(np.array([84.0, -186.0]), chosen=1)
    Judgement(passed=0.0, lost=0.0, contract=270.0)
    >>> judge(np.array([-126.0, -186.0]), chosen=1)
    Judgement(passed=0.0, lost=186.0, contract=0.0)
    >>> judge(np.array([84.0, -186.0]), chosen=-1)
    Judgement(passed=84.0, lost=0.0, contract=0.0)
    """
    measure = gains if by is None else by
    best = int(measure.argmax())
    own = 0.0 if chosen < 0 else float(gains[chosen])
    if chosen >= 0 and measure[chosen] == measure[best]:
        best = chosen
    if may_pass and measure[best] <= 0.0:
        return Judgement() if chosen < 0 else Judgement(lost=-own)
    regret = float(gains[best]) - own
    return Judgement(passed=regret) if chosen < 0 else Judgement(contract=regret)


def judge_fairly(gains: NDArray[np.float64], chosen: int, may_pass: bool = True) -> Judgement:
    """:func:`judge` over worlds, float64 (n, m): the best choice is found in one half and valued in the other, both ways."""
    half = len(gains) // 2
    first, second = gains[:half].mean(axis=0), gains[half:].mean(axis=0)
    both = judge(first, chosen, may_pass, by=second), judge(second, chosen, may_pass, by=first)
    return Judgement(*((a + b) / 2.0 for a, b in zip(*both, strict=True)))


def judge_freely(gains: NDArray[np.float64], chosen: int, may_pass: bool = True) -> Judgement:
    """:func:`judge` over worlds, float64 (n, m): the best choice is found and valued in the same worlds, so rather too well."""
    return judge(gains.mean(axis=0), chosen, may_pass)


@dataclass(frozen=True, slots=True)
class RegretSummary:
    """Mean regret in list points (on each opponent) per hand, with 95 % intervals over deals.

    Attributes:
        name: the bidder.
        measure: ``hindsight`` or ``rollouts``.
        hands: how many.
        declared: how many of them wanted the game.
        total: mean regret.
        passed: its part from passing a game that was worth it.
        lost: from playing where no game was worth it.
        contract: from playing another game than the best.
        most: mean regret if the best choices were found and valued in the same worlds: too high where ``total`` is too low. The
            same as ``total`` where nothing is sampled.
    """

    name: str
    measure: str
    hands: int
    declared: int
    total: Interval
    passed: Interval
    lost: Interval
    contract: Interval
    most: Interval


@dataclass(frozen=True)
class Regret:
    """Regret of every hand of some deals: forehand, middlehand, rearhand of the first deal come first.

    Attributes:
        name: the bidder.
        measure: ``hindsight`` or ``rollouts``.
        declared: bool (n,), the hand wants the game.
        parts: float64 (n, 3), regret by ``KINDS``.
        most: float64 (n,), regret with the best choices found and valued in the same worlds.
    """

    name: str
    measure: str
    declared: NDArray[np.bool_]
    parts: NDArray[np.float64]
    most: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """Regret of every hand: float64 (n,)."""
        return np.asarray(self.parts.sum(axis=1))

    def summary(self) -> RegretSummary:
        """Means with intervals; the deal is the unit."""
        threes = np.full(len(self.parts) // 3, 3.0)
        columns = [self.total, *self.parts.T, self.most]
        means = [cluster_interval(column.reshape(-1, 3).sum(axis=1), threes) for column in columns]
        return RegretSummary(self.name, self.measure, len(self.parts), int(self.declared.sum()), *means)
