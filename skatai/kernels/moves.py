"""The transition function: ``legal_words`` and ``apply`` (rules 2.2, 3.1, 4.1, 4.2).

``apply`` does not check legality: callers that take moves from outside ask ``is_legal`` first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    CLAIM,
    CONCEDE,
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_BID,
    FIRST_DECLARATION,
    FIRST_HAND_DECLARATION,
    HOLD,
    LADDER_ISS,
    LADDER_WORDS,
    N_ACTIONS,
    PASS,
    PICK_UP,
    SCHNEIDER,
    SCHWARZ,
    WORD_BITS,
)
from skatai.kernels.bits import lowest, popcount
from skatai.kernels.settle import base_value, count_matadors, finish
from skatai.kernels.state import (
    ANSWER,
    AUCTION,
    DECLARE,
    DISCARD,
    END_DECIDED,
    END_PASSED_IN,
    END_PLAYED,
    NOBODY,
    OVER,
    PLAY,
    SKAT,
    StateRecord,
    bid_value,
    card_points,
    defender_points,
    defender_tricks,
    put_away,
)
from skatai.kernels.tables import BEATS, FOLLOW, NULL, NULL_VALUE, POINTS
from skatai.rules import (
    CLAIMS_SHIFT,
    CONCEDE_SHIFT,
    DECLARATION_STRICT_BIT,
    EARLY_DECIDED,
    EARLY_ISS,
    EARLY_SHIFT,
    LADDER_MASK,
    NULL_MULTIPLE_BIT,
)

__all__ = [
    "apply_move",
    "award_counted",
    "count_legal",
    "declaration_words",
    "end_without_score",
    "is_legal",
    "legal_cards",
    "legal_mask",
    "legal_words",
    "nth_legal",
    "trick_winner",
]

_ANSWERS = (1 << (134 - 2 * WORD_BITS)) | (1 << (135 - 2 * WORD_BITS))


@kernel
def legal_cards(hand: int, game: int, led: int) -> int:
    """Cards of ``hand`` that may be played to a trick that ``led`` opened; ``led`` = -1 for the leader (rules 4.1)."""
    if led < 0:
        return hand
    follow = hand & FOLLOW[game, led]
    return follow if follow else hand


@kernel
def trick_winner(game: int, card0: int, card1: int, card2: int) -> int:
    """Which of three cards, in the order played, takes the trick: 0, 1 or 2 (rules 4.1)."""
    winner, best = 0, card0
    if BEATS[game, best] >> card1 & 1:
        winner, best = 1, card1
    if BEATS[game, best] >> card2 & 1:
        winner = 2
    return np.int64(winner)


@kernel
def _declaration_allowed(index: int, bid: int, rules: int, cards: int) -> bool:
    """Whether declaration ``index`` may be made at this bid; ``cards``: the declarer's twelve after a pick-up, else 0."""
    game, flags = DECLARATION_GAME[index], DECLARATION_FLAGS[index]
    if game == NULL:
        return rules & NULL_MULTIPLE_BIT != 0 or NULL_VALUE[flags & 3] >= bid
    if rules & DECLARATION_STRICT_BIT == 0 or cards == 0:
        return True
    return base_value(game, rules) * (abs(count_matadors(game, cards)) + 3) >= bid


@kernel
def declaration_words(bid: int, rules: int, cards: int) -> tuple[int, int, int]:
    """Legal declarations as words: after the pick-up with ``cards`` the declarer's twelve, or by hand with ``cards`` = 0."""
    first, last = FIRST_HAND_DECLARATION, FIRST_BID
    if cards:
        first, last = FIRST_DECLARATION, FIRST_HAND_DECLARATION
    word0, word1 = np.int64(0), np.int64(0)
    hopeful = False  # one of them can still cover the bid
    for action in range(first, last):
        index = action - FIRST_DECLARATION
        if _declaration_allowed(index, bid, rules, cards):
            if DECLARATION_GAME[index] != NULL or NULL_VALUE[DECLARATION_FLAGS[index] & 3] >= bid:
                hopeful = True
            if action < WORD_BITS:
                word0 |= np.int64(1) << action
            else:
                word1 |= np.int64(1) << (action - WORD_BITS)
    if not hopeful:  # the strict check must leave more than nulls that are lost at once (rules 5.2)
        return declaration_words(bid, rules & ~DECLARATION_STRICT_BIT, cards)
    return word0, word1, np.int64(0)


