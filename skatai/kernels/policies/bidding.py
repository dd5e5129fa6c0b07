"""The auction, the choice between hand and pick-up, the discard and the declaration."""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    BID_VALUES,
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_BID,
    FIRST_DECLARATION,
    FIRST_HAND_DECLARATION,
    HOLD,
    OUVERT,
    PASS,
    PICK_UP,
    SCHNEIDER,
    SCHWARZ,
    WORD_BITS,
)
from skatai.kernels.bits import ALL_CARDS, lowest, popcount
from skatai.kernels.moves import legal_words
from skatai.kernels.policies.discards import best_discard_and_contract, list_merit
from skatai.kernels.policies.strength import (
    BY_HAND,
    BY_HAND_SCHNEIDER,
    DEALT,
    NULL_BY_HAND,
    NULL_DEALT,
    NULL_HAND_OUVERT,
    null_chance,
    trump_chance,
)
from skatai.kernels.settle import base_value, count_matadors, game_value
from skatai.kernels.state import StateRecord, bid_value
from skatai.kernels.tables import BEATS, FOLLOW, NULL, NULL_VALUE, TRUMPS

__all__ = ["limit", "rule_bid", "rule_declare", "rule_discard", "rule_skat", "sweeps"]

#: expected list points from which a game is worth bidding; forehand's, when everybody else has passed
MARGIN = -5.0
MARGIN_LAST = -45.0
#: what the choice of contract after the pick-up is worth, in list points
PICK_UP_BONUS = 10.0


@kernel
def sweeps(hand: int, game: int, forehand: bool) -> bool:
    """Whether ten cards take every trick of a suit game or grand by hand, whatever the others hold.

    Sufficient, not necessary: the own trumps draw all trumps out even if one opponent holds them all, and in each class every card
    is the highest left by the time it is needed. A seat that does not lead first could see an ace trumped unless no trumps are out.
    """
    out = ALL_CARDS ^ hand
    trumps = TRUMPS[game]
    theirs = popcount(out & trumps)
    if popcount(hand & trumps) < max(theirs, 1) or (theirs > 0 and not forehand):
        return False
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if BEATS[game, card] & FOLLOW[game, card] & out and _top_cards(card, hand, out, game) < popcount(
            out & FOLLOW[game, card]
        ):
            return False
    return True


@kernel
def _top_cards(card: int, hand: int, out: int, game: int) -> int:
    """Number of own cards in the class of ``card`` that no card out can beat within the class."""
    follow = FOLLOW[game, card]
    n = np.int64(0)
    rest = hand & follow
    while rest:
        if BEATS[game, lowest(rest)] & follow & out == 0:
            n += 1
        rest &= rest - 1
    return n


@kernel
def _kept_matadors(n: int) -> float:
    """Chance that none of ``n`` certain cards of the 22 not held lies in the skat."""
    return (22 - n) * (21 - n) / 462.0


@kernel
def _highest_trump_value(hand: int, game: int, seat: int, rules: int, margin: float) -> int:
    """Highest value worth bidding for a suit game or grand; 0 for none."""
    base = base_value(game, rules)
    matadors = count_matadors(game, hand)
    best = np.int64(0)
    for extra in range(2):  # pick up, by hand
        win = trump_chance(BY_HAND if extra else DEALT, hand, game, seat, 0)
        for n in range(1, abs(matadors) + 1):
            value = base * (n + 1 + extra)
            # Playing without n: a matador in the skat lowers the value. With n, a lower bid is no safer.
            safe = win * _kept_matadors(n) if matadors < 0 and n > 1 else win
            if value > best and list_merit(game, safe, base * (abs(matadors) + 1 + extra)) >= margin:
                best = value
    return best


@kernel
def limit(hand: int, seat: int, rules: int) -> int:
    """The highest value the rule player bids with ten cards ``hand``; 0 if it passes at once.

    ``rules`` is the packed form (:meth:`skatai.rules.Rules.to_int`).
    """
    return limit_at(hand, seat, rules, MARGIN)


@kernel
def limit_at(hand: int, seat: int, rules: int, margin: float) -> int:
    """As :func:`limit`, for games expected to bring at least ``margin`` list points."""
    best = np.int64(0)
    for game in range(5):
        best = max(best, _highest_trump_value(hand, game, seat, rules, margin))
    # A last chance is for games that the skat may still improve, which it seldom does for a doubtful null.
    margin = max(margin, 0.0)
    for flags in range(4):
        model = (NULL_DEALT, NULL_BY_HAND, -1, NULL_HAND_OUVERT)[flags]
        if model >= 0 and list_merit(NULL, null_chance(model, hand, seat), NULL_VALUE[flags]) >= margin:
            best = max(best, NULL_VALUE[flags])
    return best


