"""The defenders' cards in suit games and grand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.policies.features import (
    DECLARER_SUIT,
    DECLARER_VOID,
    FOLLOWS,
    FOLLOWS_POINTS,
    HELPED,
    LAST,
    LEAD,
    PARTNER_SUIT,
    PARTNER_VOID,
    SECOND_FOE,
    SECOND_PARTNER,
    SHORT_WAY,
    SHORT_WAY_LENGTH,
    STAKE,
    card_score,
)
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_beaten,
    chance_none,
    chances,
    possible_cards,
)
from skatai.kernels.state import StateRecord, defender_points
from skatai.kernels.tables import BEATS, FOLLOW, POINTS, TRUMPS

__all__ = ["defender_card"]


@kernel
def _stake(win: float, points: int, mine: int, declarers: int) -> float:
    """What ``points`` on the table, won with chance ``win``, may decide: -1 the game lost … 1 the game won.

    ``mine``, ``declarers``: points in the tricks of the two sides; what the declarer put away is not known.
    """
    stake = 0.0
    if mine < 60 <= mine + points:
        stake += win
    if declarers < 61 <= declarers + points:
        stake -= 1.0 - win
    return stake


@kernel
def _suits_led(state: StateRecord, seat: int) -> int:
    """Mask of the suit classes that ``seat`` has led."""
    suits = np.int64(0)
    for trick in range(np.int64(state["n_plays"]) // 3):
        if state["leaders"][trick] == seat:
            suits |= FOLLOW[np.int64(state["game"]), state["plays"][3 * trick]]
    return suits


@kernel
def _top_score(card: int, game: int, out: int, follows: float, w: NDArray[np.float64]) -> float:
    """For the highest card of a plain suit: it is worth most where the declarer has to follow."""
    follow = FOLLOW[game, card]
    if TRUMPS[game] >> card & 1 or BEATS[game, card] & follow & out:
        return 0.0
    return follows * (w[FOLLOWS] + w[FOLLOWS_POINTS] * POINTS[card])


@kernel
def _lead_score(card: int, state: StateRecord, seat: int, theirs: int, ours: int, w: NDArray[np.float64]) -> float:
    """What a plain lead does to the others; ``theirs`` and ``ours``: cards that the declarer and the partner may hold."""
    game = np.int64(state["game"])
    trumps = TRUMPS[game]
    if trumps >> card & 1:
        return 0.0
    suit = FOLLOW[game, card]
    score = 0.0
    if (seat + 1) % 3 == state["declarer"]:
        score += w[SHORT_WAY] + w[SHORT_WAY_LENGTH] * popcount(suit & np.int64(state["hands"][seat]))
    if theirs & suit == 0:
        score += w[DECLARER_VOID]
    elif ours & suit == 0 and ours & trumps:
        score += w[PARTNER_VOID]
    return score


@kernel
def _lead(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    out = cards_out(state, seat)
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    declarer = np.int64(state["declarer"])
    partner = np.int64(3 - seat - declarer)
    theirs, ours = possible_cards(state, declarer, out), possible_cards(state, partner, out)
    held = popcount(hand)
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    partner_led, declarer_led = _suits_led(state, partner), _suits_led(state, declarer)
    mine, declarers = defender_points(state), np.int64(state["points"][declarer])
    best, choice = -1e9, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        points = POINTS[card]
        lost = chance_beaten(card, card, game, theirs, ours, shared, sole)
        helped = chance_beaten(card, card, game, ours, theirs, shared, sole)
        follows = 1.0 - chance_none(FOLLOW[game, card], theirs, ours, shared, sole)
        score = card_score(card, game, hand, out, 1.0 - lost, points, w) + w[HELPED] * lost * helped
        score += _top_score(card, game, out, follows, w) + _lead_score(card, state, seat, theirs, ours, w)
        score += w[STAKE] * _stake(1.0 - lost, points, mine, declarers)
        if FOLLOW[game, card] & partner_led:
            score += w[PARTNER_SUIT]
        if FOLLOW[game, card] & declarer_led:
            score += w[DECLARER_SUIT]
        if score > best:
            best, choice = score, card
    return choice, best


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
    hidden = popcount(theirs | ours) - 2 * held + 1
    if (seat + 1) % 3 == declarer:  # the partner led, the declarer comes last
        shared, sole = chances(theirs, held, held - 1, hidden)
        return 1.0 - chance_beaten(top, led, game, theirs, ours, shared, sole)
    if winner != declarer:
        return 1.0
    shared, sole = chances(ours, held, held - 1, hidden)
    return chance_beaten(top, led, game, ours, theirs, shared, sole)


@kernel
def _follow(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    out = cards_out(state, seat)
    n = np.int64(state["n_plays"])
    game = np.int64(state["game"])
    hand = np.int64(state["hands"][seat])
    declarer = np.int64(state["declarer"])
    theirs = possible_cards(state, declarer, out)
    ours = possible_cards(state, np.int64(3 - seat - declarer), out)
    held = popcount(hand)
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    table = POINTS[np.int64(state["plays"][n - 1])]
    if n % 3 == 2:
        table += POINTS[np.int64(state["plays"][n - 2])]
    mine, declarers = defender_points(state), np.int64(state["points"][declarer])
    best, choice = -1e9, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        win = _win_chance(card, state, seat, theirs, ours)
        points = table + POINTS[card]
        follows = 1.0 - chance_none(FOLLOW[game, card], theirs, ours, shared, sole)
        score = card_score(card, game, hand, out, win, points, w) + _top_score(card, game, out, follows, w)
        score += w[STAKE] * _stake(win, points, mine, declarers)
        if score > best:
            best, choice = score, card
    return choice, best


@kernel
def defender_card(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    """The best of the legal ``cards`` (mask) of a defender in a suit game or grand, and its score.

    ``w``: float64[N_PLACES, N_WEIGHTS].
    """
    size = np.int64(state["n_plays"]) % 3
    if size == 0:
        return _lead(state, seat, cards, w[LEAD])
    if size == 2:
        return _follow(state, seat, cards, w[LAST])
    return _follow(state, seat, cards, w[SECOND_FOE if (seat + 1) % 3 == state["declarer"] else SECOND_PARTNER])
