"""The rule player's card in any contract."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import lowest
from skatai.kernels.moves import legal_cards
from skatai.kernels.policies.declarer import declarer_card
from skatai.kernels.policies.defenders import defender_card
from skatai.kernels.policies.null import null_declarer_card, null_defender_card
from skatai.kernels.policies.weights import NULL_DEFENDER, WEIGHTS
from skatai.kernels.state import StateRecord
from skatai.kernels.tables import GRAND, NULL

__all__ = ["rule_card", "weighted_card"]


@kernel
def weighted_card(state: StateRecord, seat: int, weights: NDArray[np.float64]) -> int:
    """As :func:`rule_card`, with weights float64[2, 2, N_PLACES, N_WEIGHTS] of the caller's (declarer, defender; suit, grand)."""
    game = np.int64(state["game"])
    n = np.int64(state["n_plays"])
    led = np.int64(state["plays"][n - n % 3]) if n % 3 else np.int64(-1)
    cards = legal_cards(np.int64(state["hands"][seat]), game, led)
    if cards & (cards - 1) == 0:
        return lowest(cards)
    mine = seat == state["declarer"]
    if game == NULL:
        return null_declarer_card(state, seat) if mine else null_defender_card(state, seat, cards, NULL_DEFENDER)[0]
    row = 1 if game == GRAND else 0
    if mine:
        return declarer_card(state, seat, cards, weights[0, row])[0]
    return defender_card(state, seat, cards, weights[1, row])[0]


@kernel
def rule_card(state: StateRecord, seat: int) -> int:
    """The card ``seat`` plays; ``state`` is in phase ``PLAY`` with ``seat`` to move (a masked record gives the same card)."""
    return weighted_card(state, seat, WEIGHTS)
