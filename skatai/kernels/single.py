"""One table, one decision: the kernels of the environments that Python steps one by one.

A call into compiled code costs about 0.15 µs and another 0.1 µs for every array; the game itself takes less. So a decision is one
call, :func:`step_table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.batch_policies import play_on, run_policies
from skatai.kernels.batches import OPTION_REWARD, refresh, reward_of, start_tables
from skatai.kernels.encodings import encode, scale_row
from skatai.kernels.events import apply
from skatai.kernels.moves import is_legal, legal_mask
from skatai.kernels.state import NOBODY, OVER, StateRecord

__all__ = ["ENDED", "ILLEGAL", "observe_table", "start_table", "step_table"]

#: what :func:`step_table` gives instead of a seat: the deal is over; the action was not legal
ENDED, ILLEGAL = -1, -2


@kernel
def _declarer(state: StateRecord) -> int:
    """Seat of the declarer, -1 when there is none."""
    return np.int64(-1) if state["declarer"] == NOBODY else np.int64(state["declarer"])


@kernel
def start_table(
    states: NDArray[np.void],
    tables: NDArray[np.void],
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    scratch: NDArray[np.void],
    episode: int,
) -> tuple[int, int, int]:
    """Deal, prepare the deal, and let the compiled players act until somebody else is to move.

    Args: as for :func:`step_table` and :func:`skatai.kernels.batch_policies.run_policies`; ``episode``: number of the deal, or -1:
    go on from the position that is in ``states``.

    Returns:
        Seat to move, ``ENDED`` or (no wanted deal was found) ``ILLEGAL``; declarer, -1 for none; seat of the learner, ``NOBODY``
        when all seats are exposed.
    """
    if episode >= 0:
        tables[0]["episode"] = episode
        start_tables(states, tables, np.ones(1, dtype=np.bool_), options, pool)
    rewards, terminated = np.zeros((1, 3), dtype=np.float32), np.zeros(1, dtype=np.bool_)
    failed = run_policies(states, tables, options, pool, rewards, terminated, scratch)
    state = states[0]
    to_move = np.int64(ENDED) if state["phase"] == OVER else np.int64(state["to_move"])
    return np.int64(ILLEGAL) if failed >= 0 else to_move, _declarer(state), np.int64(tables[0]["learner"])


@kernel
def observe_table(states: NDArray[np.void], seat: int, out: NDArray[Any], mask: NDArray[np.int8], scaled: bool) -> None:
    """Write what ``seat`` knows and what the seat to move may do.

    Args:
        states: (1,), dtype ``STATE``.
        seat: who looks.
        out: (ENCODING_SIZE,), int8 or float32, written as by :func:`skatai.kernels.encodings.encode`; or (0,): left out.
        mask: int8 (136,), written; all 0 when the deal is over.
        scaled: bring the numbers of ``out`` into 0…1.
    """
    if out.size:
        encode(states[0], seat, out)
        if scaled:
            scale_row(out[np.newaxis, :], 0)
    legal_mask(states[0], mask)


@kernel
def step_table(
    states: NDArray[np.void],
    tables: NDArray[np.void],
    options: NDArray[np.int64],
    action: int,
    out: NDArray[Any],
    mask: NDArray[np.int8],
    scaled: bool,
) -> tuple[int, int, tuple[float, float, float]]:
    """The seat to move takes ``action``, and the compiled players act until somebody else is to move; what that seat sees then.

    Args:
        states: (1,), dtype ``STATE``; the deal is not over.
        tables: (1,), dtype ``TABLE``.
        options: int64 (N_OPTIONS,).
        action: any id; nothing happens, and nothing is written, when it is not legal.
        out, mask, scaled: as for :func:`observe_table`, for the learner or, when all seats are exposed, the seat to move (when the
            deal is over: that moved last).

    Returns:
        Seat to move, ``ENDED`` or ``ILLEGAL``; declarer, -1 for none; rewards of the three seats.
    """
    state, table = states[0], tables[0]
    if not is_legal(state, action):
        return np.int64(ILLEGAL), _declarer(state), (0.0, 0.0, 0.0)
    rng = np.empty(1, dtype=np.uint64)
    apply(state, action)
    table["decisions"] += 1
    play_on(state, table, options, rng)
    refresh(state, table)
    observe_table(states, np.int64(table["seat"]), out, mask, scaled)
    if state["phase"] != OVER:
        return np.int64(state["to_move"]), _declarer(state), (0.0, 0.0, 0.0)
    kind = options[OPTION_REWARD]
    rewards = (reward_of(state, 0, kind), reward_of(state, 1, kind), reward_of(state, 2, kind))
    return np.int64(ENDED), _declarer(state), rewards
