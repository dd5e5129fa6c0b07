"""Rule cases: one JSON object a line with ``id``, ``kind``, ``in`` and ``expect``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from skatai.conformance.fields import CaseError, Fields, UnsupportedError, differences, shorten
from skatai.conformance.kinds_calls import CALL_KINDS
from skatai.conformance.kinds_play import PLAY_KINDS
from skatai.conformance.kinds_scores import SCORE_KINDS
from skatai.conformance.report import Verdict

__all__ = ["KINDS", "VARIANT_KINDS", "check_rule_case"]

#: kind → the function that asks the engine
KINDS: Final[Mapping[str, Callable[[Fields], dict[str, object]]]] = {**CALL_KINDS, **SCORE_KINDS, **PLAY_KINDS}

#: first words of the kinds that belong to variants of the game (rules 6), which the engine does not play
VARIANT_KINDS: Final = (
    "ramsch", "schieberamsch", "gewinner", "kontra", "pinke", "revolution", "pack36", "sechserskat", "idiotenskat",
    "raeuberskat", "reverse", "dead_hand", "oma", "strohmann", "strawman", "piloten", "skat_en_deux", "officers",
    "schmegegge", "tournee", "scat",
)  # fmt: skip


def _is_variant(kind: str) -> bool:
    return any(kind == first or kind.startswith(first + "_") for first in VARIANT_KINDS)


def check_rule_case(data: Any) -> Verdict:
    """Run one case.

    A case is not supported when its kind, its contract or its options belong to a variant; that is decided without running it.

    Raises:
        SkatError: the case is malformed.
    """
    case = Fields(data, "case")
    case.text("id")
    kind = case.text("kind")
    question, expected = case.take("in"), case.take("expect")
    case.take("source", None)
    case.take("note", None)
    case.done()
    if _is_variant(kind):
        return Verdict("unsupported")
    if kind not in KINDS:
        raise CaseError(f"unknown kind {shorten(kind)!r}; known: {', '.join(sorted(KINDS))}")
    fields = Fields(question, "in")
    try:
        fields.check_variant()
        came = KINDS[kind](fields)
    except UnsupportedError:
        return Verdict("unsupported")
    if fields.has("options"):
        fields.rules()  # switches without bearing on this kind must exist all the same
    fields.done()
    found = differences(expected, came)
    return Verdict("wrong", "; ".join(found)) if found else Verdict("right")
