"""Numbers of the one action space of all phases (frozen: version 1; a change of any id raises the version).

=========  =========================================================================================================
ids        meaning
=========  =========================================================================================================
0…31       play or put away that card
32         pass
33         hold ("yes")
34         pick up the skat
35…63      the 29 declarations of rules 3.1, in the order of ``DECLARATIONS``: seven after the pick-up, 22 by hand
64…131     bid ``BID_VALUES[id - 64]``: the union of all ladders (63 official values, 200 and 220 of the old grand base, the
           ISS client's 171, 189 and 190)
132        concede
133        claim: declarer the rest of the tricks (null: none of them), a defender all the rest alone
134        accept a concession
135        play on: refuse a concession
=========  =========================================================================================================

A set of legal actions inside kernels is three words of 48 bits: bit *b* of word *w* stands for action ``48·w + b``.
"""

from __future__ import annotations

import numpy as np

from skatai.kernels.tables import BASE, GRAND, NULL, NULL_VALUE, IntTable

__all__ = [
    "ACCEPT",
    "ACTION_SPACE_VERSION",
    "BID_VALUES",
    "CLAIM",
    "CONCEDE",
    "DECLARATIONS",
    "DECLARATION_FLAGS",
    "DECLARATION_GAME",
    "FIRST_BID",
    "FIRST_DECLARATION",
    "FIRST_HAND_DECLARATION",
    "HAND",
    "HOLD",
    "LADDER_GRAND20",
    "LADDER_ISS",
    "LADDER_OFFICIAL",
    "LADDER_WORDS",
    "N_ACTIONS",
    "N_BIDS",
    "OUVERT",
    "PASS",
    "PICK_UP",
    "PLAY_ON",
    "SCHNEIDER",
    "SCHWARZ",
    "WORD_BITS",
]

ACTION_SPACE_VERSION = 1
WORD_BITS = 48

PASS, HOLD, PICK_UP, FIRST_DECLARATION = 32, 33, 34, 35
FIRST_HAND_DECLARATION = 42
FIRST_BID = 64
CONCEDE, CLAIM, ACCEPT, PLAY_ON = 132, 133, 134, 135
N_ACTIONS = 136

#: contract flags (bits)
HAND, OUVERT, SCHNEIDER, SCHWARZ = 1, 2, 4, 8


def _declarations() -> list[tuple[int, int]]:
    after_pick_up = [(game, 0) for game in range(6)] + [(NULL, OUVERT)]
    announced = (HAND, HAND | SCHNEIDER, HAND | SCHNEIDER | SCHWARZ, HAND | OUVERT | SCHNEIDER | SCHWARZ)
    by_hand = [(game, flags) for game in range(5) for flags in announced]
    return after_pick_up + by_hand + [(NULL, HAND), (NULL, HAND | OUVERT)]


#: (game, flags) of each declaration, flags closed under what implies what (rules 3.1)
DECLARATIONS = _declarations()
DECLARATION_GAME: IntTable = np.array([game for game, _ in DECLARATIONS], dtype=np.int64)
DECLARATION_FLAGS: IntTable = np.array([flags for _, flags in DECLARATIONS], dtype=np.int64)


def _official(grand_base: int) -> set[int]:
    """The values a game can have (rules 2.1): base × 2…18, grand × 2…11, and the four of null."""
    suits = {int(BASE[suit]) * n for suit in range(4) for n in range(2, 19)}
    grands = {grand_base * n for n in range(2, 12)}
    return suits | grands | {int(value) for value in NULL_VALUE}


LADDER_OFFICIAL, LADDER_GRAND20, LADDER_ISS = 0, 1, 2
_LADDERS = (_official(int(BASE[GRAND])), _official(20), _official(int(BASE[GRAND])) | {171, 189, 190})

#: every value of every ladder, ascending: bid ids are FIRST_BID + index
BID_VALUES: IntTable = np.array(sorted(set().union(*_LADDERS)), dtype=np.int64)
N_BIDS = len(BID_VALUES)


def _words(ids: list[int]) -> list[int]:
    return [sum(1 << (i - WORD_BITS * w) for i in ids if i // WORD_BITS == w) for w in range(3)]


#: (3 ladders, 3 words): the bids of each ladder as legal-action words
LADDER_WORDS: IntTable = np.array(
    [_words([FIRST_BID + i for i, value in enumerate(BID_VALUES) if value in ladder]) for ladder in _LADDERS],
    dtype=np.int64,
)
