"""Every error that skatai raises about its input derives from :class:`SkatError`."""

from __future__ import annotations

__all__ = [
    "AgentError",
    "IllegalActionError",
    "InvalidDealError",
    "NotationError",
    "RecordError",
    "RulesError",
    "SkatError",
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