@kernel
def _auction_words(state: StateRecord) -> tuple[int, int, int]:
    passing = np.int64(1) << PASS
    if state["to_move"] == state["responder"]:
        return passing | np.int64(1) << HOLD, np.int64(0), np.int64(0)
    ladder = np.int64(state["rules"]) & LADDER_MASK
    if state["stage"] == 3 and ladder != LADDER_ISS:  # forehand's last chance: 18 or pass (rules 2.2)
        return passing, np.int64(1) << (FIRST_BID - WORD_BITS), np.int64(0)
    next_id = FIRST_BID + np.int64(state["bid"])  # the smallest id above the last value named
    word1, word2 = LADDER_WORDS[ladder, 1], LADDER_WORDS[ladder, 2]
    if next_id < 2 * WORD_BITS:
        return passing, word1 >> (next_id - WORD_BITS) << (next_id - WORD_BITS), word2
    return passing, np.int64(0), word2 >> (next_id - 2 * WORD_BITS) << (next_id - 2 * WORD_BITS)


@kernel(inline=True)
def _play_words(state: StateRecord) -> tuple[int, int, int]:
    seat = np.int64(state["to_move"])
    n = np.int64(state["n_plays"])
    led = np.int64(-1)
    if n % 3:
        led = np.int64(state["plays"][n - n % 3])
    cards = legal_cards(np.int64(state["hands"][seat]), np.int64(state["game"]), led)
    rules = np.int64(state["rules"])
    events = np.int64(0)
    if rules >> CONCEDE_SHIFT:  # neither concessions nor claims: the common case
        refused = np.int64(state["refused"])
        if rules >> CLAIMS_SHIFT & 3 and refused >> seat & 1 == 0:
            if not (state["game"] == NULL and seat != state["declarer"]):  # no defender's claim in null (rules 4.4)
                events |= np.int64(1) << (CLAIM - 2 * WORD_BITS)
        resigned = np.int64(state["resigned"]) >> seat & 1
        if rules >> CONCEDE_SHIFT & 3 and refused >> (4 + seat) & 1 == 0 and resigned == 0:
            events |= np.int64(1) << (CONCEDE - 2 * WORD_BITS)
    return cards, np.int64(0), events


@kernel(inline=True)
def legal_words(state: StateRecord) -> tuple[int, int, int]:
    """The legal actions of the seat to move: three ``int64`` words of 48 bits (:mod:`skatai.kernels.action_ids`)."""
    phase = state["phase"]
    if phase == PLAY:
        return _play_words(state)
    if phase == AUCTION:
        return _auction_words(state)
    zero = np.int64(0)
    if phase == DISCARD:
        return np.int64(state["hands"][state["to_move"]]), zero, zero
    if phase == SKAT:
        word0, word1, word2 = declaration_words(bid_value(state), np.int64(state["rules"]), zero)
        return word0 | np.int64(1) << PICK_UP, word1, word2
    if phase == DECLARE:
        cards = np.int64(state["hands"][state["declarer"]]) | np.int64(state["discards"])
        return declaration_words(bid_value(state), np.int64(state["rules"]), cards)
    if phase == ANSWER:
        return zero, zero, np.int64(_ANSWERS)
    return zero, zero, zero


@kernel
def is_legal(state: StateRecord, action: int) -> bool:
    """Whether the seat to move may take ``action``."""
    if action < 0 or action >= N_ACTIONS:
        return False
    word0, word1, word2 = legal_words(state)
    word = word0
    if action >= 2 * WORD_BITS:
        word = word2
    elif action >= WORD_BITS:
        word = word1
    return word >> (action % WORD_BITS) & 1 == 1


@kernel
def legal_mask(state: StateRecord, out: NDArray[np.int8]) -> int:
    """Write the legal actions as 0/1 into ``out`` (int8, shape (136,)); their number."""
    words = legal_words(state)
    out[:] = 0
    n = 0
    for w in range(3):
        word = words[w]
        while word:
            out[WORD_BITS * w + lowest(word)] = 1
            word &= word - 1
            n += 1
    return n


