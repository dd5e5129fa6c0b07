"""A state record as a ``Game`` with its history."""

from __future__ import annotations

from skatai.actions import PICK_UP, bid_action, declare_action, parse_action
from skatai.cards import CardSet
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.observe import copy_state
from skatai.kernels.state import DISCARD, StateRecord
from skatai.rules import Rules

__all__ = ["game_of"]


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
