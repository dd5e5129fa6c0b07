"""Streaming through files of ISS records: batches of lines go through the compiled reader, the rest through the careful one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from skatai.errors import RecordError
from skatai.kernels.records import (
    CURSOR_SIZE,
    MAX_ACTIONS,
    MAX_EVENTS,
    N_EVENTS,
    N_NUMBERS,
    N_TAKEN,
    SPLIT,
    replay_batch,
)
from skatai.kernels.state import new_states
from skatai.records.framing import Frame, Source, SourceLike, frames
from skatai.records.iss_replay import RULES, Replay, replay, result_of_numbers
from skatai.records.iss_text import format_result, match_canonical, parse_record, record_of_match
from skatai.records.outcomes import HEAD, GameOutcome, Outcome, QuarantineOutcome, ViewOutcome

__all__ = ["BATCH", "SeenRecords", "outcomes_of", "read_records"]

BATCH = 512


def _careful(frame: Frame) -> Outcome:
    """One record by the careful path."""
    try:
        if frame.problem:
            raise RecordError(frame.problem)
        record = parse_record(frame.raw)
        if record.is_view:
            return ViewOutcome(frame.line, record)
        return GameOutcome(frame.line, record, replay(record))
    except RecordError as error:
        return QuarantineOutcome(frame.line, str(error), frame.raw[:HEAD].decode("utf-8", "backslashreplace"))


def outcomes_of(batch: list[Frame]) -> list[Outcome]:
    """Outcomes of some frames, in their order."""
    matches = []
    spans = np.zeros((len(batch), 2), dtype=np.int64)
    texts = []
    place = 0
    for i, frame in enumerate(batch):
        match = None
        if not frame.problem:
            match = match_canonical(frame.raw.decode("utf-8", "surrogateescape"))
            if match is not None and not (match[6] is None and match[13].isascii()):
                match = None
        matches.append(match)
        if match is not None:
            moves = match[13]
            texts.append(moves)
            spans[i] = place, place + len(moves)
            place += len(moves)
    text = np.frombuffer("".join(texts).encode("ascii") or b" ", dtype=np.uint8)
    n = len(batch)
    states = new_states(n)
    actions = np.zeros((n, MAX_ACTIONS), dtype=np.uint8)
    events = np.zeros((n, MAX_EVENTS, 3), dtype=np.uint8)
    counts = np.zeros((n, CURSOR_SIZE), dtype=np.int64)
    numbers = np.zeros((n, N_NUMBERS), dtype=np.int16)
    replay_batch(text, spans, RULES, states, actions, events, counts, numbers)
    found: list[Outcome] = []
    rows: list[list[int]] = counts.tolist()
    all_numbers: list[list[int]] = numbers.tolist()
    for i, (frame, match) in enumerate(zip(batch, matches, strict=True)):
        outcome: Outcome | None = None
        row = rows[i]
        if match is not None and row[0]:
            result = result_of_numbers(all_numbers[i])
            computed, recorded = format_result(result), match[14]
            if computed[:-4] == recorded:  # the token " r:0" or " r:1" is absent
                result = replace(result, resigned=None)
                computed = recorded
            if computed == recorded:
                taken = tuple((e[0], e[1], e[2]) for e in events[i, : row[N_EVENTS]].tolist()) if row[N_EVENTS] else ()
                outcome = GameOutcome(
                    frame.line,
                    record_of_match(match, result),
                    Replay(states[i], actions[i, : row[N_TAKEN]], taken, result, "", row[SPLIT] == 1),
                )
        found.append(outcome if outcome is not None else _careful(frame))
    return found


class SeenRecords:
    """First lines of the records met so far, by place and number."""

    def __init__(self) -> None:
        self._places: dict[str | None, dict[int | str, int]] = {}

    def first(self, line: int, place: str | None, number: str | None) -> int | None:
        """Note a record; the line of the first one with the same place and number if this is not it."""
        if number is None:
            return None
        key = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else number
        first = self._places.setdefault(place, {}).setdefault(key, line)
        return None if first == line else first


def read_records(source: SourceLike, *, find_duplicates: bool = True) -> Iterator[Outcome]:
    """Read records one after the other, in bounded memory.

    Args:
        source: a path (plain, gzip or bzip2, told by its first bytes), an open file, ``bytes``, or a text that contains ``(;``.
        find_duplicates: look for records with the place and number (``PC``, ``ID``) of an earlier one; they are marked, not
            dropped. Takes about 100 bytes of memory a record.

    Returns:
        An iterator of one outcome per record, in order.

    Raises:
        RecordError: the source cannot be opened. Damage further on ends as quarantine.
    """
    return _read(Source(source), find_duplicates)


def _read(source: Source, find_duplicates: bool) -> Iterator[Outcome]:
    seen = SeenRecords()
    try:
        stream = frames(source)
        while batch := list(islice(stream, BATCH)):
            for outcome in outcomes_of(batch):
                if find_duplicates and not isinstance(outcome, QuarantineOutcome):
                    first = seen.first(outcome.line, *outcome.record.key)
                    yield outcome if first is None else replace(outcome, duplicate_of=first)
                else:
                    yield outcome
    finally:
        source.close()
