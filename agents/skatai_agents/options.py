"""Checks of agents' options, which come from text."""

from __future__ import annotations

from typing import Any

from skatai.errors import AgentError

__all__ = ["one_of", "whole"]


def whole(agent: str, option: str, value: Any, low: int, high: int) -> int:
    """``value`` if it is a whole number from ``low`` to ``high``.

    Raises:
        AgentError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise AgentError(f"{agent}: {option}={value!r}, expected a whole number from {low} to {high}")
    return value


def one_of(agent: str, option: str, value: Any, choices: tuple[str, ...]) -> str:
    """``value`` if it is one of ``choices``.

    Raises:
        AgentError: it is not.
    """
    if value not in choices:
        raise AgentError(f"{agent}: {option}={value!r}, expected {' or '.join(map(repr, choices))}")
    return str(value)