@kernel
def count_legal(words: tuple[int, int, int]) -> int:
    """Number of actions in a set of legal words."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2])


@kernel
def nth_legal(words: tuple[int, int, int], n: int) -> int:
    """The ``n``-th action (from 0, by id) of a set of legal words."""
    for w in range(3):
        word = words[w]
        count = popcount(word)
        if n < count:
            for _ in range(n):
                word &= word - 1
            return WORD_BITS * w + lowest(word)
        n -= count
    return np.int64(-1)


@kernel
def end_without_score(state: StateRecord, end: int, end_seat: int) -> None:
    """End a deal that nobody is scored for: passed in, or broken off before the declaration."""
    state["phase"] = OVER
    state["to_move"] = NOBODY
    state["pending"] = NOBODY
    state["end"] = end
    state["end_seat"] = end_seat


@kernel
def award_counted(state: StateRecord) -> None:
    """Set what is scored to what has been counted: complete tricks and the cards put away."""
    declarer = state["declarer"]
    state["awarded"] = np.int64(state["points"][declarer]) + card_points(put_away(state))
    state["awarded_tricks"][0] = state["tricks"][declarer]
    state["awarded_tricks"][1] = defender_tricks(state)


@kernel
def _become_declarer(state: StateRecord, seat: int) -> None:
    state["declarer"] = seat
    state["to_move"] = seat
    state["phase"] = SKAT


@kernel
def _auction_pass(state: StateRecord) -> None:
    stage, caller, responder = state["stage"], state["caller"], state["responder"]
    survivor = responder if state["to_move"] == caller else caller
    if stage == 1:
        state["survivor"] = survivor
        state["stage"] = 2
        state["caller"] = 2
        state["responder"] = survivor
        state["to_move"] = 2
    elif stage == 2 and state["bid"] == 0:
        state["stage"] = 3
        state["caller"] = 0
        state["responder"] = NOBODY
        state["to_move"] = 0
    elif stage == 2:
        _become_declarer(state, survivor)
    else:
        end_without_score(state, END_PASSED_IN, NOBODY)


@kernel
def _auction_bid(state: StateRecord, index: int) -> None:
    seat = state["to_move"]
    state["bid"] = index + 1
    state["limits"][seat] = index + 1
    row = 0 if state["stage"] == 1 else 1
    word = np.int64(state["bids"][row, index // 32]) | np.int64(1) << (index % 32)
    state["bids"][row, index // 32] = word
    if state["stage"] == 3:
        _become_declarer(state, seat)
    else:
        state["to_move"] = state["responder"]


@kernel
def _declare(state: StateRecord, index: int) -> None:
    state["game"] = DECLARATION_GAME[index]
    state["flags"] = DECLARATION_FLAGS[index]
    state["phase"] = PLAY
    state["to_move"] = 0  # forehand leads whoever the declarer is (rules 4.1)
    state["leaders"][0] = 0


@kernel
def _is_decided(state: StateRecord, winner: int) -> bool:
    """Whether a game ends after this trick although cards are left (rules 4.2, ``early_end``)."""
    declarer = state["declarer"]
    if state["game"] == NULL:
        return winner == declarer
    policy = np.int64(state["rules"]) >> EARLY_SHIFT & 3
    if policy == 0:
        return False
    flags = np.int64(state["flags"])
    if flags & SCHWARZ:
        return winner != declarer
    lost_points = defender_points(state)
    if flags & SCHNEIDER:
        return lost_points > 30 and (policy == EARLY_ISS or state["tricks"][declarer] > 0)
    if policy != EARLY_DECIDED or lost_points < 31:
        return False
    return np.int64(state["points"][declarer]) + card_points(put_away(state)) >= 61


@kernel(inline=True)
def _play_card(state: StateRecord, card: int) -> None:
    seat = np.int64(state["to_move"])
    n = np.int64(state["n_plays"])
    place = n % 3
    state["plays"][n] = card
    state["n_plays"] = n + 1
    state["hands"][seat] = np.int64(state["hands"][seat]) & ~(np.int64(1) << card)
    if place < 2:
        state["to_move"] = (seat + 1) % 3
        return
    card0, card1 = np.int64(state["plays"][n - 2]), np.int64(state["plays"][n - 1])
    winner = (np.int64(state["leaders"][n // 3]) + trick_winner(np.int64(state["game"]), card0, card1, card)) % 3
    state["points"][winner] = np.int64(state["points"][winner]) + POINTS[card0] + POINTS[card1] + POINTS[card]
    state["tricks"][winner] += 1
    state["to_move"] = winner
    state["refused"] = 0  # one rejected claim or concession per seat and trick
    if n == 29:
        award_counted(state)
        finish(state, END_PLAYED, NOBODY)
        return
    state["leaders"][n // 3 + 1] = winner
    if _is_decided(state, winner):
        award_counted(state)
        finish(state, END_DECIDED, NOBODY)


@kernel(inline=True)
def apply_move(state: StateRecord, action: int) -> None:
    """Take an action other than a concession, a claim or an answer; it must be legal."""
    phase = state["phase"]
    if phase == PLAY:
        _play_card(state, action)
    elif phase == AUCTION:
        if action == PASS:
            _auction_pass(state)
        elif action == HOLD:
            state["limits"][state["to_move"]] = state["bid"]
            state["to_move"] = state["caller"]
        else:
            _auction_bid(state, action - FIRST_BID)
    elif phase == DISCARD:
        declarer = state["declarer"]
        bit = np.int64(1) << action
        state["hands"][declarer] = np.int64(state["hands"][declarer]) & ~bit
        state["discards"] = np.int64(state["discards"]) | bit
        if popcount(np.int64(state["discards"])) == 2:
            state["phase"] = DECLARE
    elif action == PICK_UP:
        declarer = state["declarer"]
        state["hands"][declarer] = np.int64(state["hands"][declarer]) | np.int64(state["skat"])
        state["phase"] = DISCARD
    else:
        _declare(state, action - FIRST_DECLARATION)
