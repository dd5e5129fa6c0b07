"""Going through whole files of records, in one process or several: counts of everything, and columns on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from skatai.contract import Contract
from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.state import (
    END_CONCEDED,
    END_DECIDED,
    END_DEFENDERS_CONCEDED,
    END_LEFT,
    END_PASSED_IN,
    END_PLAYED,
    END_TIMED_OUT,
)
from skatai.parallel import pmap
from skatai.records.columns import Arrays, columns_of, concatenate
from skatai.records.framing import Frame, Source, frames
from skatai.records.iss_reader import SeenRecords, outcomes_of
from skatai.records.outcomes import GameOutcome, QuarantineOutcome, ViewOutcome

__all__ = ["Survey", "survey_files"]

#: records per piece of work
PIECE = 4096

_ENDINGS = {
    0: "not ended",
    END_PLAYED: "played to the end",
    END_DECIDED: "decided early",
    END_CONCEDED: "declarer resigned",
    END_DEFENDERS_CONCEDED: "defenders resigned",
    END_TIMED_OUT: "out of time",
    END_LEFT: "left the table",
    END_PASSED_IN: "passed in",
}


@dataclass
class Survey:
    """Counts over many records.

    Attributes:
        kinds: outcomes by kind: ``game``, ``view``, ``quarantine``.
        results: games by the kind of their result: ``game``, ``passed``, ``penalty``, ``unknown``.
        contracts: games by contract; ``wins``: those the declarer won.
        bids: games by winning bid.
        endings: games by what ended them.
        marks: games that are ``complete``, ``claimed``, ``aborted``, ``split``; by who played; and by the reading of their ending
            where it is not the ordinary one.
        duplicates: records whose place and number an earlier record had.
        quarantine: (file, line, reason) of the first quarantined records.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    contracts: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    bids: Counter[int] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    quarantine: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def n_records(self) -> int:
        """All records."""
        return sum(self.kinds.values())

    @property
    def counts(self) -> tuple[int, int, int]:
        """Games, views, quarantined records."""
        return self.kinds["game"], self.kinds["view"], self.kinds["quarantine"]

    def add_game(self, outcome: GameOutcome) -> None:
        """Count a game."""
        replay = outcome.replay
        state, result = replay.state, replay.result
        self.results[result.kind] += 1
        self.endings[_ENDINGS[int(state["end"])]] += 1
        if result.kind == "game" and int(state["game"]) < 6:
            contract = str(Contract.from_flags(int(state["game"]), int(state["flags"])))
            self.contracts[contract] += 1
            self.wins[contract] += result.won
            self.bids[int(BID_VALUES[int(state["bid"]) - 1])] += 1
        for mark in ("complete", "claimed", "aborted", "split"):
            if getattr(replay, mark):
                self.marks[mark] += 1
        bots = sum(outcome.record.bots)
        self.marks["programs only" if bots == 3 else "people and programs" if bots else "people only"] += 1
        if replay.convention:
            self.marks[f"read as: {replay.convention}"] += 1

    def merge(self, other: Survey) -> None:
        """Add the counts of another survey."""
        for name in ("kinds", "results", "contracts", "wins", "bids", "endings", "marks"):
            getattr(self, name).update(getattr(other, name))
        self.duplicates += other.duplicates
        self.quarantine += other.quarantine


@dataclass
class _Piece:
    """Work for one process: some frames of a file."""

    file: str
    frames: list[Frame]
    columns: bool
    reasons: int


_Found = tuple[Survey, "Arrays | None", list[tuple[int, "str | None", "str | None"]]]


def _survey_piece(piece: _Piece) -> _Found:
    survey = Survey()
    games: list[GameOutcome] = []
    keys: list[tuple[int, str | None, str | None]] = []
    for outcome in outcomes_of(piece.frames):
        survey.kinds[outcome.kind] += 1
        if isinstance(outcome, QuarantineOutcome):
            if len(survey.quarantine) < piece.reasons:
                survey.quarantine.append((piece.file, outcome.line, outcome.reason))
            continue
        keys.append((outcome.line, *outcome.record.key))
        if not isinstance(outcome, ViewOutcome):
            survey.add_game(outcome)
            games.append(outcome)
    return survey, columns_of(games, piece.file) if piece.columns else None, keys


def survey_files(
    files: list[Path],
    *,
    columns: bool = False,
    workers: int = 1,
    reasons: int = 10,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[Survey, Arrays]:
    """Read files of records through and count what is in them; results do not depend on ``workers``.

    Args:
        files: plain, gzip or bzip2.
        columns: also gather the games as columns.
        workers: processes.
        reasons: how many quarantined records to describe.
        progress: called with the number of further bytes read, as the files lie on disk.

    Returns:
        The counts, and the columns (empty unless asked for).

    Raises:
        RecordError: a file cannot be opened.
    """
    sources = [Source(file) for file in files]
    survey, parts, seen = Survey(), [], SeenRecords()
    work = (piece for source in sources for piece in _pieces(source, columns, reasons, progress))
    backend = "serial" if workers == 1 else "processes"
    try:
        for found, part, keys in pmap(_survey_piece, work, backend, workers):
            duplicates = {line for line, place, number in keys if seen.first(line, place, number) is not None}
            found.duplicates = len(duplicates)
            survey.merge(found)
            del survey.quarantine[reasons:]
            if part is not None:
                part["duplicate"] = np.isin(part["line"], list(duplicates))
                parts.append(part)
    finally:
        for source in sources:
            source.close()
    return survey, concatenate(parts) if columns else {}


def _pieces(source: Source, columns: bool, reasons: int, progress: Callable[[int], None]) -> Iterator[_Piece]:
    stream = frames(source)
    before = 0
    while batch := list(islice(stream, PIECE)):
        yield _Piece(source.name, batch, columns, reasons)
        progress(source.position - before)
        before = source.position
