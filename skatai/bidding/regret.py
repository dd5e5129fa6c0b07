"""Regret: what a hand's pass or declaration brought against the best one, on the same deals.

Every hand of every deal is asked as if nobody else wanted the game: it may have it at 18 (or another value), or pass. What counts
is the *gain*: list points gained on each opponent (:mod:`skatai.kernels.gains`); passing gains 0, as in a deal passed in. So the
regret of a pass is what the best game would have gained, that of a game what another one, or a pass, would have gained instead.

Two measures, with very different meanings:

:func:`hindsight_regret`
    Open cards: what each contract gains on the true deal when everybody sees all cards. No player could know it; a bound.
:func:`rollout_regret`
    Fair: what each choice gains on average over worlds that the hand cannot tell apart, all cards played by the rule player. First
    the ten cards: pass, a game by hand, or the pick-up (after which the rule player decides). Then, for hands that picked up, the
    twelve: contract and put-away. The best choice is found in one half of the worlds and valued in the other, both ways round:
    picking the luckiest of many choices would inflate the regret. So it is rather too low, the less so the more worlds, and may
    fall below 0. ``most`` finds and values the best choice in the same worlds, which is rather too high: the truth lies between.

Candidates are the games of either kind: six after the pick-up, those by hand, and what the declarer chose; ouvert and announced
schneider only as far as :func:`skatai.kernels.playouts.list_plans` looks at them, in hindsight only where the declarer chose them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.agent import Agent
from skatai.bidding.agents import AgentBidder
from skatai.bidding.bidders import make_bidder
from skatai.bidding.judging import Judgement, Regret, RegretSummary, judge, judge_fairly, judge_freely
from skatai.bidding.outcomes import Ventures, all_hands, declarations
from skatai.bidding.protocol import bid_indices, limits_of
from skatai.cards import CardSet
from skatai.contract import NULL
from skatai.deal import Deal
from skatai.errors import SkatError, whole_number
from skatai.kernels.action_ids import DECLARATIONS, FIRST_DECLARATION, HAND, PICK_UP
from skatai.kernels.events import apply
from skatai.kernels.gains import open_gain, plan_gains
from skatai.kernels.observe import observe
from skatai.kernels.playouts import MAX_PLANS, list_plans
from skatai.kernels.settle import count_matadors
from skatai.kernels.staged import stage_games
from skatai.kernels.state import StateRecord, bid_value, new_state, new_states
from skatai.kernels.tables import NULL_VALUE
from skatai.kernels.worlds import sample_worlds_into
from skatai.parallel import pmap
from skatai.rng import Rng, derive_seed
from skatai.rules import Rules
from skatai.solver import Position, solve, solve_contracts

__all__ = ["Regret", "RegretSummary", "hindsight_regret", "rollout_regret"]

#: contracts and put-aways after the pick-up that are tried
WIDTH: Final = 12


@dataclass(frozen=True, slots=True)
class _Case:
    """One hand: what it chose, and everything needed to judge it."""

    deal: Deal
    number: int
    seat: int
    bid: int
    rules: Rules
    declared: StateRecord | None  # before the first card; None: the hand passes
    seed: int
    worlds: int

    def staged(self) -> StateRecord:
        """The full state in which the hand has got the game."""
        states = new_states(1)
        cards = np.array([self.deal.masks], dtype=np.int64)
        stage_games(cards, np.array([self.seat]), np.array([self.bid]), self.rules.to_int(), states)
        return states[0]


def _own_plan(state: StateRecord) -> tuple[int, int]:
    """Declaration and cards put away, as :func:`skatai.kernels.playouts.carry_out` takes them."""
    index = DECLARATIONS.index((int(state["game"]), int(state["flags"])))
    return FIRST_DECLARATION + index, int(state["discards"])


# -- open cards -------------------------------------------------------------------------------------------------------


def _open_gains(case: _Case) -> NDArray[np.float64]:
    """Gains of all six games after the pick-up and by hand on the true cards; a null that may not be declared is left out."""
    bid, rules = int(bid_value(case.staged())), case.rules.to_int()
    twelve = case.deal.hands[case.seat] | case.deal.skat
    found = []
    for flags in (0, HAND):
        for game, value in solve_contracts(case.deal, case.seat, hand=bool(flags)).items():
            if game == NULL and NULL_VALUE[flags] < bid and case.rules.null_overbid == "reject":
                continue
            matadors = count_matadors(game, twelve.mask)
            found.append(float(open_gain(game, flags, matadors, value.total, bid, rules)))
    return np.array(found)


def _own_open_gain(case: _Case, state: StateRecord) -> float:
    """What the declared contract gains with the cards put away, played with open cards."""
    place = Position.from_state(state)
    value = solve(place).value
    game, flags = int(state["game"]), int(state["flags"])
    twelve = CardSet(int(state["dealt"][case.seat]) | int(state["skat"]))
    total = value if game == NULL else place.taken + value
    matadors = count_matadors(game, twelve.mask)
    return float(open_gain(game, flags, matadors, total, int(bid_value(state)), case.rules.to_int()))


def _hindsight(case: _Case) -> tuple[Judgement, Judgement]:
    gains, chosen = _open_gains(case), -1
    if case.declared is not None:
        gains, chosen = np.append(gains, _own_open_gain(case, case.declared)), len(gains)
    found = judge(gains, chosen)
    return found, found


# -- worlds -----------------------------------------------------------------------------------------------------------


def _world_gains(
    case: _Case, state: StateRecord, own: tuple[int, int] | None, stage: int
) -> tuple[NDArray[np.float64], int]:
    """Gains (worlds, plans) of the declarer's plans by what he may know of ``state``, and the place of his own plan."""
    seat, view = case.seat, new_state()
    observe(state, seat, view)
    plans = np.zeros((MAX_PLANS + 1, 2), dtype=np.int64)
    n = int(list_plans(view, seat, WIDTH, plans))
    listed = [(int(action), int(away)) for action, away in plans[:n]]
    if own is not None and own not in listed:
        plans[n] = own
        listed.append(own)
    pool = new_states(case.worlds + 1)
    rng = Rng(derive_seed(case.seed, case.number, seat, stage))
    sample_worlds_into(view, seat, rng.state, pool[: case.worlds])
    gains = np.empty((case.worlds, len(listed)), dtype=np.float64)
    plan_gains(pool, seat, plans[: len(listed)], gains)
    return gains, -1 if own is None else listed.index(own)


