"""Cards and sets of cards, and the letters of the three packs.

A card is the int ``8·suit + rank``: suits D H S C = 0…3, ranks 7 8 9 Q K T A J = 0…7, so that D7 = 0 and CJ = 31.

Letters (rules 1.1; suit first, always):

===========  =======================================  ==================================================
pack         suits C S H D                            ranks A K Q J T 9 8 7
===========  =======================================  ==================================================
iss          ``C S H D``                              ``A K Q J T 9 8 7`` (``10`` is read as T)
french_de    ``Kr P H Ka`` (♣ ♠ ♥ ♦, full names)      ``A K D B 10 9 8 7`` (Ass König Dame Bube)
german       ``E G R S`` (also L, B = Laub, Blatt;    ``D K O U 10 9 8 7`` (Daus König Ober Unter; A is
             H = Herz; full names)                    read as Daus)
tournament   as ``french_de``; drawn with green ♠     as ``french_de``
             and orange ♦
===========  =======================================  ==================================================

``S`` is spades in one pack and Schellen (diamonds) in another, ``D`` the queen here and the deuce there: a parser must be
told the pack and never guesses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import index
from typing import Final

from skatai.errors import InvalidDealError, NotationError, whole_number

__all__ = ["ALL_CARDS", "PACKS", "RANKS", "SUITS", "Card", "CardSet", "format_card", "parse_card", "parse_cards"]

SUITS: Final = "DHSC"
RANKS: Final = "789QKTAJ"
_POINTS: Final = (0, 0, 0, 3, 4, 10, 11, 2)

PACKS: Final = ("iss", "french_de", "german", "tournament")

_SUIT_WRITTEN: Final[dict[str, tuple[str, ...]]] = {
    "iss": ("D", "H", "S", "C"),
    "french_de": ("Ka", "H", "P", "Kr"),
    "german": ("S", "R", "G", "E"),
}
_RANK_WRITTEN: Final[dict[str, tuple[str, ...]]] = {
    "iss": ("7", "8", "9", "Q", "K", "T", "A", "J"),
    "french_de": ("7", "8", "9", "D", "K", "10", "A", "B"),
    "german": ("7", "8", "9", "O", "K", "10", "D", "U"),
}
_SUIT_READ: Final[dict[str, dict[str, int]]] = {
    "iss": {"D": 0, "♦": 0, "H": 1, "♥": 1, "S": 2, "♠": 2, "C": 3, "♣": 3},
    "french_de": {
        "KA": 0, "KARO": 0, "♦": 0, "H": 1, "HERZ": 1, "♥": 1, "P": 2, "PIK": 2, "♠": 2, "KR": 3, "KREUZ": 3, "♣": 3,
    },
    "german": {
        "S": 0, "SCHELLEN": 0, "R": 1, "ROT": 1, "H": 1, "HERZ": 1, "G": 2, "GRÜN": 2, "L": 2, "LAUB": 2, "B": 2,
        "BLATT": 2, "E": 3, "EICHEL": 3,
    },
}  # fmt: skip
_RANK_READ: Final[dict[str, dict[str, int]]] = {
    "iss": {"7": 0, "8": 1, "9": 2, "Q": 3, "K": 4, "T": 5, "10": 5, "A": 6, "J": 7},
    "french_de": {
        "7": 0, "8": 1, "9": 2, "D": 3, "DAME": 3, "K": 4, "KÖNIG": 4, "10": 5, "T": 5, "ZEHN": 5, "A": 6, "ASS": 6,
        "AS": 6, "B": 7, "BUBE": 7,
    },
    "german": {
        "7": 0, "8": 1, "9": 2, "O": 3, "OBER": 3, "K": 4, "KÖNIG": 4, "10": 5, "T": 5, "ZEHN": 5, "D": 6, "DAUS": 6,
        "A": 6, "ASS": 6, "U": 7, "UNTER": 7,
    },
}  # fmt: skip


def _letters(pack: str) -> str:
    if pack not in PACKS:
        raise NotationError(f"no pack {str(pack)[:40]!r}; there are {', '.join(PACKS)}")
    return "french_de" if pack == "tournament" else pack


class Card(int):
    """One card; an int 0…31 that prints as ``CJ``. It equals its number and never a text: ``str(card) == "CJ"`` compares.

    Raises:
        NotationError: another number.

    >>> Card.parse("CJ"), int(Card.parse("D7"))
    (Card('CJ'), 0)
    """

    __slots__ = ()

    def __new__(cls, value: int) -> Card:
        return super().__new__(cls, whole_number(value, "card", 0, 31, NotationError))

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card in ISS letters; :func:`parse_card` reads the other packs."""
        return parse_card(text)

    @property
    def suit(self) -> int:
        """0…3 for diamonds, hearts, spades, clubs (the printed suit, also of a jack)."""
        return self >> 3

    @property
    def rank(self) -> int:
        """0…7 for 7 8 9 Q K T A J."""
        return self & 7

    @property
    def points(self) -> int:
        """Card points: A 11, T 10, K 4, Q 3, J 2 (rules 1.1)."""
        return _POINTS[self & 7]

    def __str__(self) -> str:
        return SUITS[self >> 3] + RANKS[self & 7]

    def __repr__(self) -> str:
        return f"Card('{self}')"


