"""How far a bidder agrees with recorded people: every call they made, and what they did with the game they got.

A *call* is one decision of the auction: to name the next value or to hold the last one (yes), or to pass (no), at the lowest
value that yes would cost. An agent is asked with exactly the view that the recorded player had; a bidder that only has limits
says yes up to its limit. After the auction agents are asked, again with the recorded player's view, whether to pick up, what to
put away, and (after the recorded discards) what to declare.

Decisions of known programs, of duplicate records and of records that cannot be replayed are left out and counted. Intervals take
the recorded game as the cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from skatai.actions import contract_of
from skatai.agent import Agent, decision_rng
from skatai.arena.breakdown import BID_LEVELS, bid_level
from skatai.arena.shares import Proportion, proportion
from skatai.bidding.protocol import limits_of
from skatai.bidding.recorded import Decision, RecordedGames, recorded_decisions
from skatai.errors import AgentError, SkatError
from skatai.kernels.action_ids import FIRST_BID, HOLD, PASS, PICK_UP
from skatai.kernels.moves import apply_move, is_legal
from skatai.kernels.observe import copy_state
from skatai.kernels.state import AUCTION, DECLARE, DISCARD, SKAT, new_state
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES
from skatai.view import PlayerView

if TYPE_CHECKING:
    from skatai.bidding.protocol import Bidder

__all__ = ["Agreed", "Agreement", "agreement", "cohens_kappa"]

#: records that are compared at a time
_BATCH: Final = 1000
#: recorded, the bidder's
_ANSWERS: Final = ((True, True), (True, False), (False, True), (False, False))
_CALL_NAMES: Final = ("names a value", "holds", "last chance")


def cohens_kappa(both: int, first: int, second: int, neither: int) -> float | None:
    """Agreement beyond chance of two yes-or-no judges: (p_o - p_e) / (1 - p_e).

    p_o is the share of equal answers, p_e = p_yes·q_yes + p_no·q_no what independent judges with the same shares would reach
    (Cohen, A coefficient of agreement for nominal scales, 1960). ``None`` where p_e is 1.

    Args:
        both: both say yes.
        first: only the first one does.
        second: only the second one does.
        neither: none does.

    >>> cohens_kappa(20, 5, 10, 15)
    0.4
    """
    n = both + first + second + neither
    chance = (both + first) * (both + second) + (second + neither) * (first + neither)
    if n == 0 or chance == n * n:
        return None
    return ((both + neither) * n - chance) / (n * n - chance)


@dataclass(frozen=True, slots=True)
class Agreed:
    """Calls of one kind.

    Attributes:
        dimension: ``all``, ``recorded``, ``seat``, ``value``, ``call`` or ``rating``.
        value: such as ``yes``, ``forehand``, ``20–23``, ``holds``, ``up to 990``.
        agreement: calls on which the bidder does the same.
        recorded_yes: how many of them the players said yes to.
        bidder_yes: how many of them the bidder does.
        kappa: Cohen's; ``None`` where it means nothing: a judge who always says the same, as the players do in ``recorded``.
    """

    dimension: str
    value: str
    agreement: Proportion
    recorded_yes: int
    bidder_yes: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """A bidder against recorded people.

    Attributes:
        name: the bidder.
        records: how many records there were of each kind: ``game``, ``view``, ``quarantine``, ``duplicate``.
        quarantine: the first ones that could not be read, as ``file, line n: reason``.
        left_out: decisions without a rating of at least ``min_rating``.
        min_rating: which was asked for.
        calls: by kind; the first row counts them all.
        after: agreement after the auction, of agents: ``hand or skat``, ``discard`` (both cards), ``one discard`` (at least one),
            ``game`` (the same game type) and ``contract`` (with its announcements).
    """

    name: str
    records: dict[str, int]
    quarantine: tuple[str, ...]
    left_out: int
    min_rating: float | None
    calls: tuple[Agreed, ...]
    after: dict[str, Proportion]


@dataclass(slots=True)
class _Tally:
    """Answers so far: calls as (game, seat, value, kind of call, rating, recorded yes, bidder's yes), the rest as hits by game."""

    calls: list[tuple[int, int, int, int, float | None, bool, bool]] = field(default_factory=list)
    after: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)

    def add(self, name: str, game: int, hit: bool) -> None:
        self.after.setdefault(name, []).append((game, hit))


