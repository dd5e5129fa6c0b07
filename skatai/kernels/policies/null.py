"""Null: how safe a holding is, and the cards of both sides."""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.moves import legal_cards
from skatai.kernels.policies.knowledge import (
    best_on_table,
    cards_out,
    chance_none,
    chances,
    possible_cards,
)
from skatai.kernels.state import StateRecord
from skatai.kernels.tables import BEATS, FOLLOW, NULL, STRENGTH

__all__ = ["null_declarer_card", "null_defender_card", "suit_danger", "weakest_first"]


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
def _defender_lead(state: StateRecord, seat: int, hand: int, theirs: int, ours: int) -> int:
    held = popcount(hand)
    shared, sole = chances(theirs, held, held, popcount(theirs | ours) - 2 * held)
    best, choice = -1e9, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = FOLLOW[NULL, card]
        higher = BEATS[NULL, card]
        lower = suit & ~higher & ~(np.int64(1) << card)
        forced = chance_none(lower, theirs, ours, shared, sole) * (
            1.0 - chance_none(higher, theirs, ours, shared, sole)
        )
        score = forced - 0.05 * popcount(hand & suit)
        if theirs & suit == 0:
            score -= 1.0  # the declarer would throw off a dangerous card
        if score > best:
            best, choice = score, card
    return choice


@kernel
def _defender_discard(hand: int, theirs: int) -> int:
    """Throw off: suits the declarer is out of first, then high cards of short suits."""
    best, choice = -1e9, np.int64(-1)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = FOLLOW[NULL, card]
        score = STRENGTH[NULL, card] - 1.5 * popcount(hand & suit)
        if theirs & suit == 0:
            score += 20.0
        if score > best:
            best, choice = score, card
    return choice


@kernel
def null_defender_card(state: StateRecord, seat: int) -> int:
    """A defender's card in null: stay below the declarer's card or keep the trick low for him, else get rid of high cards."""
    hand = np.int64(state["hands"][seat])
    out = cards_out(state, seat)
    declarer = np.int64(state["declarer"])
    n = np.int64(state["n_plays"])
    theirs = possible_cards(state, declarer, out)
    if n % 3 == 0:
        return _defender_lead(state, seat, hand, theirs, possible_cards(state, np.int64(3 - seat - declarer), out))
    led, top, winner = best_on_table(state)
    legal = legal_cards(hand, np.int64(NULL), led)
    if legal & FOLLOW[NULL, led] == 0:
        return _defender_discard(hand, theirs)
    below = legal & ~BEATS[NULL, top]
    to_play = (seat + 1) % 3 == declarer
    if winner == declarer or to_play:
        if below:
            return _strongest(below)
        return weakest_first(legal) if to_play else _strongest(legal)
    return _strongest(legal)
