"""Null: how safe a holding is, and the cards of both sides."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import OUVERT
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.moves import legal_cards
from skatai.kernels.policies.features import LAST, LEAD, SECOND_FOE, SECOND_PARTNER
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_none,
    chances,
    possible_cards,
)
from skatai.kernels.state import StateRecord
from skatai.kernels.tables import BEATS, FOLLOW, NULL, STRENGTH

# Terms of a defender's card.
FORCED: Final = 0  # chance that the declarer must take the trick if he follows
CATCHES: Final = 1  # the trick stays with the declarer
LOWER: Final = 2  # for each lower card the declarer may hold
HIGHER: Final = 3
LENGTH: Final = 4
OWN_LOWER: Final = 5
STRONG: Final = 6  # times the card's place in the suit, 0…7
ALONE: Final = 7
DECLARER_VOID: Final = 8
PARTNER_VOID: Final = 9
DANGER: Final = 10  # ouvert: how dangerous the suit is for the declarer
DECLARER_SUIT: Final = 11  # lead: for each time the declarer has led the suit
DEFENDERS_SUIT: Final = 12
FRESH: Final = 13  # lead: no card of the suit has been played
SHORT_WAY: Final = 14  # lead with the declarer to play second, times the length of the suit
SHORT_WAY_STRONG: Final = 15
BELOW: Final = 16  # following below the best card, times the card's place in the suit
ABOVE: Final = 17
N_TERMS: Final = 18

__all__ = ["N_TERMS", "null_declarer_card", "null_defender_card", "suit_danger", "weakest_first"]


@kernel
def weakest_first(cards: int) -> int:
    """The weakest of ``cards`` in null order (of equal ones in different suits the first); -1 for none."""
    best, choice = np.int64(99), np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if STRENGTH[NULL, card] < best:
            best, choice = STRENGTH[NULL, card], card
    return choice


@kernel
def _strongest(cards: int) -> int:
    best, choice = np.int64(-1), np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if STRENGTH[NULL, card] > best:
            best, choice = STRENGTH[NULL, card], card
    return choice


@kernel
def suit_danger(suit: int, hand: int, out: int) -> float:
    """How easily opponents holding ``out`` force a trick on ``hand`` in the suit (mask) ``suit``; 0: they cannot by leading it.

    The i-th lowest card (from 0) is safe when at most i cards out are lower than it, because each earlier round of the suit takes
    one of them, or when the suit cannot be led an (i+1)-th time.
    """
    cards = hand & suit
    out &= suit
    rounds = popcount(out)
    danger = 0.0
    i = 0
    while cards and i < rounds:
        card = weakest_first(cards)
        cards &= ~(np.int64(1) << card)
        lower = popcount(out & ~BEATS[NULL, card])
        if lower > i:
            danger += (lower - i) / (1.0 + i)
        i += 1
    return danger


@kernel
def _discard(hand: int, out: int) -> int:
    """The card whose loss makes the declarer's hand safest."""
    best, choice = -1.0, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = FOLLOW[NULL, card]
        gain = suit_danger(suit, hand, out) - suit_danger(suit, hand & ~(np.int64(1) << card), out)
        gain += 0.01 * STRENGTH[NULL, card]
        if gain > best:
            best, choice = gain, card
    return choice


@kernel
def _declarer_lead(state: StateRecord, seat: int, hand: int, out: int) -> int:
    left = possible_cards(state, (seat + 1) % 3, out)
    right = possible_cards(state, (seat + 2) % 3, out)
    held = popcount(hand)
    shared, sole = chances(out, held, held, popcount(out) - 2 * held)
    best, choice = 1e9, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = FOLLOW[NULL, card]
        higher = BEATS[NULL, card]
        risk = chance_none(higher, left, right, shared, sole) * chance_none(higher, right, left, shared, sole)
        after = suit_danger(suit, hand & ~(np.int64(1) << card), out) - suit_danger(suit, hand, out)
        score = risk + 0.02 * after
        if score < best:
            best, choice = score, card
    return choice


@kernel
def null_declarer_card(state: StateRecord, seat: int) -> int:
    """The declarer's card in null: duck with the highest card that does, throw off the most dangerous one."""
    hand = np.int64(state["hands"][seat])
    out = cards_out(state, seat)
    if np.int64(state["n_plays"]) % 3 == 0:
        return _declarer_lead(state, seat, hand, out)
    led, top, _ = best_on_table(state)
    legal = legal_cards(hand, np.int64(NULL), led)
    suit = FOLLOW[NULL, led]
    if legal & suit == 0:
        return _discard(hand, out)
    below = legal & ~BEATS[NULL, top]
    if below:
        return _strongest(below)
    return weakest_first(legal)


