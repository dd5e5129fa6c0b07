"""The hands that a player held in the games of a tournament, and what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from skatai.arena.records import GameRecord
from skatai.contract import Contract

__all__ = ["Hand", "auction_of", "hands_of", "points_by_deal"]


@dataclass(frozen=True, slots=True)
class Hand:
    """What became of one hand that a player held.

    Attributes:
        deal: index of the deal.
        seat: 0 forehand, 1 middlehand, 2 rearhand.
        declared: it became declarer.
        passed_in: nobody did.
        uncontested: no other player bid or held, so that the game was there for the taking at 18.
        last_chance: forehand, after both others had passed.
        contract: what it declared, or ``None``.
        bid: at which it got the game.
        value: the game value, as scored.
        won: it declared and won.
        overbid: it declared a game whose value did not cover the bid.
        schneider: it declared a game in which the level schneider counts.
        score: the declarer's score where it declared, else 0.
        list_points: its points by Seeger and Fabian.
    """

    deal: int
    seat: int
    declared: bool
    passed_in: bool
    uncontested: bool
    last_chance: bool
    contract: Contract | None
    bid: int
    value: int
    won: bool
    overbid: bool
    schneider: bool
    score: int
    list_points: int


def auction_of(record: GameRecord) -> list[tuple[int, str]]:
    """The auction of a game as ``(seat, call)``, a call being a value, ``y`` (hold) or ``p`` (pass) as in its line.

    Replaying the game would tell the same, a hundred times slower.
    """
    calls, spoken = record.line.split()[2].split(","), []
    caller, responder, turn = 1, 0, 1
    for call in calls:
        spoken.append((turn, call))
        if call != "p":
            turn = responder if turn == caller else caller
        elif caller == 2:
            turn = 0  # forehand's last chance, if there is a call left
        else:
            survivor = responder if turn == caller else caller
            caller, responder, turn = 2, survivor, 2
    return spoken


def _hand(record: GameRecord, seat: int, calls: Sequence[tuple[int, str]]) -> Hand:
    mine = record.declarer == seat and record.contract is not None
    return Hand(
        deal=record.deal,
        seat=seat,
        declared=mine,
        passed_in=record.declarer is None,
        uncontested=all(call == "p" for who, call in calls if who != seat),
        last_chance=seat == 0 and len(calls) > 2 and calls[:2] == [(1, "p"), (2, "p")],
        contract=Contract.parse(record.contract) if mine and record.contract else None,
        bid=record.bid if mine else 0,
        value=record.value if mine else 0,
        won=mine and record.won,
        overbid=mine and record.overbid,
        schneider=mine and record.schneider,
        score=record.score if mine else 0,
        list_points=record.list_points[seat],
    )


def hands_of(records: Iterable[GameRecord], name: str) -> list[Hand]:
    """Every hand that the player ``name`` held, in the order of the games."""
    found = []
    for record in records:
        seats = [seat for seat in range(3) if record.seats[seat] == name]
        calls = auction_of(record) if seats else []
        found += [_hand(record, seat, calls) for seat in seats]
    return found


def points_by_deal(hands: Iterable[Hand]) -> dict[int, float]:
    """Mean list points of the hands of each deal."""
    found: dict[int, list[int]] = defaultdict(list)
    for hand in hands:
        found[hand.deal].append(hand.list_points)
    return {deal: fmean(points) for deal, points in sorted(found.items())}
