"""ISS records, compiled: the bytes of ``MV[…]`` replayed on the game state, and the numbers of ``R[…]``.

The byte reader accepts the plain forms only (one blank between words, no shown cards, no damage); it answers "not understood"
to all else, and :mod:`skatai.records.iss_replay` then reads the record with care and says what is wrong with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    BID_VALUES,
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_BID,
    FIRST_DECLARATION,
    HAND,
    HOLD,
    OUVERT,
    PASS,
    PICK_UP,
    SCHNEIDER,
    SCHWARZ,
)
from skatai.kernels.bits import ALL_CARDS
from skatai.kernels.events import (
    EVENT_CONCEDE,
    EVENT_LEAVE,
    EVENT_TIME_OUT,
    apply_event,
    is_legal_event,
)
from skatai.kernels.moves import apply_move, count_legal, is_legal, legal_words, nth_legal
from skatai.kernels.rng import RngState, rand_below
from skatai.kernels.settle import goal_reached
from skatai.kernels.state import (
    AUCTION,
    DISCARD,
    END_CONCEDED,
    END_DEFENDERS_CONCEDED,
    END_LEFT,
    END_PASSED_IN,
    END_TIMED_OUT,
    NO_GAME,
    NOBODY,
    OVER,
    PLAY,
    SKAT,
    StateRecord,
    set_deal,
)
from skatai.kernels.tables import NULL, IntTable

__all__ = [
    "CLAIMED",
    "KIND_GAME",
    "KIND_PASSED",
    "KIND_PENALTY",
    "KIND_UNKNOWN",
    "LEFT",
    "MAX_ACTIONS",
    "MAX_EVENTS",
    "N_EVENTS",
    "N_NUMBERS",
    "N_TAKEN",
    "RESIGNED",
    "SPLIT",
    "TIMED_OUT",
    "random_moves",
    "replay_batch",
    "result_numbers",
]

#: kinds of ``R[…]``
KIND_UNKNOWN, KIND_PASSED, KIND_PENALTY, KIND_GAME = range(4)
#: the numbers of a result: kind, d, won, v, m, overbid, p, t, s, z, p0, p1, p2, l, to, r
N_NUMBERS = 16
#: kinds of events beside the actions: ``RE``, ``SC``, ``TI``, ``LE``
RESIGNED, CLAIMED, TIMED_OUT, LEFT = range(4)
#: room per record of the byte reader; longer ones are not understood by it
MAX_ACTIONS, MAX_EVENTS = 192, 8
#: cursor fields: place in the text, its end, actions and events so far, split pick-up, contract awaiting its discards, skat due
_POS, _END, N_TAKEN, N_EVENTS, SPLIT, _CONTRACT, _SKAT_DUE = range(7)
CURSOR_SIZE = 7

_BLANK, _DOT, _W = 32, 46, 119


def _letters(letters: str) -> IntTable:
    table = np.full(256, -1, dtype=np.int64)
    for value, letter in enumerate(letters):
        table[ord(letter)] = value
    return table


_SUIT_OF = _letters("DHSC")
_RANK_OF = _letters("789QKTAJ")
_GAME_OF = _letters("DHSCGN")
_DIGIT_OF = _letters("0123456789")
_FLAG_OF = np.zeros(256, dtype=np.int64)
for _letter, _flag in (("H", HAND), ("O", OUVERT), ("S", SCHNEIDER), ("Z", SCHWARZ)):
    _FLAG_OF[ord(_letter)] = _flag
#: (6, 16): action that declares a game with flags closed under implication; -1 where there is none
_DECLARE = np.full((6, 16), -1, dtype=np.int64)
for _index in range(len(DECLARATION_GAME)):
    _DECLARE[DECLARATION_GAME[_index], DECLARATION_FLAGS[_index]] = FIRST_DECLARATION + _index
#: action of each bid below 512; -1 for numbers that are on no ladder
_BID = np.full(512, -1, dtype=np.int64)
_BID[BID_VALUES] = FIRST_BID + np.arange(len(BID_VALUES))


@kernel
def _card_at(text: NDArray[np.uint8], i: int) -> int:
    """Card whose two letters begin at ``i``, -1 if none does (bounds are the caller's business)."""
    suit, rank = _SUIT_OF[text[i]], _RANK_OF[text[i + 1]]
    if suit < 0 or rank < 0:
        return np.int64(-1)
    return 8 * suit + rank


@kernel
def _read_deal(text: NDArray[np.uint8], cursor: NDArray[np.int64], state: StateRecord, rules: int) -> bool:
    """Read ``w`` and 32 cards with dots between them; the state is then the start of the deal."""
    i = cursor[_POS]
    if i + 98 > cursor[_END] or text[i] != _W or text[i + 1] != _BLANK or text[i + 97] != _BLANK:
        return False
    hands = np.zeros(4, dtype=np.int64)
    seen = np.int64(0)
    for k in range(32):
        at = i + 2 + 3 * k
        card = _card_at(text, at)
        if card < 0 or (k < 31 and text[at + 2] != _DOT):
            return False
        hands[k // 10] |= np.int64(1) << card
        seen |= np.int64(1) << card
    if seen != ALL_CARDS:
        return False
    set_deal(state, hands[0], hands[1], hands[2], hands[3], rules)
    cursor[_POS] = i + 98
    return True


@kernel
def _take(state: StateRecord, action: int, cursor: NDArray[np.int64], actions: NDArray[np.uint8]) -> bool:
    """Take a legal action and note it."""
    n = cursor[N_TAKEN]
    if n == MAX_ACTIONS or not is_legal(state, action):
        return False
    apply_move(state, action)
    actions[n] = action
    cursor[N_TAKEN] = n + 1
    return True


@kernel
def _note_event(kind: int, seat: int, cursor: NDArray[np.int64], events: NDArray[np.uint8]) -> bool:
    n = cursor[N_EVENTS]
    if n == MAX_EVENTS:
        return False
    events[n, 0] = cursor[N_TAKEN]
    events[n, 1] = kind
    events[n, 2] = seat
    cursor[N_EVENTS] = n + 1
    return True


@kernel
def _contract_action(text: NDArray[np.uint8], i: int, n: int) -> int:
    """Action declared by ``n`` letters at ``i``, -1 if they are no contract (section 4: flags are a set)."""
    game = _GAME_OF[text[i]]
    flags = np.int64(0)
    for k in range(i + 1, i + n):
        flag = _FLAG_OF[text[k]]
        if flag == 0 or flags & flag:
            return np.int64(-1)
        flags |= flag
    if game < 0:
        return np.int64(-1)
    if game != NULL and flags & OUVERT:
        flags = np.int64(HAND | OUVERT | SCHNEIDER | SCHWARZ)
    if flags & SCHWARZ:
        flags |= SCHNEIDER
    return _DECLARE[game, flags]


@kernel
def _world_move(
    text: NDArray[np.uint8], n: int, cursor: NDArray[np.int64], state: StateRecord, events: NDArray[np.uint8]
) -> bool:
    """The skat shown to the declarer, a time-out or a leaving; the word of ``n`` letters is at the cursor."""
    i = cursor[_POS] + 2
    if n == 5 and cursor[_SKAT_DUE]:
        card0, card1 = _card_at(text, i), _card_at(text, i + 3)
        cursor[_SKAT_DUE] = 0
        if card0 < 0 or card1 < 0 or text[i + 2] != _DOT:
            return False
        return (np.int64(1) << card0 | np.int64(1) << card1) == state["skat"]
    if n != 4 or text[i + 2] != _DOT or cursor[_CONTRACT]:
        return False
    seat = _DIGIT_OF[text[i + 3]]
    if seat < 0 or seat > 2:
        return False
    if text[i] == 84 and text[i + 1] == 73:  # TI
        apply_event(state, EVENT_TIME_OUT, seat)
        return _note_event(TIMED_OUT, seat, cursor, events)
    if text[i] == 76 and text[i + 1] == 69:  # LE
        apply_event(state, EVENT_LEAVE, seat)
        return _note_event(LEFT, seat, cursor, events)
    return False


@kernel
def _auction_action(text: NDArray[np.uint8], i: int, n: int) -> int:
    if n == 1 and text[i] == 112:  # p
        return np.int64(PASS)
    if n == 1 and text[i] == 121:  # y
        return np.int64(HOLD)
    if n < 2 or n > 3 or text[i] == 48:
        return np.int64(-1)
    value = np.int64(0)
    for k in range(i, i + n):
        if _DIGIT_OF[text[k]] < 0:
            return np.int64(-1)
        value = 10 * value + _DIGIT_OF[text[k]]
    return _BID[value] if value < 512 else np.int64(-1)


@kernel
def _declare_move(
    text: NDArray[np.uint8], n: int, cursor: NDArray[np.int64], state: StateRecord, actions: NDArray[np.uint8]
) -> bool:
    """After the pick-up: contract with the discards, or one after the other (split)."""
    i = cursor[_POS] + 2
    contract = cursor[_CONTRACT]
    discards = i
    if contract == 0:
        letters = np.int64(0)
        while letters < n and text[i + letters] != _DOT:
            letters += 1
        contract = _contract_action(text, i, letters)
        if contract < 0 or contract >= FIRST_DECLARATION + 7:
            return False
        if letters == n:
            cursor[_CONTRACT] = contract
            cursor[SPLIT] = 1
            return True
        discards = i + letters + 1
    if i + n - discards != 5 or text[discards + 2] != _DOT:
        return False
    for place in range(discards, discards + 4, 3):
        card = _card_at(text, place)
        if card < 0 or not _take(state, card, cursor, actions):
            return False
    cursor[_CONTRACT] = 0
    return _take(state, contract, cursor, actions)


@kernel
def _seat_move(
    text: NDArray[np.uint8], n: int, cursor: NDArray[np.int64], state: StateRecord, actions: NDArray[np.uint8]
) -> bool:
    """An action of the seat to move: the word of ``n`` letters at the cursor."""
    i = cursor[_POS] + 2
    phase = state["phase"]
    if cursor[_SKAT_DUE]:
        return False
    if phase == AUCTION:
        return _take(state, _auction_action(text, i, n), cursor, actions)
    if phase == SKAT:
        if n == 1 and text[i] == 115:  # s
            cursor[_SKAT_DUE] = 1
            return _take(state, PICK_UP, cursor, actions)
        contract = _contract_action(text, i, n)
        return contract >= FIRST_DECLARATION + 7 and _take(state, contract, cursor, actions)
    if phase == DISCARD:
        return _declare_move(text, n, cursor, state, actions)
    return phase == PLAY and n == 2 and _take(state, _card_at(text, i), cursor, actions)


@kernel
def _read_move(
    text: NDArray[np.uint8],
    cursor: NDArray[np.int64],
    state: StateRecord,
    actions: NDArray[np.uint8],
    events: NDArray[np.uint8],
) -> bool:
    """Read one pair of who and action; whether it was understood and legal."""
    i, end = cursor[_POS], cursor[_END]
    if i + 3 > end or text[i + 1] != _BLANK or state["phase"] == OVER:
        return False
    stop = i + 2
    while stop < end and text[stop] != _BLANK:
        stop += 1
    n = stop - i - 2
    if n == 0:
        return False
    seat = _DIGIT_OF[text[i]]
    if text[i] == _W:
        understood = _world_move(text, n, cursor, state, events)
    elif seat < 0 or seat > 2:
        return False
    elif n == 2 and text[i + 2] == 82 and text[i + 3] == 69:  # RE
        if not is_legal_event(state, EVENT_CONCEDE, seat):
            return False
        apply_event(state, EVENT_CONCEDE, seat)
        understood = _note_event(RESIGNED, seat, cursor, events)
    elif n == 2 and state["phase"] == PLAY and text[i + 2] == 83 and text[i + 3] == 67:  # SC
        understood = seat == state["declarer"] and _note_event(CLAIMED, seat, cursor, events)
    else:
        understood = seat == state["to_move"] and _seat_move(text, n, cursor, state, actions)
    cursor[_POS] = min(stop + 1, end)
    return understood


@kernel
def replay_batch(
    text: NDArray[np.uint8],
    spans: NDArray[np.int64],
    rules: int,
    states: NDArray[np.void],
    actions: NDArray[np.uint8],
    events: NDArray[np.uint8],
    counts: NDArray[np.int64],
    numbers: NDArray[np.int16],
) -> None:
    """Replay the ``MV`` values ``text[spans[i, 0]:spans[i, 1]]`` for every ``i``.

    Args:
        text: bytes of many records.
        spans: (n, 2).
        rules: packed rules of the states.
        states: (n,) :data:`STATE`, set to where each record ends.
        actions: (n, MAX_ACTIONS), action ids.
        events: (n, MAX_EVENTS, 3), actions before it, kind, seat.
        counts: (n, CURSOR_SIZE): number of actions in column ``N_TAKEN``, of events in ``N_EVENTS``, ``SPLIT`` is 1 for a split
            pick-up; column 0 is 1 where the record was understood and ended, else 0.
        numbers: (n, N_NUMBERS), the result, see :func:`result_numbers`.
    """
    for i in range(len(spans)):
        cursor = counts[i]
        cursor[:] = 0
        cursor[_POS], cursor[_END] = spans[i, 0], spans[i, 1]
        state = states[i]
        understood = _read_deal(text, cursor, state, rules)
        while understood and cursor[_POS] < cursor[_END]:
            understood = _read_move(text, cursor, state, actions[i], events[i])
        understood = understood and state["phase"] == OVER
        cursor[0] = understood
        if understood:
            result_numbers(state, numbers[i])


@kernel
def _penalty_numbers(state: StateRecord, out: NDArray[np.int16]) -> None:
    """Before a contract: who left pays, or both defenders (section 6)."""
    out[0] = KIND_PENALTY
    declarer, leaver = np.int64(state["declarer"]), np.int64(state["end_seat"])
    if declarer == NOBODY or declarer == leaver:
        out[10 + leaver] = 1
        return
    for seat in range(3):
        if seat != declarer:
            out[10 + seat] = 1


@kernel
def result_numbers(state: StateRecord, out: NDArray[np.int16]) -> None:
    """The numbers of ``R[…]`` for a state (int16, shape (16,)): kind, d, won, v, m, overbid, p, t, s, z, p0, p1, p2, l, to, r.

    Where ISS words a result otherwise than the state: ``s`` and ``z`` are what somebody reached, not what counts (section 6), they
    stay 0 in null and after a missed announcement.
    """
    out[:] = 0
    out[13] = out[14] = -1
    end = np.int64(state["end"])
    out[1] = -1 if state["declarer"] == NOBODY else np.int64(state["declarer"])
    if end == END_TIMED_OUT:
        out[14] = np.int64(state["end_seat"])
    elif end == END_LEFT:
        out[13] = np.int64(state["end_seat"])
    if end == 0:
        out[0] = KIND_UNKNOWN
        return
    if end == END_PASSED_IN:
        out[0] = KIND_PASSED
        return
    if state["game"] == NO_GAME:
        _penalty_numbers(state, out)
        return
    points, tricks = np.int64(state["awarded"]), np.int64(state["awarded_tricks"][0])
    out[0] = KIND_GAME
    out[2] = state["won"]
    out[3] = state["score"]
    out[4] = state["matadors"]
    out[5] = state["overbid"]
    out[6] = points
    out[7] = tricks
    out[15] = end == END_CONCEDED or end == END_DEFENDERS_CONCEDED
    if state["game"] == NULL:
        return
    flags = np.int64(state["flags"])
    complete = np.int64(state["tricks"][0]) + np.int64(state["tricks"][1]) + np.int64(state["tricks"][2])
    won = state["won"] != 0
    gone = (end == END_TIMED_OUT or end == END_LEFT) and state["end_seat"] == state["declarer"]
    if state["overbid"] and not gone:  # the goal may have been reached all the same
        won = goal_reached(np.int64(state["game"]), flags, points, tricks, np.int64(state["awarded_tricks"][1]))
    if won:
        out[8] = points >= 90
        out[9] = tricks == 10
    elif flags & SCHNEIDER == 0 and complete > 0:
        out[8] = points <= 30
        out[9] = tricks == 0


@kernel
def _random_call(state: StateRecord, rng: RngState) -> int:
    """A call of a random auction: short on average, with jumps now and then."""
    if state["to_move"] == state["responder"]:
        return np.int64(HOLD) if rand_below(rng, 2) else np.int64(PASS)
    words = legal_words(state)
    bids = count_legal(words) - 1
    if bids == 0 or rand_below(rng, 100) < 45:
        return np.int64(PASS)
    jump = rand_below(rng, min(bids, 5)) if rand_below(rng, 10) == 0 else np.int64(0)
    return nth_legal(words, 1 + jump)


@kernel
def _random_action(state: StateRecord, rng: RngState) -> int:
    if state["phase"] == AUCTION:
        return _random_call(state, rng)
    if state["phase"] == SKAT and rand_below(rng, 100) < 85:
        return np.int64(PICK_UP)
    word0, word1, word2 = legal_words(state)
    if state["phase"] == PLAY:
        word0, word1, word2 = word0 & ALL_CARDS, np.int64(0), np.int64(0)
    words = (word0, word1, word2)
    return nth_legal(words, rand_below(rng, count_legal(words)))


@kernel
def _random_event(state: StateRecord, rng: RngState, cursor: NDArray[np.int64], events: NDArray[np.uint8]) -> None:
    """Once in a while somebody resigns, shows his cards, runs out of time or leaves."""
    draw = rand_below(rng, 1000)
    seat = rand_below(rng, 3)
    if draw >= 20 or cursor[N_EVENTS] == MAX_EVENTS:
        return
    if draw < 2:
        apply_event(state, EVENT_TIME_OUT if draw else EVENT_LEAVE, seat)
        _note_event(TIMED_OUT if draw else LEFT, seat, cursor, events)
    elif state["phase"] == PLAY and draw < 8:
        _note_event(CLAIMED, np.int64(state["declarer"]), cursor, events)
    elif is_legal_event(state, EVENT_CONCEDE, seat):
        apply_event(state, EVENT_CONCEDE, seat)
        _note_event(RESIGNED, seat, cursor, events)


@kernel
def random_moves(
    state: StateRecord,
    rng: RngState,
    actions: NDArray[np.uint8],
    seats: NDArray[np.uint8],
    events: NDArray[np.uint8],
    cursor: NDArray[np.int64],
) -> None:
    """From the start of a deal take random legal actions, with random events between them, until the game is over.

    Writes the actions (uint8, shape (MAX_ACTIONS,)) with their seats, the events as :func:`replay_batch` does, and their numbers
    into ``cursor`` (int64, shape (CURSOR_SIZE,)).
    """
    cursor[:] = 0
    while state["phase"] != OVER:
        _random_event(state, rng, cursor, events)
        if state["phase"] != OVER:
            seats[cursor[N_TAKEN]] = state["to_move"]
            _take(state, _random_action(state, rng), cursor, actions)
