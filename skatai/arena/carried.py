"""What agents given as objects carry, so that games of one are never taken for those of another with the same name.

Only simple values count: whole numbers, floats, texts, truth values, ``None`` and tuples of these. An attribute that changes while
its agent plays, as a counter does, says nothing about the agent; it does not count from then on. The log holds hashes, since an
attribute may be a password.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from skatai.arena.phases import PhaseAgent

__all__ = ["Carried", "carried_values", "differing", "note_changes"]

#: for each attribute the hash of its value (16 hex digits)
Carried = dict[str, str]

_MISSING: Final = object()
#: attributes that were seen to change during games
_changing: set[tuple[type, str]] = set()


def _is_simple(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, bool | int | float | str | np.number | np.bool_)


def _plain(value: Any) -> Any:
    """Without NumPy's types, whose texts depend on its version."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value


def _attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    slots = [getattr(kind, "__slots__", ()) for kind in type(thing).__mro__]
    names = {name for slot in slots for name in ([slot] if isinstance(slot, str) else slot)}
    for name in sorted(names | set(getattr(thing, "__dict__", {}))):
        value = getattr(thing, name, _MISSING)
        if _is_simple(value):
            yield name, value


def _parts(agent: Any) -> dict[str, Any]:
    return {"bidding ": agent.parts[0], "cards ": agent.parts[1]} if isinstance(agent, PhaseAgent) else {"": agent}


def carried_values(agent: Any) -> Carried:
    """The simple values of an agent, or of both parts of one that is put together."""
    found = {}
    for which, part in _parts(agent).items():
        for name, value in _attributes(part):
            if (type(part), name) not in _changing:
                found[which + name] = hashlib.sha256(repr(_plain(value)).encode()).hexdigest()[:16]
    return found


def note_changes(agent: Any, before: Mapping[str, str]) -> None:
    """After games: attributes that are no longer as ``before`` do not count any more."""
    now = carried_values(agent)
    for which, part in _parts(agent).items():
        names = [name.removeprefix(which) for name in before if name.startswith(which)]
        _changing.update((type(part), name) for name in names if now.get(which + name) != before[which + name])


def differing(agent: Any, found: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Attributes in which ``agent`` (with the values ``wanted``) is not the one that had the values ``found``.

    One that is missing on either side, or changes while the agent plays, says nothing.
    """
    counting = {which + name for which, part in _parts(agent).items() for kind, name in _changing if kind is type(part)}
    common = found.keys() & wanted.keys() - counting
    return sorted(name for name in common if found[name] != wanted[name])
