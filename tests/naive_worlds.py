"""The slow obvious twin of ``skatai.kernels.worlds``: every placing of the hidden cards, tried one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from skatai.view import PlayerView

ALL = frozenset(range(32))


def cards_of(mask: int) -> frozenset[int]:
    return frozenset(card for card in range(32) if mask >> card & 1)


def mask_of(cards: frozenset[int]) -> int:
    return sum(1 << card for card in cards)


def suit_class(game: int, card: int) -> str:
    """Written out from the rules, not from the tables of the kernels."""
    suit, is_jack = "DHSC"[card // 8], card % 8 == 7
    if game == 5:
        return suit
    if is_jack or suit == "DHSC"[game : game + 1]:
        return "trump"
    return suit


def voids(view: PlayerView, seat: int) -> set[str]:
    """Suit classes in which ``seat`` has shown to have nothing."""
    shown: set[str] = set()
    game = int(view.state["game"])
    plays = view.plays
    for i, (player, card) in enumerate(plays):
        led = suit_class(game, plays[i - i % 3][1])
        if player == seat and suit_class(game, card) != led:
            shown.add(led)
    return shown


def placings(view: PlayerView) -> Iterator[tuple[int, int, int]]:
    """Every (left hand, right hand, pile) of hidden cards that the view admits, as masks. For views during the play."""
    seat, state, contract = view.seat, view.state, view.contract
    assert view.phase == "play" and contract is not None
    game = int(state["game"])
    played = {player: [card for who, card in view.plays if who == player] for player in range(3)}
    known = cards_of(int(state["hands"][seat])) | {card for _, card in view.plays} | cards_of(int(state["discards"]))
    shown = cards_of(int(state["hands"][view.declarer])) if contract.ouvert else frozenset()
    hidden = ALL - known - shown
    left, right = (seat + 1) % 3, (seat + 2) % 3
    size = {other: 0 if shown and other == view.declarer else 10 - len(played[other]) for other in (left, right)}
    void = {other: voids(view, other) for other in (left, right)}
    for a in combinations(sorted(hidden), size[left]):
        if any(suit_class(game, card) in void[left] for card in a):
            continue
        rest = hidden - set(a)
        for b in combinations(sorted(rest), size[right]):
            if not any(suit_class(game, card) in void[right] for card in b):
                yield mask_of(frozenset(a)), mask_of(frozenset(b)), mask_of(rest - set(b))


def count_worlds(view: PlayerView) -> int:
    placed = sum(1 for _ in placings(view))
    contract = view.contract
    assert contract is not None
    return placed * (1 if contract.hand or view.declarer == view.seat else 66)
