"""The numbers of the rule player's card play: one row of weights for suit games, one for grand.

All weights are in card points unless said otherwise: a card's score is what the trick is expected to bring to the own side, less
what the card would be worth if it were kept. The values were found by hill climbing over games of the player against itself
(``experiments`` is not needed to use them).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["DECLARER", "DEFENDER", "FloatTable"]

FloatTable = NDArray[np.float64]

# ---- both sides: worth of a card kept ----
TOP: Final = 0  # trump that no trump out can beat, beyond its points
TRUMP: Final = 1  # any other trump
TRUMP_POINTS: Final = 2  # share of its points another trump keeps
TRUMP_HIGHER: Final = 3  # less for each of up to three higher trumps out
WIN: Final = 4  # highest card of a plain suit, beyond its points
SECOND: Final = 5  # plain card with one higher card out
SECOND_POINTS: Final = 6  # share of its points
LOSER: Final = 7  # plain card with several higher cards out
LOSER_POINTS: Final = 8
# ---- both sides: what the cards still to come bring ----
COME_WON: Final = 9  # from each opponent yet to play, when the trick is won
COME_LOST: Final = 10  # to the opponents for each of them yet to play, when it is lost
GOAL: Final = 11  # for a trick that decides the game
# ---- leads ----
LEAD_TRUMP: Final = 12  # declarer: for each trump expected to fall; defender: for leading a trump
LEAD_SURPLUS: Final = 13  # declarer: for each trump he holds more than are out
LEAD_LENGTH: Final = 14  # for each card of the plain suit led (defender: with the declarer to play second)
LEAD_FREE: Final = (
    15  # declarer: plain lead while trumps are out; defender: for each card of it, with the declarer last
)
# ---- defenders only ----
SINGLETON: Final = 16  # lead of the only card of a suit, trumps in hand
PARTNER_SUIT: Final = 17  # lead of a suit that the partner has led
PARTNER_VOID: Final = 18  # lead of a suit that the partner can trump
DECLARER_VOID: Final = 19  # lead of a suit that the declarer has run out of
PARTNER_COMES: Final = 20  # expected points of the partner yet to play, when the trick is won
PARTNER_HELPS: Final = 21  # chance (0…1) that a partner who could help against the declarer's card does
TILT: Final = 22  # odds factor of the declarer's holding an unseen trump
N_WEIGHTS: Final = 23

#: (2, N_WEIGHTS): suit games, grand
DECLARER: FloatTable = np.array(
    [
        [8, 5, 0.3, 1, 6, -4, 0.1, -8, -0.5, 2, 7, 30, 4, 1, 0.5, -3, 0, 0, 0, 0, 0, 0, 1],
        [12, 8, 0.3, 1, 8, -4, 0.1, -8, -0.5, 2, 7, 30, 4, 1, 0.5, -3, 0, 0, 0, 0, 0, 0, 1],
    ],
    dtype=np.float64,
)
#: (2, N_WEIGHTS): suit games, grand
DEFENDER: FloatTable = np.array(
    [
        [5, 3, 0.3, 0.5, 4, 0, 0.3, 0, 0.0, 2, 5, 30, -6, 0, 0.5, -0.7, 4, 2, 4, 1, 5, 0.5, 1.5],
        [6, 4, 0.3, 0.5, 5, 0, 0.3, 0, 0.0, 2, 5, 30, -6, 0, 1.0, 0.5, 0, 2, 2, 1, 5, 0.5, 1.2],
    ],
    dtype=np.float64,
)
