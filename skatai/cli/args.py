"""Arguments of the commands: tyro, with its complaints on one line."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from typing import TypeVar

import tyro

from skatai.errors import SkatError

__all__ = ["parse"]

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
