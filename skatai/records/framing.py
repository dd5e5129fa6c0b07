"""Where records begin and end: opening files and cutting their bytes into records, in linear time and bounded memory."""

from __future__ import annotations

import bz2
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, NamedTuple, TypeAlias, cast

from skatai.errors import RecordError

__all__ = ["CLOSE", "MAX_RECORD", "Frame", "Source", "frames", "to_bytes"]

#: bytes after which a record without an end is given up
MAX_RECORD: Final = 1 << 20
_CHUNK: Final = 1 << 20

#: The bracket that closes a property value. Nothing is escaped in records and names may hold ``]``, so it must be followed by the
#: next property, by the end of the record, of the line, or by a comment.
CLOSE: Final = re.compile(rb"\](?=[ \t\r]*(?:[A-Z][A-Z0-9]?\[|;\)|\n|\Z|#))")
_CLOSE_STRICT: Final = re.compile(rb"\](?=[ \t\r]*(?:[A-Z][A-Z0-9]?\[|;\)))")
_COMMENT: Final = re.compile(rb"[ \t\r]*#")
_OUTSIDE: Final = re.compile(rb"\[|;\)|#")
_BEGIN: Final = re.compile(rb"\(;(?=\s*GM\[)")

SourceLike: TypeAlias = "str | Path | bytes | IO[Any]"


