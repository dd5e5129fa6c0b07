"""How likely a declarer wins, before the first card: the rule player's models, and the share of worlds won in play-outs.

The models of :mod:`skatai.kernels.policies.strength` say how likely the card points come together. A bid that the value may not
cover is reckoned with here: matadors in the skat are counted over all skats there can be, and where only schneider would save the
game the chance of 90 points takes the place of the chance of 61. Schwarz is never counted on, unless announced and certain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_DECLARATION,
    HAND,
    OUVERT,
    PICK_UP,
    SCHNEIDER,
    SCHWARZ,
)
from skatai.kernels.bits import ALL_CARDS
from skatai.kernels.playouts import play_out, search_area
from skatai.kernels.policies.bidding import limit_at, rule_skat, sweeps
from skatai.kernels.policies.discards import best_discard_and_contract
from skatai.kernels.policies.strength import (
    BY_HAND,
    BY_HAND_SCHNEIDER,
    KEPT,
    NULL_BY_HAND,
    NULL_HAND_OUVERT,
    NULL_KEPT,
    NULL_OUVERT,
    null_chance,
    trump_chance,
)
from skatai.kernels.settle import count_matadors, game_value
from skatai.kernels.staged import make_declarer
from skatai.kernels.state import SKAT, StateRecord, bid_value, card_points, set_deal
from skatai.kernels.tables import NULL, NULL_VALUE

__all__ = ["by_hand_chance", "declarer_chance", "kept_chance", "rule_chances", "rule_limits", "win_share"]

#: pairs of the 22 cards that a seat does not hold
N_SKATS = 231


@kernel
def kept_chance(hand: int, away: int, game: int, flags: int, seat: int, bid: int, rules: int) -> float:
    """Chance of winning a game after the pick-up: ten cards ``hand`` (mask) are left, ``away`` was put away."""
    if game == NULL:
        if NULL_VALUE[flags & 3] < bid:
            return 0.0
        return null_chance(NULL_OUVERT if flags & OUVERT else NULL_KEPT, hand, seat)
    matadors = count_matadors(game, hand | away)
    if game_value(game, flags, matadors, 0, 0, rules) >= bid:
        return trump_chance(KEPT, hand, game, seat, card_points(away))
    if game_value(game, flags, matadors, 1, 0, rules) >= bid:
        return trump_chance(BY_HAND_SCHNEIDER, hand, game, seat, 0)
    return 0.0


@kernel
def _covered(hand: int, game: int, flags: int, bid: int, rules: int) -> tuple[int, int]:
    """Of all skats, with how many a game by hand covers the bid by itself, and with how many if schneider is reached."""
    plain, schneider = np.int64(0), np.int64(0)
    first = ALL_CARDS ^ hand
    while first:
        card = first & -first
        first &= first - 1
        second = first
        while second:
            matadors = count_matadors(game, hand | card | (second & -second))
            second &= second - 1
            plain += game_value(game, flags, matadors, 0, 0, rules) >= bid
            schneider += game_value(game, flags, matadors, 1, 0, rules) >= bid
    return plain, schneider


@kernel
def by_hand_chance(hand: int, game: int, flags: int, seat: int, bid: int, rules: int) -> float:
    """Chance of winning a game by hand with the ten cards ``hand`` (mask)."""
    if game == NULL:
        if NULL_VALUE[flags & 3] < bid:
            return 0.0
        return null_chance(NULL_HAND_OUVERT if flags & OUVERT else NULL_BY_HAND, hand, seat)
    plain, schneider = _covered(hand, game, flags, bid, rules)
    if flags & SCHWARZ:
        return plain / N_SKATS if sweeps(hand, game, seat == 0) else 0.0
    chance90 = trump_chance(BY_HAND_SCHNEIDER, hand, game, seat, 0)
    chance61 = chance90 if flags & SCHNEIDER else trump_chance(BY_HAND, hand, game, seat, 0)
    return (plain * chance61 + (schneider - plain) * chance90) / N_SKATS


@kernel
def _pick_up_chance(hand: int, seat: int, bid: int, rules: int) -> float:
    """Mean over all skats of the chance with what the rule player would put away and declare."""
    total = 0.0
    first = ALL_CARDS ^ hand
    while first:
        card = first & -first
        first &= first - 1
        second = first
        while second:
            twelve = hand | card | (second & -second)
            second &= second - 1
            action, away = best_discard_and_contract(twelve, seat, bid, rules, np.int64(0))
            index = action - FIRST_DECLARATION
            game, flags = DECLARATION_GAME[index], DECLARATION_FLAGS[index]
            total += kept_chance(twelve & ~away, away, game, flags, seat, bid, rules)
    return total / N_SKATS


@kernel
def declarer_chance(view: StateRecord, seat: int) -> float:
    """The rule player's chance as declarer ``seat`` (full state or its view): in ``SKAT``, or in ``PLAY`` before the first card.

    In ``SKAT`` it is the chance with what the rule player would do: a game by hand, or the mean over all skats it may pick up.
    """
    hand, rules, bid = np.int64(view["hands"][seat]), np.int64(view["rules"]), bid_value(view)
    game, flags = np.int64(view["game"]), np.int64(view["flags"])
    if view["phase"] == SKAT:
        action = rule_skat(view, seat)
        if action == PICK_UP:
            return _pick_up_chance(hand, seat, bid, rules)
        game, flags = DECLARATION_GAME[action - FIRST_DECLARATION], DECLARATION_FLAGS[action - FIRST_DECLARATION]
    if flags & HAND:
        return by_hand_chance(hand, game, flags, seat, bid, rules)
    return kept_chance(hand, np.int64(view["discards"]), game, flags, seat, bid, rules)


@kernel
def rule_chances(
    hands: NDArray[np.uint32],
    seats: NDArray[np.int64],
    bids: NDArray[np.int64],
    rules: int,
    state: StateRecord,
    out: NDArray[np.float64],
) -> None:
    """:func:`declarer_chance` in ``SKAT`` of every ten-card hand into ``out`` (float64[n]).

    ``bids``: indices of ``BID_VALUES``; ``state``: a record for workings.
    """
    zero = np.int64(0)
    for i in range(len(hands)):
        set_deal(state, zero, zero, zero, zero, rules)
        state["hands"][seats[i]] = hands[i]
        make_declarer(state, seats[i], bids[i])
        out[i] = declarer_chance(state, seats[i])


@kernel
def rule_limits(
    hands: NDArray[np.uint32], seats: NDArray[np.int64], rules: int, margin: float, out: NDArray[np.int64]
) -> None:
    """The rule player's limit of every ten-card hand into ``out`` (int64[n]).

    ``margin``: list points that a game must be expected to bring.
    """
    for i in range(len(hands)):
        out[i] = limit_at(np.int64(hands[i]), seats[i], rules, margin)


@kernel
def win_share(pool: NDArray[np.void], counts: NDArray[np.int64], endgame: int) -> float:
    """Share of worlds in which the declarer wins, all of them played out in place (:func:`skatai.kernels.playouts.play_out`).

    ``pool[i]`` (a full state in phase ``PLAY``) stands for ``counts[i]`` worlds (int64[n]).
    """
    work = search_area(endgame)
    won = np.int64(0)
    for i in range(len(counts)):
        if counts[i]:
            play_out(pool[i], endgame, work)
            if pool[i]["won"]:
                won += counts[i]
    return won / counts.sum()
