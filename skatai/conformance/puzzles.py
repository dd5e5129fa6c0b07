"""Puzzles: a position as one player sees it, and the cards that are accepted there.

A puzzle tells what the player to move knows, not the other hands. They are filled with the cards that are left in some way that
fits the cards played, so that the engine can build the view; an honest agent cannot tell which way it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from skatai.actions import ACTION_NAMES
from skatai.agent import choose, decision_rng
from skatai.cards import Card, CardSet
from skatai.conformance.fields import CaseError, Fields, shorten
from skatai.conformance.replay import auction_to
from skatai.conformance.report import Verdict
from skatai.contract import Contract
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import PICK_UP
from skatai.kernels.bits import ALL_CARDS
from skatai.kernels.tables import FOLLOW
from skatai.seats import SEAT_NAMES

__all__ = ["Puzzle", "check_puzzle", "read_puzzle"]

_BID: Final = 18
_SKAT: Final = 3


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with the cards that are accepted.

    Attributes:
        game: the position; the seat to move is the one whose view counts.
        legal: the cards that the puzzle says may be played.
        accepted: the good ones among them.
        theme: what it is about.
    """

    game: Game
    legal: CardSet
    accepted: CardSet
    theme: str

    def __str__(self) -> str:
        """The position as the player to move sees it."""
        game = self.game
        seat = game.to_move or 0
        view = game.view(seat)
        role = "declarer" if seat == view.declarer else f"defender, {SEAT_NAMES[seat]}"
        contract = view.contract
        lines = [
            f"{self.theme} ({contract.name if contract else ''}; {role})",
            f"  hand      {view.hand.text()}",
            f"  on table  {' '.join(str(card) for _, card in view.trick) or '-'}",
            f"  accepted  {self.accepted.text()}",
        ]
        if view.discards:
            lines.insert(2, f"  put away  {view.discards.text()}")
        return "\n".join(lines)


def _fill(cards: list[Card], room: list[int], barred: list[int]) -> list[int] | None:
    """Give each card a place with room where it is not barred; the places' masks, or ``None`` if there is no way.

    ``room``: cards that each place takes; ``barred``: masks of the cards that a place cannot hold.
    """
    cards = sorted(cards, key=lambda card: sum(not mask >> card & 1 for mask in barred))
    places = [0] * len(room)
    dead: set[tuple[int, ...]] = set()

    def place(i: int) -> bool:
        if i == len(cards):
            return True
        key = (i, *room)
        if key in dead:
            return False
        for p in range(len(room)):
            if room[p] and not barred[p] >> cards[i] & 1:
                room[p] -= 1
                places[p] |= 1 << cards[i]
                if place(i + 1):
                    return True
                places[p] ^= 1 << cards[i]
                room[p] += 1
        dead.add(key)
        return False

    return places if place(0) else None


def _barred(game: int, plays: list[tuple[int, Card]]) -> list[int]:
    """For each seat the cards it can no longer hold: of suits it did not follow."""
    masks = [0, 0, 0]
    for i, (seat, card) in enumerate(plays):
        led = plays[i - i % 3][1]
        if not int(FOLLOW[game, led]) >> card & 1:
            masks[seat] |= int(FOLLOW[game, led])
    return masks


def _plays(case: Fields, forehand: int) -> list[tuple[int, Card]]:
    plays: list[tuple[int, Card]] = []
    for entry in case.items("played", at_most=29):
        if not isinstance(entry, list) or len(entry) != 2:
            raise CaseError(f"case: {shorten(entry)} in played, expected [seat, card]")
        step = Fields({"seat": entry[0], "card": entry[1]}, "case: played")
        plays.append(((step.player("seat") - forehand) % 3, Card.parse(step.text("card"))))
    return plays


def _forehand(case: Fields, player: int) -> int:
    """The player on forehand: who played first, else who is to move."""
    played = case.take("played")
    if not isinstance(played, list):
        raise CaseError(f"case: played is {shorten(played)}, expected a list")
    first = played[0][0] if played and isinstance(played[0], list) and played[0] else player
    return Fields({"seat": first}, "case: played").player("seat")


