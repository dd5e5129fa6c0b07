"""The ladder of bids, what players say for short, and the history of an auction (rules 2)."""

from __future__ import annotations

from typing import Final

from skatai.errors import IllegalActionError, NotationError
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, LADDER_WORDS, WORD_BITS
from skatai.kernels.state import END_PASSED_IN, NOBODY, StateRecord
from skatai.rules import LADDER_MASK, Rules

__all__ = ["auction_calls", "is_legal_bid", "ladder", "next_bid", "parse_call", "parse_calls"]

_NULL_VALUES: Final = (23, 35, 46, 59)
_WORDS: Final = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "eins": "1", "zwo": "2", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7",
    "acht": "8", "neun": "9",
}  # fmt: skip


def ladder(rules: Rules | None = None) -> tuple[int, ...]:
    """The values that may be called, ascending: 63 in the official game (rules 2.1).

    >>> ladder()[:6], len(ladder())
    ((18, 20, 22, 23, 24, 27), 63)
    """
    words = LADDER_WORDS[(rules or Rules()).to_int() & LADDER_MASK]
    ids = [WORD_BITS * w + b for w in range(3) for b in range(WORD_BITS) if int(words[w]) >> b & 1]
    return tuple(int(BID_VALUES[i - FIRST_BID]) for i in ids)


def is_legal_bid(value: int, current: int, rules: Rules | None = None) -> bool:
    """Whether ``value`` may be called after ``current`` (0 before any call)."""
    return value > current and value in ladder(rules)


def next_bid(current: int, rules: Rules | None = None) -> int | None:
    """The next value of the ladder above ``current``; ``None`` at its end."""
    return next((value for value in ladder(rules) if value > current), None)


def parse_call(text: str, current: int, rules: Rules | None = None) -> int:
    """The value of a spoken call: in full (``"24"``), by its last digit (``"4"``, ``"four"``), or ``"0"``/``"null"`` for the
    next null value (rules 2.1). A single digit means the next ladder value above ``current`` that ends in it.

    Raises:
        NotationError: no such call.
        IllegalActionError: the value is not on the ladder or not above ``current``.

    >>> parse_call("two", 20), parse_call("null", 22), parse_call("7", 24)
    (22, 23, 27)
    """
    word = text.strip().lower()
    word = _WORDS.get(word, word)
    steps = ladder(rules)
    if word in ("0", "null"):
        found = next((value for value in steps if value > current and value in _NULL_VALUES), None)
    elif word.isascii() and word.isdigit() and len(word) == 1:
        found = next((value for value in steps if value > current and value % 10 == int(word)), None)
    elif word.isascii() and word.isdigit() and len(word) < 4:
        found = int(word)
        if found not in steps:
            raise IllegalActionError(f"{found} is not a value that a game can have")
        if found <= current:
            raise IllegalActionError(f"{found} is not above the last call, {current}")
    else:
        raise NotationError(f"{text[:20]!r} is not a call: expected a value, its last digit, or 'null'")
    if found is None:
        raise IllegalActionError(f"no value above {current} that could be called {text!r}")
    return found


def parse_calls(calls: list[str], rules: Rules | None = None) -> list[int]:
    """The values of spoken calls in order, each above the one before.

    >>> parse_calls(["18", "20", "2", "null", "4", "7", "30"])
    [18, 20, 22, 23, 24, 27, 30]
    """
    values: list[int] = []
    for call in calls:
        values.append(parse_call(call, values[-1] if values else 0, rules))
    return values


def _named(state: StateRecord, row: int) -> list[int]:
    words = state["bids"][row]
    return [i for i in range(len(BID_VALUES)) if int(words[i // 32]) >> (i % 32) & 1]


def _duel(state: StateRecord, named: list[int], caller: int, responder: int) -> list[tuple[int, str]]:
    """The calls of one stage without its last pass."""
    calls: list[tuple[int, str]] = []
    for i in named:
        calls.append((caller, str(int(BID_VALUES[i]))))
        if i < named[-1] or int(state["limits"][responder]) > i:
            calls.append((responder, "hold"))
    return calls


def auction_calls(state: StateRecord) -> list[tuple[int, str]]:
    """All calls so far as ``(seat, call)``; a call is a value, ``hold`` or ``pass``. Works on a masked record, too."""
    calls = _duel(state, _named(state, 0), 1, 0)
    survivor = int(state["survivor"])
    if survivor == NOBODY:
        return calls
    calls.append((1 - survivor, "pass"))
    stage, declarer = int(state["stage"]), int(state["declarer"])
    second = _named(state, 1)
    if stage == 2:
        calls += _duel(state, second, 2, survivor)
        if declarer != NOBODY:
            calls.append((2 if declarer == survivor else survivor, "pass"))
        return calls
    calls.append((2, "pass"))
    if declarer != NOBODY:
        calls.append((0, str(int(BID_VALUES[second[0]]))))
    elif int(state["end"]) == END_PASSED_IN:
        calls.append((0, "pass"))
    return calls
