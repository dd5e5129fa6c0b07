"""Duplicate tournaments: every group of agents plays the same deals in every seating of a design."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from skatai.agent import Agent
from skatai.arena.carried import carried_values, differing, note_changes
from skatai.arena.designs import PAIR_SIX, SeatDesign
from skatai.arena.facts import DealFacts
from skatai.arena.phases import in_mode
from skatai.arena.records import GameRecord
from skatai.arena.sequential import StopRule
from skatai.arena.stats import Summary, deals_of, summarise
from skatai.arena.store import BIDDING_NAME, LOG_NAME, GameLog, refuse_folder_with
from skatai.arena.table import Fixture, unique_names
from skatai.arena.watch import Watch
from skatai.arena.workers import Batch, Pace, agent_of, play_batch, warm_agent
from skatai.deal import Deal, write_deals
from skatai.errors import SkatError, whole_number
from skatai.parallel import one_torch_thread, pmap
from skatai.rules import Rules

__all__ = ["LOG_NAME", "Tournament", "TournamentResult", "play_match"]

DEALS_NAME: Final = "deals.txt"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


@cache
def _code_digest(packages: tuple[str, ...]) -> str:
    """Hash (16 hex digits) of the sources and weights of packages; what is no package does not count."""
    digest = hashlib.sha256()
    for package in packages:
        file = getattr(sys.modules.get(package), "__file__", None)
        folder = Path(file).parent if file and Path(file).name == "__init__.py" else None
        paths = [] if folder is None else [*folder.rglob("*.py"), *folder.rglob("*.safetensors")]
        for path in sorted(paths):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What a tournament gave.

    Attributes:
        agents: names in the order of the tournament.
        records: the finished games in the order of their numbers.
        games: games of the whole tournament.
        design: who sat where.
        interrupted: it was stopped before the end.
        stopped: why a stopping rule ended it; the games after that deal, if any were played, are not among ``records``.
        tournament: where it comes from.
        caution: what must be said of the figures because of the rule that ended it; empty where nothing must.
    """

    agents: tuple[str, ...]
    records: tuple[GameRecord, ...]
    games: int
    design: SeatDesign
    interrupted: bool = False
    stopped: str | None = None
    tournament: Tournament | None = None
    caution: str = ""

    def summary(self) -> Summary:
        """The statistics of the deals that are complete."""
        facts = None if self.tournament is None else self.tournament.facts
        return summarise(self.records, self.agents, self.design, facts)