def _in_worlds(case: _Case) -> tuple[Judgement, Judgement]:
    """The regret found fairly, and found in the same worlds."""
    state = case.staged()
    own = None if case.declared is None else _own_plan(case.declared)
    picks_up = case.declared is not None and not int(case.declared["flags"]) & HAND
    gains, chosen = _world_gains(case, state, (PICK_UP, 0) if picks_up else own, 0)
    fair, free = judge_fairly(gains, chosen), judge_freely(gains, chosen)
    if not picks_up:
        return fair, free
    apply(state, PICK_UP)
    gains, chosen = _world_gains(case, state, own, 1)
    return (
        fair.and_then(judge_fairly(gains, chosen, may_pass=False)),
        free.and_then(judge_freely(gains, chosen, may_pass=False)),
    )


# -- all hands --------------------------------------------------------------------------------------------------------


def _regret(
    measure: str,
    of_case: Callable[[_Case], tuple[Judgement, Judgement]],
    deals: Sequence[Deal],
    bidder: Any,
    declarer: str | Agent | None,
    **how: Any,
) -> Regret:
    if not deals:
        raise SkatError("regret without deals")
    bidder = make_bidder(bidder, how["seed"])
    rules, workers = how["rules"] or Rules(), how["workers"]
    hands, seats = all_hands(deals)
    wants = limits_of(bidder, hands, seats, rules) >= how["bid"]
    everybody = Ventures.of_all(deals, how["bid"])
    chosen = Ventures(everybody.deals, everybody.numbers[wants], everybody.seats[wants], everybody.bids[wants])
    if declarer is None:
        declarer = bidder.agent if isinstance(bidder, AgentBidder) else "rule"
    states = declarations(chosen, declarer, seed=how["seed"], rules=rules, workers=workers, backend=how["backend"])
    declared = iter(states)
    index = int(bid_indices(how["bid"]))
    cases = [
        _Case(
            deals[i // 3], i // 3, i % 3, index, rules, next(declared) if wants[i] else None, how["seed"], how["worlds"]
        )
        for i in range(len(hands))
    ]
    desc = f"regret ({measure})" if how["progress"] else None
    backend = "threads" if workers > 1 else "serial"
    found = list(pmap(of_case, cases, backend, workers, desc=desc, unit="hand"))  # kernels release the lock
    parts = np.array([fair for fair, _ in found], dtype=np.float64)
    most = np.array([sum(free) for _, free in found], dtype=np.float64)
    return Regret(str(bidder.name), measure, wants, parts, most)


def hindsight_regret(
    deals: Sequence[Deal],
    bidder: Any,
    declarer: str | Agent | None = None,
    *,
    bid: int = 18,
    seed: int = 0,
    rules: Rules | None = None,
    workers: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Regret:
    """Regret against the best contract on the true deal with open cards; a few hands a second and thread.

    Args:
        deals: the deals.
        bidder: as for :func:`~skatai.bidding.bidders.make_bidder`; it wants the game if its limit reaches ``bid``.
        declarer: decides on pick-up, discards and declaration; the bidder's own agent, or the rule player, by default.
        bid: the value at which the game can be had.
        seed: of the agents' decisions.
        rules: official by default.
        workers: threads (processes where agents declare); they change no result.
        backend: of the declarations, as for :func:`~skatai.bidding.outcomes.declarations`.
        progress: a bar on stderr.

    Raises:
        AgentError, SkatError: as for the bidder and the declarer, or no deals.
    """
    how = {"bid": bid, "seed": seed, "rules": rules, "workers": workers, "backend": backend, "progress": progress}
    return _regret("hindsight", _hindsight, deals, bidder, declarer, worlds=0, **how)


def rollout_regret(
    deals: Sequence[Deal],
    bidder: Any,
    declarer: str | Agent | None = None,
    *,
    bid: int = 18,
    worlds: int = 40,
    seed: int = 0,
    rules: Rules | None = None,
    workers: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Regret:
    """Regret against the best choice over ``worlds`` sampled worlds a decision; other arguments as :func:`hindsight_regret`.

    Raises:
        AgentError, SkatError: as there, or fewer than two worlds.
    """
    worlds = whole_number(worlds, "regret: worlds", 2, 1_000_000)
    how = {"bid": bid, "seed": seed, "rules": rules, "workers": workers, "backend": backend, "progress": progress}
    return _regret("rollouts", _in_worlds, deals, bidder, declarer, worlds=worlds, **how)
