"""The PIMC agent: sampled worlds, play-outs of the rule player, exact endings (perfect-information Monte Carlo)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skatai.agent import BaseAgent
from skatai.kernels.action_ids import FIRST_BID, HOLD, PASS
from skatai.kernels.inference import choose_worlds
from skatai.kernels.playouts import MAX_PLANS, as_declarer, card_values, carry_out, list_plans, plan_values
from skatai.kernels.prospects import win_share
from skatai.kernels.state import StateRecord, new_state, new_states
from skatai.rng import Rng
from skatai.view import PlayerView
from skatai_agents.claims import check_claim
from skatai_agents.options import one_of, whole
from skatai_agents.rule import rule_choice

__all__ = ["PimcAgent"]

#: how far forehand goes below the margin when everybody else has passed
LAST_CHANCE = 50.0


class PimcAgent(BaseAgent):
    """Plays the card, contract and bid that is best on average over worlds drawn from what it knows.

    Every candidate is tried in the same worlds: the compiled rule player plays all three seats down to ``endgame`` cards a hand,
    the exact search the rest, and what counts is list points (:mod:`skatai.kernels.playouts`).

    Args:
        worlds: worlds for a card, a discard or a declaration.
        endgame: cards a hand from which on the exact search takes over (0 … 10).
        bid_worlds: worlds for a call and for the choice between hand and pick-up.
        width: pairs of contract and put-away that are tried after the pick-up.
        pool: worlds drawn for each one used, which are then chosen by how well they explain what the others did
            (:mod:`skatai.kernels.inference`); 1 takes them as they come.
        margin: utility from which on a game is worth bidding. It is negative, since play-outs underrate the declarer: in them the
            defenders end the game with open cards.
        bid: ``"rule"`` leaves the auction to the rule player; ``"pimc"`` tries every plan in sampled worlds before each call.
        discard: ``"pimc"``, or ``"rule"`` to leave skat, discard and declaration to the rule player.

    The defaults are the fastest of equals: neither bids from worlds (-1 ± 6 list points a deal and seat) nor a pool of 4
    (-2 ± 3) have shown a gain over the agent without them.

    Raises:
        AgentError: an option out of its range.
    """

    name = "pimc"

    def __init__(
        self,
        worlds: int = 20,
        endgame: int = 6,
        bid_worlds: int = 60,
        width: int = 10,
        pool: int = 1,
        margin: float = -35.0,
        bid: str = "rule",
        discard: str = "pimc",
    ) -> None:
        self.worlds = whole("pimc", "worlds", worlds, 1, 1_000_000)
        self.endgame = whole("pimc", "endgame", endgame, 0, 10)
        self.bid_worlds = whole("pimc", "bid_worlds", bid_worlds, 1, 1_000_000)
        self.width = whole("pimc", "width", width, 1, MAX_PLANS)
        self.pool = whole("pimc", "pool", pool, 1, 1000)
        self.margin = float(margin)
        self.bid = one_of("pimc", "bid", bid, ("pimc", "rule"))
        self.discard = one_of("pimc", "discard", discard, ("pimc", "rule"))

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        if view.phase == "play":
            return self._card(view, rng)
        if view.phase == "auction" and self.bid == "pimc":
            return self._call(view, legal, rng)
        if view.phase in ("skat", "discard", "declare") and self.discard == "pimc":
            return self._plan(view, rng)
        return int(rule_choice(view.states, view.seat, rng.state))

    def card_values(self, view: PlayerView, rng: Rng) -> dict[int, float]:
        """Mean utility (the declarer's gain in list points) of every legal card."""
        values = np.zeros(32, dtype=np.float64)
        pool, counts = self._worlds(view.state, view.seat, self.worlds, rng)
        card_values(pool, counts, self.endgame, values)
        return {card: float(values[card]) for card in view.legal_actions if card < 32}

    def plan_values(self, view: PlayerView, rng: Rng) -> dict[tuple[int, int], float]:
        """Mean utility of the declarer's plans: pairs of declaration (or pick-up) and cards to put away (mask)."""
        worlds = self.bid_worlds if view.phase == "skat" else self.worlds
        return self._plan_values(view.state, view.seat, worlds, rng)

    def win_chance(self, view: PlayerView, rng: Rng) -> float:
        """The chance of winning as declarer: the share of ``bid_worlds`` sampled worlds that are won in play-outs.

        The rule player plays them to the last card: the exact ending, with open cards, would underrate the declarer. In phase
        ``skat`` they begin with the plan that is liked best.

        Raises:
            AgentError: not the declarer's view in ``skat``, or in ``play`` before the first card.
        """
        check_claim(self.name, view)
        plan = None
        if view.phase == "skat":
            values = self.plan_values(view, rng)
            plan = max(values, key=lambda candidate: values[candidate])
        pool, counts = self._worlds(view.state, view.seat, self.bid_worlds, rng)
        if plan is not None:
            for world in pool[:-1]:
                carry_out(world, view.seat, *plan)
        return float(win_share(pool, counts, 0))

    def win_chance_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[float]:
        """One chance for each view."""
        return [self.win_chance(view, rng) for view, rng in zip(views, rngs, strict=True)]

    def _worlds(self, state: StateRecord, seat: int, n: int, rng: Rng) -> tuple[NDArray[np.void], NDArray[np.int64]]:
        """Worlds and how often each counts; one more record is left for workings."""
        pool, counts = new_states(self.pool * n + 1), np.zeros(self.pool * n, dtype=np.int64)
        choose_worlds(state, seat, rng.state, n, pool, counts)
        return pool, counts

    def _plan_values(self, state: StateRecord, seat: int, worlds: int, rng: Rng) -> dict[tuple[int, int], float]:
        plans = np.zeros((MAX_PLANS, 2), dtype=np.int64)
        plans = plans[: list_plans(state, seat, self.width, plans)]
        values = np.zeros(len(plans), dtype=np.float64)
        pool, counts = self._worlds(state, seat, worlds, rng)
        plan_values(pool, counts, seat, self.endgame, plans, values)
        return {(int(a), int(away)): float(v) for (a, away), v in zip(plans, values, strict=True)}

    def _card(self, view: PlayerView, rng: Rng) -> int:
        values = self.card_values(view, rng)
        sign = 1.0 if view.declarer == view.seat else -1.0
        return max(values, key=lambda card: (sign * values[card], -card))

    def _plan(self, view: PlayerView, rng: Rng) -> int:
        values = self.plan_values(view, rng)
        action, away = max(values, key=lambda plan: values[plan])
        if view.phase != "discard":
            return action
        to_put = away & int(view.state["hands"][view.seat])
        return (to_put & -to_put).bit_length() - 1

    def _call(self, view: PlayerView, legal: list[int], rng: Rng) -> int:
        """Hold or name the next value if the game is worth it at that value."""
        call = HOLD if HOLD in legal else min((a for a in legal if a >= FIRST_BID), default=PASS)
        if call == PASS:
            return PASS
        index = int(view.state["bid"]) - 1 if call == HOLD else call - FIRST_BID
        state = new_state()
        as_declarer(view.state, view.seat, index, state)
        best = max(self._plan_values(state, view.seat, self.bid_worlds, rng).values())
        last_chance = int(view.state["stage"]) == 3
        return call if best >= self.margin - LAST_CHANCE * last_chance else PASS
