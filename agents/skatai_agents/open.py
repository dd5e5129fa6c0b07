"""The open agent: sees all cards. Not a fair player but a yardstick of what perfect knowledge is worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai.agent import BaseAgent
from skatai.errors import AgentError
from skatai.game import Game
from skatai.kernels.action_ids import FIRST_BID, HOLD, PASS, PICK_UP
from skatai.kernels.events import apply
from skatai.kernels.observe import copy_state
from skatai.kernels.playouts import (
    MAX_PLANS,
    as_declarer,
    list_plans,
    open_card_values,
    open_plan_values,
    search_area,
)
from skatai.kernels.policies import rule_action
from skatai.kernels.state import SKAT, StateRecord, new_state
from skatai.rng import Rng
from skatai_agents.options import whole

__all__ = ["OpenAgent"]

Plan = tuple[int, int]
#: share of the rule player's play-out in the worth of cards that the search can value: it decides between equal ones
PLAY_OUT_SHARE = 0.01


class OpenAgent(BaseAgent):
    """Plays what turns out best on the real cards: play-outs of the rule player, and the exact search near the end.

    Args:
        endgame: cards a hand from which on the exact search takes over (1 … 10).
        width: pairs of contract and put-away that are tried after the pick-up.
        margin: gain in list points from which on a game is bid for.

    Raises:
        AgentError: an option out of its range.
    """

    name = "open"
    sees_all = True

    def __init__(self, endgame: int = 7, width: int = 16, margin: float = 0.0) -> None:
        self.endgame = whole("open", "endgame", endgame, 1, 10)
        self.width = whole("open", "width", width, 1, MAX_PLANS)
        self.margin = float(margin)

    def act_open(self, game: Game, rng: Rng) -> int:
        """The id of a legal action of the seat to move."""
        seat, state = game.to_move, game.state
        if seat is None:
            raise AgentError("open: nobody is to move, the deal is over")
        legal = game.legal_actions
        if len(legal) == 1:
            return legal[0]
        if game.phase == "play":
            return self._card(state, seat)
        if game.phase == "auction":
            return self._call(state, seat, legal)
        if game.phase in ("skat", "discard", "declare"):
            action, away = self._best_plan(state, seat)[0]
            if game.phase != "discard":
                return action
            to_put = away & int(state["hands"][seat])
            return (to_put & -to_put).bit_length() - 1
        return int(rule_action(state, seat, rng.state))

    def _card(self, state: StateRecord, seat: int) -> int:
        work, scratch = search_area(self.endgame), new_state()
        values: NDArray[np.float64] = np.full(32, 0.0)
        open_card_values(state, self.endgame, scratch, work, values)
        cheap = np.full(32, 0.0)
        open_card_values(state, 0, scratch, work, cheap)
        values += PLAY_OUT_SHARE * cheap
        sign = 1.0 if int(state["declarer"]) == seat else -1.0
        cards = [card for card in range(32) if cheap[card] != 0.0]
        return max(cards, key=lambda card: (sign * values[card], -card))

    def _values(self, state: StateRecord, seat: int) -> dict[Plan, float]:
        plans = np.zeros((MAX_PLANS, 2), dtype=np.int64)
        plans = plans[: list_plans(state, seat, self.width, plans)]
        values = np.zeros(len(plans), dtype=np.float64)
        open_plan_values(state, seat, self.endgame, plans, new_state(), search_area(self.endgame), values)
        return {(int(a), int(away)): float(v) for (a, away), v in zip(plans, values, strict=True)}

    def _best_plan(self, state: StateRecord, seat: int) -> tuple[Plan, float]:
        """The best plan in ``SKAT``, ``DISCARD`` or ``DECLARE`` and its utility."""
        values = self._values(state, seat)
        if int(state["phase"]) == SKAT:
            after = new_state()
            copy_state(state, after)
            apply(after, PICK_UP)
            values[PICK_UP, 0] = max(self._values(after, seat).values())
        best = max(values, key=lambda plan: values[plan])
        return best, values[best]

    def _call(self, state: StateRecord, seat: int, legal: list[int]) -> int:
        call = HOLD if HOLD in legal else min((a for a in legal if a >= FIRST_BID), default=PASS)
        if call == PASS:
            return PASS
        index = int(state["bid"]) - 1 if call == HOLD else call - FIRST_BID
        game = new_state()
        as_declarer(state, seat, index, game)
        return call if self._best_plan(game, seat)[1] >= self.margin else PASS
