"""State records for people: as a ``Game`` with its history, and what was wrong with an action."""

from __future__ import annotations

from skatai.actions import ACTION_NAMES, PICK_UP, bid_action, declare_action, parse_action
from skatai.cards import CardSet
from skatai.deal import Deal
from skatai.errors import IllegalActionError
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.observe import copy_state
from skatai.kernels.state import DISCARD, StateRecord
from skatai.rules import Rules
from skatai.view import PlayerView

__all__ = ["game_of", "refusal"]


def game_of(state: StateRecord) -> Game:
    """The game that a full state record belongs to, replayed.

    The order of the two discards, and claims and concessions that were refused, are not in the record: then the state is
    right and the history is short of them.
    """
    deal = Deal.from_masks([int(mask) for mask in (*state["dealt"], state["skat"])])
    reader = Game(deal, rules=Rules.from_int(int(state["rules"])))
    copy_state(state, reader.state)
    game = Game(deal, rules=reader.rules)
    for _, call in reader.calls:
        game.play(bid_action(int(call)) if call.isdigit() else parse_action(call))
    contract = reader.contract
    if int(state["phase"]) == DISCARD or int(state["discards"]):
        game.play(PICK_UP)
        for card in CardSet(int(state["discards"])):
            game.play(card)
    if contract is not None:
        game.play(declare_action(contract))
    for _, card in reader.plays:
        if game.is_over:
            break
        game.play(card)
    copy_state(state, game.state)
    return game


def refusal(state: StateRecord, seat: int, action: int, who: str, where: str = "") -> IllegalActionError:
    """The error for an action that ``who``, in ``seat``, may not take now; it begins with ``where`` and names what is legal."""
    view = PlayerView(state, seat)
    name = f"'{ACTION_NAMES[action]}' ({action})" if 0 <= action < N_ACTIONS else f"action {action}"
    legal = ", ".join(view.legal_action_names[:14])
    return IllegalActionError(f"{where}{name} is not legal for {who} in {view.phase}; legal: {legal}")
