"""What the rule player looks at in a card of a suit game or grand, and the weight of each point.

A card's score is a weighted sum; the card with the highest score is played. There is one row of weights for each role, for suit
games and grand, and for each place in the trick. The terms:

* the chance of the own side to take the trick, alone and times the card points in it;
* the kind of the card: trump or plain, how many cards out can beat it, how many cards of its suit are out;
* how it stands in the hand: length of its suit, the only card of it, a higher one held as well;
* what the trick may decide: 61 points, or the defenders' 60;
* in leads, what it does to the others: trumps that fall, suits that they are out of, suits that they have led.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import popcount
from skatai.kernels.tables import BEATS, FOLLOW, POINTS, TRUMPS

__all__ = ["LAST", "LEAD", "N_PLACES", "N_WEIGHTS", "SECOND_FOE", "SECOND_PARTNER", "card_kind", "card_score"]

#: places in the trick: to lead; second, an opponent plays last; second, the partner plays last; last
LEAD, SECOND_FOE, SECOND_PARTNER, LAST = range(4)
N_PLACES: Final = 4

N_KINDS: Final = 15
WIN: Final = 0
WIN_POINTS: Final = 1
LOSS_POINTS: Final = 2
KIND: Final = 3
KIND_POINTS: Final = 18
JACK: Final = 33
LENGTH: Final = 34
ALONE: Final = 35  # the only card of a plain suit
ALONE_RUFF: Final = 36  # the same, with trumps in hand
COVERED: Final = 37  # a higher card of the class is held, too
COVERED_POINTS: Final = 38
STAKE: Final = 39
FALLING: Final = 40  # declarer's trump lead: opponents expected to follow
SURPLUS: Final = 41  # declarer's trump lead: trumps held more than out
FOLLOWS: Final = 40  # defender: chance that the declarer must follow the suit of a top card
FOLLOWS_POINTS: Final = 41
DECLARER_VOID: Final = 42
PARTNER_VOID: Final = 43
PARTNER_SUIT: Final = 44  # the partner has led it
DECLARER_SUIT: Final = 45  # the declarer has led it
SHORT_WAY: Final = 46  # plain lead with the declarer to play second
SHORT_WAY_LENGTH: Final = 47
HELPED: Final = 48  # chance that the declarer beats the lead and the partner could beat it, too
N_WEIGHTS: Final = 49


@kernel
def card_kind(card: int, game: int, out: int) -> int:
    """Kind of a card, 0…14, by the cards ``out``: five of trumps, ten of plain cards."""
    follow = FOLLOW[game, card]
    higher = popcount(BEATS[game, card] & follow & out)
    trumps = TRUMPS[game]
    if trumps >> card & 1:
        if higher == 0:
            return np.int64(1) if trumps & out else np.int64(0)
        return 1 + min(higher, 3)
    if higher == 0 and trumps & out == 0:
        return np.int64(5)
    suit_out = popcount(follow & out)
    size = (suit_out > 2) + (suit_out > 4)
    return 6 + 3 * min(higher, 2) + size


@kernel
def card_score(card: int, game: int, hand: int, out: int, win: float, points: int, w: NDArray[np.float64]) -> float:
    """The terms that all roles and places share.

    ``win``: chance of the own side to take the trick; ``points``: card points in it with ``card``; ``w``: float64[N_WEIGHTS].
    """
    kind = card_kind(card, game, out)
    own = POINTS[card]
    score = win * w[WIN] + points * (win * w[WIN_POINTS] + (1.0 - win) * w[LOSS_POINTS])
    score += w[KIND + kind] + w[KIND_POINTS + kind] * own
    follow = FOLLOW[game, card]
    if hand & follow & BEATS[game, card]:
        score += w[COVERED] + w[COVERED_POINTS] * own
    if kind < 5:
        return score + w[JACK] if card & 7 == 7 else score
    length = popcount(hand & follow)
    score += w[LENGTH] * length
    if length == 1:
        score += w[ALONE]
        if hand & TRUMPS[game]:
            score += w[ALONE_RUFF]
    return score
