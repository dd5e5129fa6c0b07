"""The defenders' cards in suit games and grand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.moves import defender_points, legal_cards
from skatai.kernels.policies.declarer import trump_worth
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_beaten,
    chance_none,
    chances,
    possible_cards,
)
from skatai.kernels.policies.weights import (
    COME_LOST,
    COME_WON,
    DECLARER_VOID,
    GOAL,
    LEAD_FREE,
    LEAD_LENGTH,
    LEAD_TRUMP,
    LOSER,
    LOSER_POINTS,
    PARTNER_COMES,
    PARTNER_HELPS,
    PARTNER_SUIT,
    PARTNER_VOID,
    SECOND,
    SECOND_POINTS,
    SINGLETON,
    WIN,
)
from skatai.kernels.state import StateRecord
from skatai.kernels.tables import BEATS, FOLLOW, POINTS, TRUMPS

__all__ = ["defender_card"]


@kernel
def _worth(card: int, game: int, out: int, follows: float, w: NDArray[np.float64]) -> float:
    """What ``card`` is worth while it is kept; ``follows``: chance that the declarer has to follow its suit."""
    if TRUMPS[game] >> card & 1:
        return trump_worth(card, game, out, w)
    higher = popcount(BEATS[game, card] & FOLLOW[game, card] & out)
    points = POINTS[card]
    if higher == 0:
        return follows * (w[WIN] + points) - (1.0 - follows) * points
    if higher == 1:
        return w[SECOND] + w[SECOND_POINTS] * points
    return w[LOSER] + w[LOSER_POINTS] * points


@kernel
def _stake(win: float, points: int, state: StateRecord, w: NDArray[np.float64]) -> float:
    """Worth of ``points`` on the table, won with chance ``win``, when they may decide the game."""
    mine = defender_points(state)
    declarers = np.int64(state["points"][state["declarer"]])
    score = 0.0
    if mine < 60 <= mine + points:
        score += w[GOAL] * win
    if declarers < 61 <= declarers + points:
        score -= w[GOAL] * (1.0 - win)
    return score


@kernel
def _suits_led(state: StateRecord, seat: int) -> int:
    """Mask of the suit classes that ``seat`` has led."""
    suits = np.int64(0)
    for trick in range(np.int64(state["n_plays"]) // 3):
        if state["leaders"][trick] == seat:
            suits |= FOLLOW[np.int64(state["game"]), state["plays"][3 * trick]]
    return suits


@kernel
def _lead_bonus(card: int, state: StateRecord, seat: int, theirs: int, ours: int, w: NDArray[np.float64]) -> float:
    """Habits of leading; ``theirs`` and ``ours``: cards that the declarer and the partner may hold."""
    game = np.int64(state["game"])
    trumps = TRUMPS[game]
    if trumps >> card & 1:
        return w[LEAD_TRUMP]
    hand = np.int64(state["hands"][seat])
    suit = FOLLOW[game, card]
    length = popcount(suit & hand)
    second = (seat + 1) % 3 == state["declarer"]
    bonus = length * (w[LEAD_LENGTH] if second else w[LEAD_FREE])
    if length == 1 and hand & trumps:
        bonus += w[SINGLETON]
    if theirs & suit == 0:
        bonus += w[DECLARER_VOID]
    elif ours & suit == 0 and ours & trumps:
        bonus += w[PARTNER_VOID]
    return bonus


@kernel
def _lead(state: StateRecord, seat: int, out: int, w: NDArray[np.float64]) -> int:
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    declarer = np.int64(state["declarer"])
    partner = np.int64(3 - seat - declarer)
    theirs, ours = possible_cards(state, declarer, out), possible_cards(state, partner, out)
    held = popcount(hand)
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    partner_led = _suits_led(state, partner)
    best, choice = -1e9, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        points = POINTS[card]
        lost = chance_beaten(card, card, game, theirs, ours, shared, sole)
        helped = chance_beaten(card, card, game, ours, theirs, shared, sole)
        win = 1.0 - lost * (1.0 - w[PARTNER_HELPS] * helped)
        follows = 1.0 - chance_none(FOLLOW[game, card], theirs, ours, shared, sole)
        score = win * (points + w[COME_WON] + w[PARTNER_COMES]) - (1.0 - win) * (points + 2 * w[COME_LOST])
        score += _lead_bonus(card, state, seat, theirs, ours, w) - _worth(card, game, out, follows, w)
        score += _stake(win, points, state, w)
        if FOLLOW[game, card] & partner_led:
            score += w[PARTNER_SUIT]
        if score > best:
            best, choice = score, card
    return choice


@kernel
def _win_chance(card: int, state: StateRecord, seat: int, theirs: int, ours: int) -> float:
    """Chance that the defenders take the trick when ``seat`` adds ``card`` to it."""
    game = np.int64(state["game"])
    declarer = np.int64(state["declarer"])
    led, top, winner = best_on_table(state)
    if BEATS[game, top] >> card & 1:
        top, winner = card, np.int64(seat)
    if np.int64(state["n_plays"]) % 3 == 2:
        return 0.0 if winner == declarer else 1.0
    held = popcount(np.int64(state["hands"][seat]))
    if (seat + 1) % 3 == declarer:  # the partner led, the declarer comes last
        shared, sole = chances(theirs, held, held - 1, popcount(theirs | ours) - 2 * held + 1)
        return 1.0 - chance_beaten(top, led, game, theirs, ours, shared, sole)
    if winner != declarer:
        return 1.0
    shared, sole = chances(ours, held, held - 1, popcount(theirs | ours) - 2 * held + 1)
    return chance_beaten(top, led, game, ours, theirs, shared, sole)


@kernel
def defender_card(state: StateRecord, seat: int, w: NDArray[np.float64]) -> int:
    """A defender's card in a suit game or grand, by the weights ``w`` (float64[N_WEIGHTS])."""
    out = cards_out(state, seat)
    n = np.int64(state["n_plays"])
    size = n % 3
    if size == 0:
        return _lead(state, seat, out, w)
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    declarer = np.int64(state["declarer"])
    led = np.int64(state["plays"][n - size])
    legal = legal_cards(hand, game, led)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    theirs = possible_cards(state, declarer, out)
    ours = possible_cards(state, np.int64(3 - seat - declarer), out)
    held = popcount(hand)
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    table = POINTS[led]
    come_won, come_lost = 0.0, 0.0
    if size == 2:
        table += POINTS[np.int64(state["plays"][n - 1])]
    elif (seat + 1) % 3 == declarer:
        come_won, come_lost = w[COME_WON], w[COME_LOST]
    else:
        come_won, come_lost = w[PARTNER_COMES], w[COME_WON]
    best, choice = -1e9, np.int64(-1)
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        win = _win_chance(card, state, seat, theirs, ours)
        points = table + POINTS[card]
        follows = 1.0 - chance_none(FOLLOW[game, card], theirs, ours, shared, sole)
        score = win * (points + come_won) - (1.0 - win) * (points + come_lost)
        score += _stake(win, points, state, w) - _worth(card, game, out, follows, w)
        if score > best:
            best, choice = score, card
    return choice
