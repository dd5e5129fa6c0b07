"""What tells bidders of the same name apart, so that results of one are never taken for those of another.

Of a function its file (or its code, where there is no file, as in notebooks) and the values it carries: defaults, what it closes
over, arguments of a ``partial``. Of an object the file of its class and its attributes. Values count as far as they cannot change
on the way: numbers, texts, tuples and arrays, and functions that carry such. Lists, dictionaries and networks do not count.
"""

from __future__ import annotations

import hashlib
import inspect
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

import numpy as np

from skatai.bidding.agents import AgentBidder
from skatai.bidding.bidders import FunctionBidder, LoadedBidder, OnnxBidder, RuleBidder, ThresholdBidder

__all__ = ["source_digest"]

_SIMPLE: Final = (bool, int, float, complex, str, bytes, type(None), np.generic, Path)


def source_digest(spec: Any, bidder: Any) -> str:
    """Hash of what a bidder is beside its name; empty where the name tells it, as for agents by name.

    Args:
        spec: what the bidder was made of.
        bidder: the bidder.
    """
    if isinstance(bidder, ThresholdBidder):
        return source_digest(spec if isinstance(spec, str) else bidder.claimer, bidder.claimer)
    if isinstance(bidder, RuleBidder) or (isinstance(bidder, AgentBidder) and isinstance(spec, str)):
        return ""
    parts: list[bytes] = []
    if isinstance(bidder, OnnxBidder):
        parts.append(_file(bidder.path))
    elif isinstance(bidder, FunctionBidder):
        _value(bidder.function, parts, set())
    elif isinstance(bidder, LoadedBidder):
        _object(bidder.bidder, parts, set())
    else:
        _object(bidder.agent if isinstance(bidder, AgentBidder) else bidder, parts, set())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _file(path: str | Path | None) -> bytes:
    try:
        return b"" if path is None else Path(path).read_bytes()
    except OSError:
        return b""


def _source_of(thing: Any) -> bytes:
    """The file that a function or class stands in; empty where there is none."""
    try:
        return _file(inspect.getsourcefile(thing))
    except (OSError, TypeError):
        return b""


def _value(value: Any, parts: list[bytes], seen: set[int]) -> None:
    """Add a value, as far as it counts."""
    if isinstance(value, _SIMPLE):
        parts.append(repr(value).encode())
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        parts += [f"{value.dtype}{value.shape}".encode(), value.tobytes()]
    elif isinstance(value, tuple):
        for item in value:
            _value(item, parts, seen)
    elif id(value) not in seen and callable(value) and not isinstance(value, type):
        seen.add(id(value))
        _callable(value, parts, seen)


def _callable(function: Any, parts: list[bytes], seen: set[int]) -> None:
    if isinstance(function, partial):
        carried: tuple[Any, ...] = (function.func, *function.args, *sorted(function.keywords.items()))
        _value(carried, parts, seen)
    elif isinstance(function, MethodType):
        _value(function.__func__, parts, seen)
        _object(function.__self__, parts, seen)
    elif isinstance(function, FunctionType):
        source = _source_of(function)
        parts += [source] if source else list(_code(function.__code__))
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        defaults = sorted((function.__kwdefaults__ or {}).items())
        _value((*(function.__defaults__ or ()), *defaults, *cells), parts, seen)
    else:
        _object(function, parts, seen)


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _code(code: CodeType) -> tuple[bytes, ...]:
    """Instructions, names and constants, those of inner functions included; sets have no order that lasts."""
    found = [code.co_code, repr(code.co_names).encode()]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _code(constant)
        elif not isinstance(constant, frozenset):
            found.append(repr(constant).encode())
    return tuple(found)


def _object(thing: Any, parts: list[bytes], seen: set[int]) -> None:
    parts.append(_source_of(type(thing)))
    for name, value in sorted(getattr(thing, "__dict__", {}).items()):
        parts.append(str(name).encode())
        _value(value, parts, seen | {id(thing)})
