"""Evaluation of bidders, all of them on the same deals.

Everybody bids for itself; a bidder that is no agent leaves pick-up, discard and declaration to the fixed player, who plays all
cards. Each bidder sits alone in every seat against two of the fixed field (three games a deal), and every pair of bidders meets in
six games a deal. All else is asked of the hands dealt in these deals: limits, whether claimed chances come true, what declarations
cost, what a bolder or shyer bidder would get, and how the bidder compares with people.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from skatai.agent import Agent, make_agent
from skatai.arena.designs import SeatDesign
from skatai.arena.stats import complete_records
from skatai.arena.tournament import Tournament, TournamentResult
from skatai.bidding.agreement import Agreement, agreement
from skatai.bidding.bidders import AgentBidder, BiddingAgent, RuleBidder, make_bidder, makes_claims
from skatai.bidding.claims import Claims, claims_on_all_hands
from skatai.bidding.metrics import (
    LimitMetrics,
    bidding_metrics,
    hands_of,
    limit_metrics,
    paired_difference,
    points_by_deal,
)
from skatai.bidding.outcomes import all_hands
from skatai.bidding.results import BidderResult, BiddingReport, Difference, FieldGames, Meetings
from skatai.bidding.store import PartStore, one_writer
from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.kernels.policies.bidding import MARGIN
from skatai.rules import Rules

__all__ = ["ALONE", "RESULTS_NAME", "Evaluation", "evaluate_bidders"]

RESULTS_NAME: Final = "bidding.json"
#: one bidder in every seat against two of the field
ALONE: Final = SeatDesign("alone-three", ("ABB", "BAB", "BBA"), "B")


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the evaluation that is kept when it is done."""

    key: str
    title: str
    kind: type
    make: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class _Run:
    """How it is run."""

    out: Path | None = None
    workers: int = 1
    backend: str | None = None
    progress: bool = False

    @property
    def how(self) -> dict[str, Any]:
        """For :mod:`skatai.bidding.outcomes`."""
        return {"workers": self.workers, "backend": self.backend, "progress": self.progress}

    def say(self, text: str) -> None:
        if self.progress:
            print(text, file=sys.stderr, flush=True)


def _source_digest(bidder: Any) -> str:
    """Hash of the file that a bidder comes from where it is no installed agent; empty for these."""
    path = getattr(bidder, "path", None)
    try:
        if path is None and hasattr(bidder, "function"):
            path = inspect.getsourcefile(inspect.unwrap(bidder.function))
        return "" if path is None else hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except (OSError, TypeError):
        return ""


def _agent(spec: Any, bidder: Any) -> Any:
    """The agent that a bidder is, as a text where it was given as one; ``None`` where it is none."""
    if isinstance(bidder, AgentBidder):
        return spec if isinstance(spec, str) else bidder.agent
    return "rule" if isinstance(bidder, RuleBidder) and bidder.margin == MARGIN else None


