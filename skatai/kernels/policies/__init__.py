"""The compiled rule player: a fast Skat player for play-outs and as an opponent.

It knows rules of thumb as terms of a sum, hand-written, whose weights are fitted; it does not search.

``knowledge``  what a seat can work out during play
``features``   the terms of a card in suit games and grand; ``declarer``, ``defenders``, ``null``: the cards; ``play``: any contract
``weights``    the numbers of the card play
``strength``   chances of winning with a hand (numbers in ``strength_weights``); ``discards``; ``bidding``

Every function reads only what the seat may know, from a full state or its masked record alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import PLAY_ON
from skatai.kernels.policies.bidding import limit, rule_bid, rule_declare, rule_discard, rule_skat
from skatai.kernels.policies.discards import best_discard, best_discard_and_contract
from skatai.kernels.policies.play import rule_card
from skatai.kernels.policies.strength import hand_strength
from skatai.kernels.rng import RngState
from skatai.kernels.state import ANSWER, AUCTION, DISCARD, PLAY, SKAT, StateRecord

__all__ = [
    "best_discard",
    "best_discard_and_contract",
    "hand_strength",
    "limit",
    "rule_action",
    "rule_actions",
    "rule_bid",
    "rule_card",
    "rule_declare",
    "rule_discard",
    "rule_skat",
]


@kernel
def rule_action(state: StateRecord, seat: int, rng: RngState) -> int:
    """The action of ``seat``, who is to move, in any phase but ``OVER``.

    The player never concedes or claims, and refuses every concession: to play on costs nothing and may bring schneider. It
    uses no randomness; ``rng`` is there so that all policies have one signature.
    """
    phase = state["phase"]
    if phase == PLAY:
        return rule_card(state, seat)
    if phase == AUCTION:
        return rule_bid(state, seat)
    if phase == SKAT:
        return rule_skat(state, seat)
    if phase == DISCARD:
        return rule_discard(state, seat)
    if phase == ANSWER:
        return np.int64(PLAY_ON)
    return rule_declare(state, seat)


@kernel
def rule_actions(states: NDArray[np.void], seats: NDArray[np.int64], rng: RngState, out: NDArray[np.int64]) -> None:
    """Write the action of ``seats[i]`` (int64[n]) in ``states[i]`` (dtype ``STATE``) into ``out[i]`` (int64[n])."""
    for i in range(len(states)):
        out[i] = rule_action(states[i], seats[i], rng)