def read_puzzle(data: Any) -> Puzzle:
    """Build the position of a puzzle.

    Raises:
        SkatError: the puzzle is malformed, or no deal fits it.
    """
    player = Fields(data, "case").player("seat")
    forehand = _forehand(Fields(data, "case"), player)
    case = Fields(data, "case")
    game_type, by_hand = case.game("game"), case.flag("hand_game", default=False)
    seat, declarer = (player - forehand) % 3, -forehand % 3
    plays = _plays(case, forehand)
    held = case.card_set("hand", 1, 10)
    away = CardSet.of(case.cards("discards_known", default=[]))
    own = CardSet.of([*held, *(card for who, card in plays if who == seat)])
    if len(own) != 10:
        raise CaseError(f"case: {len(held)} cards in hand and {len(own) - len(held)} played, expected 10 together")
    if len(away) not in (0, 2) or (away and (by_hand or seat != declarer)):
        raise CaseError(f"case: discards_known {away or '-'} cannot be")
    if seat == declarer and not by_hand and not away:
        raise CaseError("case: the declarer to move knows his two discards, discards_known names none")
    deal = _deal(game_type, seat, own, away, plays)
    game = Game(deal)
    for call in auction_to(declarer, _BID):
        game.play(call)
    if not by_hand:
        game.play(PICK_UP)
        for card in deal.skat:  # what he found is what he puts away: the same twelve cards
            game.play(card)
    game.play(f"declare {Contract(game_type, hand=by_hand)}")
    for who, card in plays:
        if game.to_move != who:
            raise CaseError(f"case: {card} is played by the wrong seat")
        game.play(card)
    if game.to_move != seat:
        raise CaseError("case: the seat of the puzzle is not to move")
    return Puzzle(
        game, case.card_set("legal", 1, 10), case.card_set("accepted", 1, 10), shorten(case.text("theme", default=""))
    )


def _deal(game: int, seat: int, own: CardSet, away: CardSet, plays: list[tuple[int, Card]]) -> Deal:
    """A deal in which the seat has its cards and the others can have played theirs."""
    known = [CardSet.of(card for who, card in plays if who == s) for s in range(3)]
    known[seat] = own
    seen = CardSet.of([*known[0], *known[1], *known[2], *away])
    hidden = list(CardSet(ALL_CARDS ^ seen.mask))
    room = [10 - len(cards) for cards in known] + [2 - len(away)]
    if min(room) < 0 or sum(room) != len(hidden):
        raise CaseError("case: a seat has played more than its cards")
    places = _fill(hidden, room, [*_barred(game, plays), 0])
    if places is None:
        raise CaseError("case: no deal fits the cards played")
    hands = [CardSet(known[s].mask | places[s]) for s in range(3)]
    return Deal((hands[0], hands[1], hands[2]), CardSet(away.mask | places[_SKAT]))


def check_puzzle(data: Any, agent: Any = None, seed: int = 1, number: int = 0) -> Verdict:
    """Run a puzzle: the engine must find the same legal cards, and the agent, if there is one, must choose an accepted one.

    Args:
        data: the object of the line.
        agent: what decides; without one the remark of the verdict is the position.
        seed: of the agent's randomness.
        number: of the puzzle in its file.

    Raises:
        SkatError: the puzzle is malformed.
    """
    puzzle = read_puzzle(data)
    game = puzzle.game
    legal = CardSet.of(action for action in game.legal_actions if action < 32)
    if legal != puzzle.legal:
        return Verdict("wrong", f"expected legal {puzzle.legal}, came {legal}")
    if not puzzle.accepted <= legal:
        return Verdict("wrong", f"accepted {puzzle.accepted - legal} is not legal")
    if agent is None:
        return Verdict("right", f"{shorten(data.get('id', ''))}: {puzzle}")
    seat = game.to_move or 0
    action = choose(agent, game, decision_rng(seed, number, seat, len(game.view(seat).plays)))
    name = ACTION_NAMES[action] if 0 <= action < len(ACTION_NAMES) else str(action)
    if action in puzzle.accepted:
        return Verdict("right")
    return Verdict("wrong", f"{puzzle.theme}: expected {puzzle.accepted}, came {name.removeprefix('play ')}")
