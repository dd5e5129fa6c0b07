"""States in the middle of the play with given figures, to put an event or a trick to the engine's own transition function."""

from __future__ import annotations

from collections.abc import Sequence

from skatai.actions import bid_action
from skatai.cards import CardSet
from skatai.conformance.fields import CaseError
from skatai.contract import GRAND, NULL, Contract
from skatai.kernels.action_ids import FIRST_BID
from skatai.kernels.state import PLAY, StateRecord, new_state, set_deal
from skatai.kernels.tables import MATADORS
from skatai.rules import Rules

__all__ = ["cards_with_matadors", "state_in_play"]


def cards_with_matadors(game: int, n: int) -> CardSet:
    """Trumps with exactly ``n`` matadors ("with n"); no card in null."""
    if game == NULL:
        return CardSet()
    most = 4 if game == GRAND else 11
    if not 1 <= n <= most:
        raise CaseError(f"{n} matadors, expected 1 to {most}")
    return CardSet.of(int(card) for card in MATADORS[game, :n])


def state_in_play(
    contract: Contract,
    rules: Rules,
    declarer: int,
    hands: Sequence[CardSet],
    leader: int,
    *,
    bid: int = 0,
    matadors: int = 0,
    points: Sequence[int] = (0, 0, 0),
    tricks: Sequence[int] = (0, 0, 0),
) -> StateRecord:
    """A state at the start of a trick: ``hands`` are left, ``points`` and ``tricks`` lie before each seat.

    The cards already played are not told, so that only what the figures determine can be asked of it.

    Args:
        contract: what was declared.
        rules: the switches.
        declarer: his seat.
        hands: the cards left, the same number (1 to 10) for each seat.
        leader: seat that leads.
        bid: what the declarer has bid; a value of the ladder, or 0.
        matadors: how many he has, 0 if it does not matter.
        points: card points in the tricks of each seat; the skat holds none.
        tricks: number of tricks of each seat.

    Raises:
        CaseError: hands of different or impossible size.
        IllegalActionError: no such bid.
    """
    n = len(hands[0])
    if not 1 <= n <= 10 or any(len(hand) != n for hand in hands):
        raise CaseError(f"hands of {[len(hand) for hand in hands]} cards, expected the same number from 1 to 10")
    state = new_state()
    set_deal(state, 0, 0, 0, 0, rules.to_int())
    if matadors:
        state["dealt"][declarer] = cards_with_matadors(contract.game, matadors).mask
    for seat in range(3):
        state["hands"][seat] = hands[seat].mask
        state["points"][seat] = points[seat]
        state["tricks"][seat] = tricks[seat]
    state["bid"] = bid_action(bid) - FIRST_BID + 1 if bid else 0
    state["declarer"], state["game"], state["flags"] = declarer, contract.game, contract.flags
    state["phase"], state["to_move"] = PLAY, leader
    state["n_plays"] = 30 - 3 * n
    state["leaders"][10 - n] = leader
    return state