class Evaluation:
    """What is to be evaluated, and how; :meth:`run` does it.

    Args:
        bidders: as for :func:`~skatai.bidding.bidders.make_bidder`.
        deals: the deals; their index is part of every decision's seed.
        seed: of all decisions.
        rules: official by default.
        field: agent that the bidders are measured against.
        play: agent that plays all cards, and declares for bidders that are no agents.
        meet: also let every pair of bidders meet.
        iss: files of records, to compare with people.
        min_rating: of the recorded players that count.

    Attributes:
        names: of the bidders, each one once.
        settings: what the results depend on.
        versions: of the software.

    Raises:
        AgentError, SkatError: a bidder, agent or file that does not exist, or no deals.
    """

    def __init__(
        self,
        bidders: Sequence[Any],
        deals: Sequence[Deal],
        seed: int = 0,
        rules: Rules | None = None,
        *,
        field: str | Agent = "rule",
        play: str | Agent = "rule",
        meet: bool = True,
        iss: Sequence[str | Path] = (),
        min_rating: float | None = None,
    ) -> None:
        if not bidders:
            raise SkatError("evaluation without bidders")
        self.rules, self.seed, self.play = rules or Rules(), seed, play
        self.bidders = [make_bidder(spec, seed) for spec in bidders]
        self.agents = [_agent(spec, bidder) for spec, bidder in zip(bidders, self.bidders, strict=True)]
        self.iss, self.min_rating = tuple(Path(path) for path in iss), min_rating
        for path in self.iss:
            if not path.is_file():
                raise SkatError(f"{path}: no such file")
        seated = [a or BiddingAgent(b, play) for a, b in zip(self.agents, self.bidders, strict=True)]
        table: dict[str, Any] = {"mode": "bidding", "fixed": play}
        self.alone = Tournament([*seated, field], deals, seed, self.rules, ALONE, **table)
        self.meetings = Tournament(seated, deals, seed, self.rules, **table) if meet and len(bidders) > 1 else None
        self.names = self.alone.names[:-1]
        self.settings, self.versions = self._settings(), self.alone.versions
        self._now = _Run()
        self._cut_short: dict[str, TournamentResult] = {}

    def _settings(self) -> dict[str, Any]:
        found = self.alone.settings
        sources = {name: _source_digest(bidder) for name, bidder in zip(self.names, self.bidders, strict=True)}
        return {
            "bidders": list(self.names),
            "field": self.alone.names[-1].partition("#")[0],
            "play": found["fixed"],
            **{key: found[key] for key in ("deals", "deals_sha256", "seed", "rules", "skatai")},
            "sources": {name: digest for name, digest in sources.items() if digest},
        }

    def parts(self) -> list[_Part]:
        """Everything that is to be done, in order."""
        found = [_Part("field", "games against the field", FieldGames, self._play_alone)]
        if self.meetings is not None:
            found.append(_Part("meetings", "games of the bidders among themselves", Meetings, self._play_meetings))
        for i, name in enumerate(self.names):
            found.append(_Part(f"limits of {name}", f"{name}: limits", LimitMetrics, partial(self._limits, i)))
            if makes_claims(self.bidders[i]):
                found.append(
                    _Part(f"claims of {name}", f"{name}: claims on all hands", Claims, partial(self._claims, i))
                )
            if self.iss:
                title = f"{name}: agreement with people"
                found.append(_Part(self._people_key(i), title, Agreement, partial(self._people, i)))
        return found

    def run(
        self, out: str | Path | None = None, *, workers: int = 1, backend: str | None = None, progress: bool = False
    ) -> BiddingReport:
        """Do what is not done yet. Ctrl-C ends the run and returns what is done.

        Args:
            out: folder for ``bidding.json`` and the games, in ``field`` and ``meetings``; an earlier run with the same settings is
                continued. Without it nothing is written.
            workers: how many; they do not change a result.
            backend: as for :meth:`~skatai.arena.Tournament.run`.
            progress: on stderr.

        Raises:
            AgentError, SkatError: a bidder failed, or the folder belongs to other settings or cannot be written. What was
                finished before is kept.
        """
        self._now = _Run(None if out is None else Path(out), workers, backend, progress)
        if self._now.out is None:
            return self._run(PartStore(None, self.settings, self.versions))
        with one_writer(self._now.out):
            return self._run(PartStore(self._now.out / RESULTS_NAME, self.settings, self.versions))

    def _run(self, store: PartStore) -> BiddingReport:
        parts = self.parts()
        missing = [part for part in parts if part.key not in store]
        self._cut_short.clear()
        try:
            while missing:
                self._now.say(f"{missing[0].title} …")
                store.put(missing[0].key, missing[0].make())
                missing.pop(0)
        except KeyboardInterrupt:
            pass
        found = {part.key: store.get(part.key, part.kind) for part in parts}
        return self._report(found, store.versions, tuple(part.title for part in missing))

    def _report(self, found: dict[str, Any], versions: dict[str, str], missing: tuple[str, ...]) -> BiddingReport:
        games: FieldGames = found["field"] or self._field_games(self._cut_short.get("field"))
        met: Meetings = found.get("meetings") or self._met(self._cut_short.get("meetings"))
        metrics = {metrics.name: metrics for metrics in games.metrics}
        bidders = [
            BidderResult(
                name=name,
                metrics=metrics.get(name),
                limits=found[f"limits of {name}"],
                claims=found.get(f"claims of {name}"),
                agreement=found.get(self._people_key(i)) if self.iss else None,
            )
            for i, name in enumerate(self.names)
        ]
        return BiddingReport(tuple(bidders), games.differences, met.differences, self.settings, versions, missing)

    # -- games --------------------------------------------------------------------------------------------------------

    def _play(self, tournament: Tournament, key: str) -> TournamentResult:
        """Play in the folder ``key``; what is done of an interrupted tournament is remembered."""
        now = self._now
        folder = None if now.out is None else now.out / key
        result = tournament.run(folder, workers=now.workers, backend=now.backend, progress=now.progress)
        if result.interrupted:
            self._cut_short[key] = result
            raise KeyboardInterrupt
        return result

    def _play_alone(self) -> FieldGames:
        return self._field_games(self._play(self.alone, "field"))

    def _play_meetings(self) -> Meetings:
        assert self.meetings is not None
        return self._met(self._play(self.meetings, "meetings"))

    def _field_games(self, result: TournamentResult | None) -> FieldGames:
        """Figures of the deals that are complete for a bidder."""
        records = [] if result is None else complete_records(result.records, result.design)
        metrics = [bidding_metrics(records, name) for name in self.names]
        points = {name: points_by_deal(hands_of(records, name)) for name in self.names}
        differences = [(a, b, paired_difference(points[a], points[b])) for a, b in combinations(self.names, 2)]
        return FieldGames(
            tuple(found for found in metrics if found.hands),
            tuple(Difference(a, b, points) for a, b, points in differences if points is not None),
        )

    @staticmethod
    def _met(result: TournamentResult | None) -> Meetings:
        pairs = () if result is None else result.summary().pairs
        return Meetings(tuple(Difference(pair.first, pair.second, pair.difference) for pair in pairs))

    # -- hands --------------------------------------------------------------------------------------------------------

    def _limits(self, i: int) -> LimitMetrics:
        hands, seats = all_hands(self.alone.deals)
        deals = np.repeat(np.arange(len(self.alone.deals)), 3)
        return limit_metrics(self.bidders[i].limits(hands, seats, self.rules), seats, deals)

    def _claims(self, i: int) -> Claims:
        who = self.agents[i] or self.play, self.play
        how = self._now.how
        return claims_on_all_hands(self.bidders[i], self.alone.deals, *who, seed=self.seed, rules=self.rules, **how)

    # -- people -------------------------------------------------------------------------------------------------------

    def _people_key(self, i: int) -> str:
        files = [f"{path.name} {path.stat().st_size}" for path in self.iss]
        digest = hashlib.sha256(f"{files} {self.min_rating}".encode()).hexdigest()[:8]
        return f"agreement of {self.names[i]} with {digest}"

    def _people(self, i: int) -> Agreement:
        agent = self.agents[i]
        with tqdm(unit="record", desc="records", disable=None if self._now.progress else True) as bar:
            return agreement(
                self.iss,
                self.bidders[i],
                None if agent is None else make_agent(agent),
                seed=self.seed,
                min_rating=self.min_rating,
                progress=lambda n: bar.update(n) and None,
            )


def evaluate_bidders(
    bidders: Sequence[Any],
    deals: Sequence[Deal],
    seed: int = 0,
    rules: Rules | None = None,
    *,
    out: str | Path | None = None,
    workers: int = 1,
    progress: bool = False,
    **options: Any,
) -> BiddingReport:
    """Evaluate bidders on the same deals: :class:`Evaluation` and :meth:`Evaluation.run` in one call.

    Args:
        bidders: as for :func:`~skatai.bidding.bidders.make_bidder`.
        deals: the deals.
        seed: of all decisions.
        rules: official by default.
        out: folder for the results, by which an interrupted run goes on.
        workers: how many; they do not change a result.
        progress: on stderr.
        options: the other arguments of :class:`Evaluation`.

    Raises:
        AgentError, SkatError: as there.
    """
    return Evaluation(bidders, deals, seed, rules, **options).run(out, workers=workers, progress=progress)