class Tournament:
    """Every group of agents on every deal in every seating.

    With the design for pairs these are six games a deal and pair: each of the two alone in each seat against two of the other.

    Args:
        agents: texts as for :func:`~skatai.agent.make_agent` (needed for processes unless the agents can be pickled), or agents.
        deals: the deals; their index is part of every decision's seed.
        seed: of the decisions.
        rules: official by default, without concessions and claims.
        design: who sits where.
        drawn: the deals are random ones, so that control variates make sense.
        mode: ``"full"`` games; ``"cards"``: ``fixed`` bids for everybody, so that all play the same contracts; ``"bidding"``:
            ``fixed`` plays everybody's cards.
        fixed: that agent; ``open`` as a bidder is an oracle, :class:`~skatai.arena.phases.RecordedBidder` takes contracts from
            records.
        first: agents (by name) that play only the first so many deals, since they are slow; groups with them end there. Neither
            their games nor those of the others change.

    Raises:
        AgentError: an agent that cannot be made.
        SkatError: too few agents, no deals, or ``first`` names nobody or no number of deals.
    """

    def __init__(
        self,
        agents: Sequence[str | Agent],
        deals: Sequence[Deal],
        seed: int = 0,
        rules: Rules | None = None,
        design: SeatDesign = PAIR_SIX,
        *,
        drawn: bool = False,
        mode: str = "full",
        fixed: str | Agent = "rule",
        first: Mapping[str, int] | None = None,
    ) -> None:
        self.design = design
        self.drawn = drawn
        self.deals = tuple(deals)
        self.seed = seed
        self.rules = rules or Rules()
        if len(agents) < len(design.members):
            raise SkatError(f"{len(agents)} agents are too few: seat design {design.name} needs {len(design.members)}")
        if not self.deals:
            raise SkatError("tournament without deals")
        self.names = unique_names([agent if isinstance(agent, str) else str(agent.name) for agent in agents])
        seated = [in_mode(mode, agent, fixed) for agent in agents]
        self.mode = {} if mode == "full" else {"mode": mode, "fixed": str(getattr(fixed, "name", fixed))}
        made = [agent_of(agent, private=False) for agent in seated]  # a wrong option shows before the first game
        self.agents = dict(zip(self.names, seated, strict=True))
        self._carried = {name: carried_values(spec) for name, spec in self.agents.items() if not isinstance(spec, str)}
        self.sees_all = tuple(name for name, agent in zip(self.names, made, strict=True) if agent.sees_all)
        self.groups = design.groups(len(self.names))
        self.first = {name: self._first_deals(name, n) for name, n in (first or {}).items()}
        parts = [part for agent in made for part in getattr(agent, "parts", (agent,))]
        self._packages = tuple(sorted({"skatai", *(type(part).__module__.split(".")[0] for part in parts)}))

    def _first_deals(self, name: str, n: int) -> int:
        if name not in self.names:
            raise SkatError(f"first deals of {name!r}: no such agent; there are {', '.join(self.names)}")
        return whole_number(n, f"first deals of {name}", 1, len(self.deals))

    @cached_property
    def facts(self) -> DealFacts:
        """What the statistics know about the deals."""
        return replace(DealFacts.of(self.deals, self.rules, self.drawn), first=self.first)

    def numbers(self, deal: int) -> Iterator[int]:
        """Numbers of the games on a deal; those of groups that have ended are left out."""
        seatings = len(self.design.seatings)
        for g, group in enumerate(self.groups):
            if deal < deals_of([self.names[player] for player in group], self.first, len(self.deals)):
                start = (deal * len(self.groups) + g) * seatings
                yield from range(start, start + seatings)

    def games_on(self, deals: int) -> int:
        """How many games there are on the first ``deals`` deals."""
        groups = ([self.names[player] for player in group] for group in self.groups)
        return len(self.design.seatings) * sum(deals_of(group, self.first, deals) for group in groups)

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.games_on(len(self.deals))

    @property
    def settings(self) -> dict[str, Any]:
        """Everything the results depend on."""
        text = "\n".join(map(str, self.deals))
        return {
            "agents": list(self.names),
            "design": self.design.name,
            **self.mode,
            **({"first": self.first} if self.first else {}),
            "deals": len(self.deals),
            "deals_sha256": hashlib.sha256(text.encode()).hexdigest(),
            "seed": self.seed,
            "rules": str(self.rules),
            "skatai": _version("skatai"),
        }

    @property
    def versions(self) -> dict[str, str]:
        """Of the software, for the record; ``code`` is a hash of the sources and weights of skatai and the agents."""
        found = {name: _version(name) for name in ("skatai", "numpy", "numba", "torch")}
        return {"python": platform.python_version(), **found, "code": _code_digest(self._packages)}

    def fixture(self, game: int) -> Fixture:
        """Game number ``game``: seatings run fastest, then groups (all of them on every deal), then deals."""
        rest, seating = divmod(game, len(self.design.seatings))
        deal_index, group_index = divmod(rest, len(self.groups))
        group = self.groups[group_index]
        first, second, third = (self.names[player] for player in self.design.seats(group, seating))
        return Fixture(
            game=game,
            deal_index=deal_index,
            deal=self.deals[deal_index],
            seats=(first, second, third),
            group=tuple(self.names[player] for player in group),
            seating=self.design.seatings[seating],
        )

    def _batches(self, todo: list[int], pace: Pace, private: bool) -> Iterator[Batch]:
        start = 0
        while start < len(todo):
            end = start + pace.games(len(todo) - start)
            fixtures = tuple(self.fixture(game) for game in todo[start:end])
            yield Batch(self.agents, fixtures, self.seed, self.rules, private)
            start = end

    def open_log(self, out: str | Path) -> GameLog:
        """Make or continue the folder of a tournament: ``games.jsonl`` and ``deals.txt``.

        Raises:
            SkatError: the folder cannot be written, or holds a tournament with other settings or of other agents, or other results.
        """
        out = Path(out)
        refuse_folder_with(BIDDING_NAME, out)
        try:
            out.mkdir(parents=True, exist_ok=True)
            log = GameLog(out / LOG_NAME, self.settings, self.versions, self._carried, self._differs)
            write_deals(out / DEALS_NAME, self.deals, f"the {len(self.deals)} deals of this tournament")
        except OSError as error:
            raise SkatError(f"{out}: cannot write results: {error.strerror or error}") from None
        return log

    def _differs(self, found: Mapping[str, Mapping[str, str]]) -> list[str]:
        """Agents given as objects that are not those of a log, each with the attributes in which they differ."""
        rows = {n: differing(self.agents[n], found.get(n, {}), values) for n, values in self._carried.items()}
        return [f"agent {name!r} differs ({', '.join(names)})" for name, names in rows.items() if names]

    def run(
        self,
        out: str | Path | None = None,
        *,
        workers: int = 1,
        backend: str | None = None,
        tables: int | None = None,
        progress: bool = False,
        stop: StopRule | None = None,
        address: str | None = None,
    ) -> TournamentResult:
        """Play what is not played yet.

        Neither ``workers`` nor ``backend`` nor ``tables`` changes a game. Ctrl-C ends the run and returns what is done.

        Args:
            out: folder for the log; an earlier run with the same settings is continued. Without it nothing is written.
            workers: how many workers.
            backend: ``"serial"``, ``"threads"``, ``"processes"`` or ``"ray"``; by default processes where there are several
                workers.
            tables: games that one worker plays side by side; by default about as many as take two seconds.
            progress: a bar on stderr.
            stop: ends the tournament before its last deal, at the same deal however it is run.
            address: of a Ray cluster.

        Raises:
            AgentError: an agent failed or acted illegally; the games finished before are kept.
            SkatError: the folder belongs to other settings, or cannot be written.
        """
        if tables is not None and tables < 1:
            raise SkatError(f"tournament: {tables} tables, expected at least 1")
        with one_torch_thread():
            if out is None:
                return self._run(None, workers, backend, tables, progress, stop, address)
            with self.open_log(out) as log:
                return self._run(log, workers, backend, tables, progress, stop, address)

    def _run(
        self,
        log: GameLog | None,
        workers: int,
        backend: str | None,
        tables: int | None,
        progress: bool,
        stop: StopRule | None,
        address: str | None,
    ) -> TournamentResult:
        from tqdm import tqdm

        records: dict[int, GameRecord] = {} if log is None else log.records
        watch = None if stop is None else Watch(stop, self)
        enough = None if watch is None else watch.verdict(records)
        numbers = (game for deal in range(len(self.deals)) for game in self.numbers(deal))
        todo = [game for game in numbers if game not in records and enough is None]
        backend = backend or ("processes" if workers > 1 else "serial")
        pace = Pace(workers, tables)
        before = {name: carried_values(self.agents[name]) for name in self._carried}
        if todo:
            for agent in self.agents.values():
                warm_agent(agent)  # here first, so that not every worker compiles the same kernels
        batches = self._batches(todo, pace, private=backend == "threads")
        interrupted = False
        bar = tqdm(
            total=self.games, initial=len(records), unit="game", desc="games", disable=None if progress else True
        )
        results = pmap(play_batch, batches, backend, workers, ordered=False, address=address)
        try:
            for played in results:
                if log is None:
                    records.update((record.game, record) for record in played.records)
                else:
                    log.append(played.records)
                bar.update(len(played.records))
                pace.heed(len(played.records), played.seconds)
                enough = None if watch is None else watch.verdict(records)
                if enough is not None:
                    break
                if played.error is not None:
                    raise played.error
        except KeyboardInterrupt:
            interrupted = True
        finally:
            results.close()  # ends the workers
            bar.close()
            for name, carried in before.items():
                note_changes(self.agents[name], carried)
        deals, why = (len(self.deals), None) if enough is None else enough
        done = tuple(records[game] for game in sorted(records) if records[game].deal < deals)
        caution = getattr(stop, "caution", "") if why else ""
        return TournamentResult(self.names, done, self.games_on(deals), self.design, interrupted, why, self, caution)


def play_match(
    first: str | Agent,
    second: str | Agent,
    deals: Sequence[Deal],
    seed: int = 0,
    rules: Rules | None = None,
    *,
    workers: int = 1,
) -> Summary:
    """Two agents on the same deals, six games each; the statistics.

    Raises:
        AgentError: an agent that does not exist, fails or acts illegally.
    """
    return Tournament([first, second], deals, seed, rules).run(workers=workers).summary()