@kernel
def _forced(card: int, theirs: int, ours: int, shared: float, sole: float) -> float:
    """Chance that the declarer, if he has to follow ``card``, can only go above it."""
    higher = BEATS[NULL, card]
    lower = FOLLOW[NULL, card] & ~higher & ~(np.int64(1) << card)
    return chance_none(lower, theirs, ours, shared, sole) * (1.0 - chance_none(higher, theirs, ours, shared, sole))


@kernel
def _suit_score(card: int, state: StateRecord, seat: int, theirs: int, ours: int, w: NDArray[np.float64]) -> float:
    """How the suit of ``card`` lies; ``theirs`` and ``ours``: cards that the declarer and the partner may hold."""
    hand = np.int64(state["hands"][seat])
    suit, higher = FOLLOW[NULL, card], BEATS[NULL, card]
    lower = suit & ~higher & ~(np.int64(1) << card)
    length = popcount(hand & suit)
    score = w[LOWER] * popcount(theirs & lower) + w[HIGHER] * popcount(theirs & higher) + w[LENGTH] * length
    score += w[OWN_LOWER] * popcount(hand & lower) + w[STRONG] * STRENGTH[NULL, card]
    if length == 1:
        score += w[ALONE]
    if theirs & suit == 0:
        score += w[DECLARER_VOID]
    if ours & suit == 0:
        score += w[PARTNER_VOID]
    if np.int64(state["flags"]) & OUVERT:
        score += w[DANGER] * suit_danger(suit, theirs, hand | ours)
    return score


@kernel
def _lead_score(card: int, state: StateRecord, seat: int, w: NDArray[np.float64]) -> float:
    """What has been led before, and who plays next."""
    suit = FOLLOW[NULL, card]
    declarer = np.int64(state["declarer"])
    score = 0.0
    fresh = True
    for i in range(np.int64(state["n_plays"])):
        if suit >> np.int64(state["plays"][i]) & 1:
            fresh = False
            if i % 3 == 0:
                score += w[DECLARER_SUIT] if state["leaders"][i // 3] == declarer else w[DEFENDERS_SUIT]
    if fresh:
        score += w[FRESH]
    if (seat + 1) % 3 == declarer:
        score += (
            w[SHORT_WAY] * popcount(suit & np.int64(state["hands"][seat])) + w[SHORT_WAY_STRONG] * STRENGTH[NULL, card]
        )
    return score


@kernel
def null_defender_card(state: StateRecord, seat: int, cards: int, w: NDArray[np.float64]) -> tuple[int, float]:
    """The best of the legal ``cards`` (mask) of a defender in null, and its score; ``w``: float64[2, N_PLACES, N_TERMS]."""
    out = cards_out(state, seat)
    n = np.int64(state["n_plays"])
    size = n % 3
    declarer = np.int64(state["declarer"])
    theirs = possible_cards(state, declarer, out)
    ours = possible_cards(state, np.int64(3 - seat - declarer), out)
    to_come = size == 0 or (size == 1 and (seat + 1) % 3 == declarer)
    place = LEAD
    led, top, winner = np.int64(-1), np.int64(-1), np.int64(-1)
    if size:
        led, top, winner = best_on_table(state)
        place = LAST if size == 2 else (SECOND_FOE if to_come else SECOND_PARTNER)
    weights = w[1 if np.int64(state["flags"]) & OUVERT else 0, place]
    held = popcount(np.int64(state["hands"][seat]))
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    best, choice = -1e9, np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        score = _suit_score(card, state, seat, theirs, ours, weights)
        if size == 0:
            score += _lead_score(card, state, seat, weights)
        follows = size > 0 and FOLLOW[NULL, led] >> card & 1 == 1
        highest = card
        if size and not BEATS[NULL, top] >> card & 1:
            highest = top
        if to_come:
            score += weights[FORCED] * _forced(highest, theirs, ours, shared, sole)
        elif winner == declarer and highest == top:
            score += weights[CATCHES]
        if follows:
            score += (weights[BELOW] if highest == top else weights[ABOVE]) * STRENGTH[NULL, card]
        if score > best:
            best, choice = score, card
    return choice, best
