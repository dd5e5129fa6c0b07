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
    82, 8, -24, 6, 32, 1, -27, -31, -191, -169, -12, 3, -2, 33, -55, -2, 0, 1, 1, -2,
    625, 33, -6, 137, -112, -94, -3, 20, -22,
    319, 24, -28, -157, -125, -18, 1, 15, -15,
    # declarer plays second
    535, 15, -14, -178, -141, 3, 11, 6, -210, 2, 46, 23, 74, 9, -88, -4, 3, -1, -11, -6,
    536, 32, -41, -65, -80, 55, 11, 17, -78,
    454, 21, -63, -145, -53, -142, -1, 51, 27,
    # declarer plays third
    383, 23, -49, -208, -64, -15, 7, 8, 17, -487, -80, 54, 200, 15, -7, 28, 5, 15, 21, 11,
    487, 20, -40, -285, -15, 12, -1, 39, 12,
    542, 27, -37, -87, -35, -117, -22, 50, -77,
)  # fmt: skip

_GRAND = (
    # declarer leads
    31, 2, -4, 7, 44, 8, -9, -13, -135, -136, -40, 1, -8, 22, 18, 17, 9, 3, 2, -1,
    428, 23, -37, -110, -9, 52, 10, 42, -11,
    325, 51, -43, -84, -55, -91, -9, -25, -28,
    # declarer plays second
    224, 22, -35, 17, 355, 0, -16, 30, -307, -13, -116, -18, -113, 49, 83, 44, 18, 26, 8, 0,
    399, -10, -6, 417, 298, 215, -8, -3, -35,
    625, 10, -23, -67, -22, -22, 8, 59, 5,
    # declarer plays third
    308, 4, -2, -84, 152, -8, 21, -16, -36, -423, 0, -26, -61, 0, 57, -5, 7, 3, 23, -9,
    617, 24, -34, -164, -42, 34, -20, 27, 33,
    421, -7, -19, -116, 15, -179, -5, 85, -145,
)  # fmt: skip

#: (2, COUNT): suit games, grand
WEIGHT_TABLE: NDArray[np.int64] = np.array([_SUIT, _GRAND] if TUNED_ORDER else [sum(_PLAIN, ())] * 2, dtype=np.int64)
