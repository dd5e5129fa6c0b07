"""Arguments of the commands: tyro, with its complaints on one line, and files that are written at the end only."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import tempfile
from pathlib import Path
from typing import TypeVar

import tyro

from skatai.errors import SkatError

__all__ = ["check_writable", "parse"]

A = TypeVar("A")

_FRAME = re.compile(r"[│╭╮╰╯─┃━]+")


def _complaint(text: str) -> str:
    """What tyro complains about, without frame, title and help."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = [_FRAME.sub(" ", line).strip() for line in plain.splitlines()]
    body = [line for line in lines[1:] if line]  # the first line is the frame's title
    for stop, line in enumerate(body):
        if line.startswith(("For full helptext", "Argument helptext", "Got errors", "Perhaps you meant")):
            body = body[:stop]
            break
    return " ".join(" ".join(body).split()) or "arguments do not parse"


def parse(args: type[A], argv: list[str], prog: str) -> A:
    """Read ``argv`` into the dataclass ``args``.

    Raises:
        SkatError: arguments that do not fit, in one line; ``--help`` prints and leaves with ``SystemExit(0)``.
    """
    stderr = io.StringIO()
    try:
        with contextlib.redirect_stderr(stderr):
            return tyro.cli(args, args=argv, prog=prog, description=inspect.getdoc(args))
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        raise SkatError(f"{_complaint(stderr.getvalue())} (see {prog} --help)") from None


def check_writable(path: Path, out: Path | None = None) -> None:
    """See that a file can be written, before hours of games and not after them. Nothing is left behind.

    Args:
        path: the file.
        out: folder of the results, which may not be there yet but will be by then.

    Raises:
        SkatError: it is a folder, or stands where nothing can be written.
    """
    folder = path.parent
    if out is not None and folder.resolve() == out.resolve():
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent  # is made on the way
    try:
        if path.is_dir():
            raise SkatError(f"{path}: cannot be written: it is a folder")
        with tempfile.TemporaryFile(dir=folder):
            pass
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ".part").lstat()  # too long a name
    except OSError as error:
        raise SkatError(f"{path}: cannot be written: {error.strerror or error}") from None
