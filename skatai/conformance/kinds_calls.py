"""Rule cases before the first lead: seats, deal, auction, declaration (rules 1.3, 2, 3.1)."""

from __future__ import annotations

from typing import Any, Final

from skatai.actions import ACTION_NAMES, HOLD, PASS, bid_action, bid_of, declare_action
from skatai.auction import is_legal_bid, ladder, parse_call
from skatai.conformance.fields import ANNOUNCEMENTS, CaseError, Fields, UnsupportedError, shorten, spoken
from skatai.contract import GRAND, NULL, Contract
from skatai.deal import DECK_POSITIONS, Deal
from skatai.errors import IllegalActionError, RulesError
from skatai.game import Game
from skatai.kernels.action_ids import WORD_BITS
from skatai.kernels.bits import ALL_CARDS
from skatai.kernels.moves import count_legal, declaration_words, is_legal
from skatai.rules import Rules
from skatai.scoring import score_game
from skatai.seats import SEAT_LETTERS, next_dealer, sitting_out, table_seats

__all__ = ["CALL_KINDS"]

_HIGHEST: Final = 10_000
_PATTERN: Final = [3, "skat", 4, 3]


def _bid_values(case: Fields) -> dict[str, object]:
    below = case.integer("below", 0, 1_000_000, default=_HIGHEST)
    values = [value for value in ladder(case.rules()) if value < below]
    return {"values": values, "n": len(values)}


def _bid_legal(case: Fields) -> dict[str, object]:
    current, value = case.integer("current", 0, _HIGHEST, default=0), case.integer("value", -_HIGHEST, _HIGHEST)
    return {"legal": is_legal_bid(value, current, case.rules())}


def _bid_shorthand(case: Fields) -> dict[str, object]:
    current, rules = case.integer("current", 0, _HIGHEST, default=0), case.rules()
    values: list[int] = []
    for i, call in enumerate(case.items("calls", at_most=200)):
        if isinstance(call, bool) or not isinstance(call, (str, int)):
            raise CaseError(f"in: call {shorten(call)} is not a text")
        try:
            current = parse_call(str(call)[:20], current, rules)
        except IllegalActionError:
            return {"illegal_at": i, "values": values}
        values.append(current)
    return {"values": values, "illegal_at": None}


def _call(word: object) -> int | None:
    """The action of ``yes``, ``pass`` or a value; ``None`` for a value that no ladder has."""
    if isinstance(word, str) and word.lower() in ("yes", "hold"):
        return HOLD
    if word == "pass":
        return PASS
    if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 5:
        word = int(word)
    if isinstance(word, bool) or not isinstance(word, int):
        raise CaseError(f"in: call {shorten(word)}, expected a value, 'yes' or 'pass'")
    try:
        return bid_action(word)
    except IllegalActionError:
        return None


def _option_name(action: int) -> str:
    return "yes" if action == HOLD else str(bid_of(action) or ACTION_NAMES[action])


def _auction(case: Fields) -> dict[str, object]:
    game = Game(Deal.from_deck(range(32)), rules=case.rules())
    illegal: int | None = None
    for i, entry in enumerate(case.items("actions", at_most=400)):
        if not isinstance(entry, list) or len(entry) != 2 or entry[0] not in tuple(SEAT_LETTERS):
            raise CaseError(f"in: {shorten(entry)} is not [seat, call]")
        action = _call(entry[1])
        to_move = game.to_move if game.phase == "auction" else None
        if to_move != SEAT_LETTERS.index(entry[0]) or action is None or not is_legal(game.state, action):
            illegal = i
            break
        game.play(action)
    running = game.phase == "auction"
    return {
        "declarer": None if game.declarer is None else SEAT_LETTERS[game.declarer],
        "bid": game.bid or None,
        "passed_in": game.result is not None and game.result.passed_in,
        "illegal_at": illegal,
        "to_act": SEAT_LETTERS[game.to_move or 0] if running else None,
        "options": frozenset(_option_name(action) for action in game.legal_actions) if running else frozenset(),
    }


def _seats(case: Fields) -> dict[str, object]:
    players = case.integer("players", 3, 4)
    dealer = case.player("dealer", players)
    came: dict[str, object] = dict(zip(SEAT_LETTERS, table_seats(players, dealer), strict=True))
    came["sits_out"] = sitting_out(players, dealer)
    came["next_dealer"] = next_dealer(players, dealer)
    return came


