"""Opening case files and telling their format by what is in them, in bounded memory and without trust."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from skatai.conformance.fields import CaseError, shorten
from skatai.errors import SkatError

__all__ = ["CSV_COLUMNS", "FORMATS", "FileError", "Line", "csv_rows", "detect", "lines", "parse_json"]

#: format → what it is called
FORMATS: Final[dict[str, str]] = {
    "rules": "rule cases (JSONL)",
    "iss": "ISS records",
    "xskat": "XSkat games (JSONL)",
    "openspiel": "OpenSpiel games (JSONL)",
    "positions": "solved positions (CSV)",
    "deals": "contract deals (CSV)",
    "puzzles": "puzzles (JSONL)",
}

#: characters of a line that are read; a case is never longer
MAX_LINE: Final = 1 << 17
_LOOKED_AT: Final = 50

#: format → keys of its objects or columns; a line belongs to the format most of whose keys it has, two at least
_JSON_KEYS: Final[dict[str, frozenset[str]]] = {
    "rules": frozenset({"kind", "in", "expect"}),
    "xskat": frozenset({"forehand", "bidding", "dealer", "passed", "game_score", "trick_winners", "hand_game"}),
    "openspiel": frozenset({"discards", "tricks", "points_after_trick", "final_solo", "game", "hands"}),
    "puzzles": frozenset({"seat", "hand", "played", "accepted", "legal"}),
}
CSV_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "positions": ("cards_each", "game", "player1_declarer", "player2", "player3", "player_to_lead", "expected_value"),
    "deals": (
        "id", "game", "declarer", "forehand", "middlehand", "rearhand", "declarer_skat_points", "declarer_trick_points",
        "declarer_wins",
    ),
}  # fmt: skip


class FileError(SkatError):
    """A file that cannot be read, or is in no format known."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank.

    Attributes:
        number: from 1.
        text: without its end.
        problem: why it cannot be read; empty if it can.
    """

    number: int
    text: str
    problem: str = ""


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        head = file.read(3)
    if head[:2] == b"\x1f\x8b":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return bz2.open(path, "rb") if head == b"BZh" else path.open("rb")


def lines(path: Path) -> Iterator[Line]:
    """The lines of a file, plain, gzip or bzip2 (told by its first bytes). Lines too long or not UTF-8 come with a problem.

    Raises:
        FileError: the file cannot be opened, or compressed data are damaged.
    """
    try:
        with _open(path) as file:
            yield from _lines(file)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"{path}: cannot be read: {reason}") from None


def _lines(file: IO[bytes]) -> Iterator[Line]:
    number = 0
    while raw := file.readline(MAX_LINE):
        number += 1
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            while (more := file.readline(MAX_LINE)) and not more.endswith(b"\n"):
                pass
            yield Line(number, "", f"longer than {MAX_LINE} bytes")
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            yield Line(number, "", "not UTF-8 text")
            continue
        if text:
            yield Line(number, text)


def parse_json(line: Line) -> Any:
    """The object of a line.

    Raises:
        CaseError: the line is not JSON.
    """
    if line.problem:
        raise CaseError(f"the line is {line.problem}")
    try:
        return json.loads(line.text)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"the line is not JSON ({shorten(str(error))})") from None


def _csv_format(text: str) -> str | None:
    names = [name.strip() for name in text.split(",")]
    return next((found for found, columns in CSV_COLUMNS.items() if set(columns) <= set(names)), None)


def _json_format(line: Line) -> str | None:
    try:
        data = parse_json(line)
    except CaseError:
        return None
    if not isinstance(data, dict):
        return None
    share = {
        name: len(keys & data.keys()) / len(keys) for name, keys in _JSON_KEYS.items() if len(keys & data.keys()) > 1
    }
    return max(share, key=lambda name: share[name]) if share else None


def detect(path: Path) -> str:
    """The format of a file, told by its first lines: a key of :data:`FORMATS`.

    Raises:
        FileError: the file cannot be read, is empty or in no format known.
    """
    seen = 0
    for line in lines(path):
        if line.text.startswith("#"):
            continue
        seen += 1
        if line.text.startswith("(;"):
            return "iss"
        found = _csv_format(line.text) if seen == 1 else None
        found = found or _json_format(line)
        if found:
            return found
        if seen == _LOOKED_AT:
            break
    if not seen:
        raise FileError(f"{path}: the file is empty")
    raise FileError(f"{path}: no format known; expected {', '.join(FORMATS.values())}")


def csv_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Line number and row of a CSV file with these columns, or why the row cannot be read."""
    names: list[str] = []
    for line in lines(path):
        if line.problem:
            yield line.number, f"the line is {line.problem}"
            continue
        try:
            cells = [cell.strip() for cell in next(csv.reader([line.text]))]
        except (csv.Error, StopIteration) as error:
            yield line.number, f"the line is not CSV ({shorten(str(error))})"
            continue
        if not names:
            names = cells
        elif len(cells) != len(names):
            yield line.number, f"the line has {len(cells)} cells, expected {len(names)}"
        else:
            yield line.number, {name: cell for name, cell in zip(names, cells, strict=True) if name in columns}
