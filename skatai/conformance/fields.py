"""Strict reading of cases, and the comparison of what a case expects with what the engine gives.

Cases come from files that anybody may have written: every value is checked before the engine sees it, every key has to be asked
for, and what is left over makes the case wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from skatai.cards import Card, CardSet, parse_card, parse_cards
from skatai.contract import GAME_LETTERS, NULL, Contract
from skatai.errors import SkatError
from skatai.rules import Rules
from skatai.seats import SEAT_LETTERS

__all__ = [
    "ANNOUNCEMENTS",
    "CaseError",
    "Fields",
    "UnsupportedError",
    "differences",
    "shorten",
    "spoken",
]

ANNOUNCEMENTS: Final = ("", "schneider", "schwarz", "ouvert")
_REQUIRED: Final = object()
_GRAND: Final = 4

#: contracts of games the engine does not play: Ramsch (with high and low tens), the reverse game, Revolution
_VARIANT_CONTRACTS: Final = frozenset({"R", "R10", "X", "REV"})
#: option → the values with which it changes nothing. Any other value asks for a variant that the engine does not play.
_VARIANT_OPTIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "kontra": (0, None, False),
    "kontra_levels": (0,),
    "kontra_needs_call": (True,),
    "kontra_window": ("before_first_lead",),
    "reverse_game": ("off", False),
    "reverse": ("off", False),
    "revolution": ("off", False),
    "pack": (32,),
    "on_pass_out": ("redeal",),
    "ramsch": (None, False),
    "score_mode": (),
    "durchmarsch": (),
    "shoves": (0,),
    "pinke": ("off", False),
    "observation": ("normal",),
    "score_multiplier_hooks": (None, [], False),
}
_RULE_OPTIONS: Final = (
    "ladder", "grand_base", "lost_hand_counts_once", "null_overbid", "declaration_check", "early_end", "concede_policy", "claims",
)  # fmt: skip


class CaseError(SkatError):
    """A case that cannot be run: a value is missing, of the wrong kind, or unknown."""


class UnsupportedError(SkatError):
    """A case of a variant that the engine does not play."""


def shorten(value: object, size: int = 60) -> str:
    """A value for a message: one line of bounded length."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(character if character.isprintable() else "?" for character in text[: size + 1])
    return text if len(text) <= size else text[: size - 1] + "…"


