"""What to put away and which contract to play with twelve cards."""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_DECLARATION,
    FIRST_HAND_DECLARATION,
    OUVERT,
)
from skatai.kernels.moves import declaration_words
from skatai.kernels.policies.strength import KEPT, NULL_KEPT, NULL_OUVERT, chance, null_logit, trump_logit
from skatai.kernels.settle import base_value, count_matadors
from skatai.kernels.state import card_points
from skatai.kernels.tables import GRAND, NULL, NULL_VALUE

__all__ = ["best_discard", "best_discard_and_contract", "contract_merit", "list_merit"]

#: what a lost game costs besides its value: the own 50 list points and a share of what the defenders get
LOSS = 90.0
OVERBID_LOSS = -400.0
#: list points by which a grand or a null must be better than a suit game: the same expectation at more risk
CAUTION = 8.0


@kernel
def list_merit(game: int, win: float, value: int) -> float:
    """Expected list points (Seeger-Fabian) of playing a game of ``value`` that is won with chance ``win``, less ``CAUTION``."""
    merit = win * (value + 50.0) - (1.0 - win) * (2.0 * value + LOSS)
    return merit if game < GRAND else merit - CAUTION


@kernel
def best_discard(hand: int, game: int, flags: int, seat: int, fixed: int) -> tuple[int, float]:
    """The two cards (mask) to put away from twelve for a contract, and the chance of winning it then.

    ``fixed``: cards that are to be among the two (0 for none).
    """
    best, choice = -1e9, np.int64(0)
    first = hand
    while first:
        bit1 = first & -first
        first &= first - 1
        second = first
        while second:
            bit2 = second & -second
            second &= second - 1
            away = bit1 | bit2
            if fixed & ~away:
                continue
            if game == NULL:
                logit = null_logit(NULL_OUVERT if flags & OUVERT else NULL_KEPT, hand & ~away, seat)
            else:
                logit = trump_logit(KEPT, hand & ~away, game, seat, card_points(away))
            if logit > best:
                best, choice = logit, away
    return choice, chance(best)


@kernel
def contract_merit(hand: int, game: int, flags: int, seat: int, bid: int, rules: int, fixed: int) -> tuple[float, int]:
    """Expected list points of a contract after the pick-up of ``hand`` (twelve cards), and the best two cards to put away.

    A value that does not cover the bid is as good as lost.
    """
    away, win = best_discard(hand, game, flags, seat, fixed)
    if game == NULL:
        value = NULL_VALUE[flags & 3]
    else:
        value = base_value(game, rules) * (abs(count_matadors(game, hand)) + 1)
    if value < bid:  # only schneider or schwarz could save it
        return OVERBID_LOSS + list_merit(game, win, value), away
    return list_merit(game, win, value), away


@kernel
def best_discard_and_contract(hand: int, seat: int, bid: int, rules: int, fixed: int) -> tuple[int, int]:
    """The declaration (action id) and the two cards to put away (mask) for twelve cards ``hand`` at ``bid``.

    ``rules`` is the packed form (:meth:`skatai.rules.Rules.to_int`); ``fixed``: cards already put away (0 for none). Only
    legal declarations are considered.
    """
    words = declaration_words(bid, rules, hand)
    best, choice, away = -1e9, np.int64(-1), np.int64(0)
    for action in range(FIRST_DECLARATION, FIRST_HAND_DECLARATION):
        if words[0] >> action & 1:
            index = action - FIRST_DECLARATION
            game, flags = DECLARATION_GAME[index], DECLARATION_FLAGS[index]
            merit, cards = contract_merit(hand, game, flags, seat, bid, rules, fixed)
            if merit > best:
                best, choice, away = merit, np.int64(action), cards
    return choice, away
