"""What one seat can work out during play: cards out, voids shown, and rough odds of who holds what.

Everything here reads the seat's own hand, the cards played, the contract and, for a declarer who picked up, his own discards; the
declarer's hand only where it lies open. A full state and the seat's masked record therefore give the same answers.
"""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND, OUVERT
from skatai.kernels.bits import ALL_CARDS, popcount
from skatai.kernels.observe import void_in
from skatai.kernels.state import StateRecord
from skatai.kernels.tables import BEATS, FOLLOW, TRUMPS

__all__ = ["best_on_table", "cards_out", "chance_beaten", "chance_none", "chances", "possible_cards", "power"]


@kernel
def cards_out(state: StateRecord, seat: int) -> int:
    """Mask of the cards that ``seat`` has not seen: not his own, not played, not put away by himself."""
    seen = np.int64(state["hands"][seat])
    for i in range(np.int64(state["n_plays"])):
        seen |= np.int64(1) << np.int64(state["plays"][i])
    if seat == state["declarer"] and np.int64(state["flags"]) & HAND == 0:
        seen |= np.int64(state["discards"])
    return ALL_CARDS ^ seen


@kernel
def possible_cards(state: StateRecord, other: int, out: int) -> int:
    """Mask of the cards among ``out`` that seat ``other`` may hold."""
    declarer = np.int64(state["declarer"])
    if np.int64(state["flags"]) & OUVERT:
        shown = np.int64(state["hands"][declarer])
        if other == declarer:
            return shown
        out &= ~shown
    return out & ~void_in(state, other)


@kernel
def best_on_table(state: StateRecord) -> tuple[int, int, int]:
    """Led card, best card and the seat that played it in the trick on the table, which must have begun."""
    n = np.int64(state["n_plays"])
    game = np.int64(state["game"])
    start = n - n % 3
    leader = np.int64(state["leaders"][n // 3])
    led = np.int64(state["plays"][start])
    best, winner = led, leader
    if n % 3 == 2:
        second = np.int64(state["plays"][start + 1])
        if BEATS[game, led] >> second & 1:
            best, winner = second, (leader + 1) % 3
    return led, best, winner


@kernel
def power(base: float, exponent: int) -> float:
    """``base ** exponent`` for a small whole exponent."""
    result = 1.0
    for _ in range(exponent):
        result *= base
    return result


@kernel
def chances(mine: int, held: int, other: int, hidden: int) -> tuple[float, float]:
    """Chance that a player whose possible cards are ``mine`` holds a certain one of them.

    ``held``: number of his cards; ``other``: number of cards in the other unseen hand; ``hidden``: cards out that nobody holds (put
    away). First value: the other hand may hold the card, too; second: it cannot.
    """
    if held == 0:
        return 0.0, 0.0
    if popcount(mine) <= held:
        return 1.0, 1.0
    return held / (held + other + hidden), held / (held + hidden)


@kernel
def chance_none(cards: int, mine: int, others: int, shared: float, sole: float) -> float:
    """Chance that a player whose possible cards are ``mine`` holds none of ``cards``.

    ``others``: possible cards of the other unseen hand; ``shared`` and ``sole`` as :func:`chances` gives them.
    """
    cards &= mine
    return power(1.0 - shared, popcount(cards & others)) * power(1.0 - sole, popcount(cards & ~others))


@kernel
def chance_beaten(card: int, led: int, game: int, mine: int, others: int, shared: float, sole: float) -> float:
    """Chance that a player yet to play can beat ``card`` in a trick opened by ``led`` (arguments as :func:`chance_none`)."""
    follow = FOLLOW[game, led]
    trumps = TRUMPS[game]
    higher = BEATS[game, card]
    beaten = 1.0 - chance_none(higher & follow, mine, others, shared, sole)
    if follow == trumps or higher & trumps == 0:
        return beaten
    ruff = chance_none(follow, mine, others, shared, sole) * (
        1.0 - chance_none(higher & trumps, mine, others, shared, sole)
    )
    return min(1.0, beaten + ruff)
