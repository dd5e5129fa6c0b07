"""skatai: a toolkit for AI research on Skat.

>>> import skatai
>>> game = skatai.Game(skatai.Deal.random(seed=1))
>>> game.play("bid 18").play("pass").play("pass").phase
'skat'

Names are imported on first use, so that ``import skatai`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skatai.actions import ACTION_NAMES, N_ACTIONS, action_name, parse_action
    from skatai.agent import Agent, BaseAgent, available_agents, make_agent
    from skatai.cards import Card, CardSet, format_card, parse_card, parse_cards
    from skatai.contract import Contract
    from skatai.deal import Deal, deals_from_seed, read_deals
    from skatai.errors import (
        AgentError,
        IllegalActionError,
        InvalidDealError,
        NotationError,
        RecordError,
        RulesError,
        SkatError,
    )
    from skatai.game import Game, Result
    from skatai.rng import Rng
    from skatai.rules import Rules
    from skatai.scoring import list_points, score_game
    from skatai.view import PlayerView

_HOME: dict[str, str] = {
    "ACTION_NAMES": "actions",
    "Agent": "agent",
    "AgentError": "errors",
    "BaseAgent": "agent",
    "Card": "cards",
    "CardSet": "cards",
    "Contract": "contract",
    "Deal": "deal",
    "Game": "game",
    "IllegalActionError": "errors",
    "InvalidDealError": "errors",
    "N_ACTIONS": "actions",
    "NotationError": "errors",
    "PlayerView": "view",
    "RecordError": "errors",
    "Result": "game",
    "Rng": "rng",
    "Rules": "rules",
    "RulesError": "errors",
    "SkatError": "errors",
    "action_name": "actions",
    "available_agents": "agent",
    "deals_from_seed": "deal",
    "format_card": "cards",
    "list_points": "scoring",
    "make_agent": "agent",
    "parse_action": "actions",
    "parse_card": "cards",
    "parse_cards": "cards",
    "read_deals": "deal",
    "score_game": "scoring",
}

__version__ = "0.1.0"

__all__ = [
    "ACTION_NAMES",
    "Agent",
    "AgentError",
    "BaseAgent",
    "Card",
    "CardSet",
    "Contract",
    "Deal",
    "Game",
    "IllegalActionError",
    "InvalidDealError",
    "N_ACTIONS",
    "NotationError",
    "PlayerView",
    "RecordError",
    "Result",
    "Rng",
    "Rules",
    "RulesError",
    "SkatError",
    "action_name",
    "available_agents",
    "deals_from_seed",
    "format_card",
    "list_points",
    "make_agent",
    "parse_action",
    "parse_card",
    "parse_cards",
    "read_deals",
    "score_game",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'skatai' has no attribute {name!r}")
    value = getattr(import_module(f"skatai.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
