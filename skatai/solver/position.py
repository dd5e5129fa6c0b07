"""Positions of the play with all cards seen, from text, deals, games and game records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from skatai.cards import Card, CardSet, parse_cards
from skatai.contract import GAME_LETTERS, NULL
from skatai.deal import Deal
from skatai.errors import IllegalActionError, InvalidDealError, NotationError, SkatError
from skatai.kernels.state import NO_GAME, NOBODY
from skatai.kernels.tables import BEATS, FOLLOW
from skatai.seats import SEAT_LETTERS, SEAT_NAMES

__all__ = ["Position", "as_position", "positions_of"]


def _seat(seat: int | str) -> int:
    if isinstance(seat, str):
        if len(seat) == 1 and seat in SEAT_LETTERS:
            return SEAT_LETTERS.index(seat)
        raise NotationError(f"{seat[:20]!r} is not a seat: expected F, M or R")
    return seat


def _cards(cards: CardSet | Iterable[int] | str) -> CardSet:
    if isinstance(cards, CardSet):
        return cards
    return CardSet.parse(cards) if isinstance(cards, str) else CardSet.of(cards)


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the play with all cards seen. :meth:`of` builds one from text and loose types.

    Attributes:
        hands: the cards still held by forehand, middlehand, rearhand.
        game: 0…5 for diamonds, hearts, spades, clubs, grand, null.
        declarer: seat 0…2.
        leader: seat that led, or will lead, the trick under way.
        table: the cards of that trick that are played, in order; none to two.
        taken: card points that the declarer has already, skat included; goals such as 61 count them, values do not.

    Raises:
        InvalidDealError: a card occurs twice, the hands do not have as many cards as the trick under way requires, or a card
            on the table did not follow suit though its player holds the suit.
        SkatError: no such game or seat.
    """

    hands: tuple[CardSet, CardSet, CardSet]
    game: int
    declarer: int
    leader: int
    table: tuple[Card, ...] = ()
    taken: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.game <= NULL:
            raise SkatError(f"position: game {self.game}, expected 0 … 5")
        for name, seat in (("declarer", self.declarer), ("leader", self.leader)):
            if not 0 <= seat <= 2:
                raise SkatError(f"position: {name} {seat}, expected seat 0 … 2")
        if len(self.hands) != 3:
            raise InvalidDealError(f"position: {len(self.hands)} hands, expected 3")
        if len(self.table) > 2:
            raise InvalidDealError(f"position: {len(self.table)} cards on the table, expected at most 2")
        if not 0 <= self.taken <= 120:
            raise SkatError(f"position: {self.taken} points taken, expected 0 … 120")
        seen = CardSet()
        for cards in (*self.hands, *(CardSet(1 << card) for card in self.table)):
            if seen & cards:
                raise InvalidDealError(f"position: {seen & cards} occurs twice")
            seen |= cards
        played = [(seat - self.leader) % 3 < len(self.table) for seat in range(3)]
        sizes = [len(hand) for hand in self.hands]
        full = [size + has_played for size, has_played in zip(sizes, played, strict=True)]
        if min(full) != max(full):
            raise InvalidDealError(
                f"position: hands of {sizes} cards with {len(self.table)} on the table led by {SEAT_NAMES[self.leader]}; "
                "with those put back every hand must have the same number"
            )
        self._check_follows()

    def _check_follows(self) -> None:
        if not self.table:
            return
        led = self.table[0]
        suit = int(FOLLOW[self.game, led])
        for i, card in enumerate(self.table[1:], 1):
            seat = (self.leader + i) % 3
            held = CardSet(self.hands[seat].mask & suit)
            if not suit >> card & 1 and held:
                raise InvalidDealError(
                    f"position: {SEAT_NAMES[seat]} played {card} to {led} and still holds {held}; he had to follow suit"
                )

    @classmethod
    def of(
        cls,
        hands: Sequence[CardSet | Iterable[int] | str],
        game: int | str,
        declarer: int | str,
        leader: int | str,
        table: Iterable[int] | str = (),
        taken: int = 0,
    ) -> Position:
        """A position from text such as ``"CJ HT"``, game letters ``D H S C G N`` and seats ``F M R``, or from numbers.

        Raises:
            NotationError: a text that is no card, game or seat; else as the constructor.
        """
        if isinstance(game, str):
            if len(game) != 1 or game not in GAME_LETTERS:
                raise NotationError(f"{game[:20]!r} is not a game: expected one of D H S C G N")
            game = GAME_LETTERS.index(game)
        three = tuple(_cards(hand) for hand in hands)
        if len(three) != 3:
            raise InvalidDealError(f"position: {len(three)} hands, expected 3")
        cards = parse_cards(table) if isinstance(table, str) else [Card(card) for card in table]
        return cls(three, game, _seat(declarer), _seat(leader), tuple(cards), taken)

    @classmethod
    def from_state(cls, state: Any) -> Position:
        """The position of a game record (dtype ``STATE``) whose contract is declared.

        Raises:
            SkatError: there is no contract yet, or no declarer.
        """
        game, declarer, n_plays = int(state["game"]), int(state["declarer"]), int(state["n_plays"])
        if game == NO_GAME or declarer == NOBODY:
            raise SkatError("position: no contract has been declared")
        hands = tuple(CardSet(int(state["hands"][seat])) for seat in range(3))
        leader = int(state["leaders"][n_plays // 3]) if n_plays < 30 else 0
        first = n_plays - n_plays % 3
        table = tuple(Card(int(card)) for card in state["plays"][first:n_plays])
        away = CardSet(int(state["discards"]) or int(state["skat"]))
        taken = int(state["points"][declarer]) + away.points
        return cls((hands[0], hands[1], hands[2]), game, declarer, leader, table, taken)

    @classmethod
    def from_deal(
        cls, deal: Deal, game: int | str, declarer: int | str, discards: CardSet | Iterable[int] | str | None = None
    ) -> Position:
        """The start of the play of a deal: a hand game, or with the declarer's two discards.

        Raises:
            InvalidDealError: the discards are not two cards of the declarer's twelve.
        """
        seat = _seat(declarer)
        hands = list(deal.hands)
        away = deal.skat if discards is None else _cards(discards)
        if discards is not None:
            twelve = hands[seat] | deal.skat
            if len(away) != 2 or away - twelve:
                raise InvalidDealError(f"position: discards {away}, expected two of {twelve}")
            hands[seat] = twelve - away
        return cls.of(hands, game, seat, 0, taken=away.points)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read what ``str`` writes: ``GAME DECLARER LEADER hand|hand|hand [table [taken]]``.

        Raises:
            NotationError: not so many parts, or a part that does not parse; else as the constructor.

        >>> Position.parse("H F F CJ.HT|HA.H7|SJ.D7").points_left
        25
        """
        words = text.split()
        if not 4 <= len(words) <= 6:
            raise NotationError(
                f"position {text[:60]!r}: expected game, declarer, leader, hands, and perhaps table and points taken, "
                "such as 'H F F CJ.HT|HA.H7|SJ.D7'"
            )
        hands = words[3].split("|")
        table = words[4] if len(words) > 4 and words[4] != "-" else ""
        taken = words[5] if len(words) > 5 else "0"
        if not taken.isdigit():
            raise NotationError(f"position {text[:60]!r}: points taken {taken[:10]!r}, expected a number")
        return cls.of(hands, words[0], words[1], words[2], table, int(taken))

    def __str__(self) -> str:
        hands = "|".join(hand.text("iss", ".") for hand in self.hands)
        table = ".".join(map(str, self.table)) or "-"
        seats = f"{SEAT_LETTERS[self.declarer]} {SEAT_LETTERS[self.leader]}"
        tail = f" {table} {self.taken}" if self.taken else f" {table}" if self.table else ""
        return f"{GAME_LETTERS[self.game]} {seats} {hands}{tail}"

    def play(self, card: int) -> Position:
        """The position after the next card; a full trick goes to its winner.

        Raises:
            IllegalActionError: the seat to move does not hold the card, or must follow suit.
        """
        seat, card = self.to_move, Card(card)
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalActionError(f"position: {SEAT_NAMES[seat]} does not hold {card}")
        if self.table:
            suit = int(FOLLOW[self.game, self.table[0]])
            if not suit >> card & 1 and hand.mask & suit:
                raise IllegalActionError(f"position: {SEAT_NAMES[seat]} must follow {self.table[0]}, not {card}")
        hands = list(self.hands)
        hands[seat] = hand - CardSet(1 << card)
        table = (*self.table, card)
        three = (hands[0], hands[1], hands[2])
        if len(table) < 3:
            return Position(three, self.game, self.declarer, self.leader, table, self.taken)
        best = 0
        for i in (1, 2):
            if int(BEATS[self.game, table[best]]) >> table[i] & 1:
                best = i
        winner = (self.leader + best) % 3
        gain = sum(played.points for played in table) if winner == self.declarer else 0
        return Position(three, self.game, self.declarer, winner, (), self.taken + gain)

    @property
    def to_move(self) -> int:
        """Seat that plays the next card."""
        return (self.leader + len(self.table)) % 3

    @property
    def points_left(self) -> int:
        """Card points of the hands and of the cards on the table."""
        return sum(hand.points for hand in self.hands) + sum(card.points for card in self.table)


def as_position(position: Any) -> Position:
    """A :class:`Position`, a ``Game``, a game record, or the text of a position, as a position.

    Raises:
        SkatError: none of these, or a game without a contract.
    """
    if isinstance(position, Position):
        return position
    if isinstance(position, str):
        return Position.parse(position)
    state = getattr(position, "state", position)
    if getattr(getattr(state, "dtype", None), "names", None) is None or "n_plays" not in state.dtype.names:
        raise SkatError(
            f"position: {type(position).__name__}, expected a Position, a Game, a game record or text; "
            "Position.from_deal starts a contract on a deal"
        )
    return Position.from_state(state)


def positions_of(state: Any) -> list[tuple[Position, Card]]:
    """Every position of a game's play with the card that was played there, from its record as it stands.

    Raises:
        SkatError: there is no contract, or no declarer.
    """
    now = Position.from_state(state)
    plays = [Card(int(card)) for card in state["plays"][: int(state["n_plays"])]]
    leaders = [int(leader) for leader in state["leaders"]]
    hands = list(now.hands)
    for i, card in enumerate(plays):
        hands[(leaders[i // 3] + i) % 3] |= CardSet(1 << card)
    away = CardSet(int(state["discards"]) or int(state["skat"]))
    position = Position((hands[0], hands[1], hands[2]), now.game, now.declarer, 0, (), away.points)
    pairs = []
    for card in plays:
        pairs.append((position, card))
        position = position.play(card)
    return pairs
