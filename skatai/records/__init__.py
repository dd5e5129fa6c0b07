"""Readers and writers of game records, one module a format.

A format is a module with ``recognises(head: bytes) -> bool`` and ``read_records(source, *, find_duplicates=True)`` that yields
:class:`GameOutcome`, :class:`ViewOutcome` or :class:`QuarantineOutcome` for every record; its name stands in :data:`FORMATS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from skatai.deal import Deal
from skatai.errors import RecordError
from skatai.records.framing import Source, SourceLike
from skatai.records.outcomes import GameOutcome, Outcome, QuarantineOutcome, ViewOutcome

__all__ = [
    "FORMATS",
    "GameOutcome",
    "Outcome",
    "QuarantineOutcome",
    "ViewOutcome",
    "detect_format",
    "read_records",
    "record_deals",
]

#: format → its module
FORMATS: Final[dict[str, str]] = {"iss": "skatai.records.iss"}


def _module(name: str) -> Any:
    if name not in FORMATS:
        raise RecordError(f"records: no format {name!r}; there are {', '.join(FORMATS)}")
    return import_module(FORMATS[name])


def detect_format(source: SourceLike) -> str:
    """The format of a file by its first bytes.

    Raises:
        RecordError: the file cannot be opened, or no format recognises it.
    """
    opened = Source(source)
    try:
        head = opened.read(4096)
    finally:
        opened.close()
    for name in FORMATS:
        if _module(name).recognises(head):
            return name
    raise RecordError(f"{opened.name}: no known format of records; there are {', '.join(FORMATS)}")


def read_records(source: SourceLike, format: str = "iss", *, find_duplicates: bool = True) -> Iterator[Outcome]:  # noqa: A002
    """Read game records of any format, one outcome per record, in order.

    Args:
        source: a path (plain, gzip or bzip2), an open file, ``bytes``, or a text that contains a record.
        format: a key of :data:`FORMATS`.
        find_duplicates: mark records that carry the key of an earlier one.

    Raises:
        RecordError: an unknown format, or the source cannot be opened.
    """
    outcomes: Iterator[Outcome] = _module(format).read_records(source, find_duplicates=find_duplicates)
    return outcomes


def record_deals(path: str | Path, format: str = "iss") -> list[Deal]:  # noqa: A002
    """The deals of all games of a file of records, in order; views and quarantined records have none.

    Raises:
        RecordError: the file cannot be opened.
    """
    found = []
    for outcome in read_records(Path(path), format, find_duplicates=False):
        if isinstance(outcome, GameOutcome):
            state = outcome.replay.state
            found.append(Deal.from_masks((*state["dealt"].tolist(), int(state["skat"]))))
    return found
