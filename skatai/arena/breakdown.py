"""Where an agent gains and loses: its games by role, contract, seat, bid and kind of game.

All means are list points per game of that row, with the cluster-robust 95 % interval over deals. Shares of games won have Wilson's
interval with the effective sample size (:mod:`skatai.arena.shares`), since the games on one deal resemble each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from skatai.arena.intervals import Interval
from skatai.arena.records import GameRecord
from skatai.arena.resampling import cluster_interval
from skatai.arena.shares import Proportion, proportion
from skatai.arena.stats import is_hand
from skatai.contract import GAME_NAMES, Contract
from skatai.seats import SEAT_NAMES

__all__ = ["BID_LEVELS", "DIMENSIONS", "Row", "breakdown"]

DIMENSIONS: Final = ("role", "contract", "seat", "bid", "kind of game")
#: lowest value of each level
BID_LEVELS: Final = (18, 20, 24, 36, 60)
_BID_NAMES: Final = ("18", "20–23", "24–35", "36–59", "60 and more")
_ORDER: Final = {
    name: place
    for place, name in enumerate(
        ("declarer", "defender", "passed in", *GAME_NAMES, *SEAT_NAMES, *_BID_NAMES, "with skat", "hand", "ouvert")
    )
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a breakdown.

    Attributes:
        agent: whose games.
        dimension: one of :data:`DIMENSIONS`; all but ``role`` count the games it declared.
        value: such as ``defender``, ``grand``, ``forehand``, ``18``, ``hand``.
        games: how many.
        won: by its side; ``None`` for games passed in.
        points: list points per game.
    """

    agent: str
    dimension: str
    value: str
    games: int
    won: Proportion | None
    points: Interval


def bid_level(bid: int) -> str:
    """The name of the level that a bid falls into.

    >>> bid_level(23), bid_level(264)
    ('20–23', '60 and more')
    """
    return _BID_NAMES[max(0, sum(bid >= low for low in BID_LEVELS) - 1)]


def _kind(contract: Contract) -> str:
    return "ouvert" if contract.ouvert else "hand" if is_hand(str(contract)) else "with skat"


def _rows_of(record: GameRecord, seat: int) -> list[tuple[str, str]]:
    """The rows in which a game counts for the player of ``seat``."""
    if record.declarer is None or record.contract is None:
        return [("role", "passed in")]
    if record.declarer != seat:
        return [("role", "defender")]
    contract = Contract.parse(record.contract)
    return [
        ("role", "declarer"),
        ("contract", GAME_NAMES[contract.game]),
        ("seat", SEAT_NAMES[seat]),
        ("bid", bid_level(record.bid)),
        ("kind of game", _kind(contract)),
    ]


def breakdown(records: Iterable[GameRecord], agents: Sequence[str]) -> list[Row]:
    """The rows of every agent, in the order of ``agents``, of :data:`DIMENSIONS` and of the game.

    Args:
        records: games of complete deals (:func:`~skatai.arena.stats.complete_records`).
        agents: names.
    """
    found: dict[tuple[str, str, str], list[tuple[int, int, bool]]] = defaultdict(list)
    for record in records:
        for seat, (name, points) in enumerate(zip(record.seats, record.list_points, strict=True)):
            won = record.won if record.declarer == seat else not record.won
            for dimension, value in _rows_of(record, seat):
                found[name, dimension, value].append((record.deal, points, won))
    keys = sorted(found, key=lambda key: (agents.index(key[0]), DIMENSIONS.index(key[1]), _ORDER[key[2]]))
    return [_row(key, found[key]) for key in keys]


def _row(key: tuple[str, str, str], games: Sequence[tuple[int, int, bool]]) -> Row:
    counts = Counter(deal for deal, _, _ in games)
    sums: Counter[int] = Counter()
    for deal, points, _ in games:
        sums[deal] += points
    mean = cluster_interval([sums[deal] for deal in counts], list(counts.values()))
    won = None
    if key[2] != "passed in":
        won = proportion([won for _, _, won in games], [deal for deal, _, _ in games])
    return Row(*key, len(games), won, mean)
