"""Agents as bidders, and bidders as agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import Any

import numpy as np

from skatai.agent import Agent, BaseAgent
from skatai.arena.phases import make_player
from skatai.auction import ladder
from skatai.bidding.protocol import Bidder, Chances, Hands, Seats, Values, bid_indices, check_hands, limits_of
from skatai.errors import AgentError, SkatError
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, HOLD, PASS
from skatai.kernels.events import apply
from skatai.kernels.staged import make_declarer
from skatai.kernels.state import AUCTION, StateRecord, bid_value, new_state, set_deal
from skatai.rng import Rng, derive_seed
from skatai.rules import Rules
from skatai.view import PlayerView

__all__ = ["AgentBidder", "BiddingAgent"]


def _dealt(hand: int, seat: int, rules: Rules) -> StateRecord:
    """The start of a deal of which only one hand is known."""
    state = new_state()
    forehand, middlehand, rearhand = (hand if other == seat else 0 for other in range(3))
    set_deal(state, forehand, middlehand, rearhand, 0, rules.to_int())
    return state


class AgentBidder:
    """Any honest agent; its limit is found in an auction with its hand alone at the table.

    Forehand is asked by middlehand, who names every value of the ladder; middlehand and rearhand (after middlehand has passed) bid
    against forehand, who always holds. The limit is the last value the agent held or named before it passed. Forehand's last
    chance, when both others have passed, is not part of it.

    Its claim is ``win_chance`` (see ``skatai_agents.claims``), if the agent has it: as declarer at the value, after the shortest
    auction (:mod:`skatai.kernels.staged`), before the pick-up.

    Args:
        agent: agent or its text.
        seed: of its decisions; each depends on the hand, the seat and the number of the call.

    Raises:
        AgentError: no such agent, or one that sees all cards.
    """

    def __init__(self, agent: str | Agent, seed: int = 0) -> None:
        self.agent: Any = make_player(agent)
        self.name = str(self.agent.name)
        self.seed = seed
        if self.agent.sees_all:
            raise AgentError(f"bidder {self.name!r}: it sees all cards, so it has no limit for ten of them")

    @property
    def makes_claims(self) -> bool:
        """The agent has ``win_chance``."""
        return hasattr(self.agent, "win_chance")

    def _rng(self, view: PlayerView, number: int) -> Rng:
        return Rng(derive_seed(self.seed, view.dealt.mask, view.seat, number))

    def _answers(self, views: Sequence[PlayerView], number: int) -> list[int]:
        rngs = [self._rng(view, number) for view in views]
        batch = getattr(self.agent, "act_batch", None)
        one_by_one = (self.agent.act(view, rng) for view, rng in zip(views, rngs, strict=True))
        answers = self._said(lambda: batch(views, rngs) if batch else one_by_one, len(views))
        return [self._legal(view, answer) for view, answer in zip(views, answers, strict=True)]

    def _said(self, ask: Callable[[], Iterable[Any]], n: int) -> list[Any]:
        """The agent's ``n`` answers; whatever goes wrong in it is named."""
        try:
            answers = list(ask())
        except SkatError:
            raise
        except Exception as error:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            raise AgentError(f"agent {self.name!r}, asked as a bidder: {what}") from error
        if len(answers) != n:
            raise AgentError(f"agent {self.name!r}: {len(answers)} answers for a batch of {n} views")
        return answers

    def _legal(self, view: PlayerView, answer: Any) -> int:
        try:
            action = index(answer)
        except TypeError:
            raise AgentError(f"agent {self.name!r}: {answer!r} is not an action") from None
        if action not in view.legal_actions:
            raise AgentError(f"agent {self.name!r}: action {action} is not legal in the auction of {view.hand}")
        return action

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid.

        Raises:
            AgentError: an illegal action, or it failed.
        """
        cards, places = check_hands(hands, seats)
        states = [_dealt(int(hand), int(seat), rules) for hand, seat in zip(cards, places, strict=True)]
        for state, seat in zip(states, places, strict=True):
            _first_question(state, int(seat))
        limits = np.zeros(len(cards), dtype=np.int64)
        asked, number = list(range(len(cards))), 0
        while asked:
            answers = self._answers([PlayerView(states[i], int(places[i])) for i in asked], number)
            still = []
            for i, action in zip(asked, answers, strict=True):
                if action != PASS:
                    apply(states[i], action)
                    limits[i] = bid_value(states[i])
                    if _next_question(states[i], int(places[i])):
                        still.append(i)
            asked, number = still, number + 1
        return limits

    def win_chances(self, hands: Hands, seats: Seats, bids: Values, rules: Rules) -> Chances:
        """The chance each hand gives itself to win if it becomes declarer at ``bids[i]``.

        Raises:
            AgentError: the agent makes no claims, or fails.
            SkatError: a bid that is no value of the ladder.
        """
        if not self.makes_claims:
            raise AgentError(f"bidder {self.name!r}: it makes no claims, there is no win_chance(view, rng)")
        cards, places = check_hands(hands, seats)
        views = []
        for hand, seat, bid in zip(cards, places, bid_indices(bids), strict=True):
            state = _dealt(int(hand), int(seat), rules)
            make_declarer(state, int(seat), int(bid))
            views.append(PlayerView(state, int(seat)))
        rngs = [self._rng(view, view.bid) for view in views]
        batch = getattr(self.agent, "win_chance_batch", None)
        one_by_one = (self.agent.win_chance(view, rng) for view, rng in zip(views, rngs, strict=True))
        answers = self._said(lambda: map(float, batch(views, rngs) if batch else one_by_one), len(views))
        return np.array(answers, dtype=np.float64)


def _first_question(state: StateRecord, seat: int) -> None:
    """Lead the auction to the first call of ``seat``."""
    if seat == 0:
        apply(state, FIRST_BID)
    elif seat == 2:
        apply(state, PASS)


def _next_question(state: StateRecord, seat: int) -> bool:
    """The opponent holds, or names the next value; whether there is one left to ask ``seat`` about."""
    highest = int(bid_value(state)) == ladder(Rules.from_int(int(state["rules"])))[-1]
    if seat == 0:
        if not highest:
            apply(state, min(action for action in PlayerView(state, 1).legal_actions if action >= FIRST_BID))
    else:
        apply(state, HOLD)
    return not highest


class BiddingAgent(BaseAgent):
    """An agent that calls by a bidder's limits and leaves everything after the auction to another agent.

    It holds, or names the lowest value it may, as long as that is within the limit; forehand's last chance is no exception.

    Args:
        bidder: a bidder, or whatever :func:`~skatai.bidding.bidders.make_bidder` makes one of (``"neural@0.57"``).
        rest: agent (or its text) for pick-up, discards, declaration and cards.

    Raises:
        AgentError: ``rest`` does not exist, or sees all cards.
        SkatError: no bidder can be made.
    """

    def __init__(self, bidder: Any, rest: str | Agent = "rule") -> None:
        from skatai.bidding.bidders import make_bidder  # which needs this module

        self.bidder: Bidder = make_bidder(bidder)
        self.rest: Any = make_player(rest)
        self.name = str(self.bidder.name)
        if self.rest.sees_all:
            raise AgentError(f"bidder {self.name!r}: what plays on, {self.rest.name!r}, sees all cards")
        #: of which code the results depend (read by :class:`skatai.arena.Tournament`)
        self.parts = (self.bidder, getattr(self.bidder, "agent", self.rest), self.rest)
        self._known: dict[tuple[int, int, int], int] = {}

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return self.act_batch([view], [rng])[0]

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view."""
        actions = [0] * len(views)
        calls = [i for i, view in enumerate(views) if int(view.state["phase"]) == AUCTION]
        others = [i for i, view in enumerate(views) if int(view.state["phase"]) != AUCTION]
        for i, limit in zip(calls, self._limits([views[i] for i in calls]), strict=True):
            actions[i] = _call(views[i], limit)
        if others:
            batch: Callable[..., list[int]] = getattr(self.rest, "act_batch", None) or self._one_by_one
            chosen = [views[i] for i in others], [rngs[i] for i in others]
            for i, action in zip(others, batch(*chosen), strict=True):
                actions[i] = action
        return actions

    def _one_by_one(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        return [self.rest.act(view, rng) for view, rng in zip(views, rngs, strict=True)]

    def _limits(self, views: Sequence[PlayerView]) -> list[int]:
        """The limits of the views' hands; a hand is asked for once, though it calls several times."""
        keys = [(view.dealt.mask, view.seat, int(view.state["rules"])) for view in views]
        if len(self._known) > _KNOWN:
            self._known.clear()
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        for rules in {key[2] for key in new}:
            some = [key for key in new if key[2] == rules]
            hands = np.array([hand for hand, _, _ in some], dtype=np.uint32)
            seats = np.array([seat for _, seat, _ in some], dtype=np.int64)
            found = limits_of(self.bidder, hands, seats, Rules.from_int(rules))
            self._known.update(zip(some, found.tolist(), strict=True))
        return [self._known[key] for key in keys]


#: hands whose limits a :class:`BiddingAgent` remembers
_KNOWN = 100_000


def _call(view: PlayerView, limit: int) -> int:
    """Hold, or the next value, up to the limit."""
    legal = view.legal_actions
    if HOLD in legal:
        return HOLD if limit >= view.bid else PASS
    action = min((a for a in legal if a >= FIRST_BID), default=PASS)
    return action if action != PASS and limit >= BID_VALUES[action - FIRST_BID] else PASS
