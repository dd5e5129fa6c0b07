"""The log of a tournament: a text file that only grows, one finished game a line, under a header with the settings.

Whatever interrupts a tournament, the file keeps every game whose line is complete; a torn last line is cut off on the next opening.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from skatai.arena.records import GameRecord
from skatai.errors import RecordError, SkatError

__all__ = ["BIDDING_NAME", "FORMAT", "LOG_NAME", "GameLog", "lock", "read_log", "refuse_folder_with"]

#: the log in the folder of a tournament
LOG_NAME: Final = "games.jsonl"
#: the results in the folder of an evaluation of bidders (:mod:`skatai.bidding`)
BIDDING_NAME: Final = "bidding.json"
FORMAT: Final = "skatai tournament 1"


def _complete_lines(path: Path) -> tuple[list[bytes], int]:
    """The lines that end in a newline, and how many bytes they take.

    Raises:
        SkatError: the file cannot be read.
        RecordError: it begins like something else.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SkatError(f"{path}: cannot read the log of a tournament: {error.strerror or error}") from None
    start = json.dumps({"format": FORMAT}).encode()[:-1]
    if data[: len(start)] != start[: len(data)]:
        raise RecordError(f"{path}: not the log of a tournament: expected the format {FORMAT!r} in line 1")
    length = data.rfind(b"\n") + 1
    return data[:length].splitlines(), length


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT or not isinstance(header.get("settings"), dict):
        raise RecordError(f"{path}: not the log of a tournament: expected the format {FORMAT!r} in line 1")
    return header


def _records(path: Path, lines: list[bytes]) -> dict[int, GameRecord]:
    records: dict[int, GameRecord] = {}
    for number, line in enumerate(lines, 2):
        try:
            record = GameRecord.from_json(line.decode("utf-8"))
        except (RecordError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}, line {number}: {error}") from None
        records.setdefault(record.game, record)
    return records


def read_log(path: str | Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """Header (``settings``, ``versions``) and games of a log, in the order of their numbers; a torn last line is left out.

    Raises:
        SkatError: the file cannot be read.
        RecordError: it is not the log of a tournament, or a line in it is damaged.
    """
    path = Path(path)
    lines, _ = _complete_lines(path)
    header = _header(path, lines[0] if lines else b"")
    records = _records(path, lines[1:])
    return header, [records[game] for game in sorted(records)]


def refuse_folder_with(name: str, folder: Path) -> None:
    """Keep results of two kinds apart, whose reports have one name.

    Raises:
        SkatError: the folder holds the file ``name``, :data:`LOG_NAME` or :data:`BIDDING_NAME`.
    """
    if (folder / name).exists():
        what = "a tournament" if name == LOG_NAME else "an evaluation of bidders"
        raise SkatError(f"{folder} holds {what} ({name}): choose another folder")


def _differences(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> str:
    lines = [
        f"{key} was {found.get(key)!r} and is now {wanted.get(key)!r}"
        for key in wanted.keys() | found.keys()
        if found.get(key) != wanted.get(key)
    ]
    return f"{path} belongs to other settings: {'; '.join(sorted(lines))}; choose another folder"


def lock(file: BinaryIO | int, path: Path, what: str) -> None:
    """One writer at a time, where the system has such locks; closing the file (or its descriptor) gives it back.

    Raises:
        SkatError: another run holds it; ``what`` says what that writes, ``path`` where.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SkatError(f"{path}: another run is writing {what}") from None
    except OSError:
        return  # a file system without locks


class GameLog:
    """A log opened for writing.

    Args:
        path: the file; made with its header where it does not exist, continued where it does.
        settings: what the results depend on; they must be those of the header.
        versions: of the software, noted in the header.
        objects: likewise, what tells apart agents that have names only (:mod:`skatai.arena.carried`).
        differs: says which agents are others than those of an earlier header's ``objects``; none may be.

    Attributes:
        records: the games it holds, by their numbers.

    Raises:
        SkatError: other settings, or the file cannot be written.
        RecordError: the file is something else, or damaged.
    """

    def __init__(
        self,
        path: str | Path,
        settings: dict[str, Any],
        versions: dict[str, str],
        objects: Mapping[str, Mapping[str, str]] | None = None,
        differs: Callable[[Mapping[str, Mapping[str, str]]], list[str]] | None = None,
    ) -> None:
        self.path = Path(path)
        self.records: dict[int, GameRecord] = {}
        settings = json.loads(json.dumps(settings))  # as it will be read back
        try:
            self._file = self.path.open("ab")
        except OSError as error:
            raise SkatError(f"{self.path}: cannot write the log: {error.strerror or error}") from None
        try:
            lock(self._file, self.path, "this tournament")
            lines, length = _complete_lines(self.path)
            if lines:
                found = _header(self.path, lines[0])
                if found["settings"] != settings:
                    raise SkatError(_differences(self.path, found["settings"], settings))
                others = [] if differs is None else differs(found.get("objects", {}))
                if others:
                    raise SkatError(
                        f"{self.path} belongs to other settings: {'; '.join(others)}; choose another folder"
                    )
                self.records = _records(self.path, lines[1:])
            self._file.truncate(length)
            if not lines:
                header = {"format": FORMAT, "settings": settings, "versions": versions, "objects": objects or {}}
                self._write(json.dumps(header, ensure_ascii=False))
        except BaseException:
            self._file.close()
            raise

    def _write(self, text: str) -> None:
        self._file.write(f"{text}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def append(self, records: Iterable[GameRecord]) -> None:
        """Write finished games; they are on the disk when this returns."""
        lines = []
        for record in records:
            self.records[record.game] = record
            lines.append(record.to_json())
        if lines:
            self._write("\n".join(lines))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> GameLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
