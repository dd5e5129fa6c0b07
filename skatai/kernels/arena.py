"""Tables of a tournament in one loop: moves without a choice, and those of players that are compiled.

What belongs to a table beside its state stands in rows of arrays:

============  ============  ==================================================================================================
array         type          a table's row
============  ============  ==================================================================================================
``policies``  i8 × 3 × 2    the player of each seat, before the first lead and from it on: ``EXTERNAL`` (Python decides), or
                            one of :data:`skatai.kernels.batch_policies.POLICIES`
``streams``   u8            ``derive_seed(seed, deal index)``
``moves``     i2 × 320      4 · action + seat of every move so far
``counts``    i8 × 5        how many moves; decisions of the three seats (moves with a choice); 1: stop before the first lead
``seeds``     u8            the seed of the decision that the table waits for
============  ============  ==================================================================================================

Every decision draws from ``decision_rng(seed, deal index, seat, number of the move)``, whoever decides.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.batch_policies import EXTERNAL, RANDOM
from skatai.kernels.batches import derive
from skatai.kernels.events import apply
from skatai.kernels.moves import count_legal, legal_words, nth_legal
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import RngState
from skatai.kernels.rollouts import random_action
from skatai.kernels.state import OVER, PLAY

__all__ = ["HOLDS", "MAX_MOVES", "N_COUNTS", "play_on"]

#: more than any game has: 140 calls, 4 moves of the declarer, 30 cards, and 4 events for each of three seats in ten tricks
MAX_MOVES: Final = 320
#: columns of ``counts``: moves, then three seats, then whether to stop
HOLDS: Final = 4
N_COUNTS: Final = 5


@kernel
def play_on(
    states: NDArray[np.void],
    policies: NDArray[np.int64],
    streams: NDArray[np.uint64],
    moves: NDArray[np.int16],
    counts: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    rng: RngState,
) -> None:
    """Play every table on to the next decision that is not compiled, to its end, or to the first lead where it is to stop there.

    Args: module docstring; ``rng``: uint64[1], overwritten.
    """
    for i in range(len(states)):
        state = states[i]
        while state["phase"] != OVER:
            if counts[i, HOLDS] and state["phase"] == PLAY and state["n_plays"] == 0:
                break
            words = legal_words(state)
            n, seat = counts[i, 0], np.int64(state["to_move"])
            if count_legal(words) == 1:
                action = nth_legal(words, 0)
            else:
                seeds[i] = derive(derive(streams[i], seat), n)
                policy = policies[i, seat, 1 if state["phase"] >= PLAY else 0]
                if policy == EXTERNAL:
                    break
                rng[0] = seeds[i]
                action = random_action(state, rng) if policy == RANDOM else rule_action(state, seat, rng)
                counts[i, 1 + seat] += 1
            moves[i, n] = 4 * action + seat
            counts[i, 0] = n + 1
            apply(state, action)
