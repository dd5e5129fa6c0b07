"""What a batch of tables shows after a step: legal actions, what the seats know, and random actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HOLD, N_ACTIONS, PASS, WORD_BITS
from skatai.kernels.batches import TableRecord, is_over
from skatai.kernels.bits import ALL_CARDS, lowest, popcount, write_bits
from skatai.kernels.encodings import encode_row, look_back, scale_row
from skatai.kernels.moves import count_legal, nth_legal
from skatai.kernels.rng import RngState, next_bits, rand_below

__all__ = ["observe_tables", "sample_actions", "write_masks"]

#: (256, 8): index of the n-th bit that is set in a byte
_NTH_OF_BYTE: NDArray[np.uint8] = np.array(
    [[i for i in range(8) if byte >> i & 1] + [0] * (8 - byte.bit_count()) for byte in range(256)], dtype=np.uint8
)


@kernel
def _pick(cards: int, n: int) -> int:
    """As ``nth_bit`` for cards, without a loop: over many tables no processor can foresee the number of rounds."""
    first, second, third = popcount(cards & 0xFF), popcount(cards & 0xFFFF), popcount(cards & 0xFFFFFF)
    start = 8 * (np.int64(n >= first) + np.int64(n >= second) + np.int64(n >= third))
    n -= popcount(cards & ((np.int64(1) << start) - 1))
    return start + np.int64(_NTH_OF_BYTE[cards >> start & 255, n & 7])


@kernel(inline=True)
def _sample(word0: int, word1: int, word2: int, rng: RngState) -> int:
    """As :func:`skatai.kernels.rollouts.random_action`, from words already known."""
    if word0 >> PASS & 1:  # the auction
        if next_bits(rng) >> 40 & 1:
            return np.int64(PASS)
        if word0 >> HOLD & 1:
            return np.int64(HOLD)
        if word1:
            return WORD_BITS + lowest(word1)
        if word2:
            return 2 * WORD_BITS + lowest(word2)
        return np.int64(PASS)
    if word0 <= ALL_CARDS and word1 | word2 == 0:
        return _pick(word0, rand_below(rng, popcount(word0)))
    words = (word0, word1, word2)
    return nth_legal(words, rand_below(rng, count_legal(words)))


@kernel
def sample_actions(tables: NDArray[np.void], out: NDArray[np.int64]) -> None:
    """A random legal action for every table: int64 (n,); 0 where the deal is over. Each table has its own stream.

    In the auction the next value or hold with p = 1/2, else pass; all else uniform over the legal actions.
    """
    for i in range(len(tables)):
        table = tables[i]
        if is_over(table):
            out[i] = 0
        else:
            out[i] = _sample(table["words"][0], table["words"][1], table["words"][2], table["sampler"])


@kernel(inline=True)
def _write_mask(table: TableRecord, out: NDArray[np.int8], row: int) -> None:
    word0, word1, word2 = table["words"][0], table["words"][1], table["words"][2]
    write_bits(word0, out, row, 0)
    write_bits(word0 >> 32 | word1 << (WORD_BITS - 32), out, row, 32)
    write_bits(word1 >> (64 - WORD_BITS), out, row, 64)
    write_bits(word2, out, row, 96)
    write_bits(word2 >> (N_ACTIONS - 32 - 96), out, row, N_ACTIONS - 32)


@kernel
def write_masks(tables: NDArray[np.void], out: NDArray[np.int8]) -> None:
    """The legal actions of every table as 0/1: int8 (n, 136); all 0 where the deal is over."""
    for i in range(len(tables)):
        _write_mask(tables[i], out, i)


@kernel
def observe_tables(
    states: NDArray[np.void], tables: NDArray[np.void], masks: NDArray[np.int8], out: NDArray[np.int8], scaled: bool
) -> None:
    """What the seats of the tables know and may do; an array without entries is left out.

    Args:
        states: (n,), dtype ``STATE``.
        tables: (n,), dtype ``TABLE``.
        masks: int8 (n, 136), written as by :func:`write_masks`.
        out: (n, ENCODING_SIZE), written as by :func:`skatai.kernels.encodings.encode_batch`.
        scaled: bring its numbers into 0…1.
    """
    for i in range(len(tables)):
        state, table = states[i], tables[i]
        if masks.size:
            _write_mask(table, masks, i)
        if out.size:
            look_back(state, np.int64(table["counted"]), table["seen"])
            table["counted"] = state["n_plays"]
            encode_row(state, np.int64(table["seat"]), table["seen"], out, i)
            if scaled:
                scale_row(out, i)
