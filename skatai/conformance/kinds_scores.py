"""Rule cases of values, scores, concessions and lists (rules 1.1, 3.2-3.4, 4.3, 4.4, 5)."""

from __future__ import annotations

from typing import Any, Final

from skatai.cards import CardSet
from skatai.conformance.fields import CaseError, Fields, shorten
from skatai.conformance.midgame import cards_with_matadors, state_in_play
from skatai.contract import NULL, Contract
from skatai.game import Result, result_of
from skatai.kernels.events import EVENT_ACCEPT, EVENT_CONCEDE, apply_event, is_legal_event
from skatai.kernels.settle import is_schneider, is_schwarz
from skatai.kernels.state import ANSWER, StateRecord, card_points
from skatai.scoring import Bierlachs, GameScore, SeegerFabianList, list_points, matadors, score_game

__all__ = ["SCORE_KINDS"]

_HIGHEST: Final = 10_000


def _card_points(case: Fields) -> dict[str, object]:
    pack = case.text("pack", ("iss", "french_de", "german", "tournament"), default="iss")
    return {"points": int(card_points(case.card_set("cards", 0, 32, pack).mask))}


def _matadors(case: Fields) -> dict[str, object]:
    game = case.game()
    signed = matadors(game, case.card_set("cards", 1, 12))
    return {"with": (False, None) if game == NULL else signed > 0, "n": (0, None) if game == NULL else abs(signed)}


def _played(case: Fields, bid: int = 0) -> tuple[GameScore, Contract]:
    contract = case.contract()
    n = case.matadors(contract.game)
    points = case.integer("points", 0, 120)
    tricks = case.integer("declarer_tricks", 0, 10), case.integer("defender_tricks", 0, 10)
    return score_game(contract, n, points, *tricks, bid, case.rules()), contract


def _value(case: Fields) -> dict[str, object]:
    score, contract = _played(case)
    return {"multiplier": None if contract.game == NULL else score.multiplier, "value": score.value}


def _score(case: Fields) -> dict[str, object]:
    score, _ = _played(case, case.integer("bid", 0, _HIGHEST))
    return {"won": score.won, "overbid": score.overbid, "value": score.value, "score": score.score}


def _levels(case: Fields) -> dict[str, object]:
    points = case.integer("points", 0, 120)
    won, lost = case.integer("declarer_tricks", 0, 10), case.integer("defender_tricks", 0, 10)
    schneider, schwarz = bool(is_schneider(points)), bool(is_schwarz(won, lost))
    return {
        "declarer_schneider": schneider and points < 60,
        "defenders_schneider": schneider and points > 60,
        "declarer_schwarz": schwarz and won == 0,
        "defenders_schwarz": schwarz and lost == 0,
    }


def _deal_out(n: int) -> list[CardSet]:
    """Three hands of ``n`` cards; which ones does not matter to a concession."""
    return [CardSet(((1 << n) - 1) << 10 * seat) for seat in range(3)]


_DECLARER: Final = 0


def _conceding_state(case: Fields, cards: int, points: tuple[int, int], tricks: tuple[int, int]) -> StateRecord:
    """A state with the contract, the bid and the figures of both sides; forehand is the declarer."""
    contract = case.contract()
    n, bid = case.matadors(contract.game), case.integer("bid", 0, _HIGHEST)
    policy = case.text("policy", ("isko", "award_rest"), default="isko")
    cards_with_matadors(contract.game, n)
    return state_in_play(
        contract,
        case.rules(concede_policy=policy),
        _DECLARER,
        _deal_out(cards),
        _DECLARER,
        bid=bid,
        matadors=n,
        points=(points[0], points[1], 0),
        tricks=(tricks[0], tricks[1], 0),
    )


def _declarer_points(case: Fields) -> int:
    """The declarer's card points so far; none if the case does not say."""
    return case.integer("points" if case.has("points") else "declarer_points", 0, 120, default=0)


def _scored(result: Result) -> dict[str, object]:
    return {"won": result.won, "overbid": result.overbid, "value": result.value, "score": result.score}


