"""Where a curve of paired differences has its top, how certain that is, and what is gained there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.arena.intervals import Interval
from skatai.arena.resampling import cluster_interval
from skatai.errors import SkatError
from skatai.kernels.rng import RngState, new_rng, rand_below

__all__ = ["Optimum", "optimum", "resampled_means", "tops"]

_RESAMPLES: Final = 1000
#: settings that a parabola goes through
_WINDOW: Final = 5


@dataclass(frozen=True, slots=True)
class Optimum:
    """Where the points are highest.

    Attributes:
        setting: the top of a parabola through the differences at the best setting and its neighbours (:func:`tops`).
        low: lower end of its 95 % interval: the same for resampled deals.
        high: upper end.
        best: the setting tried that did best.
        gain: what the best setting gets more than the bidder as it is, free of the luck of the best of many: it is chosen on every
            other deal and measured on the rest, both ways round.
    """

    setting: float
    low: float
    high: float
    best: float
    gain: Interval


@kernel
def resampled_means(values: NDArray[np.float64], rng: RngState, out: NDArray[np.float64]) -> None:
    """Column means of rows drawn with replacement: ``values`` float64 (n, k), ``out`` float64 (b, k), written."""
    n = len(values)
    out[:] = 0.0
    for b in range(len(out)):
        for _ in range(n):
            i = rand_below(rng, n)
            for k in range(values.shape[1]):
                out[b, k] += values[i, k] / n


def tops(settings: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each row of ``means``, the top of the parabola of least squares through the best setting and two on either side of it.

    Further away the curve is no parabola. Where it has no top there, the better end; with fewer than three settings the better one.

    Args:
        settings: float64 (k,), ascending.
        means: float64 (b, k).
    """
    best = means.argmax(axis=1)
    if len(settings) < 3:
        return np.asarray(settings[best])
    size = min(_WINDOW, len(settings))
    starts = (best - size // 2).clip(0, len(settings) - size)
    found = np.empty(len(means))
    for start in np.unique(starts):
        rows, part = starts == start, slice(start, start + size)
        found[rows] = _tops(settings[part], means[rows, part])
    return found


def _tops(settings: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tops of the parabolas through all settings, none of them outside these."""
    centre, width = settings.mean(), np.ptp(settings)
    x = (settings - centre) / width
    a, b, _ = np.linalg.pinv(np.vander(x, 3)) @ means.T
    ends = np.array([x.min(), x.max()])
    better = ends[np.argmax(a[:, None] * ends**2 + b[:, None] * ends, axis=1)]
    has_top = a < -1e-12
    places = np.where(has_top, -b / (2.0 * np.where(has_top, a, -1.0)), better)
    # Rounded: a top at a setting of 0 should not read 2e-17.
    return np.asarray(np.round((centre + width * places).clip(settings.min(), settings.max()), 6) + 0.0)


def optimum(settings: NDArray[np.float64], by_deal: NDArray[np.float64], seed: int = 0) -> Optimum:
    """Where the points are highest.

    Args:
        settings: float64 (k,), ascending.
        by_deal: float64 (deals, k), differences of points to the bidder as it is.
        seed: of the resampling.

    Raises:
        SkatError: fewer than two deals.
    """
    if len(by_deal) < 2:
        raise SkatError(f"optimum of {len(by_deal)} deals: expected at least 2")
    means = by_deal.mean(axis=0)
    samples = np.empty((_RESAMPLES, len(settings)))
    resampled_means(np.ascontiguousarray(by_deal, dtype=np.float64), new_rng(seed), samples)
    low, high = np.quantile(tops(settings, samples), [0.025, 0.975])
    even, odd = by_deal[::2].mean(axis=0).argmax(), by_deal[1::2].mean(axis=0).argmax()
    free = np.where(np.arange(len(by_deal)) % 2 == 0, by_deal[:, odd], by_deal[:, even])
    best = float(settings[means.argmax()])
    return Optimum(float(tops(settings, means[None])[0]), float(low), float(high), best, cluster_interval(free))
