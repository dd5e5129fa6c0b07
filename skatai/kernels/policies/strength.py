"""How likely a hand wins a game: logistic models of the rule player's own results.

A model adds up one number for the jacks held, the trump ace and ten, the number of trumps, each side suit by what it holds
(ace, ten, king, number of lower cards), the card points put away and the seat; in null one number for each suit's holding
and one for the seat. The numbers are in :mod:`skatai.kernels.policies.strength_weights`.
"""

from __future__ import annotations

import math

import numpy as np

from skatai._jit import kernel
from skatai.kernels.bits import popcount
from skatai.kernels.policies.strength_weights import NULL_WEIGHTS, TRUMP_WEIGHTS
from skatai.kernels.tables import GRAND, NULL, TRUMPS, IntTable

__all__ = [
    "BY_HAND",
    "BY_HAND_SCHNEIDER",
    "DEALT",
    "KEPT",
    "NULL_BY_HAND",
    "NULL_DEALT",
    "NULL_HAND_OUVERT",
    "NULL_KEPT",
    "NULL_OUVERT",
    "hand_strength",
    "null_chance",
    "null_logit",
    "chance",
    "trump_chance",
    "trump_logit",
    "trump_terms",
]

#: models of suit games and grand: ten cards after the discard; ten cards dealt, skat to be picked up; by hand; 90 points by hand
KEPT, DEALT, BY_HAND, BY_HAND_SCHNEIDER = range(4)
#: models of null: as above, and ouvert
NULL_KEPT, NULL_DEALT, NULL_BY_HAND, NULL_OUVERT, NULL_HAND_OUVERT = range(5)

# Layout of a row of TRUMP_WEIGHTS; grand uses neither the trump ace and ten nor the number of trumps.
_JACKS, _TOPS, _LENGTH, _SIDE, POINTS_AWAY, SEAT, N_TERMS = 0, 16, 20, 32, 64, 65, 68


def _side_patterns() -> IntTable:
    """Of the seven cards of a side suit (bits 7 8 9 Q K T A): ace, ten, king as three bits and up to three lower cards."""
    holdings = range(128)
    return np.array(
        [h >> 6 << 4 | (h >> 5 & 1) << 3 | (h >> 4 & 1) << 2 | min(3, (h & 15).bit_count()) for h in holdings]
    )


_PATTERN = _side_patterns()


@kernel
def _jacks(hand: int) -> int:
    """The four jacks of a hand as four bits, clubs highest."""
    return hand >> 7 & 1 | hand >> 14 & 2 | hand >> 21 & 4 | hand >> 28 & 8


@kernel
def trump_terms(hand: int, game: int, out: IntTable) -> None:
    """Write the indices of the model's terms for ``hand`` into ``out`` (int64[7]; -1 where a term is not used)."""
    out[:] = -1
    out[0] = _JACKS + _jacks(hand)
    place = 3
    if game != GRAND:
        own = hand >> (8 * game)
        out[1] = _TOPS + (own >> 5 & 3)
        out[2] = _LENGTH + popcount(hand & TRUMPS[game])
    for suit in range(4):
        if suit != game:
            out[place] = _SIDE + _PATTERN[hand >> (8 * suit) & 127]
            place += 1


@kernel
def _trump_sum(model: int, hand: int, game: int) -> float:
    row = 1 if game == GRAND else 0
    weights = TRUMP_WEIGHTS[row, model]
    total = weights[_JACKS + _jacks(hand)]
    if game != GRAND:
        total += weights[_TOPS + (hand >> (8 * game + 5) & 3)] + weights[_LENGTH + popcount(hand & TRUMPS[game])]
    for suit in range(4):
        if suit != game:
            total += weights[_SIDE + _PATTERN[hand >> (8 * suit) & 127]]
    return total


@kernel
def trump_logit(model: int, hand: int, game: int, seat: int, points: int) -> float:
    """Log-odds of winning a suit game or grand; ``points``: card points put away (model ``KEPT`` only)."""
    row = 1 if game == GRAND else 0
    return (
        _trump_sum(model, hand, game)
        + TRUMP_WEIGHTS[row, model, POINTS_AWAY] * points
        + TRUMP_WEIGHTS[row, model, SEAT + seat]
    )


@kernel
def null_logit(model: int, hand: int, seat: int) -> float:
    """Log-odds of winning a null."""
    total = NULL_WEIGHTS[model, 256 + seat]
    for suit in range(4):
        total += NULL_WEIGHTS[model, hand >> (8 * suit) & 255]
    return total


@kernel
def chance(logit: float) -> float:
    """Probability from log-odds."""
    return 1.0 / (1.0 + math.exp(-logit))


@kernel
def trump_chance(model: int, hand: int, game: int, seat: int, points: int) -> float:
    """Chance of winning a suit game or grand with ten cards; arguments as :func:`trump_logit`."""
    return chance(trump_logit(model, hand, game, seat, points))


@kernel
def null_chance(model: int, hand: int, seat: int) -> float:
    """Chance of winning a null with ten cards."""
    return chance(null_logit(model, hand, seat))


@kernel
def hand_strength(hand: int, game: int) -> float:
    """Chance that a declarer who was dealt ``hand`` (ten cards) and picks up wins ``game``, averaged over the seats."""
    total = 0.0
    for seat in range(3):
        if game == NULL:
            total += null_chance(NULL_DEALT, hand, seat)
        else:
            total += trump_chance(DEALT, hand, game, seat, 0)
    return total / 3.0