_CARDS: Final = tuple(Card(i) for i in range(32))
#: order of printing: the jacks, then clubs, spades, hearts and diamonds from the ace down
_PRINTED: Final = [31, 23, 15, 7] + [8 * suit + rank for suit in (3, 2, 1, 0) for rank in range(6, -1, -1)]


def parse_card(text: str, pack: str = "iss") -> Card:
    """Read one card, suit first, in the letters of ``pack`` (table above); case does not matter.

    Raises:
        NotationError: not a card of that pack, or no such pack.

    >>> parse_card("KrB", pack="french_de") == parse_card("EU", pack="german") == parse_card("CJ")
    True
    """
    letters = _letters(pack)
    word = text.strip().upper()
    suits, ranks = _SUIT_READ[letters], _RANK_READ[letters]
    for cut in range(1, len(word)):
        suit, rank = suits.get(word[:cut]), ranks.get(word[cut:].strip(" -"))
        if suit is not None and rank is not None:
            return _CARDS[8 * suit + rank]
    raise NotationError(f"{text[:40]!r} is not a card of the {pack} pack (suit, then rank, such as {_example(pack)})")


def _example(pack: str) -> str:
    return f"{format_card(31, pack)} or {format_card(13, pack)}"


def format_card(card: int, pack: str = "iss") -> str:
    """Write a card in the letters of ``pack``.

    Raises:
        NotationError: not a card, or no such pack.
    """
    letters = _letters(pack)
    card = whole_number(card, "card", 0, 31, NotationError)
    return _SUIT_WRITTEN[letters][card >> 3] + _RANK_WRITTEN[letters][card & 7]


def parse_cards(text: str, pack: str = "iss") -> list[Card]:
    """Read cards separated by blanks, dots or commas, in order; duplicates are kept."""
    return [parse_card(word, pack) for word in re.split(r"[\s.,]+", text.strip()) if word]


class CardSet:
    """An immutable set of cards over a 32-bit int.

    ``hand.mask`` is the int (bit *c* for card *c*), for use with kernels. Iterating gives :class:`Card` from the lowest id up;
    ``card in hand`` takes a card, its number or its text.

    >>> hand = CardSet.parse("CJ HT D7")
    >>> len(hand), hand.points, "HT" in hand, 0 in hand, Card.parse("CA") in hand
    (3, 12, True, True, False)
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, mask: int = 0) -> None:
        object.__setattr__(self, "mask", whole_number(mask, "mask of a card set", 0, 0xFFFFFFFF, NotationError))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("CardSet is immutable")

    def __reduce__(self) -> tuple[type[CardSet], tuple[int]]:
        return CardSet, (self.mask,)

    @classmethod
    def of(cls, cards: Iterable[int]) -> CardSet:
        """The set of the given cards.

        Raises:
            InvalidDealError: a card occurs twice.
        """
        mask = 0
        for card in cards:
            bit = 1 << Card(card)
            if mask & bit:
                raise InvalidDealError(f"{Card(card)} occurs twice")
            mask |= bit
        return cls(mask)

    @classmethod
    def parse(cls, text: str, pack: str = "iss") -> CardSet:
        """Read cards separated by blanks, dots or commas; a duplicate raises :class:`InvalidDealError`."""
        return cls.of(parse_cards(text, pack))

    @property
    def points(self) -> int:
        """Sum of the card points."""
        return sum(card.points for card in self)

    def printed_order(self) -> list[Card]:
        """The cards as ``str`` lists them: jacks first, then C S H D from the ace down."""
        return [_CARDS[card] for card in _PRINTED if self.mask >> card & 1]

    def text(self, pack: str = "iss", separator: str = " ") -> str:
        """The cards in printed order in the letters of ``pack``."""
        return separator.join(format_card(card, pack) for card in self.printed_order())

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            low = mask & -mask
            yield _CARDS[low.bit_length() - 1]
            mask ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        """Whether a card is in the set: a :class:`Card`, its number or its text in ISS letters; other things never are.

        Raises:
            NotationError: a text that is no card.
        """
        if isinstance(card, str):
            card = parse_card(card)
        try:
            number = index(card)  # type: ignore[arg-type]  # NumPy's integers are numbers, too
        except TypeError:
            return False
        return 0 <= number < 32 and bool(self.mask >> number & 1)

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, CardSet) else NotImplemented

    def __hash__(self) -> int:
        return hash((CardSet, self.mask))

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask | other.mask)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & other.mask)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & ~other.mask)

    def __xor__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask ^ other.mask)

    def __le__(self, other: CardSet) -> bool:
        return self.mask & ~other.mask == 0

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"CardSet('{self}')"


ALL_CARDS: Final = CardSet(0xFFFFFFFF)
