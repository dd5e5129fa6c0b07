"""The work area of the search: one ``int64`` array, allocated once per thread and never inside the search.

=====================  ====================================================================================================
words                  content
=====================  ====================================================================================================
``BITS``               the table has 2**bits entries of two words
``GENERATION``         entries are marked with it; a new problem adds one
``OLDEST``             entries of generations before this one count as empty: that clears the table
``NODES``              nodes of the current problem; a node is one card tried
``LIMIT``              stop after so many of them
``STOPPED``            1 once the limit was hit; the search then unwinds and its answers mean nothing
``TRUMPS``             the trumps of the current contract
``SHARED``             1: problems of the same game go on with the table of the one before
``GAME``               the game of the current problem
``CLASSES``            32 words: the suit class of each card in the current contract
``MOVES``              rows of moves, one for every card that can be on its way down the recursion
``WEIGHTS``            the weights of the move order for the current contract
``TABLE``              the table, eight entries to a bucket
=====================  ====================================================================================================

Problems of one game may share the table (``share_table``), as the worlds of one decision do: an entry holds for a position
wherever it came from. Values do not change, node counts then depend on what was solved before.
A work area serves one thread at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.search.layout import INNER_CLASS, INNER_TRUMPS
from skatai.kernels.search.weights import COUNT, WEIGHT_TABLE

__all__ = [
    "BITS",
    "CLASSES",
    "GAME",
    "GENERATION",
    "LIMIT",
    "MOVES",
    "NODES",
    "NO_LIMIT",
    "OLDEST",
    "ROW",
    "SHARED",
    "STOPPED",
    "TABLE",
    "TRUMPS",
    "WEIGHTS",
    "begin",
    "make_workspace",
    "share_table",
]

BITS, GENERATION, NODES, LIMIT, STOPPED, TRUMPS, SHARED, GAME = 0, 1, 2, 3, 4, 5, 6, 7
OLDEST = 8
CLASSES = 9
MOVES = 41
ROW = 12
WEIGHTS = 480  # behind MOVES + 3 rows for each of up to 12 tricks
TABLE = 640
NO_LIMIT = 1 << 62
_LAST_GENERATION = (1 << 20) - 1


@kernel
def make_workspace(bits: int = 16) -> NDArray[np.int64]:
    """A work area with 2**``bits`` table entries (16 bits: 1 MiB). ``bits`` is at least 3."""
    work = np.zeros(TABLE + (2 << bits), dtype=np.int64)
    work[BITS] = bits
    work[GAME] = -1
    work[LIMIT] = NO_LIMIT
    return work


@kernel
def share_table(shared: int, work: NDArray[np.int64]) -> None:
    """1: from now on problems of the same game go on with the table of the one before; 0: each starts with an empty one."""
    work[SHARED] = shared
    work[GAME] = -1


@kernel
def begin(game: int, work: NDArray[np.int64]) -> None:
    """Forget the last problem, unless the table is shared, and set the contract of the next one."""
    work[NODES] = 0
    work[LIMIT] = NO_LIMIT
    work[STOPPED] = 0
    work[GENERATION] += 1
    if work[GENERATION] > _LAST_GENERATION:
        work[TABLE:] = 0
        work[GENERATION] = 1
        work[OLDEST] = 1
    if work[GAME] != game or not work[SHARED]:
        work[OLDEST] = work[GENERATION]
    if work[GAME] == game:
        return
    work[GAME] = game
    work[TRUMPS] = INNER_TRUMPS[game]
    for card in range(32):
        work[CLASSES + card] = INNER_CLASS[game, card]
    kind = 1 if game == 4 else 0
    for i in range(COUNT):
        work[WEIGHTS + i] = WEIGHT_TABLE[kind, i]
