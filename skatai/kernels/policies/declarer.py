"""The declarer's cards in suit games and grand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.moves import legal_cards
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_beaten,
    chance_none,
    chances,
    possible_cards,
    power,
)
from skatai.kernels.policies.weights import (
    COME_LOST,
    COME_WON,
    GOAL,
    LEAD_FREE,
    LEAD_LENGTH,
    LEAD_SURPLUS,
    LEAD_TRUMP,
    LOSER,
    LOSER_POINTS,
    SECOND,
    SECOND_POINTS,
    TOP,
    TRUMP,
    TRUMP_HIGHER,
    TRUMP_POINTS,
    WIN,
)
from skatai.kernels.state import StateRecord, card_points
from skatai.kernels.tables import BEATS, FOLLOW, POINTS, TRUMPS

__all__ = ["declarer_card", "trump_worth"]


@kernel
def trump_worth(card: int, game: int, out: int, w: NDArray[np.float64]) -> float:
    """What trump ``card`` is worth while it is kept."""
    higher = popcount(BEATS[game, card] & out)
    if higher == 0:
        return w[TOP] + POINTS[card]
    return w[TRUMP] + w[TRUMP_POINTS] * POINTS[card] - w[TRUMP_HIGHER] * min(higher, 3)


@kernel
def _plain_worth(card: int, game: int, out: int, w: NDArray[np.float64]) -> float:
    suit_out = FOLLOW[game, card] & out
    higher = popcount(BEATS[game, card] & suit_out)
    points = POINTS[card]
    if higher == 0:
        if TRUMPS[game] & out == 0:
            return w[WIN] + points
        safe = 1.0 - power(0.6, popcount(suit_out))  # the more cards of the suit are out, the less it is trumped
        return safe * (w[WIN] + points) - (1.0 - safe) * points
    if higher == 1:
        return w[SECOND] + w[SECOND_POINTS] * points
    return w[LOSER] + w[LOSER_POINTS] * points


@kernel
def _worth(card: int, game: int, out: int, w: NDArray[np.float64]) -> float:
    if TRUMPS[game] >> card & 1:
        return trump_worth(card, game, out, w)
    return _plain_worth(card, game, out, w)


@kernel
def _goal(state: StateRecord, seat: int) -> tuple[int, int]:
    """Card points the declarer and the defenders still lack for 61 and 60, as the declarer knows them."""
    mine = np.int64(state["points"][seat])
    if np.int64(state["flags"]) & HAND == 0:
        mine += card_points(np.int64(state["discards"]))
    theirs = np.int64(state["points"][(seat + 1) % 3]) + np.int64(state["points"][(seat + 2) % 3])
    return 61 - mine, 60 - theirs


@kernel
def _stake(win: float, points: int, lacking: int, they_lack: int, w: NDArray[np.float64]) -> float:
    """Worth of ``points`` on the table, won with chance ``win``, when they may decide the game."""
    score = 0.0
    if 0 < lacking <= points:
        score += w[GOAL] * win
    if 0 < they_lack <= points:
        score -= w[GOAL] * (1.0 - win)
    return score


@kernel
def _lead(state: StateRecord, seat: int, out: int, w: NDArray[np.float64]) -> int:
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    left, right = (seat + 1) % 3, (seat + 2) % 3
    cards_left, cards_right = possible_cards(state, left, out), possible_cards(state, right, out)
    held = popcount(hand)
    shared, sole = chances(out, held, held, popcount(out) - 2 * held)
    trumps = TRUMPS[game]
    trumps_out = popcount(trumps & out)
    surplus = popcount(trumps & hand) - trumps_out
    lacking, they_lack = _goal(state, seat)
    falling = 2.0 - chance_none(trumps, cards_left, cards_right, shared, sole)
    falling -= chance_none(trumps, cards_right, cards_left, shared, sole)
    best, choice = -1e9, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        points = POINTS[card]
        win = (1.0 - chance_beaten(card, card, game, cards_left, cards_right, shared, sole)) * (
            1.0 - chance_beaten(card, card, game, cards_right, cards_left, shared, sole)
        )
        score = win * (points + 2 * w[COME_WON]) - (1.0 - win) * (points + 2 * w[COME_LOST])
        score += _stake(win, points, lacking, they_lack, w) - _worth(card, game, out, w)
        if trumps >> card & 1:
            if trumps_out:
                score += w[LEAD_TRUMP] * falling + w[LEAD_SURPLUS] * surplus
        else:
            score += w[LEAD_LENGTH] * popcount(FOLLOW[game, card] & hand)
            if trumps_out:
                score += w[LEAD_FREE]
        if score > best:
            best, choice = score, card
    return choice


@kernel
def declarer_card(state: StateRecord, seat: int, w: NDArray[np.float64]) -> int:
    """The declarer's card in a suit game or grand, by the weights ``w`` (float64[N_WEIGHTS])."""
    out = cards_out(state, seat)
    size = np.int64(state["n_plays"]) % 3
    if size == 0:
        return _lead(state, seat, out, w)
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    led, top, _ = best_on_table(state)
    legal = legal_cards(hand, game, led)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    table = POINTS[led]
    beaten_by, others = np.int64(0), np.int64(0)
    shared, sole = 0.0, 0.0
    if size == 2:
        table += POINTS[np.int64(state["plays"][np.int64(state["n_plays"]) - 1])]
    else:
        last = (seat + 1) % 3
        beaten_by = possible_cards(state, last, out)
        others = possible_cards(state, (seat + 2) % 3, out)
        held = popcount(hand)
        shared, sole = chances(beaten_by, held, held - 1, popcount(out) - 2 * held + 1)
    lacking, they_lack = _goal(state, seat)
    to_come = 2.0 - size
    best, choice = -1e9, np.int64(-1)
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        win = 0.0
        if BEATS[game, top] >> card & 1:
            win = 1.0
            if size == 1:
                win -= chance_beaten(card, led, game, beaten_by, others, shared, sole)
        points = table + POINTS[card]
        score = win * (points + to_come * w[COME_WON]) - (1.0 - win) * (points + to_come * w[COME_LOST])
        score += _stake(win, points, lacking, they_lack, w) - _worth(card, game, out, w)
        if score > best:
            best, choice = score, card
    return choice
