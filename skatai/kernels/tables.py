"""Constant tables of the game, indexed by game type and card.

Game types are rows: D H S C = 0…3 (the trump suit), G = 4, N = 5. A variant with another card order (Ramsch with low tens, the
reverse game, …) is a further row here, not a branch in the code that plays cards.

====================  ==============  ==========================================================================
table                 shape           meaning
====================  ==============  ==========================================================================
``POINTS``            (32,)           card points (rules 1.1)
``BASE``              (6,)            base value; 23 for null (rules 3.4, 5.2)
``NULL_VALUE``        (4,)            value of null by ``hand + 2·ouvert``
``TRUMPS``            (6,)            mask of the trumps
``MATADORS``          (6, 11)         trumps from the top, -1 behind the last
``FOLLOW``            (6, 32)         mask of the suit class of a led card: what must be played if held (rules 4.1)
``BEATS``             (6, 32)         mask of the cards that beat a card while it is the best of the trick
``STRENGTH``          (6, 32)         order inside the suit class, higher is stronger (for rules of thumb only)
====================  ==============  ==========================================================================

All are ``int64``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BASE",
    "BEATS",
    "CLUBS",
    "DIAMONDS",
    "FOLLOW",
    "GAMES",
    "GRAND",
    "HEARTS",
    "JACKS",
    "MATADORS",
    "NULL",
    "NULL_VALUE",
    "N_GAMES",
    "POINTS",
    "SPADES",
    "STRENGTH",
    "SUIT_MASK",
    "TRUMPS",
]

GAMES = "DHSCGN"
DIAMONDS, HEARTS, SPADES, CLUBS, GRAND, NULL = range(6)
N_GAMES = 6

JACKS = 0x80808080

#: order of the ranks, low to high, as rank indices (7 8 9 Q K T A J = 0…7), without the jack where it is a trump
_SUIT_ORDER = (0, 1, 2, 3, 4, 5, 6)
_NULL_ORDER = (0, 1, 2, 5, 7, 3, 4, 6)

IntTable = NDArray[np.int64]

POINTS: IntTable = np.array([0, 0, 0, 3, 4, 10, 11, 2] * 4, dtype=np.int64)
BASE: IntTable = np.array([9, 10, 11, 12, 24, 23], dtype=np.int64)
NULL_VALUE: IntTable = np.array([23, 35, 46, 59], dtype=np.int64)
SUIT_MASK: IntTable = np.array([0xFF << (8 * suit) for suit in range(4)], dtype=np.int64)


def _classes(game: int) -> list[list[int]]:
    """Suit classes of a game, each from the weakest card to the strongest; the trumps, if any, come first (rules 1.2)."""
    if game == NULL:
        return [[8 * suit + rank for rank in _NULL_ORDER] for suit in range(4)]
    plain = [[8 * suit + rank for rank in _SUIT_ORDER] for suit in range(4)]
    jacks = [8 * suit + 7 for suit in range(4)]
    if game == GRAND:
        return [jacks, *plain]
    return [plain.pop(game) + jacks, *plain]


def _build() -> tuple[IntTable, IntTable, IntTable, IntTable, IntTable]:
    trumps = np.zeros(N_GAMES, dtype=np.int64)
    matadors = np.full((N_GAMES, 11), -1, dtype=np.int64)
    follow = np.zeros((N_GAMES, 32), dtype=np.int64)
    beats = np.zeros((N_GAMES, 32), dtype=np.int64)
    strength = np.zeros((N_GAMES, 32), dtype=np.int64)
    for game in range(N_GAMES):
        classes = _classes(game)
        if game != NULL:
            trumps[game] = sum(1 << card for card in classes[0])
            matadors[game, : len(classes[0])] = classes[0][::-1]
        for cards in classes:
            for place, card in enumerate(cards):
                follow[game, card] = sum(1 << other for other in cards)
                beats[game, card] = sum(1 << other for other in cards[place + 1 :])
                if not trumps[game] >> card & 1:
                    beats[game, card] |= trumps[game]
                strength[game, card] = place
    return trumps, matadors, follow, beats, strength


TRUMPS, MATADORS, FOLLOW, BEATS, STRENGTH = _build()