def _concede(case: Fields) -> dict[str, object]:
    cards = case.integer("cards_in_hand", 1, 10)
    points = _declarer_points(case), case.integer("defender_points", 0, 120, default=0)
    # The tricks already played have gone to the defenders, as far as the case does not say.
    lost = case.integer("defender_tricks", 0, 10, default=10 - cards)
    won = case.integer("declarer_tricks", 0, 10, default=0)
    consent = case.flag("consent", default=False)
    state = _conceding_state(case, cards, points, (won, lost))
    if not is_legal_event(state, EVENT_CONCEDE, _DECLARER):
        raise CaseError("in: the engine does not let the declarer concede")
    apply_event(state, EVENT_CONCEDE, _DECLARER)
    asks = int(state["phase"]) == ANSWER
    if asks:
        apply_event(state, EVENT_ACCEPT, 1)
    came = _scored(result_of(state))
    if asks and not consent:  # he may not; the figures, where a case gives them, are those with a defender's consent
        came = {name: (None, value) for name, value in came.items()}
    return {"allowed": consent or not asks, "needs_consent": asks, **came}


def _defenders_concede(case: Fields) -> dict[str, object]:
    points = _declarer_points(case), case.integer("defender_points", 0, 120)
    tricks = case.integer("declarer_tricks", 0, 9, default=0), case.integer("defender_tricks", 0, 9)
    if sum(tricks) > 9 or sum(points) > 120:
        raise CaseError(f"in: {sum(tricks)} tricks with {sum(points)} points are played, expected at most 9 with 120")
    state = _conceding_state(case, 10 - sum(tricks), points, tricks)
    apply_event(state, EVENT_CONCEDE, 1)
    if int(state["phase"]) == ANSWER:
        apply_event(state, EVENT_ACCEPT, _DECLARER)
    else:  # award_rest: both must give up
        apply_event(state, EVENT_CONCEDE, 2)
    return _scored(result_of(state))


def _read_deals(case: Fields, players: int, *keys: str) -> list[tuple[int | None, int, dict[str, Any]]]:
    """The deals of a list: declarer (``None`` when passed in), signed score, and the further ``keys``."""
    deals: list[tuple[int | None, int, dict[str, Any]]] = []
    for i, data in enumerate(case.items("deals")):
        deal = Fields(data, f"deal {i + 1}")
        passed_in = deal.flag("passed_in", default=False)
        further = {key: deal.integer(key, 0, players - 1, default=None) for key in keys}
        declarer = deal.take("declarer", None) if passed_in else deal.take("declarer")
        if declarer is None and deal.take("score", None) in (0, None):
            deal.done()
            deals.append((None, 0, further))
            continue
        score = deal.integer("score", -_HIGHEST, _HIGHEST)
        deal.done()
        if passed_in or isinstance(declarer, bool) or not isinstance(declarer, int) or not 0 <= declarer < players:
            wanted = f"0 to {players - 1}, or null (and no score) if passed in"
            raise CaseError(f"deal {i + 1}: declarer {shorten(declarer)}, expected {wanted}")
        if score == 0:
            raise CaseError(f"deal {i + 1}: the score of a game is not 0")
        deals.append((declarer, score, further))
    return deals


def _seeger(case: Fields) -> dict[str, object]:
    table = case.integer("table", 3, 4)
    sheet = SeegerFabianList(table)
    by_deal = [0] * table
    for declarer, score, _ in _read_deals(case, table):
        sheet.add(declarer, score)
        by_deal = [total + own for total, own in zip(by_deal, list_points(score, declarer, table), strict=True)]
    if by_deal != sheet.totals:
        raise CaseError(f"totals of the list {sheet.totals} and sums of the deals {by_deal} differ")
    ranking = sheet.ranking()
    return {
        "totals": sheet.totals,
        "game_points": sheet.game_points,
        "won": sheet.won,
        "lost": sheet.lost,
        "ranking": [standing.player for standing in ranking],
        "ranks": [next(place.rank for place in ranking if place.player == player) for player in range(table)],
    }


def _bierlachs(case: Fields) -> dict[str, object]:
    players, target = case.integer("players", 3, 4, default=3), case.integer("target", 1, _HIGHEST, default=501)
    match = Bierlachs(players, target)
    for declarer, score, further in _read_deals(case, players, "sits_out"):
        match.add(declarer, score, further["sits_out"])
    losers = match.losers
    return {
        "tallies": match.tallies,
        "loser": (losers[0], losers) if len(losers) == 1 else losers or None,
        "losers": losers,
        "over": match.is_over,
    }


SCORE_KINDS: Final = {
    "card_points": _card_points,
    "matadors": _matadors,
    "value": _value,
    "score": _score,
    "levels": _levels,
    "concede": _concede,
    "defenders_concede": _defenders_concede,
    "seeger": _seeger,
    "bierlachs": _bierlachs,
}
