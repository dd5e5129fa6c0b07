"""The game state: one structured record, from the deal to the score, and how it is set up and read.

=================  ==========  ========================================================================================
field              type        meaning
=================  ==========  ========================================================================================
``rules``          u4          packed :class:`skatai.rules.Rules`
``dealt``          u4 × 3      the ten cards dealt to forehand, middlehand, rearhand
``hands``          u4 × 3      cards held now (the declarer's twelve between pick-up and discard)
``skat``           u4          the two cards dealt as skat
``discards``       u4          put away by the declarer so far (0 in hand games)
``bids``           u4 × 2 × 3  bids named in phase 1 (by middlehand) and later, as bit sets over bid indices, 32 a word
``plays``          u1 × 30     cards in the order played
``leaders``        u1 × 10     who leads each trick, up to the present one
``n_plays``        u1          cards played
``points``         u1 × 3      card points in the tricks of each seat
``tricks``         u1 × 3      tricks of each seat
``phase``          u1          ``AUCTION``, ``SKAT``, ``DISCARD``, ``DECLARE``, ``PLAY``, ``ANSWER`` or ``OVER``
``to_move``        u1          seat to move; ``NOBODY`` when over
``bid``            u1          1 + index of the last value named; 0 before any
``limits``         u1 × 3      1 + index of the last value each seat named or held; 0 for none
``stage``          u1          phase of the auction, 1 to 3 (rules 2.2)
``caller``         u1          who bids in this stage
``responder``      u1          who holds or passes in this stage; ``NOBODY`` in stage 3
``survivor``       u1          who was left after stage 1; ``NOBODY`` before
``declarer``       u1          ``NOBODY`` before the auction has ended, or when passed in
``game``           u1          game type (row of the tables); ``NO_GAME`` before the declaration
``flags``          u1          contract flags ``HAND | OUVERT | SCHNEIDER | SCHWARZ``, closed under implication
``refused``        u1          bits 0-2: a claim of the seat was rejected in this trick; bits 4-6: its concession was refused
``pending``        u1          seat whose concession waits for an answer; ``NOBODY``
``resigned``       u1          bits: defenders who gave up (``award_rest``); bit 4: a concession was refused, so that the
                               plain win is safe
``end``            u1          why the game ended, ``END_…``; 0 while it runs
``end_seat``       u1          whose concession, claim, time-out or leaving it was; ``NOBODY``
``awarded``        u1          declarer's card points as scored: tricks, skat, and what an ending gave him
``awarded_tricks`` u1 × 2      tricks of the declarer and of the defenders as scored
``schneider``      u1          the level schneider counts (reached, announced or credited)
``schwarz``        u1          the level schwarz counts
``won``            u1          the declarer won
``overbid``        u1          the value did not cover the bid
``matadors``       i1          signed, 0 in null; set when the game is scored
``value``          u2          game value (rules 3.4, 5.2)
``score``          i2          declarer's score: value, or minus twice the value
=================  ==========  ========================================================================================

137 bytes. A seat's :class:`~skatai.view.PlayerView` holds the same record with everything hidden blanked out by
:func:`skatai.kernels.observe.observe`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.bits import lowest
from skatai.kernels.tables import POINTS

__all__ = [
    "ANSWER",
    "AUCTION",
    "DECLARE",
    "DISCARD",
    "END_ABORTED",
    "END_CLAIM",
    "END_CONCEDED",
    "END_DECIDED",
    "END_DEFENDERS_CONCEDED",
    "END_LEFT",
    "END_PASSED_IN",
    "END_PLAYED",
    "END_REFUSED_CLAIM",
    "END_TIMED_OUT",
    "NOBODY",
    "NO_GAME",
    "OVER",
    "PHASES",
    "PLAY",
    "SKAT",
    "STATE",
    "StateRecord",
    "bid_value",
    "card_points",
    "defender_points",
    "defender_tricks",
    "new_state",
    "new_states",
    "put_away",
    "set_deal",
]

#: in annotations: a ``np.void`` of dtype :data:`STATE` (what ``states[i]`` gives)
StateRecord: TypeAlias = Any

STATE = np.dtype(
    [
        ("rules", "<u4"),
        ("dealt", "<u4", (3,)),
        ("hands", "<u4", (3,)),
        ("skat", "<u4"),
        ("discards", "<u4"),
        ("bids", "<u4", (2, 3)),
        ("value", "<u2"),
        ("score", "<i2"),
        ("plays", "u1", (30,)),
        ("leaders", "u1", (10,)),
        ("n_plays", "u1"),
        ("points", "u1", (3,)),
        ("tricks", "u1", (3,)),
        ("phase", "u1"),
        ("to_move", "u1"),
        ("bid", "u1"),
        ("limits", "u1", (3,)),
        ("stage", "u1"),
        ("caller", "u1"),
        ("responder", "u1"),
        ("survivor", "u1"),
        ("declarer", "u1"),
        ("game", "u1"),
        ("flags", "u1"),
        ("refused", "u1"),
        ("pending", "u1"),
        ("resigned", "u1"),
        ("end", "u1"),
        ("end_seat", "u1"),
        ("awarded", "u1"),
        ("awarded_tricks", "u1", (2,)),
        ("schneider", "u1"),
        ("schwarz", "u1"),
        ("won", "u1"),
        ("overbid", "u1"),
        ("matadors", "i1"),
    ]
)

NOBODY = 255
NO_GAME = 255

AUCTION, SKAT, DISCARD, DECLARE, PLAY, ANSWER, OVER = range(7)
PHASES = ("auction", "skat", "discard", "declare", "play", "answer", "over")

(
    END_PLAYED,
    END_DECIDED,
    END_CONCEDED,
    END_DEFENDERS_CONCEDED,
    END_CLAIM,
    END_REFUSED_CLAIM,
    END_TIMED_OUT,
    END_LEFT,
    END_PASSED_IN,
    END_ABORTED,
) = range(1, 11)


@kernel
def card_points(mask: int) -> int:
    """Card points of a set of cards."""
    total = 0
    while mask:
        total += POINTS[lowest(mask)]
        mask &= mask - 1
    return total


@kernel
def bid_value(state: StateRecord) -> int:
    """The last value named in the auction; 0 before any."""
    if state["bid"] == 0:
        return np.int64(0)
    return BID_VALUES[state["bid"] - 1]


@kernel
def put_away(state: StateRecord) -> int:
    """The two cards whose points the declarer gets besides his tricks: his discards, or the skat of a hand game."""
    if state["discards"]:
        return np.int64(state["discards"])
    return np.int64(state["skat"])


@kernel
def defender_points(state: StateRecord) -> int:
    """Card points in the defenders' tricks."""
    total = np.int64(0)
    for seat in range(3):
        if seat != state["declarer"]:
            total += np.int64(state["points"][seat])
    return total


