"""Random deals that look like contracts: the declarer's twelve cards are worth the game, and he puts two away.

Other deals than any list the results are reported on: for tuning, golden lists and signatures.
"""

from __future__ import annotations

from skatai.cards import Card, CardSet
from skatai.contract import GRAND, NULL
from skatai.rng import Rng, derive_seed
from skatai.solver import Position

__all__ = ["contract_like", "contract_likes"]

_KINDS = {"suit": 0, "grand": 1, "null": 2}


def _trump(card: Card, game: int) -> bool:
    return game != NULL and (card.rank == 7 or card.suit == game)


def _game(hand: list[Card], kind: str, rng: Rng) -> int | None:
    """The game that twelve cards are good for, if they are."""
    jacks = sum(card.rank == 7 for card in hand)
    aces = sum(card.rank == 6 for card in hand)
    if kind == "grand":
        return GRAND if jacks >= 2 and jacks + aces >= (4, 5, 5, 6)[rng.below(4)] else None
    if kind == "null":
        low = sum(card.rank <= 2 for card in hand)
        return NULL if low >= 6 and aces <= 2 and jacks <= 1 else None
    lengths = [sum(_trump(card, suit) for card in hand) for suit in range(4)]
    trumps = max(lengths)
    strong = trumps >= 5 and trumps + aces >= (7, 8, 8, 9)[rng.below(4)]
    return lengths.index(trumps) if strong else None


def _puts_away(hand: list[Card], game: int) -> list[Card] | None:
    """Two plain cards, from short suits without the ace and rich in points; in null the highest."""
    plain = [card for card in hand if not _trump(card, game)]
    if len(plain) < 2:
        return None
    if game == NULL:
        return sorted(plain, key=lambda card: -((0, 1, 2, 5, 6, 3, 7, 4)[card.rank]))[:2]

    def cost(card: Card) -> tuple[bool, bool, int, int]:
        suit = [other for other in plain if other.suit == card.suit]
        has_ace = any(other.rank == 6 for other in suit)
        return (card.rank == 6, has_ace, 9 if has_ace else len(suit), -card.points)

    return sorted(plain, key=cost)[:2]


def contract_like(kind: str, seed: int) -> tuple[Position, int]:
    """A full deal of ``kind`` (suit, grand, null) with forehand on lead, and the points that the declarer needs in tricks."""
    rng = Rng(seed)
    while True:
        deck = [Card(card) for card in range(32)]
        rng.shuffle(deck)
        hand = sorted(deck[:12])
        game = _game(hand, kind, rng)
        away = None if game is None else _puts_away(hand, game)
        if game is None or away is None:
            continue
        declarer = rng.below(3)
        hands = [CardSet(), CardSet(), CardSet()]
        hands[declarer] = CardSet.of(hand) - CardSet.of(away)
        hands[(declarer + 1) % 3] = CardSet.of(deck[12:22])
        hands[(declarer + 2) % 3] = CardSet.of(deck[22:])
        target = 1 if game == NULL else 61 - sum(card.points for card in away)
        return Position((hands[0], hands[1], hands[2]), game, declarer, 0), target


def contract_likes(kind: str, seed: int, count: int) -> list[tuple[Position, int]]:
    """``count`` of them; the first ones do not depend on ``count``."""
    return [contract_like(kind, derive_seed(seed, _KINDS[kind], i)) for i in range(count)]
