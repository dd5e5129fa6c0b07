"""Whole games in compiled loops: uniform random play, and counts of action sequences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HOLD, PASS, WORD_BITS
from skatai.kernels.bits import lowest, nth_bit, popcount
from skatai.kernels.events import apply
from skatai.kernels.moves import count_legal, legal_words, nth_legal
from skatai.kernels.observe import copy_state
from skatai.kernels.rng import RngState, next_bits, rand_below, shuffle
from skatai.kernels.state import AUCTION, OVER, PLAY, StateRecord, set_deal

__all__ = ["deal_cards", "perft", "random_action", "random_game", "random_games"]


@kernel
def deal_cards(rng: RngState, deck: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Shuffle ``deck`` (int64[32]) afresh and deal 3-skat-4-3 (rules 1.3): ``out`` (int64[4]) gets the hands and the skat."""
    for i in range(32):
        deck[i] = i
    shuffle(rng, deck)
    for seat in range(3):
        hand = np.int64(0)
        for i in range(3 * seat, 3 * seat + 3):
            hand |= np.int64(1) << deck[i]
        for i in range(11 + 4 * seat, 15 + 4 * seat):
            hand |= np.int64(1) << deck[i]
        for i in range(23 + 3 * seat, 26 + 3 * seat):
            hand |= np.int64(1) << deck[i]
        out[seat] = hand
    out[3] = np.int64(1) << deck[9] | np.int64(1) << deck[10]


@kernel(inline=True)
def random_action(state: StateRecord, rng: RngState) -> int:
    """The benchmark's random player: next ladder value or hold with p = 1/2; all else uniform over the legal actions."""
    words = legal_words(state)
    if state["phase"] == PLAY and words[2] == 0:
        return nth_bit(words[0], rand_below(rng, popcount(words[0])))
    if state["phase"] == AUCTION:
        if next_bits(rng) >> 40 & 1:
            return np.int64(PASS)
        if words[0] >> HOLD & 1:
            return np.int64(HOLD)
        if words[1]:
            return WORD_BITS + lowest(words[1])
        if words[2]:
            return 2 * WORD_BITS + lowest(words[2])
        return np.int64(PASS)
    return nth_legal(words, rand_below(rng, count_legal(words)))


@kernel
def random_game(state: StateRecord, rng: RngState) -> int:
    """Play ``state`` to its end by :func:`random_action`; the number of decisions."""
    decisions = 0
    while state["phase"] != OVER:
        apply(state, random_action(state, rng))
        decisions += 1
    return decisions


@kernel
def random_games(state: StateRecord, rng: RngState, n: int, rules: int) -> int:
    """Deal and play ``n`` random games in ``state``; the number of decisions in all of them."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    decisions = 0
    for _ in range(n):
        deal_cards(rng, deck, cards)
        set_deal(state, cards[0], cards[1], cards[2], cards[3], rules)
        decisions += random_game(state, rng)
    return decisions


@kernel
def perft(states: NDArray[np.void], level: int, depth: int) -> int:
    """Number of legal action sequences of length ``depth`` from ``states[level]``.

    Sequences that end the game earlier count once. ``states`` is a stack of records, shape (level + depth + 1,) or longer.
    """
    state = states[level]
    if depth == 0 or state["phase"] == OVER:
        return np.int64(1)
    words = legal_words(state)
    total = np.int64(0)
    for i in range(count_legal(words)):
        copy_state(state, states[level + 1])
        apply(states[level + 1], nth_legal(words, i))
        total += perft(states, level + 1, depth - 1)
    return total
