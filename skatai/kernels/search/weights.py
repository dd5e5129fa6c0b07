"""Weights of the move order, one set for suit games and one for grand.

They were found by hill-climbing on the number of nodes of exact solutions (``benchmarks/tune_order.py``), on random deals that
look like contracts. They change how much is searched, never an answer.

A set has a block for each place that the declarer can have in the trick; a block has a part for each ply (``order`` names the
features). All are zero-based offsets into the block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai.kernels.search.switches import TUNED_ORDER

__all__ = ["BLOCK", "COUNT", "FEATURES", "LEAD", "SECOND", "THIRD", "WEIGHT_TABLE"]

LEAD, SECOND, THIRD = 0, 20, 29
BLOCK = 38
COUNT = 3 * BLOCK

#: what each weight of a block multiplies, for the reader
FEATURES = (
    # lead: the leader's side (``wins``: as far as the cards seen decide it)
    "wins", "points, if it wins", "points, if not", "trump that wins", "trump that does not",
    "own length", "length of the second", "length of the third", "second is void", "third is void",
    "second can beat it", "third can beat it", "singleton", "highest of the suit", "nobody can beat it", "lowest of the suit",
    "points of the second's lowest", "points of the second's highest", "points of the third's lowest",
    "points of the third's highest",
    # second
    "wins", "points, if it wins", "points, if not", "trump", "beats the lead for good", "beats the lead",
    "length of the suit thrown", "singleton thrown", "highest card left thrown",
    # third
    "wins", "points, if it wins", "points, if not", "trump", "beats the others", "(not used)",
    "length of the suit thrown", "singleton thrown", "highest card left thrown",
)  # fmt: skip

#: the weights before tuning: sure winners with many points first, few points into the other side's tricks
_PLAIN = (
    (400, 16, -24, 40, 40, 8, *[0] * 14, 400, 16, -24, -48, 32, *[0] * 4, 400, 16, -24, -48, 16, *[0] * 4),
    (400, 16, -24, -80, -80, 8, *[0] * 14, 400, 16, -24, -48, 32, *[0] * 4, 400, 16, -24, -48, 16, *[0] * 4),
    (400, 16, -24, -80, -80, 8, *[0] * 14, 400, 16, -24, -48, 32, *[0] * 4, 400, 16, -24, -48, 16, *[0] * 4),
)

_SUIT = (
    # declarer leads
    121, 3, -12, 29, 32, 1, -24, -31, -191, -171, -12, 3, -2, 33, -55, -2, 0, 4, 1, -2,
    618, 33, -6, 113, -112, -94, -3, 20, -22,
    331, 24, -35, -188, -125, -18, -1, 20, -15,
    # declarer plays second
    535, 15, -14, -178, -141, 3, 11, 6, -217, 2, 46, 23, 79, 9, -85, -4, 0, -1, -11, 2,
    635, 32, -44, -90, -123, 95, 5, 41, -78,
    431, 22, -37, -133, -53, -142, -1, 51, 27,
    # declarer plays third
    349, 22, -49, -206, -64, -8, 7, 8, 49, -478, -70, 49, 124, 15, -10, 28, 5, 0, 8, 3,
    431, 10, -41, -211, -15, 48, -1, 39, 8,
    542, 27, -29, -106, -36, -117, -21, 55, -74,
)  # fmt: skip

_GRAND = (
    # declarer leads
    31, 2, -8, -44, 40, 8, -15, -14, -135, -178, -40, 1, -8, 22, 35, 0, 9, 1, 2, -1,
    452, 23, -36, -171, -117, 40, 10, 32, -11,
    393, 39, -47, -89, -108, -91, -13, -91, -28,
    # declarer plays second
    279, 22, -30, 17, 355, 10, -17, 30, -249, -81, -132, -18, -132, 49, 24, 44, 17, 26, 4, 0,
    404, -15, -6, 532, 298, 176, -8, 10, -43,
    528, 8, -21, -67, -24, -22, -5, 9, -1,
    # declarer plays third
    314, 4, -8, -84, 196, -8, 18, -5, -24, -436, 0, -3, -61, 0, -13, -5, 10, 3, 20, -12,
    607, 24, -34, -164, -32, 34, -10, 27, 53,
    419, -16, -20, -64, 29, -179, -5, 85, -113,
)  # fmt: skip

#: (2, COUNT): suit games, grand
WEIGHT_TABLE: NDArray[np.int64] = np.array([_SUIT, _GRAND] if TUNED_ORDER else [sum(_PLAIN, ())] * 2, dtype=np.int64)