def to_bytes(text: str) -> bytes:
    """UTF-8; bytes that did not decode (``surrogateescape``) come out as they were, and other lone surrogates do no harm."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class Frame(NamedTuple):
    """One record as it lies in the file.

    Attributes:
        line: number of its first line, from 1.
        raw: its bytes, at most ``MAX_RECORD`` of them.
        problem: why it cannot be a record; empty if it may be one.
    """

    line: int
    raw: bytes
    problem: str = ""


class Source:
    """A byte stream of records: a path (plain, gzip or bzip2, told by its first bytes), an open file, or the text itself.

    Args:
        source: a ``Path``; a ``str``, which is the text of records if it contains ``(;`` or a line end, else a path; ``bytes``, the
            text; or an object with ``read``.

    Attributes:
        name: for messages.
        size: bytes of the file on disk, 0 if unknown.

    Raises:
        RecordError: the file cannot be opened or read.
    """

    def __init__(self, source: SourceLike) -> None:
        self.name, self.size = "records", 0
        self._owned = True
        if isinstance(source, bytes) or (isinstance(source, str) and ("(;" in source or "\n" in source)):
            data = source if isinstance(source, bytes) else to_bytes(source)
            self._raw: BinaryIO = io.BytesIO(data)
            self.size = len(data)
        elif isinstance(source, (str, Path)):
            self.name = str(source)
            try:
                self._raw = open(source, "rb")  # noqa: SIM115 (closed by close)
                self.size = Path(source).stat().st_size
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise RecordError(f"{self.name}: cannot read records: {reason}") from None
        elif hasattr(source, "read"):
            self.name = str(getattr(source, "name", "records"))
            self._owned = False
            self._raw = cast(BinaryIO, source)
        else:
            raise RecordError(
                f"records: cannot read from {type(source).__name__}; expected a path, a file, bytes or text"
            )
        self._stream: Any = self._raw
        self._head = b""
        self._read_head()

    def _read_head(self) -> None:
        try:
            head = self._raw.read(3) if self._owned else b""
        except OSError as error:
            self.close()
            raise RecordError(f"{self.name}: cannot read records: {error.strerror or error}") from None
        if head[:2] == b"\x1f\x8b" or head == b"BZh":
            self._raw.seek(0)
            self._stream = gzip.GzipFile(fileobj=self._raw) if head[:1] == b"\x1f" else bz2.BZ2File(self._raw)
        elif head != b"\xef\xbb\xbf":  # a byte order mark is no part of the text
            self._head = head

    def read(self, size: int) -> bytes:
        """Up to ``size`` further bytes; ``b""`` at the end.

        Raises:
            RecordError: damaged compressed data, or the file cannot be read any more.
        """
        try:
            # read1 gives what could be decompressed before the damage
            data = self._stream.read(size) if self._stream is self._raw else self._stream.read1(size)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise RecordError(f"{self.name}: damaged or unreadable: {error}") from None
        if isinstance(data, str):
            data = to_bytes(data)
        head, self._head = self._head, b""
        return head + bytes(data)

    @property
    def position(self) -> int:
        """Bytes of the file on disk read so far."""
        try:
            return self._raw.tell()
        except (OSError, ValueError):
            return 0

    def close(self) -> None:
        """Close the file if it was opened here."""
        if self._owned:
            self._raw.close()


class _Framer:
    """Joins lines to records. Lines go in, frames come out; between records only comments and blank lines are no matter."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []  # lines of the open record
        self.size = 0
        self.line = 0
        self.in_value = False
        self.skipping = False  # inside a record given up as too long

    def feed(self, line: bytes, number: int) -> Iterator[Frame]:
        """Take a line (with its end)."""
        pieces = [match.start() for match in _BEGIN.finditer(line)]
        blank = len(line) - len(line.lstrip())
        if (not pieces or pieces[0] > blank) and line.startswith(b"(;", blank):
            pieces.insert(0, blank)
        if not pieces or pieces[0] > 0:
            pieces.insert(0, 0)
        pieces.append(len(line))
        for begin, end in pairwise(pieces):
            yield from self._piece(line[begin:end], number)

    def _piece(self, piece: bytes, number: int) -> Iterator[Frame]:
        if piece.startswith(b"(;"):
            yield from self.give_up("a new record begins before its end")
            self.skipping = False
            self.line, self.parts, self.size, self.in_value = number, [piece], len(piece), False
        elif self.skipping:
            return
        elif self.parts:
            self.parts.append(piece)
            self.size += len(piece)
        else:
            yield from self._between(piece, number)
            return
        end = self._scan(piece)
        if end >= 0:
            rest = piece[end:]
            self.parts[-1] = piece[:end]
            yield Frame(self.line, b"".join(self.parts))
            self.parts, self.size = [], 0
            yield from self._between(rest, number)
        elif self.size > MAX_RECORD:
            yield from self.give_up(f"no end within {MAX_RECORD} bytes")
            self.skipping = True

    def _between(self, text: bytes, number: int) -> Iterator[Frame]:
        text = text.strip()
        if text and not text.startswith(b"#"):
            yield Frame(number, text[:MAX_RECORD], "text outside a record: no '(;' before it")

    def _scan(self, piece: bytes) -> int:
        """Follow the brackets through a piece; where the record ends in it, or -1."""
        position = 2 if piece.startswith(b"(;") else 0
        last_strict = -2  # not looked for yet
        while True:
            if self.in_value:
                match = CLOSE.search(piece, position)
                if match is None:
                    return -1
                position = match.end()
                if _COMMENT.match(piece, position):
                    if last_strict == -2:
                        last_strict = max((m.start() for m in _CLOSE_STRICT.finditer(piece)), default=-1)
                    if last_strict >= position:  # a name with "]#" in it
                        continue
                self.in_value = False
            else:
                match = _OUTSIDE.search(piece, position)
                if match is None or match.group() == b"#":
                    return -1
                position = match.end()
                if match.group() == b";)":
                    return position
                self.in_value = True

    def give_up(self, reason: str) -> Iterator[Frame]:
        """Hand out the open record, if there is one, as a damaged one."""
        if self.parts:
            yield Frame(self.line, b"".join(self.parts)[:MAX_RECORD], reason)
            self.parts, self.size, self.in_value = [], 0, False


def frames(source: Source) -> Iterator[Frame]:
    """Cut a source into records.

    Every line belongs to exactly one frame, but for blank lines and comments between records. A record may span lines and lines
    may hold several records. Never raises: what cannot be read becomes a frame with a problem.
    """
    framer = _Framer()
    tail = b""
    number = 0
    oversized = False
    while True:
        try:
            chunk = source.read(_CHUNK)
        except RecordError as error:
            yield from _rest(framer, tail, number, oversized)
            yield Frame(number + 1, b"", str(error))
            return
        if not chunk:
            yield from _rest(framer, tail, number, oversized)
            return
        lines = (tail + chunk).split(b"\n")
        tail = lines.pop()
        for line in lines:
            number += 1
            if oversized:  # the end of a line that was given up
                oversized = False
                continue
            if not framer.parts and not line.strip():
                continue
            simple = line.startswith(b"(;GM[") and line.endswith((b"] ;)", b"] ;)\r")) and line.find(b"(;", 5) < 0
            if simple and not framer.parts:
                framer.skipping = False
                yield Frame(number, line)
            else:
                yield from framer.feed(line + b"\n", number)
        if len(tail) > MAX_RECORD:
            if not oversized:
                yield from framer.give_up("followed by a line too long for a record")
                yield Frame(number + 1, tail[:MAX_RECORD], f"no end within {MAX_RECORD} bytes")
            oversized, tail = True, b""


def _rest(framer: _Framer, tail: bytes, number: int, oversized: bool) -> Iterator[Frame]:
    """What is left when the source ends."""
    if tail and not oversized:
        yield from framer.feed(tail, number + 1)
    yield from framer.give_up("the file ends before its end")
