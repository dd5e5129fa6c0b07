"""Rule cases of the play: tricks, following, endings, claims, whole games (rules 1.2, 4)."""

from __future__ import annotations

import re
from typing import Final

from skatai.cards import CardSet
from skatai.conformance.fields import ANNOUNCEMENTS, CaseError, Fields, read_cards, shorten, spoken
from skatai.conformance.midgame import state_in_play
from skatai.conformance.replay import auction_to, trick_winners
from skatai.contract import NULL
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import PICK_UP
from skatai.kernels.events import EVENT_CLAIM, apply, apply_event, is_legal_event
from skatai.kernels.moves import is_legal, legal_cards, trick_winner
from skatai.kernels.state import END_CLAIM, OVER
from skatai.seats import SEAT_LETTERS

__all__ = ["PLAY_KINDS"]


def _trick(case: Fields) -> dict[str, object]:
    game, cards = case.game(), case.cards("cards")
    if len(CardSet.of(cards)) != 3:
        raise CaseError(f"in: {len(cards)} cards, expected a trick of 3")
    return {"winner": int(trick_winner(game, *map(int, cards)))}


def _legal(case: Fields) -> dict[str, object]:
    game, hand = case.game(), case.card_set("hand", 1, 12)
    led = case.cards("led", default=[])
    if len(led) > 1 or any(card in hand for card in led):
        raise CaseError("in: led is not one card outside the hand")
    return {"legal": CardSet(int(legal_cards(hand.mask, game, int(led[0]) if led else -1)))}


def _claim(case: Fields) -> dict[str, object]:
    contract = spoken(case.game(), False, "")
    declarer, claimant, leader = case.seat("declarer"), case.seat("claimant"), case.seat("to_lead")
    held = Fields(case.take("hands"), "in: hands")
    hands = [held.card_set(letter, 1, 10) for letter in SEAT_LETTERS]
    held.done()
    CardSet.of(card for hand in hands for card in hand)
    state = state_in_play(contract, case.rules(claims="reject"), declarer, hands, leader)
    if is_legal_event(state, EVENT_CLAIM, claimant):
        apply_event(state, EVENT_CLAIM, claimant)
    return {"valid": int(state["end"]) == END_CLAIM}


_DECLARER, _DEFENDER = 0, 1
_SIDES: Final = {"declarer": _DECLARER, "defender": _DEFENDER, "defenders": _DEFENDER}
_FILLERS: Final = frozenset({"and", "with", "has", "have", "points", "point", "a", "reach", "reaches", "at", "least"})


def _event(text: str) -> tuple[list[int | None], list[int | None], int]:
    """Card points and tricks that an event names for the declarer and the defenders, and the side of the last trick.

    ``declarer_trick``: the declarer takes a trick; ``defenders_31``: the defenders reach 31 card points. Several may be joined:
    ``declarer_61_defenders_31``, ``declarer_no_trick_defenders_31``.
    """
    points: list[int | None] = [None, None]
    tricks: list[int | None] = [None, None]
    side, none, last = -1, False, -1
    for word in re.split(r"[\s_,+-]+", text.strip().lower()):
        if word in _SIDES:
            side = _SIDES[word]
        elif word in ("no", "without"):
            none = True
        elif word in ("trick", "tricks") and side >= 0:
            tricks[side] = 0 if none else 1
            last, none = (last if none else side), False
        elif word.isascii() and word.isdigit() and len(word) < 4 and side >= 0 and int(word) <= 120:
            points[side] = int(word)
            last = side
        elif word not in _FILLERS:
            last = -1
            break
    if last < 0 or tricks[last] == 0:
        raise CaseError(
            f"in: unknown event {shorten(text)}; expected such as declarer_trick, declarer_61, defenders_31"
        )
    return points, tricks, last


def _early_end(case: Fields) -> dict[str, object]:
    game, announce = case.game(), case.text("announce", ANNOUNCEMENTS, default="")
    contract = spoken(game, bool(announce) and game != NULL, announce)
    policy = case.text("policy", ("null_only", "decided", "iss"), default="decided")
    points, tricks, last = _event(case.text("event"))
    # What the event does not name: the other side has a trick, and few points.
    few = min(11, 120 - sum(named or 0 for named in points))
    score = [max(few, 0) if named is None else named for named in points]
    before = [1 if named is None else named for named in tricks]
    before[last] = max(0, before[last] - (tricks[last] is not None))
    if sum(score) > 120:
        raise CaseError(f"in: {sum(score)} card points, expected at most 120")
    # Three spades without points are played, and the side of the event takes them.
    hands = [CardSet.parse(text) for text in ("S9 D9", "S8 D8", "S7 D7")]
    if last == _DEFENDER:
        hands = [hands[1], hands[0], hands[2]]
    state = state_in_play(
        contract, case.rules(early_end=policy), _DECLARER, hands, 2, points=(*score, 0), tricks=(*before, 0)
    )
    for card in (hands[2], hands[0], hands[1]):
        action = int(max(card))
        if not is_legal(state, action):
            raise CaseError("in: the engine does not let the trick be played")
        apply(state, action)
    return {"over": int(state["phase"]) == OVER}


def _start(case: Fields) -> Game:
    """The game up to the first lead."""
    held = Fields(case.take("hands"), "in: hands")
    deal = Deal(
        (held.card_set("F", 10, 10), held.card_set("M", 10, 10), held.card_set("R", 10, 10)),
        case.card_set("skat", 2, 2),
    )
    held.done()
    if case.has("deck") and Deal.from_deck(case.cards("deck")) != deal:
        raise CaseError("in: the hands are not what the engine deals from this deck")
    declarer, contract, bid = case.seat("declarer"), case.contract(), case.integer("bid", 18, 1000)
    game = Game(deal, rules=case.rules())
    for call in auction_to(declarer, bid):
        game.play(call)
    discard = case.take("discard", None)
    if (discard is None) != contract.hand:
        raise CaseError(f"in: discard {shorten(discard)} in a {'hand game' if contract.hand else 'game with pick-up'}")
    if not contract.hand:
        game.play(PICK_UP)
        for card in _two(discard):
            game.play(card)
    return game.play(f"declare {contract}")


def _two(discard: object) -> CardSet:
    cards = CardSet.of(read_cards(discard, "in: discard"))
    if len(cards) != 2:
        raise CaseError(f"in: discard {cards}, expected 2 cards")
    return cards


def _full_game(case: Fields) -> dict[str, object]:
    game = _start(case)
    for trick in case.items("plays", at_most=10):
        cards = read_cards(trick, "in: plays")
        if len(cards) != 3:
            raise CaseError(f"in: plays {shorten(trick)}, expected tricks of 3 cards")
        for card in cards:
            game.play(card)
    tricks = game.tricks
    result = game.result
    came: dict[str, object] = {
        "leaders": [SEAT_LETTERS[trick[0][0]] for trick in tricks],
        "winners": [SEAT_LETTERS[seat] for seat in trick_winners(game)],
    }
    if result is None:
        raise CaseError(f"in: the game is not over after {len(tricks)} tricks")
    null = result.contract is not None and result.contract.game == NULL
    came.update(
        declarer_points=result.points,
        declarer_tricks=result.tricks[0],
        defender_tricks=result.tricks[1],
        matadors=(None, 0) if null else abs(result.matadors),
        overbid=result.overbid,
        value=result.value,
        won=result.won,
        score=result.score,
    )
    came["with"] = (None, False) if null else result.matadors > 0
    return came


PLAY_KINDS: Final = {
    "trick": _trick,
    "legal": _legal,
    "early_end": _early_end,
    "claim": _claim,
    "full_game": _full_game,
}