class Fields:
    """The values of a JSON object, each taken once.

    Args:
        data: what was read.
        where: name of the object in messages.

    Raises:
        CaseError: ``data`` is not an object.
    """

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise CaseError(f"{where}: {shorten(data)} is not an object")
        self._left: dict[str, Any] = dict(data)
        self._where = where

    def _wrong(self, name: str, value: object, expected: str) -> CaseError:
        return CaseError(f"{self._where}: {shorten(name)} is {shorten(value)}, expected {expected}")

    def has(self, name: str) -> bool:
        """The key is there and not taken yet."""
        return name in self._left

    def take(self, name: str, default: Any = _REQUIRED) -> Any:
        """The value itself."""
        if name in self._left:
            return self._left.pop(name)
        if default is _REQUIRED:
            raise CaseError(f"{self._where}: {name} is missing")
        return default

    def integer(self, name: str, low: int, high: int, default: Any = _REQUIRED) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self.take(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self._wrong(name, value, f"a whole number from {low} to {high}")
        return int(value)

    def flag(self, name: str, default: Any = _REQUIRED) -> bool:
        """``true`` or ``false``."""
        value = self.take(name, default)
        if value is not default and not isinstance(value, bool):
            raise self._wrong(name, value, "true or false")
        return value  # type: ignore[no-any-return]

    def text(self, name: str, choices: Collection[str] | None = None, default: Any = _REQUIRED) -> str:
        """A text, one of ``choices`` if given."""
        value = self.take(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if not isinstance(value, str) or (choices is not None and value not in choices):
            wanted = "a text" if choices is None else "one of " + ", ".join(repr(choice) for choice in choices)
            raise self._wrong(name, value, wanted)
        return value

    def items(self, name: str, default: Any = _REQUIRED, at_most: int = 10_000) -> list[Any]:
        """A list."""
        value = self.take(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if not isinstance(value, list) or len(value) > at_most:
            raise self._wrong(name, value, f"a list of at most {at_most}")
        return value

    def seat(self, name: str) -> int:
        """A seat written F, M or R."""
        return SEAT_LETTERS.index(self.text(name, tuple(SEAT_LETTERS)))

    def player(self, name: str, players: int = 3) -> int:
        """The number of a player."""
        return self.integer(name, 0, players - 1)

    def cards(self, name: str, default: Any = _REQUIRED, pack: str = "iss") -> list[Card]:
        """Cards in order: a text separated by blanks, or a list."""
        value = self.take(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        return read_cards(value, f"{self._where}: {name}", pack)

    def card_set(self, name: str, low: int, high: int, pack: str = "iss") -> CardSet:
        """``low`` to ``high`` different cards."""
        cards = CardSet.of(self.cards(name, pack=pack))
        if not low <= len(cards) <= high:
            raise self._wrong(name, str(cards), f"{low} to {high} cards" if low < high else f"{low} cards")
        return cards

    def game(self, name: str = "contract") -> int:
        """A game type written D H S C G N."""
        value = self.text(name)
        if len(value) != 1 or value not in GAME_LETTERS:
            raise self._wrong(name, value, "one of D H S C G N")
        return GAME_LETTERS.index(value)

    def contract(self) -> Contract:
        """The contract of the keys ``contract``, ``hand`` and ``announce``."""
        game = self.game()
        hand = self.flag("hand", default=False)
        announce = self.text("announce", ANNOUNCEMENTS, default="")
        contract = spoken(game, hand, announce)
        if contract.hand != hand:
            raise CaseError(f"{self._where}: {announce} announced after a pick-up")
        return contract

    def matadors(self, game: int) -> int:
        """The number of matadors of a game; the key ``with`` beside it makes no difference to values."""
        low, high = (0, 11) if game == NULL else (1, 4 if game == _GRAND else 11)
        self.flag("with", default=None)
        return self.integer("matadors", low, high, default=0 if game == NULL else _REQUIRED)

    def rules(self, **fixed: Any) -> Rules:
        """The rules that the key ``options``, or switches beside it, ask for; ``fixed`` are switches that the kind brings along.

        Raises:
            CaseError: an option that does not exist.
            RulesError: a value that a switch does not have.
        """
        options = self.take("options", None)
        if options is None:
            options = {}
        if not isinstance(options, dict):
            raise self._wrong("options", options, "an object")
        switches = dict(fixed)
        unknown: list[str] = []
        beside = {name: self.take(name) for name in _RULE_OPTIONS if name in self._left}
        for name, value in [*beside.items(), *options.items()]:
            if name in _VARIANT_OPTIONS:
                continue  # off: see check_variant
            if name in _RULE_OPTIONS:
                if not isinstance(value, (str, int)):
                    raise self._wrong(name, value, "a text, a whole number, true or false")
                switches[name] = value
            else:
                unknown.append(name)
        if unknown:
            raise CaseError(f"{self._where}: unknown option {shorten(unknown[0])!r}")
        return Rules(**switches)

    def check_variant(self) -> None:
        """Look for contracts and options of variants, among ``options`` or beside them.

        Raises:
            UnsupportedError: one is there.
        """
        contract = self._left.get("contract")
        if isinstance(contract, str) and contract in _VARIANT_CONTRACTS:
            raise UnsupportedError(f"contract {contract}")
        options = self._left.get("options")
        for values in (self._left, options if isinstance(options, dict) else {}):
            for name in [name for name in _VARIANT_OPTIONS if name in values]:
                if not _is_off(name, values[name]):
                    raise UnsupportedError(f"option {name}")
        for name in [name for name in _VARIANT_OPTIONS if name in self._left]:
            self.take(name)

    def done(self) -> None:
        """Every key must have been taken."""
        if self._left:
            raise CaseError(f"{self._where}: unknown key {shorten(next(iter(self._left)))!r}")


def _is_off(name: str, value: object) -> bool:
    off = _VARIANT_OPTIONS[name]
    return any(value == known and isinstance(value, bool) == isinstance(known, bool) for known in off)


def read_cards(value: object, where: str, pack: str = "iss") -> list[Card]:
    """Cards of a text or of a list of texts, in order."""
    if isinstance(value, str) and len(value) <= 1000:
        return parse_cards(value, pack)
    if isinstance(value, list) and len(value) <= 100 and all(isinstance(word, str) for word in value):
        return [parse_card(word, pack) for word in value]
    raise CaseError(f"{where} is {shorten(value)}, expected cards")


def spoken(game: int, hand: bool, announce: str) -> Contract:
    """The contract of a game type, hand or not, with the highest announcement (``""``, schneider, schwarz, ouvert)."""
    return Contract(
        game, hand, ouvert=announce == "ouvert", schneider=announce == "schneider", schwarz=announce == "schwarz"
    )


def _same(expected: object, came: object) -> bool:
    if isinstance(came, tuple):  # several ways to write the same
        return any(_same(expected, way) for way in came)
    if isinstance(came, CardSet):
        return CardSet.of(read_cards(expected, "expect")) == came
    if isinstance(came, frozenset):  # the order does not matter
        return isinstance(expected, list) and sorted(map(str, expected)) == sorted(map(str, came))
    if isinstance(came, bool) or isinstance(expected, bool):
        return expected is came
    return expected == came


def _show(value: object) -> str:
    if isinstance(value, frozenset):
        return shorten("[" + ", ".join(sorted(map(str, value))) + "]")
    if isinstance(value, tuple):
        return " or ".join(map(_show, value))
    if isinstance(value, CardSet):
        return str(value) or "no card"
    return "nothing" if value is None else shorten(value)


def differences(expected: object, came: Mapping[str, object]) -> list[str]:
    """Compare the figures a case expects with what came; empty if all agree.

    Raises:
        CaseError: nothing is expected, or a figure that this kind of case does not have.
    """
    if not isinstance(expected, dict) or not expected:
        raise CaseError(f"expect: {shorten(expected)} is not an object with something in it")
    found: list[str] = []
    for name, value in expected.items():
        if name not in came:
            raise CaseError(f"expect: unknown key {shorten(name)!r}; known: {', '.join(came)}")
        if not _same(value, came[name]):
            found.append(f"expected {name} {_show(value)}, came {_show(came[name])}")
    return found
