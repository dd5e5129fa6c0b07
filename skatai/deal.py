"""Deals: who holds which cards before the auction, and files of deals.

Text form, one line: four groups ``forehand|middlehand|rearhand|skat``, cards separated by dots. The 32 cards of an ISS record
(forehand, middlehand, rearhand, skat; dots or blanks between them) are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from skatai.cards import Card, CardSet, parse_cards
from skatai.errors import InvalidDealError, NotationError
from skatai.kernels.rollouts import deal_cards
from skatai.rng import Rng, derive_seed

__all__ = ["Deal", "deals_from_seed", "iter_deals", "read_deals", "write_deals"]

_GROUPS = ("forehand", "middlehand", "rearhand", "skat")
#: deck positions of forehand's, middlehand's and rearhand's cards and of the skat: 3-skat-4-3 (rules 1.3)
DECK_POSITIONS: tuple[tuple[int, ...], ...] = (
    (0, 1, 2, 11, 12, 13, 14, 23, 24, 25),
    (3, 4, 5, 15, 16, 17, 18, 26, 27, 28),
    (6, 7, 8, 19, 20, 21, 22, 29, 30, 31),
    (9, 10),
)


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands of forehand, middlehand and rearhand, and the skat.

    Raises:
        InvalidDealError: not 10 + 10 + 10 + 2 different cards.

    >>> deal = Deal.random(seed=1)
    >>> Deal.parse(str(deal)) == deal
    True
    """

    hands: tuple[CardSet, CardSet, CardSet]
    skat: CardSet

    def __post_init__(self) -> None:
        hands = tuple(self.hands)
        if len(hands) != 3 or not all(isinstance(cards, CardSet) for cards in (*hands, self.skat)):
            raise InvalidDealError(f"deal: expected three CardSets and one of the skat, got {len(hands)} hands")
        object.__setattr__(self, "hands", hands)
        seen = 0
        for name, cards, size in zip(_GROUPS, (*self.hands, self.skat), (10, 10, 10, 2), strict=True):
            if len(cards) != size:
                raise InvalidDealError(f"deal: {name} has {len(cards)} cards, expected {size}")
            if seen & cards.mask:
                raise InvalidDealError(f"deal: {CardSet(seen & cards.mask)} of {name} occurs twice")
            seen |= cards.mask

    @classmethod
    def random(cls, seed: int) -> Deal:
        """Shuffle and deal 3-skat-4-3 from a seed; the same for ever."""
        deck, out = np.empty(32, dtype=np.int64), np.empty(4, dtype=np.int64)
        deal_cards(Rng(seed).state, deck, out)
        return cls.from_masks(out)

    @classmethod
    def from_masks(cls, masks: Iterable[int]) -> Deal:
        """From four masks: three hands and the skat."""
        sets = [CardSet(mask) for mask in masks]
        if len(sets) != 4:
            raise InvalidDealError(f"deal: {len(sets)} masks, expected 4 (three hands and the skat)")
        return cls((sets[0], sets[1], sets[2]), sets[3])

    @classmethod
    def from_deck(cls, deck: Sequence[int]) -> Deal:
        """Deal a pack of 32 cards 3-skat-4-3 (rules 1.3)."""
        if len(deck) != 32:
            raise InvalidDealError(f"deck of {len(deck)} cards, expected 32")
        h0, h1, h2, skat = (CardSet.of(deck[i] for i in places) for places in DECK_POSITIONS)
        return cls((h0, h1, h2), skat)

    @classmethod
    def from_cards(cls, cards: Sequence[int]) -> Deal:
        """From 32 cards in the order of ISS records: forehand's ten, middlehand's, rearhand's, the skat."""
        if len(cards) != 32:
            raise InvalidDealError(f"deal of {len(cards)} cards, expected 32")
        h0, h1, h2, skat = (CardSet.of(cards[a:b]) for a, b in ((0, 10), (10, 20), (20, 30), (30, 32)))
        return cls((h0, h1, h2), skat)

    @classmethod
    def parse(cls, text: str, pack: str = "iss") -> Deal:
        """Read a deal in either text form.

        Raises:
            NotationError: a card does not parse.
            InvalidDealError: the cards do not make a deal.
        """
        if "|" not in text:
            return cls.from_cards(parse_cards(text, pack))
        groups = text.split("|")
        if len(groups) != 4:
            raise InvalidDealError(f"deal: {len(groups)} groups between '|', expected 4 (three hands and the skat)")
        h0, h1, h2, skat = (CardSet.parse(group, pack) for group in groups)
        return cls((h0, h1, h2), skat)

    def text(self, pack: str = "iss") -> str:
        """The one-line form in the letters of ``pack``."""
        return "|".join(cards.text(pack, ".") for cards in (*self.hands, self.skat))

    @property
    def masks(self) -> tuple[int, int, int, int]:
        """The hands and the skat as ints."""
        h0, h1, h2 = self.hands
        return h0.mask, h1.mask, h2.mask, self.skat.mask

    @property
    def cards(self) -> list[Card]:
        """The 32 cards in the order of ISS records."""
        return [card for group in (*self.hands, self.skat) for card in group.printed_order()]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Deal.parse('{self}')"


def deals_from_seed(seed: int, n: int) -> list[Deal]:
    """``n`` random deals; the first ones do not depend on ``n``."""
    return [Deal.random(derive_seed(seed, i)) for i in range(n)]


_COMMENT = re.compile(r"\s*(#.*)?$")


def iter_deals(lines: Iterable[str], where: str = "deals") -> Iterator[Deal]:
    """Read deals, one a line; blank lines and ``#`` comments are skipped.

    Raises:
        NotationError, InvalidDealError: naming ``where`` and the line.
    """
    for number, line in enumerate(lines, 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        try:
            yield Deal.parse(text)
        except (NotationError, InvalidDealError) as error:
            raise type(error)(f"{where}, line {number}: {error}") from None


def read_deals(path: str | Path) -> list[Deal]:
    """Deals of a file: one a line, or (``.sgf``, ``.gz`` or ``.bz2`` of it) the deals of ISS records.

    Raises:
        InvalidDealError: the file cannot be read, holds no deal, or a line is wrong.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        if head[:2] == b"\x1f\x8b" or head[:3] == b"BZh" or head.lstrip()[:2] == b"(;":
            # Readers of records stand above this module; a deal file is a convenience that reaches up to them.
            from importlib import import_module

            found: list[Deal] = import_module("skatai.records").record_deals(path)
        else:
            found = list(iter_deals(path.read_text(encoding="utf-8").splitlines(), str(path)))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidDealError(f"{path}: cannot read deals: {reason}") from None
    if not found:
        raise InvalidDealError(f"{path}: no deals in it; expected one a line, forehand|middlehand|rearhand|skat")
    return found


def write_deals(path: str | Path, deals: Iterable[Deal | str], comment: str = "") -> None:
    """Write deals, or their texts, one a line under an optional ``#`` comment.

    Raises:
        NotationError, InvalidDealError: a text that is no deal; nothing is written.
    """
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    lines = [f"{Deal.parse(deal) if isinstance(deal, str) else deal}\n" for deal in deals]
    Path(path).write_text(head + "".join(lines), encoding="utf-8")
