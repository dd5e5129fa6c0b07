"""Games recorded from other programs: XSkat (whole deals with the auction) and OpenSpiel (card play with every legal set)."""

from __future__ import annotations

from typing import Any, Final

from skatai.actions import HOLD, PASS, PICK_UP
from skatai.cards import Card, CardSet, parse_card
from skatai.conformance.fields import CaseError, Fields, differences, read_cards, shorten, spoken
from skatai.conformance.replay import auction_to, trick_winners
from skatai.conformance.report import Verdict
from skatai.contract import GAME_NAMES, NULL, Contract
from skatai.deal import Deal
from skatai.game import Game

__all__ = ["check_openspiel", "check_xskat"]


def _deal(case: Fields, first: int = 0) -> Deal:
    """The deal of ``hands`` (by player; ``first`` is forehand) and ``skat``."""
    hands = case.items("hands", at_most=3)
    if len(hands) != 3:
        raise CaseError(f"case: {len(hands)} hands, expected 3")
    by_seat = [CardSet.of(read_cards(hands[(first + seat) % 3], "case: hands")) for seat in range(3)]
    return Deal((by_seat[0], by_seat[1], by_seat[2]), case.card_set("skat", 2, 2))


def _steps(case: Fields, name: str, size: int, at_most: int) -> list[list[Any]]:
    """A list of lists of a given size that begin with the number of a player."""
    steps = case.items(name, at_most=at_most)
    for step in steps:
        well_formed = isinstance(step, list) and len(step) == size and isinstance(step[0], int)
        if not well_formed or isinstance(step[0], bool) or not 0 <= step[0] <= 2:
            raise CaseError(f"case: {shorten(step)} in {name}, expected a player and {size - 1} further entries")
    return steps


def _card(word: object) -> Card:
    if not isinstance(word, str):
        raise CaseError(f"case: {shorten(word)} is not a card")
    return parse_card(word)


def _verdict(found: list[str]) -> Verdict:
    return Verdict("wrong", "; ".join(found)) if found else Verdict("right")


# -- XSkat --------------------------------------------------------------------------------------------------------------


def _xskat_contract(case: Fields) -> Contract:
    game, hand, ouvert = case.game(), case.flag("hand_game"), case.flag("ouvert")
    words = case.text("announce_text", default="").lower().split()
    unknown = set(words) - {"hand", "ouvert", "schneider", "schwarz"}
    if unknown:
        raise CaseError(
            f"case: announce_text {shorten(' '.join(words))}, expected words of: hand ouvert schneider schwarz"
        )
    announced = next((word for word in ("ouvert", "schwarz", "schneider") if word in words), "ouvert" if ouvert else "")
    contract = spoken(game, hand, announced)
    if contract.hand != hand or contract.ouvert != ouvert or ("hand" in words and not hand):
        raise CaseError(f"case: announce_text {shorten(' '.join(words))!r} contradicts hand_game or ouvert")
    return contract


def _xskat_auction(game: Game, calls: list[list[Any]], forehand: int) -> None:
    for player, value, word in calls:
        seat = (player - forehand) % 3
        if game.phase != "auction":
            raise CaseError(f"bidding goes on after its end with {shorten([player, value, word])}")
        if seat != game.to_move:
            turn = (forehand + (game.to_move or 0)) % 3
            raise CaseError(f"bidding: player {player} calls, the engine expects player {turn}")
        if isinstance(value, bool) or not isinstance(value, int) or word not in ("call", "hold", "pass"):
            raise CaseError(f"bidding: {shorten([player, value, word])}, expected player, value and call, hold or pass")
        if word == "call":
            game.play(f"bid {value}")
            continue
        holder = game.to_move == int(game.state["responder"])
        if (word == "hold" or holder) and value != game.bid:
            raise CaseError(f"bidding: {shorten([player, value, word])} after {game.bid}")
        game.play(HOLD if word == "hold" else PASS)


def check_xskat(data: Any) -> Verdict:
    """Replay a game of XSkat: auction, play and score. Keys that tell of XSkat itself are not looked at.

    Raises:
        SkatError: the case is malformed, or the engine does not allow what was done.
    """
    case = Fields(data, "case")
    dealer, forehand = case.player("dealer"), case.player("forehand")
    game = Game(_deal(case, (dealer + 1) % 3), dealer)
    if game.players[0] != forehand:
        return Verdict("wrong", f"expected forehand {forehand}, came {game.players[0]}")
    _xskat_auction(game, _steps(case, "bidding", 3, 400), forehand)
    declarer = game.declarer
    passed = game.result is not None and game.result.passed_in
    came: dict[str, object] = {"passed": passed, "declarer": None if declarer is None else game.players[declarer]}
    if passed:
        came |= {"bid": (0, None), "game_score": (0, None)}
        return _verdict(differences({name: case.take(name) for name in came}, came))
    if declarer is None:
        raise CaseError("bidding: not finished")
    contract = _xskat_contract(case)
    discard = case.take("discard")
    if (discard is None) != contract.hand:
        raise CaseError(f"case: discard {shorten(discard)} with {contract.name}")
    if not contract.hand:
        game.play(PICK_UP)
        for card in read_cards(discard, "case: discard"):
            game.play(card)
    game.play(f"declare {contract}")
    _play(game, _steps(case, "plays", 2, 30), forehand)
    result = game.result
    if result is None:
        return Verdict("wrong", f"expected the end after {len(game.plays)} cards, came a game that goes on")
    came |= {
        "bid": game.bid,
        "trick_winners": [game.players[seat] for seat in trick_winners(game)],
        "tricks_played": len(game.tricks),
        "declarer_tricks": result.tricks[0],
        "declarer_points": (None, result.points) if contract.game == NULL else result.points,
        "won": result.won,
        "overbid": result.overbid,
        "game_score": result.score,
    }
    return _verdict(differences({name: case.take(name) for name in came}, came))


