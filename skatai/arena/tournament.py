"""Duplicate tournaments: every group of agents plays the same deals in every seating of a design."""

from __future__ import annotations

import hashlib
import platform
import sys
import threading
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from skatai.agent import Agent
from skatai.arena.designs import PAIR_SIX, SeatDesign
from skatai.arena.phases import in_mode, make_player
from skatai.arena.records import GameRecord
from skatai.arena.sequential import StopRule, stopping_deal
from skatai.arena.stats import DealFacts, Summary, compared_pairs, deal_differences, summarise
from skatai.arena.store import GameLog
from skatai.arena.table import Fixture, Played, play_tables, unique_names, warm_up
from skatai.deal import Deal, write_deals
from skatai.errors import SkatError
from skatai.parallel import one_torch_thread, pmap
from skatai.rules import Rules

__all__ = ["LOG_NAME", "Tournament", "TournamentResult", "play_match"]

LOG_NAME: Final = "games.jsonl"
DEALS_NAME: Final = "deals.txt"
#: tables that advance together unless told otherwise
TABLES: Final = 48


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
class _Batch:
    """A piece of work for one worker; agents as texts are made there, once."""

    agents: dict[str, str | Agent]
    fixtures: tuple[Fixture, ...]
    seed: int
    rules: Rules
    private: bool  # agents given as objects are shared with other threads: take copies


_made = threading.local()


def _agent(spec: str | Agent, private: bool) -> Any:
    """The agent; what is made from a text is kept, one for each thread."""
    if not isinstance(spec, str):
        return deepcopy(spec) if private else spec
    known: dict[str, Any] = _made.__dict__.setdefault("agents", {})
    if spec not in known:
        known[spec] = make_player(spec)
    return known[spec]


def _warm_agent(spec: str | Agent, private: bool = False) -> Any:
    agent = _agent(spec, private)
    warm: set[str] = _made.__dict__.setdefault("warm", set())
    if isinstance(spec, str) and spec not in warm:
        warm_up(agent)
        warm.add(spec)
    return agent


def _play(batch: _Batch) -> Played:
    players = {name: _warm_agent(spec, batch.private) for name, spec in batch.agents.items()}
    return play_tables(players, batch.fixtures, batch.seed, batch.rules)


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
    """

    agents: tuple[str, ...]
    records: tuple[GameRecord, ...]
    games: int
    design: SeatDesign
    interrupted: bool = False
    stopped: str | None = None
    tournament: Tournament | None = None

    def summary(self) -> Summary:
        """The statistics of the deals that are complete."""
        facts = None if self.tournament is None else self.tournament.facts
        return summarise(self.records, self.agents, self.design, facts)


class _Watch:
    """Asks a stopping rule whenever the deals that are complete from the first one on reach its next look."""

    def __init__(self, rule: StopRule, tournament: Tournament) -> None:
        self.rule = rule
        self.each = len(tournament.groups) * len(tournament.design.seatings)
        groups = [tuple(tournament.names[player] for player in group) for group in tournament.groups]
        pairs = compared_pairs(groups, tournament.design, tournament.names)
        self.differences: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
        self.deals = 0

    def verdict(self, records: dict[int, GameRecord]) -> tuple[int, str] | None:
        """Deals and reason to stop; ``records`` by their numbers."""
        before, new = self.deals, []
        while all(self.deals * self.each + i in records for i in range(self.each)):
            new += [records[self.deals * self.each + i] for i in range(self.each)]
            self.deals += 1
        if not new:
            return None
        for pair, found in self.differences.items():
            found += deal_differences(new, *pair).values()
        return stopping_deal(self.rule, *self.differences.values(), after=before)


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

    Raises:
        AgentError: an agent that cannot be made.
        SkatError: too few agents, or no deals.
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
        made = [_agent(agent, private=False) for agent in seated]  # a wrong option shows before the first game
        self.agents = dict(zip(self.names, seated, strict=True))
        self.sees_all = tuple(name for name, agent in zip(self.names, made, strict=True) if agent.sees_all)
        self.groups = design.groups(len(self.names))
        parts = [part for agent in made for part in getattr(agent, "parts", (agent,))]
        self._packages = tuple(sorted({"skatai", *(type(part).__module__.split(".")[0] for part in parts)}))

    @cached_property
    def facts(self) -> DealFacts:
        """What the statistics know about the deals."""
        return DealFacts.of(self.deals, self.rules, self.drawn)

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(self.deals) * len(self.groups) * len(self.design.seatings)

    @property
    def settings(self) -> dict[str, Any]:
        """Everything the results depend on."""
        text = "\n".join(map(str, self.deals))
        return {
            "agents": list(self.names),
            "design": self.design.name,
            **self.mode,
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
        """Game number ``game``: seatings run fastest, then groups, then deals."""
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

    def _batches(self, todo: list[int], tables: int, private: bool) -> Iterator[_Batch]:
        for start in range(0, len(todo), tables):
            fixtures = tuple(self.fixture(game) for game in todo[start : start + tables])
            yield _Batch(self.agents, fixtures, self.seed, self.rules, private)

    def open_log(self, out: str | Path) -> GameLog:
        """Make or continue the folder of a tournament: ``games.jsonl`` and ``deals.txt``.

        Raises:
            SkatError: the folder cannot be written, or holds a tournament with other settings.
        """
        out = Path(out)
        try:
            out.mkdir(parents=True, exist_ok=True)
            log = GameLog(out / LOG_NAME, self.settings, self.versions)
            write_deals(out / DEALS_NAME, self.deals, f"the {len(self.deals)} deals of this tournament")
        except OSError as error:
            raise SkatError(f"{out}: cannot write results: {error.strerror or error}") from None
        return log

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
            tables: games that one worker plays side by side (48, or less where there are few games).
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
        watch = None if stop is None else _Watch(stop, self)
        enough = None if watch is None else watch.verdict(records)
        todo = [game for game in range(self.games) if game not in records and enough is None]
        backend = backend or ("processes" if workers > 1 else "serial")
        if tables is None:
            tables = max(1, min(TABLES, -(-len(todo) // max(1, 2 * workers))))
        if todo:
            for agent in self.agents.values():
                _warm_agent(agent)  # here first, so that not every worker compiles the same kernels
        batches = self._batches(todo, tables, private=backend == "threads")
        interrupted = False
        bar = tqdm(
            total=self.games, initial=len(records), unit="game", desc="games", disable=None if progress else True
        )
        results = pmap(_play, batches, backend, workers, ordered=False, address=address)
        try:
            for played in results:
                if log is None:
                    records.update((record.game, record) for record in played.records)
                else:
                    log.append(played.records)
                bar.update(len(played.records))
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
        deals, why = (len(self.deals), None) if enough is None else enough
        done = tuple(records[game] for game in sorted(records) if records[game].deal < deals)
        games = self.games // len(self.deals) * deals
        return TournamentResult(self.names, done, games, self.design, interrupted, why, self)


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
