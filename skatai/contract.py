"""Contracts: a game type with its modifiers, and what implies what (rules 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from skatai.errors import NotationError, RulesError, whole_number

__all__ = ["CLUBS", "DIAMONDS", "GAME_LETTERS", "GAME_NAMES", "GRAND", "HEARTS", "NULL", "SPADES", "Contract"]

DIAMONDS, HEARTS, SPADES, CLUBS, GRAND, NULL = range(6)
GAME_LETTERS: Final = "DHSCGN"
GAME_NAMES: Final = ("diamonds", "hearts", "spades", "clubs", "grand", "null")
_HAND, _OUVERT, _SCHNEIDER, _SCHWARZ = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declarer undertakes. Implied modifiers are filled in: ouvert in a suit game or grand implies hand, schneider
    announced and schwarz announced; schwarz announced implies schneider announced.

    Attributes:
        game: 0…5 for diamonds, hearts, spades, clubs, grand, null.
        hand: the skat is left.
        ouvert: the declarer's hand lies open before the first lead.
        schneider: schneider announced.
        schwarz: schwarz announced.

    Raises:
        RulesError: an announcement without hand, an announcement in null, or no such game.

    >>> str(Contract.parse("GHO")), Contract.parse("GO").schwarz
    ('GO', True)
    """

    game: int
    hand: bool = False
    ouvert: bool = False
    schneider: bool = False
    schwarz: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", whole_number(self.game, "contract: game", 0, NULL, RulesError))
        for name in ("hand", "ouvert", "schneider", "schwarz"):
            value = getattr(self, name)
            if value not in (False, True):
                raise RulesError(f"contract: {name}={repr(value)[:40]}, expected True or False")
            object.__setattr__(self, name, bool(value))
        if self.game == NULL:
            if self.schneider or self.schwarz:
                raise RulesError("contract: null has no announcements")
            return
        if self.ouvert:
            for name in ("hand", "schwarz"):
                object.__setattr__(self, name, True)
        if self.schwarz:
            object.__setattr__(self, "schneider", True)
        if self.schneider and not self.hand:
            raise RulesError(f"contract: {GAME_NAMES[self.game]} with an announcement must be a hand game")

    @property
    def flags(self) -> int:
        """Bits ``HAND 1 | OUVERT 2 | SCHNEIDER 4 | SCHWARZ 8``, as the game state holds them."""
        return _HAND * self.hand | _OUVERT * self.ouvert | _SCHNEIDER * self.schneider | _SCHWARZ * self.schwarz

    @classmethod
    def from_flags(cls, game: int, flags: int) -> Contract:
        """The contract of a game type and flag bits.

        Raises:
            RulesError: no such game or flags.
        """
        flags = whole_number(flags, "contract: flags", 0, 15, RulesError)
        bits = (_HAND, _OUVERT, _SCHNEIDER, _SCHWARZ)
        return cls(game, *(bool(flags & bit) for bit in bits))

    @classmethod
    def parse(cls, text: str) -> Contract:
        """Read ``G``, ``NO``, ``DHS``, ``CO``, ``NHO``, …: a game letter, then modifiers ``H O S Z`` in any order.

        Raises:
            NotationError: the text is not of that form or not a possible contract.
        """
        word = text.strip().upper()
        modifiers = word[1:]
        if (
            not word
            or word[0] not in GAME_LETTERS
            or set(modifiers) - set("HOSZ")
            or len(set(modifiers)) < len(modifiers)
        ):
            raise NotationError(f"{text[:20]!r} is not a contract: expected one of D H S C G N, then any of H O S Z")
        try:
            return cls(GAME_LETTERS.index(word[0]), *(letter in modifiers for letter in "HOSZ"))
        except RulesError as error:
            raise NotationError(f"{text[:20]!r} is not a contract: {error}") from None

    def __str__(self) -> str:
        """Canonical ISS form: modifiers in the order O, H, Z or S; what is implied is left out."""
        letter = GAME_LETTERS[self.game]
        if self.game == NULL:
            return letter + "O" * self.ouvert + "H" * self.hand
        if self.ouvert:
            return letter + "O"
        return letter + "H" * self.hand + ("Z" if self.schwarz else "S" * self.schneider)

    @property
    def name(self) -> str:
        """In words, such as ``grand hand, schneider announced``."""
        words = GAME_NAMES[self.game]
        if self.game == NULL:
            return words + " ouvert" * self.ouvert + " hand" * self.hand
        if self.ouvert:
            return words + " ouvert"
        announced = "schwarz announced" if self.schwarz else "schneider announced" if self.schneider else ""
        return words + " hand" * self.hand + (f", {announced}" if announced else "")
