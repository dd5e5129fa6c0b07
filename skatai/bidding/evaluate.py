"""Evaluation of bidders, all of them on the same deals.

Games with fixed card play (:mod:`skatai.bidding.games`), and what can be asked of every hand dealt: limits, whether claimed chances
come true (:mod:`~skatai.bidding.claims`), what passes and declarations cost (:mod:`~skatai.bidding.regret`), what a bolder or shyer
bidder would get (:mod:`~skatai.bidding.sweep`), and how the bidder compares with people (:mod:`~skatai.bidding.agreement`).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from skatai.agent import Agent, make_agent
from skatai.arena.store import BIDDING_NAME, LOG_NAME, refuse_folder_with
from skatai.arena.tournament import Tournament, TournamentResult
from skatai.bidding.agreement import Agreement, agreement
from skatai.bidding.bidders import make_bidder, makes_claims
from skatai.bidding.claims import Claims, claims_on_all_hands
from skatai.bidding.games import BiddingGames
from skatai.bidding.metrics import LimitMetrics, limit_metrics
from skatai.bidding.outcomes import all_hands
from skatai.bidding.protocol import limits_of
from skatai.bidding.regret import RegretSummary, hindsight_regret, rollout_regret
from skatai.bidding.results import BidderResult, BiddingReport, FieldGames, Meetings
from skatai.bidding.store import PartStore, one_writer
from skatai.bidding.sweep import Sweep, sweep
from skatai.deal import Deal
from skatai.errors import SkatError, whole_number
from skatai.records import read_records
from skatai.rules import Rules

__all__ = ["REGRETS", "RESULTS_NAME", "Evaluation", "evaluate_bidders"]

RESULTS_NAME: Final = BIDDING_NAME
#: with open cards (a bound nobody can reach), over sampled worlds, or not at all
REGRETS: Final = ("open", "rollouts", "none")


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
        """As most functions take it."""
        return {"workers": self.workers, "backend": self.backend, "progress": self.progress}

    def say(self, text: str) -> None:
        if self.progress:
            print(text, file=sys.stderr, flush=True)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
        regret: one of :data:`REGRETS`.
        regret_deals: on the first so many deals, since it takes long.
        sweep: also try bolder and shyer bidders.
        iss: files of records, to compare with people.
        min_rating: of the recorded players that count.

    Attributes:
        names: of the bidders, each one once.
        deals: the deals.
        games: how many games are played.
        settings: what the results depend on.
        versions: of the software.

    Raises:
        AgentError, SkatError: a bidder, agent, file or setting that does not exist, or no deals.
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
        regret: str = "none",
        regret_deals: int = 100,
        sweep: bool = False,
        iss: Sequence[str | Path] = (),
        min_rating: float | None = None,
    ) -> None:
        if regret not in REGRETS:
            raise SkatError(f"regret {regret!r}: expected one of {', '.join(REGRETS)}")
        self.deals, self.seed, self.rules = tuple(deals), seed, rules or Rules()
        self.field, self.play, self.regret, self.sweep = field, play, regret, sweep
        self.regret_deals = min(whole_number(regret_deals, "regret: deals", 1, 1_000_000), len(self.deals))
        self.iss, self.min_rating = tuple(Path(path) for path in iss), min_rating
        for path in self.iss:
            if not path.is_file():
                raise SkatError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
        if self.iss and all(next(read_records(path), None) is None for path in self.iss):
            raise SkatError(f"no records in {', '.join(map(str, self.iss))}")
        self._contents = [_digest(path) for path in self.iss]
        if sweep:
            make_bidder(field, seed)  # a field without limits shows before the first game
        self._games = BiddingGames(bidders, deals, seed, self.rules, field=field, play=play, meet=meet)
        self.names, self.games, self.settings = self._games.names, self._games.n, self._games.settings
        self.versions = self._games.alone.versions
        self._now = _Run()
        self._cut_short: dict[str, TournamentResult] = {}

    @property
    def repeated(self) -> int:
        """How many deals have the cards of an earlier one. Intervals take them for independent deals, and are too narrow."""
        return len(self.deals) - len(set(self.deals))

    def _keys(self, name: str) -> dict[str, str]:
        """The keys of a bidder's parts; what a part depends on beside the settings is in its key."""
        people = hashlib.sha256(f"{self._contents} {self.min_rating}".encode()).hexdigest()[:8]
        return {
            "limits": f"limits of {name}",
            "claims": f"claims of {name}",
            "regret": f"regret ({self.regret}, {self.regret_deals} deals) of {name}",
            "sweep": f"sweep of {name}",
            "agreement": f"agreement of {name} with people {people}",
        }

    def parts(self) -> list[_Part]:
        """Everything that is to be done, in order."""
        found = [_Part("field", "games against the field", FieldGames, self._play_alone)]
        if self._games.meetings is not None:
            found.append(_Part("meetings", "games of the bidders among themselves", Meetings, self._play_meetings))
        makes: dict[str, tuple[bool, str, type, Callable[[int], Any]]] = {
            "limits": (True, "limits", LimitMetrics, self._limits),
            "claims": (True, "claims on all hands", Claims, self._claims),
            "sweep": (self.sweep, "bolder and shyer", Sweep, self._sweep),
            "regret": (self.regret != "none", "regret", RegretSummary, self._regret),
            "agreement": (bool(self.iss), "agreement with people", Agreement, self._people),
        }
        for part, (wanted, title, kind, make) in makes.items():
            for i, name in enumerate(self.names):
                if wanted and (part != "claims" or makes_claims(self._games.bidders[i])):
                    found.append(_Part(self._keys(name)[part], f"{name}: {title}", kind, partial(make, i)))
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
        refuse_folder_with(LOG_NAME, self._now.out)
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
        games: FieldGames = found["field"] or self._games.against_field(self._cut_short.get("field"))
        met: Meetings = found.get("meetings") or self._games.among_themselves(self._cut_short.get("meetings"))
        metrics = {metrics.name: metrics for metrics in games.metrics}
        bidders = [
            BidderResult(name, metrics.get(name), **{part: found.get(key) for part, key in self._keys(name).items()})
            for name in self.names
        ]
        return BiddingReport(tuple(bidders), games.differences, met.differences, self.settings, versions, missing)

    # -- games --------------------------------------------------------------------------------------------------------

    def _played(self, tournament: Tournament, key: str) -> TournamentResult:
        """Play in the folder ``key``; what is done of an interrupted tournament is remembered."""
        folder = None if self._now.out is None else self._now.out / key
        result = tournament.run(folder, **self._now.how)
        if result.interrupted:
            self._cut_short[key] = result
            raise KeyboardInterrupt
        return result

    def _play_alone(self) -> FieldGames:
        return self._games.against_field(self._played(self._games.alone, "field"))

    def _play_meetings(self) -> Meetings:
        assert self._games.meetings is not None
        return self._games.among_themselves(self._played(self._games.meetings, "meetings"))

    # -- hands --------------------------------------------------------------------------------------------------------

    def _limits(self, i: int) -> LimitMetrics:
        hands, seats = all_hands(self.deals)
        limits = limits_of(self._games.bidders[i], hands, seats, self.rules)
        return limit_metrics(limits, seats, np.repeat(np.arange(len(self.deals)), 3))

    def _common(self) -> dict[str, Any]:
        return {"seed": self.seed, "rules": self.rules, **self._now.how}

    def _claims(self, i: int) -> Claims:
        declarer = self._games.agents[i] or self.play
        return claims_on_all_hands(self._games.bidders[i], self.deals, declarer, self.play, **self._common())

    def _regret(self, i: int) -> RegretSummary:
        deals, declarer = self.deals[: self.regret_deals], self._games.agents[i] or self.play
        measure = hindsight_regret if self.regret == "open" else rollout_regret
        return measure(deals, self._games.bidders[i], declarer, **self._common()).summary()

    def _sweep(self, i: int) -> Sweep:
        return sweep(self._games.bidders[i], self.deals, field=self.field, rest=self.play, **self._common())

    # -- people -------------------------------------------------------------------------------------------------------

    def _people(self, i: int) -> Agreement:
        agent = self._games.agents[i]
        with tqdm(unit="record", desc="records", disable=None if self._now.progress else True) as bar:
            return agreement(
                self.iss,
                self._games.bidders[i],
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