def _deal(case: Fields) -> dict[str, object]:
    pattern = case.items("pattern", default=_PATTERN, at_most=40)
    if not all(step == "skat" or (isinstance(step, int) and step > 0) for step in pattern):
        raise CaseError(f"in: pattern {shorten(pattern)}, expected numbers of cards and 'skat'")
    if pattern != _PATTERN:
        raise UnsupportedError(f"deal pattern {shorten(pattern)}")
    names = (*SEAT_LETTERS, "skat")
    if case.has("deck"):
        deal = Deal.from_deck(case.cards("deck"))
        return dict(zip(names, (*deal.hands, deal.skat), strict=True))
    # Card i of this pack is number i, so that the hands are the positions in the pack.
    deal = Deal.from_deck(range(32))
    positions = [[int(card) for card in cards] for cards in (*deal.hands, deal.skat)]
    assert positions == [list(places) for places in DECK_POSITIONS]
    return dict(zip(names, positions, strict=True))


def _may_declare(contract: Contract, picked_up: bool, bid: int, rules: Rules, cards: int) -> bool:
    words = declaration_words(bid, rules.to_int(), cards if picked_up else 0)
    action = declare_action(contract)
    return bool(int(words[action // WORD_BITS]) >> (action % WORD_BITS) & 1)


def _twelve(case: Fields, rules: Rules) -> int:
    """The declarer's cards, which matter to the strict check of declarations only."""
    if case.has("cards"):
        return case.card_set("cards", 12, 12).mask
    if rules.declaration_check == "strict":
        raise CaseError("in: the strict check needs the declarer's twelve cards")
    return ALL_CARDS


def _declare_legal(case: Fields) -> dict[str, object]:
    picked_up, game = case.flag("picked_up"), case.game()
    announce = case.text("announce", ANNOUNCEMENTS, default="")
    bid, rules = case.integer("bid", 0, _HIGHEST, default=0), case.rules()
    cards = _twelve(case, rules)
    try:
        contract = spoken(game, not picked_up, announce)
    except RulesError:  # an announcement that the contract does not have
        return {"legal": False}
    return {"legal": _may_declare(contract, picked_up, bid, rules, cards)}


def _declare_count(case: Fields) -> dict[str, object]:
    picked_up = case.flag("picked_up") if case.has("picked_up") else None
    bid, rules = case.integer("bid", 0, _HIGHEST, default=0), case.rules()
    cards = _twelve(case, rules)
    ways = [cards, 0] if picked_up is None else [cards] if picked_up else [0]
    return {"n": sum(int(count_legal(declaration_words(bid, rules.to_int(), way))) for way in ways)}


def _announce_closure(case: Fields) -> dict[str, object]:
    announce = case.text("announce", ANNOUNCEMENTS)
    game = case.game() if case.has("contract") else GRAND
    contract = spoken(game, bool(announce) and game != NULL, announce)
    counts = score_game(contract, 1, 60, 5, 5)  # neither side schneider: what counts was announced
    levels = {
        "hand": contract.hand,
        "schneider": counts.schneider,
        "schneider_announced": contract.schneider,
        "schwarz": counts.schwarz,
        "schwarz_announced": contract.schwarz,
        "ouvert": contract.ouvert,
    }
    return {"levels": frozenset(name for name, count in levels.items() if count)}


def _null_overbid(case: Fields) -> dict[str, object]:
    hand, ouvert = case.flag("hand"), case.flag("ouvert")
    bid, tricks = case.integer("bid", 0, _HIGHEST), case.integer("declarer_tricks", 0, 10, default=0)
    rules = case.rules(null_overbid=case.text("policy", ("reject", "multiple"), default="reject"))
    contract = Contract(NULL, hand, ouvert)
    legal = _may_declare(contract, not hand, bid, rules, ALL_CARDS)
    came: dict[str, Any] = {"legal": legal, "won": None, "overbid": None, "value": None, "score": None}
    if legal:
        score = score_game(contract, 0, 60, tricks, 10 - tricks, bid, rules)
        came.update(won=score.won, overbid=score.overbid, value=score.value, score=score.score)
    return came


CALL_KINDS: Final = {
    "bid_values": _bid_values,
    "bid_legal": _bid_legal,
    "bid_shorthand": _bid_shorthand,
    "auction": _auction,
    "seats": _seats,
    "deal": _deal,
    "declare_legal": _declare_legal,
    "declare_count": _declare_count,
    "announce_closure": _announce_closure,
    "null_overbid": _null_overbid,
}
