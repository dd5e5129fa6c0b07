"""Results that are kept as they come: one JSON file with the parts of an evaluation that are done.

The file is replaced as a whole after every part, so that a run may be killed at any moment and goes on with the first part that is
missing. Dataclasses are written as objects of their fields; numbers that JSON does not have as the texts ``nan``, ``inf``,
``-inf``.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from skatai.arena.store import lock
from skatai.errors import RecordError, SkatError

__all__ = ["FORMAT", "PartStore", "from_data", "one_writer", "to_data"]

T = TypeVar("T")

FORMAT: Final = "skatai bidding 1"


def to_data(value: Any) -> Any:
    """What JSON can hold of dataclasses, sequences, mappings, NumPy's arrays and numbers."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_data(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return to_data(value.tolist())
    if isinstance(value, dict):
        return {str(key): to_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def from_data(kind: Any, data: Any) -> Any:
    """The value of type ``kind`` that :func:`to_data` made ``data`` of.

    Raises:
        TypeError, ValueError, KeyError: something else.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or kind is None or kind is types.NoneType:
        return data
    if origin in (Union, types.UnionType):
        if data is None and types.NoneType in inner:
            return None
        return from_data(next(part for part in inner if part is not types.NoneType), data)
    if dataclasses.is_dataclass(kind):
        hints, make = get_type_hints(kind), cast(Any, kind)
        return make(
            **{field.name: from_data(hints[field.name], data[field.name]) for field in dataclasses.fields(kind)}
        )
    if origin is np.ndarray:
        return np.array(data, dtype=get_args(inner[1])[0])
    if origin is tuple:
        parts = [inner[0]] * len(data) if len(inner) == 2 and inner[1] is Ellipsis else inner
        return tuple(from_data(part, item) for part, item in zip(parts, data, strict=True))
    if origin is list:
        return [from_data(inner[0], item) for item in data]
    if origin is dict:
        return {_key(inner[0], key): from_data(inner[1], item) for key, item in data.items()}
    return float(data) if kind is float else data


def _key(kind: Any, text: str) -> Any:
    return kind(text) if kind in (int, float) else text


class PartStore:
    """The parts of one evaluation.

    Args:
        path: the file; ``None`` keeps everything in memory.
        settings: what the results depend on; those of an existing file must be the same.
        versions: of the software that makes the file.

    Attributes:
        versions: of the software that made it.

    Raises:
        SkatError: other settings, or the file cannot be read or written.
        RecordError: it is something else, or damaged.
    """

    def __init__(self, path: Path | None, settings: dict[str, Any], versions: dict[str, str]) -> None:
        self.path = path
        self.settings: dict[str, Any] = json.loads(json.dumps(settings))
        self.versions = versions
        self._parts: dict[str, Any] = {}
        if path is not None and path.exists():
            found = _read(path)
            if found["settings"] != self.settings:
                raise SkatError(_differences(path, found["settings"], self.settings))
            self.versions, self._parts = found["versions"], found["parts"]
        else:
            self._write()  # at once: what a first part leaves beside it when it is killed belongs to these settings

    def __contains__(self, key: str) -> bool:
        return key in self._parts

    def get(self, key: str, kind: type[T]) -> T | None:
        """A part; ``None`` where it is missing.

        Raises:
            RecordError: it is not of this kind.
        """
        if key not in self._parts:
            return None
        try:
            value: T = from_data(kind, self._parts[key])
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            raise RecordError(f"{self.path}: part {key!r} is damaged: {type(error).__name__} {error}") from None
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a part; it is on the disk when this returns.

        Raises:
            SkatError: the file cannot be written.
        """
        self._parts[key] = to_data(value)
        self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        data = {"format": FORMAT, "settings": self.settings, "versions": self.versions, "parts": self._parts}
        new = self.path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump(data, file, indent=1, ensure_ascii=False, allow_nan=False)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            raise SkatError(f"{self.path}: cannot write results: {error.strerror or error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SkatError(f"{path}: cannot read results: {error.strerror or error}") from None
    except ValueError:
        data = None
    parts = ("settings", "versions", "parts")
    if (
        not isinstance(data, dict)
        or data.get("format") != FORMAT
        or not all(isinstance(data.get(k), dict) for k in parts)
    ):
        raise RecordError(f"{path}: not the results of an evaluation: expected the format {FORMAT!r}")
    return data


def _differences(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> str:
    keys = sorted(key for key in wanted.keys() | found.keys() if found.get(key) != wanted.get(key))
    lines = [f"{key} was {found.get(key)!r} and is now {wanted.get(key)!r}" for key in keys]
    return f"{path} belongs to other settings: {'; '.join(lines)}; choose another folder"


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Only one process at a time works in ``folder``, where the system has such locks.

    Raises:
        SkatError: another one does, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = os.open(folder, os.O_RDONLY)
    except PermissionError as error:  # as Windows answers to opening a folder
        if not folder.is_dir():
            raise SkatError(f"{folder}: cannot write results: {error.strerror or error}") from None
        yield
        return
    except OSError as error:
        raise SkatError(f"{folder}: cannot write results: {error.strerror or error}") from None
    try:
        lock(place, folder, "these results")
        yield
    finally:
        os.close(place)
