"""The declarer's cards in suit games and grand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.policies.features import FALLING, LAST, LEAD, SECOND_FOE, STAKE, SURPLUS, card_score
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_beaten,
    chance_none,
    chances,
    possible_cards,
)
from skatai.kernels.state import StateRecord, card_points
from skatai.kernels.tables import BEATS, POINTS, TRUMPS

__all__ = ["declarer_card"]


@kernel
def _lacking(state: StateRecord, seat: int) -> tuple[int, int]:
    """Card points the declarer lacks for 61 and the defenders for 60, as the declarer knows them."""
    mine = np.int64(state["points"][seat])
    if np.int64(state["flags"]) & HAND == 0:
        mine += card_points(np.int64(state["discards"]))
    theirs = np.int64(state["points"][(seat + 1) % 3]) + np.int64(state["points"][(seat + 2) % 3])
    return 61 - mine, 60 - theirs


@kernel
def _stake(win: float, points: int, lacking: int, they_lack: int) -> float:
    """What ``points`` on the table, won with chance ``win``, may decide: -1 the game lost … 1 the game won."""
    stake = 0.0
    if 0 < lacking <= points:
        stake += win
    if 0 < they_lack <= points:
        stake -= 1.0 - win
    return stake


@kernel
def _lead(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    out = cards_out(state, seat)
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    left, right = (seat + 1) % 3, (seat + 2) % 3
    cards_left, cards_right = possible_cards(state, left, out), possible_cards(state, right, out)
    held = popcount(hand)
    shared, sole = chances(out, held, held, popcount(out) - 2 * held)
    trumps = TRUMPS[game]
    surplus = popcount(trumps & hand) - popcount(trumps & out)
    falling = 2.0 - chance_none(trumps, cards_left, cards_right, shared, sole)
    falling -= chance_none(trumps, cards_right, cards_left, shared, sole)
    lacking, they_lack = _lacking(state, seat)
    best, choice = -1e9, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        points = POINTS[card]
        win = (1.0 - chance_beaten(card, card, game, cards_left, cards_right, shared, sole)) * (
            1.0 - chance_beaten(card, card, game, cards_right, cards_left, shared, sole)
        )
        score = card_score(card, game, hand, out, win, points, w)
        score += w[STAKE] * _stake(win, points, lacking, they_lack)
        if trumps >> card & 1:
            score += w[FALLING] * falling + w[SURPLUS] * surplus
        if score > best:
            best, choice = score, card
    return choice, best


@kernel
def _follow(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    out = cards_out(state, seat)
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    n = np.int64(state["n_plays"])
    led, top, _ = best_on_table(state)
    table = POINTS[led]
    theirs, others = np.int64(0), np.int64(0)
    shared, sole = 0.0, 0.0
    if n % 3 == 2:
        table += POINTS[np.int64(state["plays"][n - 1])]
    else:
        theirs, others = possible_cards(state, (seat + 1) % 3, out), possible_cards(state, (seat + 2) % 3, out)
        held = popcount(hand)
        shared, sole = chances(theirs, held, held - 1, popcount(out) - 2 * held + 1)
    lacking, they_lack = _lacking(state, seat)
    best, choice = -1e9, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        win = 0.0
        if BEATS[game, top] >> card & 1:
            win = 1.0 - chance_beaten(card, led, game, theirs, others, shared, sole)
        points = table + POINTS[card]
        score = card_score(card, game, hand, out, win, points, w) + w[STAKE] * _stake(win, points, lacking, they_lack)
        if score > best:
            best, choice = score, card
    return choice, best


@kernel
def declarer_card(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    """The best of the legal ``cards`` (mask) of the declarer in a suit game or grand, and its score.

    ``w``: float64[N_PLACES, N_WEIGHTS].
    """
    size = np.int64(state["n_plays"]) % 3
    if size == 0:
        return _lead(state, seat, cards, w[LEAD])
    return _follow(state, seat, cards, w[SECOND_FOE if size == 1 else LAST])
