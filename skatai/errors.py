"""Every error that skatai raises about its input derives from :class:`SkatError`."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

__all__ = [
    "AgentError",
    "IllegalActionError",
    "InvalidDealError",
    "NotationError",
    "RecordError",
    "RulesError",
    "SkatError",
    "whole_number",
]


class SkatError(ValueError):
    """Base class: something the caller gave is wrong; the message says what, where and what was expected."""


class IllegalActionError(SkatError):
    """An action or event that the rules do not allow in the present state."""


class NotationError(SkatError):
    """A text that does not parse: a card, a contract, an action, a deal or a position."""


class InvalidDealError(SkatError):
    """Cards that do not make a deal: a wrong count, a duplicate or an unknown card."""


class RecordError(SkatError):
    """A game record that cannot be read or contradicts itself."""


class RulesError(SkatError):
    """A combination of rule switches that does not exist."""


class AgentError(SkatError):
    """An unknown agent, a bad agent option, or an agent that broke the protocol."""


def whole_number(value: SupportsIndex, what: str, low: int, high: int, error: type[SkatError] = SkatError) -> int:
    """``value`` as an int from ``low`` to ``high``, for arguments that would else reach a kernel as they are.

    Python's and NumPy's integers are taken; a float is not cut off, and a text is not read.

    Args:
        value: what the caller gave.
        what: its name in the message.
        low: the least value that makes sense.
        high: the greatest.
        error: class of the error raised.

    Raises:
        SkatError: (or ``error``) anything else.

    >>> whole_number(2, "seat", 0, 2)
    2
    """
    try:
        number = index(value)
    except TypeError:
        shown, number, kind = repr(value), low - 1, "a whole number "
    else:
        shown, kind = str(number), ""  # not repr: a NumPy integer would name its type
    if not low <= number <= high:
        shown = shown if len(shown) <= 40 else shown[:39] + "…"
        raise error(f"{what} {shown}: expected {kind}{low} … {high}")
    return number