@kernel
def rule_bid(state: StateRecord, seat: int) -> int:
    """Pass, hold or the next bid (phase ``AUCTION``)."""
    words = legal_words(state)
    hand, rules = np.int64(state["hands"][seat]), np.int64(state["rules"])
    if words[0] >> HOLD & 1:
        return np.int64(HOLD) if limit(hand, seat, rules) >= bid_value(state) else np.int64(PASS)
    action = np.int64(-1)
    if words[1]:
        action = WORD_BITS + lowest(words[1])
    elif words[2]:
        action = 2 * WORD_BITS + lowest(words[2])
    if action < 0:
        return np.int64(PASS)
    margin = MARGIN_LAST if state["stage"] == 3 else MARGIN
    if limit_at(hand, seat, rules, margin) >= BID_VALUES[action - FIRST_BID]:
        return action
    return np.int64(PASS)


@kernel
def _hand_merit(hand: int, game: int, flags: int, seat: int, bid: int, rules: int) -> float:
    """Expected list points of a declaration by hand."""
    if game == NULL:
        model = NULL_HAND_OUVERT if flags & OUVERT else NULL_BY_HAND
        return list_merit(NULL, null_chance(model, hand, seat), NULL_VALUE[flags & 3])
    matadors = count_matadors(game, hand)
    value = game_value(game, flags, matadors, 0, 0, rules)
    if flags & SCHWARZ:
        win = 1.0 if sweeps(hand, game, seat == 0) else 0.0
    elif flags & SCHNEIDER:
        win = trump_chance(BY_HAND_SCHNEIDER, hand, game, seat, 0)
    else:
        win = trump_chance(BY_HAND, hand, game, seat, 0)
    if value < bid:
        win = 0.0
    elif matadors < -1 and value - base_value(game, rules) < bid:
        win *= _kept_matadors(-matadors)
    return list_merit(game, win, value)


@kernel
def _pick_up_merit(hand: int, seat: int, bid: int, rules: int) -> float:
    """Expected list points of picking up the skat."""
    best = -1e9
    for game in range(5):
        matadors = count_matadors(game, hand)
        value = base_value(game, rules) * (abs(matadors) + 1)
        win = trump_chance(DEALT, hand, game, seat, 0)
        if value < bid:
            win *= 0.2
        elif matadors < -1 and value - base_value(game, rules) < bid:
            win *= _kept_matadors(-matadors)
        best = max(best, list_merit(game, win, value))
    if bid <= NULL_VALUE[0]:
        best = max(best, list_merit(NULL, null_chance(NULL_DEALT, hand, seat), NULL_VALUE[0]))
    return best + PICK_UP_BONUS


@kernel
def rule_skat(state: StateRecord, seat: int) -> int:
    """Pick up, or a declaration by hand (phase ``SKAT``)."""
    words = legal_words(state)
    hand, rules = np.int64(state["hands"][seat]), np.int64(state["rules"])
    bid = bid_value(state)
    best, choice = _pick_up_merit(hand, seat, bid, rules), np.int64(PICK_UP)
    for action in range(FIRST_HAND_DECLARATION, FIRST_BID):
        legal = words[0] >> action & 1 if action < WORD_BITS else words[1] >> (action - WORD_BITS) & 1
        if legal:
            index = action - FIRST_DECLARATION
            merit = _hand_merit(hand, DECLARATION_GAME[index], DECLARATION_FLAGS[index], seat, bid, rules)
            if merit > best:
                best, choice = merit, np.int64(action)
    return choice


@kernel
def _plan(state: StateRecord, seat: int) -> tuple[int, int]:
    """Declaration and cards to put away, from the twelve cards and what is already put away."""
    away = np.int64(state["discards"])
    hand = np.int64(state["hands"][seat]) | away
    return best_discard_and_contract(hand, seat, bid_value(state), np.int64(state["rules"]), away)


@kernel
def rule_discard(state: StateRecord, seat: int) -> int:
    """The next card to put away (phase ``DISCARD``)."""
    _, away = _plan(state, seat)
    return lowest(away & np.int64(state["hands"][seat]))


@kernel
def rule_declare(state: StateRecord, seat: int) -> int:
    """The declaration after the discard (phase ``DECLARE``)."""
    action, _ = _plan(state, seat)
    return action
