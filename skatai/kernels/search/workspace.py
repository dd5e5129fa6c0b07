"""The work area of the search: one ``int64`` array, allocated once per thread and never inside the search.

=====================  ====================================================================================================
words                  content
=====================  ====================================================================================================
``BITS``               the table has 2**bits entries of two words
``GENERATION``         entries of another generation count as empty: a new problem clears the table by adding one
``NODES``              positions at the start of a trick that the current problem has visited
``LIMIT``              stop after so many of them
``STOPPED``            1 once the limit was hit; the search then unwinds and its answers mean nothing
``TRUMPS``             the trumps of the current contract
``CLASSES``            32 words: the suit class of each card in the current contract
``MOVES``              rows of moves, one for every card that can be on its way down the recursion
``TABLE``              the table, four entries to a bucket
=====================  ====================================================================================================

Two problems may share a generation when they have the same contract in the same numbering (the worlds of one decision).
A work area serves one thread at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.search.layout import INNER_CLASS, INNER_TRUMPS

__all__ = [
    "BITS",
    "CLASSES",
    "GENERATION",
    "LIMIT",
    "MOVES",
    "NODES",
    "NO_LIMIT",
    "ROW",
    "STOPPED",
    "TABLE",
    "TRUMPS",
    "begin",
    "make_workspace",
]

BITS, GENERATION, NODES, LIMIT, STOPPED, TRUMPS = 0, 1, 2, 3, 4, 5
CLASSES = 8
MOVES = 40
ROW = 12
TABLE = 512  # MOVES + 3 rows for each of up to 12 tricks, rounded up to a cache line
NO_LIMIT = 1 << 62
_LAST_GENERATION = (1 << 20) - 1


@kernel
def make_workspace(bits: int = 16) -> NDArray[np.int64]:
    """A work area with 2**``bits`` table entries (16 bits: 1 MiB). ``bits`` is at least 2."""
    work = np.zeros(TABLE + (2 << bits), dtype=np.int64)
    work[BITS] = bits
    work[LIMIT] = NO_LIMIT
    return work


@kernel
def begin(game: int, work: NDArray[np.int64]) -> None:
    """Forget the last problem and set the contract of the next one."""
    work[GENERATION] += 1
    if work[GENERATION] > _LAST_GENERATION:
        work[TABLE:] = 0
        work[GENERATION] = 1
    work[NODES] = 0
    work[LIMIT] = NO_LIMIT
    work[STOPPED] = 0
    work[TRUMPS] = INNER_TRUMPS[game]
    for card in range(32):
        work[CLASSES + card] = INNER_CLASS[game, card]
