"""Two more forms of an observation: the whole history as a sequence of tokens, and all cards for oracle critics.

**History** (``HISTORY_VERSION`` = 1): int16, shape (208, 2). Column 0 holds tokens, column 1 who did it, as seen from the seat: 0
nobody, 1 me, 2 the next seat ("left"), 3 the other ("right"). Unused rows at the end are 0 in both columns.

===========  ===========================================================================================================
token        meaning
===========  ===========================================================================================================
0            padding
1…136        action ``token - 1`` (:mod:`skatai.kernels.action_ids`): calls, pick-up, declaration, cards played
137…168      a card dealt to me
169…200      a card of the skat I picked up
201…232      a card I put away
233…264      a card of the declarer's open hand, as it lay at the declaration
265…267      I am forehand, middlehand, rearhand
268          a concession waits for an answer (actor: who conceded)
269          who has to answer it
270          the actor's claim was rejected in this trick
271          the actor's concession was refused in this trick
272          the actor, a defender, has given up
273          a concession was refused: the plain win is safe
274 + end    the deal is over, for reason ``END_…``
===========  ===========================================================================================================

Order: my seat, my ten cards, the auction call by call, pick-up, skat, cards put away, declaration, open hand, cards played, then
what is open at present. Until the deal is over, everything the seat may know can be read off, the rules of the table apart, and
whether a declarer other than the seat has put away one card or both before the declaration.

**All cards** (``PERFECT_VERSION`` = 1): int8, 527 entries: the flat encoding of the seat (399, :mod:`skatai.kernels.encodings`),
then

======  ====  ===============  ==================================================================
start   size  block            meaning
======  ====  ===============  ==================================================================
399     32    ``LEFT_HAND``    cards held by the next seat
431     32    ``RIGHT_HAND``   cards held by the other seat
463     32    ``SKAT``         the skat as dealt
495     32    ``DISCARDS``     what the declarer has put away
======  ====  ===============  ==================================================================

It needs the full state, and is for critics in training only: no agent may act on it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_BID,
    FIRST_DECLARATION,
    HAND,
    HOLD,
    OUVERT,
    PASS,
    PICK_UP,
)
from skatai.kernels.bits import highest, lowest
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SIZE, encode, mod3
from skatai.kernels.state import ANSWER, DECLARE, DISCARD, END_PASSED_IN, NO_GAME, NOBODY, OVER, StateRecord
from skatai.kernels.tables import N_GAMES, IntTable

__all__ = [
    "HISTORY_LENGTH",
    "HISTORY_VERSION",
    "N_TOKENS",
    "PERFECT_BLOCKS",
    "PERFECT_SIZE",
    "PERFECT_VERSION",
    "encode_history",
    "encode_history_batch",
    "encode_perfect",
    "encode_perfect_batch",
]

HISTORY_VERSION: Final = 1
#: rows: 11 for seat and hand, at most 135 calls, 16 up to the play, 30 cards, 12 for what is open
HISTORY_LENGTH: Final = 208

ACTION_TOKEN = 1
DEALT_TOKEN, SKAT_TOKEN, PUT_AWAY_TOKEN, SHOWN_TOKEN = 137, 169, 201, 233
SEAT_TOKEN = 265
PENDING_TOKEN, ANSWER_TOKEN, CLAIM_REFUSED_TOKEN, CONCESSION_REFUSED_TOKEN, GIVEN_UP_TOKEN, SAFE_TOKEN = range(268, 274)
OVER_TOKEN = 274
#: size of the vocabulary
N_TOKENS: Final = 285

PERFECT_VERSION: Final = 1
#: where each block of the all-cards encoding lies
PERFECT_BLOCKS: Final[dict[str, slice]] = {
    **ENCODING_BLOCKS,
    **{
        name: slice(ENCODING_SIZE + 32 * i, ENCODING_SIZE + 32 * (i + 1))
        for i, name in enumerate(("LEFT_HAND", "RIGHT_HAND", "SKAT", "DISCARDS"))
    },
}
PERFECT_SIZE: Final[int] = ENCODING_SIZE + 4 * 32


#: (N_GAMES, 16): token of the declaration of a game type with its flags
_DECLARATION_TOKENS: IntTable = np.zeros((N_GAMES, 16), dtype=np.int64)
_DECLARATION_TOKENS[DECLARATION_GAME, DECLARATION_FLAGS] = (
    ACTION_TOKEN + FIRST_DECLARATION + np.arange(len(DECLARATION_GAME))
)


@kernel(inline=True)
def _push(out: NDArray[np.int16], row: int, n: int, token: int, who: int, seat: int) -> int:
    """Write token ``n`` of a row; ``who`` is a seat or ``NOBODY``. The number of tokens then."""
    out[row, 2 * n] = token
    out[row, 2 * n + 1] = 0 if who == NOBODY else mod3(who + 3 - seat) + 1
    return n + 1


@kernel(inline=True)
def _push_cards(out: NDArray[np.int16], row: int, n: int, first: int, cards: int, who: int, seat: int) -> int:
    while cards:
        n = _push(out, row, n, first + lowest(cards), who, seat)
        cards &= cards - 1
    return n


@kernel(inline=True)
def _push_stage(
    state: StateRecord, seat: int, out: NDArray[np.int16], row: int, n: int, late: int, caller: int, responder: int
) -> int:
    """The calls of one stage of the auction but for the last pass: every value named, and held unless it was the last one."""
    limit = 0 if responder == NOBODY else np.int64(state["limits"][responder])
    last = np.int64(-1)
    for w in range(3):
        if state["bids"][late, w]:
            last = 32 * w + highest(np.int64(state["bids"][late, w]))
    for w in range(3):
        word = np.int64(state["bids"][late, w])
        while word:
            bid = 32 * w + lowest(word)
            word &= word - 1
            n = _push(out, row, n, ACTION_TOKEN + FIRST_BID + bid, caller, seat)
            if bid < last or limit > bid:
                n = _push(out, row, n, ACTION_TOKEN + HOLD, responder, seat)
    return n


@kernel(inline=True)
def _push_auction(state: StateRecord, seat: int, out: NDArray[np.int16], row: int, n: int) -> int:
    n = _push_stage(state, seat, out, row, n, 0, 1, 0)
    survivor, declarer, stage = np.int64(state["survivor"]), np.int64(state["declarer"]), np.int64(state["stage"])
    if survivor == NOBODY:
        return n
    passing = ACTION_TOKEN + PASS
    n = _push(out, row, n, passing, 1 - survivor, seat)
    if stage == 2:
        n = _push_stage(state, seat, out, row, n, 1, 2, survivor)
        if declarer != NOBODY:
            n = _push(out, row, n, passing, 2 if declarer == survivor else survivor, seat)
        return n
    n = _push(out, row, n, passing, 2, seat)
    n = _push_stage(state, seat, out, row, n, 1, 0, NOBODY)
    if state["end"] == END_PASSED_IN:
        n = _push(out, row, n, passing, 0, seat)
    return n


@kernel(inline=True)
def _push_contract(state: StateRecord, seat: int, out: NDArray[np.int16], row: int, n: int) -> int:
    """Pick-up, skat, cards put away, declaration and open hand."""
    declarer, game, flags = np.int64(state["declarer"]), np.int64(state["game"]), np.int64(state["flags"])
    declared = game != NO_GAME
    if state["phase"] == DISCARD or state["phase"] == DECLARE or (declared and flags & HAND == 0):
        n = _push(out, row, n, ACTION_TOKEN + PICK_UP, declarer, seat)
        if declarer == seat:
            n = _push_cards(out, row, n, SKAT_TOKEN, np.int64(state["skat"]), seat, seat)
            n = _push_cards(out, row, n, PUT_AWAY_TOKEN, np.int64(state["discards"]), seat, seat)
    if not declared:
        return n
    n = _push(out, row, n, _DECLARATION_TOKENS[game, flags], declarer, seat)
    if flags & OUVERT:
        cards = np.int64(state["hands"][declarer])
        for i in range(np.int64(state["n_plays"])):
            if (np.int64(state["leaders"][i // 3]) + i) % 3 == declarer:
                cards |= np.int64(1) << np.int64(state["plays"][i])
        n = _push_cards(out, row, n, SHOWN_TOKEN, cards, declarer, seat)
    return n


@kernel
def _push_open(state: StateRecord, seat: int, out: NDArray[np.int16], row: int, n: int) -> int:
    """What is open at present: concessions and claims, and the end."""
    refused, resigned = np.int64(state["refused"]), np.int64(state["resigned"])
    if refused | resigned == 0 and state["phase"] < ANSWER:
        return n
    for other in range(3):
        if refused >> other & 1:
            n = _push(out, row, n, CLAIM_REFUSED_TOKEN, other, seat)
        if refused >> (4 + other) & 1:
            n = _push(out, row, n, CONCESSION_REFUSED_TOKEN, other, seat)
        if resigned >> other & 1:
            n = _push(out, row, n, GIVEN_UP_TOKEN, other, seat)
    if resigned >> 4 & 1:
        n = _push(out, row, n, SAFE_TOKEN, NOBODY, seat)
    if state["phase"] == ANSWER:
        n = _push(out, row, n, PENDING_TOKEN, np.int64(state["pending"]), seat)
        n = _push(out, row, n, ANSWER_TOKEN, np.int64(state["to_move"]), seat)
    if state["phase"] == OVER:
        n = _push(out, row, n, OVER_TOKEN + np.int64(state["end"]), np.int64(state["end_seat"]), seat)
    return n


@kernel
def _encode_row(state: StateRecord, seat: int, out: NDArray[np.int16], row: int) -> int:
    """:func:`encode_history` into a row of a matrix that holds token and actor in turn."""
    for i in range(2 * HISTORY_LENGTH):
        out[row, i] = 0
    n = _push(out, row, np.int64(0), SEAT_TOKEN + seat, seat, seat)
    n = _push_cards(out, row, n, DEALT_TOKEN, np.int64(state["dealt"][seat]), seat, seat)
    n = _push_auction(state, seat, out, row, n)
    n = _push_contract(state, seat, out, row, n)
    for i in range(np.int64(state["n_plays"])):
        trick = i // 3
        player = mod3(np.int64(state["leaders"][trick]) + i - 3 * trick)
        n = _push(out, row, n, ACTION_TOKEN + np.int64(state["plays"][i]), player, seat)
    return _push_open(state, seat, out, row, n)


@kernel
def encode_history(state: StateRecord, seat: int, out: NDArray[np.int16]) -> int:
    """Write what ``seat`` knows of ``state`` as a sequence (int16, shape (HISTORY_LENGTH, 2)); the number of rows used.

    ``state`` may be the true state or the seat's masked record: both give the same.
    """
    return _encode_row(state, seat, out.reshape((1, 2 * HISTORY_LENGTH)), 0)


@kernel
def encode_history_batch(states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[np.int16]) -> None:
    """:func:`encode_history` for each of ``states`` (n,) as seen from ``seats`` (int64, (n,)); ``out``: (n, HISTORY_LENGTH, 2)."""
    rows = out.reshape((len(out), 2 * HISTORY_LENGTH))
    for i in range(len(states)):
        _encode_row(states[i], seats[i], rows, i)


@kernel
def encode_perfect(state: StateRecord, seat: int, out: NDArray[np.int8]) -> None:
    """Write all cards as seen from ``seat`` into ``out`` (int8, shape (PERFECT_SIZE,)); ``state`` must be the true state."""
    encode(state, seat, out[:ENCODING_SIZE])
    out[ENCODING_SIZE:] = 0
    for block in range(4):
        if block < 2:
            cards = np.int64(state["hands"][(seat + 1 + block) % 3])
        elif block == 2:
            cards = np.int64(state["skat"])
        else:
            cards = np.int64(state["discards"])
        while cards:
            out[ENCODING_SIZE + 32 * block + lowest(cards)] = 1
            cards &= cards - 1


@kernel
def encode_perfect_batch(states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[np.int8]) -> None:
    """:func:`encode_perfect` for each of ``states`` (n,) as seen from ``seats`` (int64, (n,)); ``out``: (n, PERFECT_SIZE)."""
    for i in range(len(states)):
        encode_perfect(states[i], seats[i], out[i])
