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
    324, 4, -22, 29, -3, 4, -14, -31, -178, -166, -3, -8, -2, 33, 52, -2, 0, 0, 1, 1,
    619, 33, -5, 21, -80, -92, -10, 29, -12,
    405, 22, -30, -229, -20, -18, -1, 43, -16,
    # declarer plays second
    577, 15, -14, -89, -133, 6, 14, -2, -276, -17, 16, 23, -9, 0, -24, -3, 0, 0, 0, 0,
    561, 30, -47, -61, 52, 68, 17, 41, -71,
    345, 16, -33, -20, -113, -142, -1, 35, -10,
    # declarer plays third
    368, 30, -43, -161, -16, -9, 7, 8, 12, -297, -41, 23, 78, 46, -38, 11, 5, 0, 4, 4,
    489, 27, -34, -144, 32, 51, -7, 35, 5,
    425, 25, -26, -11, -81, -117, -24, 130, -51,
)  # fmt: skip

_GRAND = (
    # declarer leads
    365, 3, -11, -139, 40, 2, -13, -2, -111, -32, -40, 0, 0, 0, 35, 0, 0, 0, 0, 0,
    317, 13, -50, -56, -50, 88, 3, 18, -11,
    382, 34, -50, -33, 27, -91, -5, 60, -28,
    # declarer plays second
    296, 15, -28, -95, 130, 8, 11, 9, -93, -82, -114, -4, -118, 51, 44, 8, 7, 26, 4, 0,
    308, 11, -14, 111, 231, 143, -5, -1, -11,
    543, 6, -28, -110, 78, -22, 0, 7, -1,
    # declarer plays third
    452, 4, -29, -35, 73, -10, 11, 2, 0, -213, 0, -3, 6, 0, -21, -28, 12, 4, 7, -2,
    478, 16, -26, -115, 26, 70, -5, 30, 8,
    416, 2, -18, -68, 5, -179, -6, 96, -113,
)  # fmt: skip

#: (2, COUNT): suit games, grand
WEIGHT_TABLE: NDArray[np.int64] = np.array([_SUIT, _GRAND] if TUNED_ORDER else [sum(_PLAIN, ())] * 2, dtype=np.int64)
