"""Do claimed chances of winning come true? Reliability diagrams, Brier score and its parts, expected calibration error.

Claims fall into bins of equal width on [0, 1]. Of ``n`` claims ``p`` with outcomes ``y`` (1 won, 0 lost), bin ``k`` holds ``n_k``
with mean claim ``p_k`` and share of wins ``y_k``; ``ȳ`` is the share of wins of all:

=============  ===========================  ===============================================================
Brier score    Σ (p − y)² / n               0 is perfect, 1/4 is what the claim 1/2 gets
reliability    Σ n_k (p_k − y_k)² / n       0 where every bin wins as often as it claims
resolution     Σ n_k (y_k − ȳ)² / n         how well the claims tell hands apart; more is better
uncertainty    ȳ (1 − ȳ)                    of the games, whoever claims
within         the rest                     what is lost by looking at bins; 0 where each holds one claim
ECE            Σ n_k abs(p_k − y_k) / n     how far the claims are off on average
log loss       −Σ log P(y) / n              infinite where a claim of 0 or 1 proves wrong
=============  ===========================  ===============================================================

Brier score = reliability − resolution + uncertainty + within (Murphy 1973; the last term: Stephenson, Coelho and Jolliffe 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skatai.arena.intervals import Interval
from skatai.arena.shares import proportion
from skatai.errors import SkatError

__all__ = ["Calibration", "CalibrationBin", "calibration"]


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The claims of one bin.

    Attributes:
        lower: the lowest claim that belongs to it.
        upper: the first that does not; in the last bin the claim 1, which does.
        n: how many claims.
        claim: their mean; NaN in an empty bin.
        observed: the share of wins with Wilson's 95 % interval, which minds the clusters, where they are known; NaN in 0 … 1 in an
            empty bin.
    """

    lower: float
    upper: float
    n: int
    claim: float
    observed: Interval


@dataclass(frozen=True, slots=True)
class Calibration:
    """How claims and outcomes agree (module docstring: what the figures mean).

    Attributes:
        bins: of equal width, the lowest first.
        n: claims in all.
        brier: Brier score.
        ece: expected calibration error.
        log_loss: in nats.
        reliability: part of the Brier score.
        resolution: part of the Brier score.
        uncertainty: part of the Brier score.
        within: part of the Brier score.
    """

    bins: tuple[CalibrationBin, ...]
    n: int
    brier: float
    ece: float
    log_loss: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float

    def __str__(self) -> str:
        return (
            f"Brier {self.brier:.4f} (reliability {self.reliability:.4f}, resolution {self.resolution:.4f}, "
            f"uncertainty {self.uncertainty:.4f}), ECE {self.ece:.4f}, {self.n} claims"
        )


def _arrays(
    claims: Sequence[float] | NDArray[np.float64], outcomes: Sequence[bool | int] | NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    p, y = np.asarray(claims, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    if p.ndim != 1 or p.shape != y.shape or not len(p):
        raise SkatError(
            f"calibration of {p.shape} claims and {y.shape} outcomes: expected as many of both, at least one"
        )
    if not ((p >= 0.0) & (p <= 1.0)).all():  # NaN is neither
        wrong = int(np.flatnonzero(~((p >= 0.0) & (p <= 1.0)))[0])
        raise SkatError(f"calibration: claim {wrong} is {p[wrong]}, expected a probability 0 … 1")
    if not np.isin(y, (0.0, 1.0)).all():
        wrong = int(np.flatnonzero(~np.isin(y, (0.0, 1.0)))[0])
        raise SkatError(f"calibration: outcome {wrong} is {y[wrong]}, expected 0 (lost) or 1 (won)")
    return p, y


def _log_loss(p: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    with np.errstate(divide="ignore"):
        return float(-np.log(np.where(y == 1.0, p, 1.0 - p)).mean()) + 0.0  # no minus zero


def calibration(
    claims: Sequence[float] | NDArray[np.float64],
    outcomes: Sequence[bool | int] | NDArray[np.int64],
    bins: int = 10,
    clusters: Sequence[int] | NDArray[np.int64] | None = None,
) -> Calibration:
    """Compare claimed probabilities with what happened.

    Args:
        claims: probabilities of winning, float (n,).
        outcomes: whether it was won, bool or 0 and 1, (n,).
        bins: how many, of equal width on [0, 1]; a claim on an edge belongs to the bin above it.
        clusters: for each claim its cluster, such as the number of the deal, int (n,); games on one deal resemble each other, and
            the bins' intervals are too narrow without it (:mod:`skatai.arena.shares`).

    Raises:
        SkatError: no claims, not as many outcomes or clusters as claims, a claim outside 0 … 1 or NaN, an outcome that is neither 0
            nor 1, or no bins.

    >>> found = calibration([0.9, 0.9, 0.6, 0.6], [1, 1, 1, 0])
    >>> round(found.brier, 3), round(found.ece, 3)
    (0.135, 0.1)
    """
    if bins < 1:
        raise SkatError(f"calibration in {bins} bins: expected at least 1")
    p, y = _arrays(claims, outcomes)
    units = np.arange(len(p)) if clusters is None else np.asarray(clusters)
    if units.shape != p.shape:
        raise SkatError(f"calibration of {p.shape} claims in {units.shape} clusters: expected as many of both")
    edges = np.arange(bins + 1) / bins
    which = np.minimum(np.searchsorted(edges, p, side="right") - 1, bins - 1)
    n = np.bincount(which, minlength=bins)
    wins = np.bincount(which, weights=y, minlength=bins)
    safe = np.maximum(n, 1)
    claimed, observed, share = np.bincount(which, weights=p, minlength=bins) / safe, wins / safe, n / len(p)
    found = tuple(
        CalibrationBin(
            lower=float(edges[k]),
            upper=float(edges[k + 1]),
            n=int(n[k]),
            claim=float(claimed[k]) if n[k] else float("nan"),
            observed=proportion((y[which == k] == 1.0).tolist(), units[which == k].tolist()).fraction,
        )
        for k in range(bins)
    )
    base = float(y.mean())
    brier = float(((p - y) ** 2).mean())
    reliability = float((share * (claimed - observed) ** 2).sum())
    resolution = float((share * (observed - base) ** 2).sum())
    uncertainty = base * (1.0 - base)
    return Calibration(
        bins=found,
        n=len(p),
        brier=brier,
        ece=float((share * abs(claimed - observed)).sum()),
        log_loss=_log_loss(p, y),
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within=brier - (reliability - resolution + uncertainty),
    )