def _choices(agent: Any, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
    """An agent's actions; illegal ones are refused."""
    batch = getattr(agent, "act_batch", None)
    answers = batch(views, rngs) if batch else [agent.act(v, rng) for v, rng in zip(views, rngs, strict=True)]
    for view, answer in zip(views, answers, strict=True):
        if not is_legal(view.state, int(answer)):
            raise AgentError(
                f"agent {agent.name!r}: action {int(answer)} is not legal in {view.phase} of a recorded game"
            )
    return [int(answer) for answer in answers]


def _second_discards(agent: Any, decisions: Sequence[Decision], firsts: Sequence[int], seed: int) -> list[int]:
    """Both cards that the agent puts away, as masks."""
    views = []
    for decision, first in zip(decisions, firsts, strict=True):
        state = new_state()
        copy_state(decision.view.state, state)
        apply_move(state, first)
        views.append(PlayerView(state, decision.view.seat))
    rngs = [decision_rng(seed, d.game, d.view.seat, d.number + 1) for d in decisions]
    return [1 << a | 1 << b for a, b in zip(firsts, _choices(agent, views, rngs) if views else [], strict=True)]


def _tally_agent(agent: Any, decisions: Sequence[Decision], seed: int, tally: _Tally) -> None:
    """Ask an agent everything."""
    rngs = [decision_rng(seed, d.game, d.view.seat, d.number) for d in decisions]
    answers = _choices(agent, [d.view for d in decisions], rngs) if decisions else []
    discards = [(d, a) for d, a in zip(decisions, answers, strict=True) if d.phase == DISCARD]
    masks = iter(_second_discards(agent, [d for d, _ in discards], [a for _, a in discards], seed))
    for decision, answer in zip(decisions, answers, strict=True):
        if decision.phase == AUCTION:
            _tally_call(decision, answer != PASS, tally)
        elif decision.phase == SKAT:
            tally.add("hand or skat", decision.game, (answer == PICK_UP) == (decision.action == PICK_UP))
            if PICK_UP not in (answer, decision.action):
                _tally_contract(decision, answer, tally)
        elif decision.phase == DECLARE:
            _tally_contract(decision, answer, tally)
        else:
            common = (next(masks) & decision.away).bit_count()
            tally.add("discard", decision.game, common == 2)
            tally.add("one discard", decision.game, common >= 1)


def _tally_contract(decision: Decision, answer: int, tally: _Tally) -> None:
    recorded, own = contract_of(decision.action), contract_of(answer)
    tally.add("game", decision.game, recorded is not None and own is not None and recorded.game == own.game)
    tally.add("contract", decision.game, decision.action == answer)


def _tally_call(decision: Decision, yes: bool, tally: _Tally) -> None:
    state, seat = decision.view.state, decision.view.seat
    kind = 2 if int(state["stage"]) == 3 else int(seat == int(state["responder"]))
    recorded = decision.action == HOLD or decision.action >= FIRST_BID
    tally.calls.append((decision.game, seat, decision.value, kind, decision.rating, recorded, yes))


def _tally_bidder(bidder: Bidder, decisions: Sequence[Decision], tally: _Tally) -> None:
    """Calls by the limit."""
    calls = [decision for decision in decisions if decision.phase == AUCTION]
    if not calls:
        return
    hands = np.array([int(d.view.state["dealt"][d.view.seat]) for d in calls], dtype=np.uint32)
    seats = np.array([d.view.seat for d in calls], dtype=np.int64)
    for decision, limit in zip(calls, limits_of(bidder, hands, seats, Rules.iss()).tolist(), strict=True):
        _tally_call(decision, 0 < decision.value <= limit, tally)


def _agreed(dimension: str, value: str, calls: Sequence[tuple[Any, ...]]) -> Agreed:
    pairs = Counter((recorded, own) for *_, recorded, own in calls)
    return Agreed(
        dimension=dimension,
        value=value,
        agreement=proportion([call[5] == call[6] for call in calls], [call[0] for call in calls]),
        recorded_yes=pairs[True, True] + pairs[True, False],
        bidder_yes=pairs[True, True] + pairs[False, True],
        kappa=None if dimension == "recorded" else cohens_kappa(*(pairs[answers] for answers in _ANSWERS)),
    )


def _by_rating(calls: Sequence[tuple[Any, ...]]) -> list[Agreed]:
    """Thirds of the rated calls, where ratings differ."""
    rated = [call for call in calls if call[4] is not None]
    low, high = np.quantile([call[4] for call in rated], [1 / 3, 2 / 3]) if rated else (0.0, 0.0)
    if not low < high:
        return []
    parts = [
        (f"up to {low:.0f}", [call for call in rated if call[4] <= low]),
        (f"{low:.0f} to {high:.0f}", [call for call in rated if low < call[4] <= high]),
        (f"above {high:.0f}", [call for call in rated if call[4] > high]),
    ]
    return [_agreed("rating", name, part) for name, part in parts if part]


def _rows(calls: Sequence[tuple[Any, ...]]) -> tuple[Agreed, ...]:
    rows = [_agreed("all", "calls", calls)]
    rows += [
        _agreed("recorded", word, [c for c in calls if c[5] == yes]) for word, yes in (("yes", True), ("pass", False))
    ]
    rows += [_agreed("seat", name, [c for c in calls if c[1] == seat]) for seat, name in enumerate(SEAT_NAMES)]
    for level in map(bid_level, BID_LEVELS):
        rows.append(_agreed("value", level, [call for call in calls if bid_level(call[2]) == level]))
    rows += [_agreed("call", name, [c for c in calls if c[3] == kind]) for kind, name in enumerate(_CALL_NAMES)]
    return tuple(row for row in [*rows, *_by_rating(calls)] if row.agreement.n or row.dimension == "all")


def agreement(
    files: Iterable[str | Path],
    bidder: Bidder,
    agent: Agent | None = None,
    *,
    seed: int = 0,
    min_rating: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Agreement:
    """Compare a bidder with the people of record files.

    Args:
        files: records (ISS), plain or packed.
        bidder: its limits answer the calls unless there is an agent.
        agent: asked with the recorded player's view for everything up to the declaration.
        seed: of the agent's decisions.
        min_rating: only decisions of players with a recorded rating of at least this.
        progress: called with the number of records done since.

    Raises:
        SkatError: a file that cannot be opened or holds no records at all, or an agent that sees all cards.
        AgentError: the agent acts illegally.
    """
    if agent is not None and agent.sees_all:
        raise SkatError(f"agent {agent.name!r} sees all cards: it cannot be compared with people")
    paths = [Path(file) for file in files]
    reader, tally, left_out, game = RecordedGames(paths), _Tally(), 0, 0
    games = reader.games()
    while batch := list(islice(games, _BATCH)):
        decisions = [d for i, outcome in enumerate(batch) for d in recorded_decisions(outcome, game + i)]
        kept = [d for d in decisions if min_rating is None or (d.rating is not None and d.rating >= min_rating)]
        left_out += len(decisions) - len(kept)
        if agent is None:
            _tally_bidder(bidder, kept, tally)
        else:
            _tally_agent(agent, kept, seed, tally)
        game += len(batch)
        if progress is not None:
            progress(len(batch))
    if not reader.counts.total():
        raise SkatError(f"no records in {', '.join(map(str, paths))}")
    return Agreement(
        name=bidder.name,
        records=dict(reader.counts),
        quarantine=tuple(reader.quarantine),
        left_out=left_out,
        min_rating=min_rating,
        calls=_rows(tally.calls),
        after={
            name: proportion([hit for _, hit in hits], [cluster for cluster, _ in hits])
            for name, hits in tally.after.items()
        },
    )