def _play(game: Game, plays: list[list[Any]], forehand: int) -> None:
    for player, word in plays:
        if (forehand + (game.to_move or 0)) % 3 != player and not game.is_over:
            turn = (forehand + (game.to_move or 0)) % 3
            raise CaseError(f"player {player} plays {shorten(word)}, the engine expects player {turn}")
        game.play(_card(word))


# -- OpenSpiel ----------------------------------------------------------------------------------------------------------

_OPENSPIEL_BID: Final = 18


def _openspiel_tricks(case: Fields) -> list[tuple[int, list[Card], int]]:
    tricks: list[tuple[int, list[Card], int]] = []
    for data in case.items("tricks", at_most=10):
        trick = Fields(data, "case: trick")
        tricks.append((trick.player("leader"), trick.cards("cards"), trick.player("winner")))
    return tricks


def _openspiel_points(game: Game, declarer: int) -> list[int]:
    """Points of the declarer and of the defenders in the tricks so far."""
    own = game.points[declarer]
    return [own, sum(game.points) - own]


def check_openspiel(data: Any) -> Verdict:
    """Replay the card play of a game of OpenSpiel: every legal set, every trick, the points.

    The auction is not Skat's; the shortest one that makes the declarer take it at 18 stands for it. Players are seats. The sum of
    the points after the last trick includes the cards put away, those before do not; in null they are markers and not compared.

    Raises:
        SkatError: the case is malformed, or the engine does not allow what was done.
    """
    case = Fields(data, "case")
    declarer = case.player("declarer")
    contract = Contract(GAME_NAMES.index(case.text("game", GAME_NAMES)))
    game = Game(_deal(case))
    for call in auction_to(declarer, _OPENSPIEL_BID):
        game.play(call)
    game.play(PICK_UP)
    for card in case.card_set("discards", 2, 2):
        game.play(card)
    game.play(f"declare {contract}")
    found: list[str] = []
    points: list[list[int]] = []
    for player, word, allowed in _steps(case, "plays", 3, 30):
        card = _card(word)
        legal = CardSet.of(read_cards(allowed, "case: plays"))
        if game.is_over or game.to_move != player:
            raise CaseError(f"player {player} plays {card}, the engine expects {_who(game)}")
        came = CardSet.of(action for action in game.legal_actions if action < 32)
        if came != legal:
            found.append(f"card {len(game.plays) + 1}: expected legal {legal}, came {came}")
        game.play(card)
        if len(game.plays) % 3 == 0:
            points.append(_openspiel_points(game, declarer))
    tricks = [(trick[0][0], [card for _, card in trick]) for trick in game.tricks]
    winners = trick_winners(game)
    recorded = _openspiel_tricks(case)
    if len(recorded) != len(tricks):
        found.append(f"expected {len(recorded)} tricks, came {len(tricks)}")
    for i, (leader, cards, winner) in enumerate(recorded[: len(tricks)]):
        if tricks[i] != (leader, cards):
            found.append(f"trick {i + 1}: expected {_told(leader, cards)}, came {_told(*tricks[i])}")
        elif winners[i] != winner:
            found.append(f"trick {i + 1}: expected winner {winner}, came {winners[i]}")
    if game.result is None:
        return _verdict([*found, f"expected the end after {len(game.plays)} cards, came a game that goes on"])
    figures: dict[str, object] = {"winners": winners}
    if contract.game != NULL:
        solo = game.result.points
        points[-1][0] += game.discards.points
        figures |= {
            "points_after_trick": points,
            "final_solo": solo,
            "final_team": 120 - solo,
            "declarer_card_points": solo,
        }
    figures = {name: value for name, value in figures.items() if case.has(name)}
    return _verdict(found + differences({name: case.take(name) for name in figures}, figures))


def _told(leader: int, cards: list[Card]) -> str:
    return f"player {leader} leading {' '.join(map(str, cards))}"


def _who(game: Game) -> str:
    return "no card: the game is over" if game.is_over else f"player {game.to_move}"
