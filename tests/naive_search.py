"""Slow, obvious twins of the open-card search: plain minimax over single cards, straight from the rules."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np

RANK_POINTS = (0, 0, 0, 3, 4, 10, 11, 2)  # 7 8 9 Q K T A J
NULL_ORDER = (0, 1, 2, 5, 6, 3, 7, 4)
GRAND, NULL = 4, 5

Hands = tuple[frozenset[int], frozenset[int], frozenset[int]]
Table = tuple[int, ...]


def is_trump(card: int, game: int) -> bool:
    return game != NULL and (card % 8 == 7 or card // 8 == game)


def suit_class(card: int, game: int) -> int:
    return -1 if is_trump(card, game) else card // 8


def strength(card: int, game: int) -> int:
    if game == NULL:
        return NULL_ORDER[card % 8]
    return 10 + card // 8 if card % 8 == 7 else card % 8


def beats(card: int, best: int, game: int) -> bool:
    """Does ``card``, played later, beat ``best``?"""
    if suit_class(card, game) == suit_class(best, game):
        return strength(card, game) > strength(best, game)
    return is_trump(card, game)


def legal(hand: frozenset[int], table: Table, game: int) -> list[int]:
    if table:
        following = [card for card in hand if suit_class(card, game) == suit_class(table[0], game)]
        if following:
            return following
    return list(hand)


def winner(table: Table, leader: int, game: int) -> int:
    best = 0
    for place in (1, 2):
        if beats(table[place], table[best], game):
            best = place
    return (leader + best) % 3


def without(hands: Hands, seat: int, card: int) -> Hands:
    return tuple(hand - {card} if i == seat else hand for i, hand in enumerate(hands))  # type: ignore[return-value]


@cache
def value(hands: Hands, game: int, declarer: int, leader: int, table: Table) -> int:
    """The declarer's points from here on with the trick on the table; in null 1 if he loses every trick, else 0."""
    if len(table) == 3:
        seat = winner(table, leader, game)
        if game == NULL:
            return 0 if seat == declarer else value(hands, game, declarer, seat, ())
        gain = sum(RANK_POINTS[card % 8] for card in table) if seat == declarer else 0
        return gain + value(hands, game, declarer, seat, ())
    if not table and not hands[leader]:
        return 1 if game == NULL else 0
    values = move_values(hands, game, declarer, leader, table).values()
    seat = (leader + len(table)) % 3
    return max(values) if seat == declarer else min(values)


def move_values(hands: Hands, game: int, declarer: int, leader: int, table: Table) -> dict[int, int]:
    """The value of every legal card of the seat to move."""
    seat = (leader + len(table)) % 3
    return {
        card: value(without(hands, seat, card), game, declarer, leader, (*table, card))
        for card in legal(hands[seat], table, game)
    }


@cache
def claim_holds(hands: Hands, game: int, claimant: int, leader: int, table: Table) -> bool:
    """Does the claimant take all the rest, whatever both others play (in null: none of the rest)?"""
    if len(table) == 3:
        seat = winner(table, leader, game)
        if (seat == claimant) == (game == NULL):
            return False
        return claim_holds(hands, game, claimant, seat, ())
    if not table and not hands[leader]:
        return True
    seat = (leader + len(table)) % 3
    results = (
        claim_holds(without(hands, seat, card), game, claimant, leader, (*table, card))
        for card in legal(hands[seat], table, game)
    )
    return any(results) if seat == claimant else all(results)


# --------------------------------------------------------------------------------------------------- the same, compiled
# Plain minimax again, without a cache and without any pruning, for large numbers of endings.

_CLASS = np.array([[suit_class(card, game) for card in range(32)] for game in range(6)], dtype=np.int64)
_STRENGTH = np.array([[strength(card, game) for card in range(32)] for game in range(6)], dtype=np.int64)
_POINTS = np.array([RANK_POINTS[card % 8] for card in range(32)], dtype=np.int64)


@numba.njit(nogil=True)
def compiled_value(h0, h1, h2, game, declarer, leader, t0, t1, n, classes, strengths, points):  # type: ignore[no-untyped-def]
    """The declarer's points from here on; ``h0``, ``h1``, ``h2``: masks by seat, ``t0``, ``t1``: the ``n`` cards on the table."""
    seat = (leader + n) % 3
    mine = h0 if seat == 0 else (h1 if seat == 1 else h2)
    if n == 0 and mine == 0:
        return 1 if game == 5 else 0
    must_follow = False
    if n > 0:
        for card in range(32):
            if mine >> card & 1 and classes[game, card] == classes[game, t0]:
                must_follow = True
    best = -1
    for card in range(32):
        if not mine >> card & 1 or (must_follow and classes[game, card] != classes[game, t0]):
            continue
        bit = 1 << card
        g0 = h0 & ~bit
        g1 = h1 & ~bit
        g2 = h2 & ~bit
        if n == 0:
            found = compiled_value(g0, g1, g2, game, declarer, leader, card, t1, 1, classes, strengths, points)
        elif n == 1:
            found = compiled_value(g0, g1, g2, game, declarer, leader, t0, card, 2, classes, strengths, points)
        else:
            top = t0
            place = 0
            for i, played in ((1, t1), (2, card)):
                same = classes[game, played] == classes[game, top]
                if (same and strengths[game, played] > strengths[game, top]) or (
                    not same and classes[game, played] == -1
                ):
                    top = played
                    place = i
            winner = (leader + place) % 3
            if game == 5 and winner == declarer:
                found = 0
            else:
                gain = points[t0] + points[t1] + points[card] if winner == declarer and game != 5 else 0
                found = gain + compiled_value(g0, g1, g2, game, declarer, winner, 0, 0, 0, classes, strengths, points)
        if best < 0 or (seat == declarer and found > best) or (seat != declarer and found < best):
            best = found
    return best


def brute_force(hands: Hands, game: int, declarer: int, leader: int, table: Table) -> int:
    """``value`` by the compiled twin."""
    masks = [sum(1 << card for card in hand) for hand in hands]
    t0, t1 = (*table, 0, 0)[:2]
    return int(compiled_value(*masks, game, declarer, leader, t0, t1, len(table), _CLASS, _STRENGTH, _POINTS))
