"""The switches of the rules: a frozen :class:`Rules` that packs into one integer of the game state.

Only switches that work are here. Section numbers refer to the rule text the project was built from; ISkO is the International
Skat Order.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from skatai.errors import NotationError, RulesError

__all__ = [
    "CLAIMS_PENALISE",
    "CLAIMS_REJECT",
    "CLAIMS_SHIFT",
    "CONCEDE_AWARD_REST",
    "CONCEDE_ISKO",
    "CONCEDE_SHIFT",
    "DECLARATION_STRICT_BIT",
    "EARLY_DECIDED",
    "EARLY_ISS",
    "EARLY_SHIFT",
    "LADDER_MASK",
    "LOST_HAND_ONCE_BIT",
    "NULL_MULTIPLE_BIT",
    "Rules",
]

# Layout of the packed integer; kernels read these constants.
LADDER_MASK: Final = 3
LOST_HAND_ONCE_BIT: Final = 1 << 2
NULL_MULTIPLE_BIT: Final = 1 << 3
DECLARATION_STRICT_BIT: Final = 1 << 4
EARLY_SHIFT: Final = 5
CONCEDE_SHIFT: Final = 7
CLAIMS_SHIFT: Final = 9
EARLY_DECIDED: Final = 1
EARLY_ISS: Final = 2
CONCEDE_ISKO: Final = 1
CONCEDE_AWARD_REST: Final = 2
CLAIMS_REJECT: Final = 1
CLAIMS_PENALISE: Final = 2

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "ladder": ("official", "iss"),
    "grand_base": (24, 20),
    "lost_hand_counts_once": (False, True),
    "null_overbid": ("reject", "multiple"),
    "declaration_check": ("none", "strict"),
    "early_end": ("null_only", "decided", "iss"),
    "concede_policy": ("off", "isko", "award_rest"),
    "claims": ("off", "reject", "penalise"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One set of rules; the defaults are the official game with concessions and claims off.

    Attributes:
        ladder: ``"official"`` (63 values, rules 2.1) or ``"iss"`` (66 values, and any of them at forehand's last chance: for
            reading records of the International Skat Server).
        grand_base: 24, or 20 as before 1932 (rules 5.5; the ladder follows: 240 and 264 go, 200 and 220 come).
        lost_hand_counts_once: lost hand games cost the value once, as until 1998 (rules 5.5).
        null_overbid: after a bid above its value a null is illegal (``"reject"``), or it is lost at a multiple of 23
            (``"multiple"``; rules 5.2).
        declaration_check: ``"strict"`` refuses suit and grand declarations after a pick-up that not even schwarz could lift
            to the bid, unless nothing else is left (rules 5.2).
        early_end: what ends a game before the tenth trick (rules 4.2): ``"null_only"``, ``"decided"`` or ``"iss"``.
        concede_policy: ``"off"``, ``"isko"`` or ``"award_rest"`` (rules 4.4).
        claims: ``"off"``, ``"reject"`` (an invalid claim is refused) or ``"penalise"`` (it gives the other side the rest;
            rules 4.4).

    Raises:
        RulesError: a value that the switch does not have, or the ISS ladder with another base value of grand.
    """

    ladder: str = "official"
    grand_base: int = 24
    lost_hand_counts_once: bool = False
    null_overbid: str = "reject"
    declaration_check: str = "none"
    early_end: str = "null_only"
    concede_policy: str = "off"
    claims: str = "off"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices or isinstance(value, bool) != isinstance(choices[0], bool):
                raise RulesError(f"rules: {name}={repr(value)[:40]} is not one of {', '.join(map(repr, choices))}")
        if self.ladder == "iss" and self.grand_base != 24:
            raise RulesError("rules: the ISS ladder belongs to grand_base=24")

    @classmethod
    def iss(cls) -> Rules:
        """The rules by which records of the International Skat Server replay."""
        return cls(ladder="iss", early_end="iss", concede_policy="award_rest")

    @classmethod
    def table(cls) -> Rules:
        """The official game as at the table: ISkO concessions, and claims checked on the true cards."""
        return cls(concede_policy="isko", claims="reject")

    def to_int(self) -> int:
        """The packed form that the game state carries (11 bits)."""
        ladder = 2 if self.ladder == "iss" else int(self.grand_base == 20)
        return (
            ladder
            | LOST_HAND_ONCE_BIT * self.lost_hand_counts_once
            | NULL_MULTIPLE_BIT * (self.null_overbid == "multiple")
            | DECLARATION_STRICT_BIT * (self.declaration_check == "strict")
            | _CHOICES["early_end"].index(self.early_end) << EARLY_SHIFT
            | _CHOICES["concede_policy"].index(self.concede_policy) << CONCEDE_SHIFT
            | _CHOICES["claims"].index(self.claims) << CLAIMS_SHIFT
        )

    @classmethod
    def from_int(cls, packed: int) -> Rules:
        """Inverse of :meth:`to_int`."""
        ladder = packed & LADDER_MASK
        fields = [packed >> shift & 3 for shift in (EARLY_SHIFT, CONCEDE_SHIFT, CLAIMS_SHIFT)]
        if ladder == 3 or 3 in fields or packed >> 11:
            raise RulesError(f"rules: {packed!r} is not a packed set of rules")
        return cls(
            ladder="iss" if ladder == 2 else "official",
            grand_base=20 if ladder == 1 else 24,
            lost_hand_counts_once=bool(packed & LOST_HAND_ONCE_BIT),
            null_overbid="multiple" if packed & NULL_MULTIPLE_BIT else "reject",
            declaration_check="strict" if packed & DECLARATION_STRICT_BIT else "none",
            early_end=_CHOICES["early_end"][fields[0]],
            concede_policy=_CHOICES["concede_policy"][fields[1]],
            claims=_CHOICES["claims"][fields[2]],
        )

    def __str__(self) -> str:
        """The switches that differ from the default, ``name=value;…``, or ``-``."""
        changed = [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return ";".join(changed) or "-"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read what ``str`` wrote.

        >>> Rules.parse("grand_base=20;claims=reject").grand_base
        20
        """
        text = text.strip()
        values: dict[str, Any] = {}
        for part in [] if text in ("-", "") else text.split(";"):
            name, _, word = part.partition("=")
            choices = _CHOICES.get(name)
            if choices is None:
                raise NotationError(f"rules {text[:60]!r}: no switch {name[:40]!r}; there are {', '.join(_CHOICES)}")
            named = {str(choice): choice for choice in choices}
            if word not in named:
                raise NotationError(f"rules {text[:60]!r}: {name}={word[:40]} is not one of {', '.join(named)}")
            values[name] = named[word]
        return cls(**values)