@kernel
def defender_tricks(state: StateRecord) -> int:
    """Tricks of the defenders."""
    total = np.int64(0)
    for seat in range(3):
        if seat != state["declarer"]:
            total += np.int64(state["tricks"][seat])
    return total


@kernel
def set_deal(state: StateRecord, hand0: int, hand1: int, hand2: int, skat: int, rules: int) -> None:
    """Make ``state`` the start of a deal: middlehand to bid (rules 2.2)."""
    for seat in range(3):
        hand = hand0
        if seat == 1:
            hand = hand1
        elif seat == 2:
            hand = hand2
        state["dealt"][seat] = hand
        state["hands"][seat] = hand
        state["points"][seat] = 0
        state["tricks"][seat] = 0
        state["limits"][seat] = 0
        state["bids"][0, seat] = 0
        state["bids"][1, seat] = 0
    for i in range(10):
        state["leaders"][i] = 0
    for i in range(30):
        state["plays"][i] = 0
    state["rules"] = rules
    state["skat"] = skat
    state["discards"] = 0
    state["n_plays"] = 0
    state["phase"] = AUCTION
    state["to_move"] = 1
    state["bid"] = 0
    state["stage"] = 1
    state["caller"] = 1
    state["responder"] = 0
    state["survivor"] = NOBODY
    state["declarer"] = NOBODY
    state["game"] = NO_GAME
    state["flags"] = 0
    state["refused"] = 0
    state["pending"] = NOBODY
    state["resigned"] = 0
    state["end"] = 0
    state["end_seat"] = NOBODY
    _clear_result(state)


@kernel
def _clear_result(state: StateRecord) -> None:
    state["awarded"] = 0
    state["awarded_tricks"][0] = 0
    state["awarded_tricks"][1] = 0
    state["schneider"] = 0
    state["schwarz"] = 0
    state["won"] = 0
    state["overbid"] = 0
    state["matadors"] = 0
    state["value"] = 0
    state["score"] = 0


def new_states(n: int) -> NDArray[np.void]:
    """``n`` blank states: an array of shape (n,), dtype :data:`STATE`."""
    return np.zeros(n, dtype=STATE)


def new_state() -> StateRecord:
    """One blank state record (a writable ``np.void``)."""
    return new_states(1)[0]
