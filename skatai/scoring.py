"""Scores: one game (rules 3, 5.1-5.3), lists by Seeger and Fabian (5.4), Bierlachs (6.8).

The arithmetic of a single game is :mod:`skatai.kernels.settle`; here are its faces for people, and the sheets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from skatai.cards import CardSet
from skatai.contract import GAME_NAMES, GRAND, NULL, Contract
from skatai.errors import SkatError, whole_number
from skatai.kernels import settle
from skatai.rng import Rng
from skatai.rules import Rules

__all__ = ["Bierlachs", "GameScore", "SeegerFabianList", "Standing", "list_points", "matadors", "score_game"]


@dataclass(frozen=True, slots=True)
class GameScore:
    """How one game is scored.

    Attributes:
        won: the declarer won.
        overbid: the value did not cover the bid.
        value: game value; of an overbid game the lowest multiple of the base value that covers the bid.
        score: the declarer's score: value, or minus twice the value.
        multiplier: matadors plus levels, before an overbid is looked at; 0 in null.
        schneider: the level schneider counts, reached or announced.
        schwarz: the level schwarz counts.
        text: the declarer's reckoning in words, such as ``with 2, game 3, hand 4, times 24 grand = 96``.
    """

    won: bool
    overbid: bool
    value: int
    score: int
    multiplier: int
    schneider: bool
    schwarz: bool
    text: str


def matadors(game: int, cards: CardSet) -> int:
    """Signed matadors of the declarer's twelve cards: +3 "with three", -2 "without two", 0 in null (rules 3.2).

    >>> matadors(1, CardSet.parse("CJ DJ HA HT HK H8 H7 D9 D8 D7 SA SQ"))
    1
    """
    return int(settle.count_matadors(game, cards.mask))


def _reckoning(contract: Contract, signed: int, schneider: bool, schwarz: bool, base: int) -> tuple[int, str]:
    if contract.game == NULL:
        return 0, contract.name
    count = abs(signed)
    parts = [f"{'with' if signed > 0 else 'without'} {count}"]
    levels = [("game", True), ("hand", contract.hand), ("schneider", schneider), ("announced", contract.schneider)]
    levels += [("schwarz", schwarz), ("announced", contract.schwarz), ("ouvert", contract.ouvert)]
    for name, counts in levels:
        if counts:
            count += 1
            parts.append(f"{name} {count}")
    return count, f"{', '.join(parts)}, times {base} {GAME_NAMES[contract.game]} = {count * base}"


def score_game(
    contract: Contract,
    matadors: int,
    points: int,
    declarer_tricks: int,
    defender_tricks: int,
    bid: int = 0,
    rules: Rules | None = None,
) -> GameScore:
    """Score a game that was played to its end (rules 3.3, 3.4, 5.1, 5.2).

    Args:
        contract: what was declared.
        matadors: signed or not; ignored in null.
        points: the declarer's card points, skat included (0-120).
        declarer_tricks: his tricks.
        defender_tricks: the defenders' tricks; only whether a side has none matters.
        bid: the value at which he became declarer.
        rules: the switches; official by default.

    Raises:
        SkatError: figures that no game has.

    >>> score_game(Contract.parse("C"), 1, 75, 7, 3, bid=30).score
    -72
    """
    game, flags = contract.game, contract.flags
    null = game == NULL
    points = whole_number(points, "score_game: points", 0, 120)
    declarer_tricks = whole_number(declarer_tricks, "score_game: declarer's tricks", 0, 10)
    defender_tricks = whole_number(defender_tricks, "score_game: defenders' tricks", 0, 10)
    bid = whole_number(bid, "score_game: bid", 0, 10_000)
    most = 4 if game == GRAND else 11
    matadors = 0 if null else whole_number(matadors, "score_game: matadors", -most, most)
    if matadors == 0 and not null:
        raise SkatError("score_game: no matadors; a suit game or grand has at least one, with or without")
    packed = (rules or Rules()).to_int()
    schneider = not null and bool(settle.is_schneider(points))
    schwarz = not null and bool(settle.is_schwarz(declarer_tricks, defender_tricks))
    goal = settle.goal_reached(game, flags, points, declarer_tricks, defender_tricks)
    won, overbid, value, score = settle.settle(game, flags, matadors, schneider, schwarz, goal, bid, packed)
    schneider, schwarz = schneider or contract.schneider, schwarz or contract.schwarz
    base = int(settle.base_value(game, packed))
    multiplier, text = _reckoning(contract, matadors, schneider, schwarz, base)
    return GameScore(bool(won), bool(overbid), int(value), int(score), multiplier, schneider, schwarz, text)


def _entered(where: str, declarer: int, score: int, players: int) -> tuple[int, int]:
    """Declarer and score of a game that goes on a sheet."""
    declarer = whole_number(declarer, f"{where}: declarer", 0, players - 1)
    score = whole_number(score, f"{where}: score", -10_000, 10_000)
    if score == 0:
        raise SkatError(f"{where}: a game played has a score other than 0")
    return declarer, score


def list_points(score: int, declarer: int | None, players: int = 3, table: int | None = None) -> tuple[int, ...]:
    """Points of one deal by Seeger and Fabian, for every player at the table (rules 5.4).

    The declarer gets his score and 50, or his loss and -50; when he loses every other player gets 40 (three-table) or 30
    (four-table, the dealer who sat out as well). Passed in (``declarer`` None): nothing.

    Args:
        score: the declarer's signed score.
        declarer: his index among the players, or ``None``.
        players: length of the result.
        table: 3 or 4; ``players`` by default.

    Raises:
        SkatError: no such table or declarer, or a game with a score of 0.

    >>> list_points(-48, 1)
    (40, -98, 40)
    """
    table = players if table is None else table
    if table not in (3, 4) or players not in (3, 4):
        raise SkatError(f"list points: table of {table}, expected 3 or 4")
    if declarer is None:
        return (0,) * players
    declarer, score = _entered("list points", declarer, score, players)
    others = 0 if score > 0 else (40 if table == 3 else 30)
    own = score + 50 if score > 0 else score - 50
    return tuple(own if player == declarer else others for player in range(players))


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ranking."""

    rank: int
    player: int
    total: int
    game_points: int
    won: int
    lost: int


class SeegerFabianList:
    """A score sheet of a three- or four-table (rules 5.4).

    Per player it keeps game points, games won and lost; the total is game points + 50·(won - lost) + 40 or 30 for every game
    lost by somebody else.

    Args:
        table: number of players, 3 or 4.

    Raises:
        SkatError: no such table.
    """

    def __init__(self, table: int = 3) -> None:
        if table not in (3, 4):
            raise SkatError(f"list: table of {table}, expected 3 or 4")
        self.table = table
        self.game_points = [0] * table
        self.won = [0] * table
        self.lost = [0] * table
        self.deals = 0

    def add(self, declarer: int | None, score: int = 0) -> None:
        """Enter a deal: the declarer (player index) and his signed score, or ``None`` when it was passed in.

        Raises:
            SkatError: no such player, or a game with a score of 0; nothing is entered.
        """
        if declarer is not None:
            declarer, score = _entered("list", declarer, score, self.table)
        self.deals += 1
        if declarer is None:
            return
        self.game_points[declarer] += score
        (self.won if score > 0 else self.lost)[declarer] += 1

    def extend(self, deals: Iterable[tuple[int | None, int]]) -> None:
        """Enter several deals."""
        for declarer, score in deals:
            self.add(declarer, score)

    @property
    def totals(self) -> list[int]:
        """Total of each player."""
        bonus = 40 if self.table == 3 else 30
        all_lost = sum(self.lost)
        return [
            self.game_points[p] + 50 * (self.won[p] - self.lost[p]) + bonus * (all_lost - self.lost[p])
            for p in range(self.table)
        ]

    def ranking(self, seed: int | None = None) -> list[Standing]:
        """Best first. Ties: more games won, then fewer lost, then by lot with ``seed``; without a seed they share the rank."""
        totals = self.totals
        keys = [(totals[p], self.won[p], -self.lost[p]) for p in range(self.table)]
        lots = list(range(self.table))
        if seed is not None:
            Rng(seed).shuffle(lots)
        order = sorted(range(self.table), key=lambda p: (*(-part for part in keys[p]), lots[p]))
        standings: list[Standing] = []
        for place, p in enumerate(order):
            tied = seed is None and place > 0 and keys[p] == keys[order[place - 1]]
            rank = standings[-1].rank if tied else place + 1
            standings.append(Standing(rank, p, totals[p], self.game_points[p], self.won[p], self.lost[p]))
        return standings


class Bierlachs:
    """Play to a negative target: only minus points are written (rules 6.8).

    A game won costs each defender its value, a game lost costs the declarer twice the value. The match is over when a tally has
    reached minus the target; the lowest tally loses, a tie is shared.

    Args:
        players: 3 or 4.
        target: positive; 501 is usual.

    Raises:
        SkatError: other numbers.
    """

    def __init__(self, players: int = 3, target: int = 501) -> None:
        self.target = whole_number(target, "Bierlachs: target", 1, 1_000_000)
        self.tallies = [0] * whole_number(players, "Bierlachs: players", 3, 4)

    def add(self, declarer: int | None, score: int = 0, sitting_out: int | None = None) -> None:
        """Enter a deal.

        Args:
            declarer: player index, or ``None`` when it was passed in.
            score: his signed score.
            sitting_out: at a four-table the dealer, who pays nothing.

        Raises:
            SkatError: no such player, one who sits out, or a game with a score of 0.
        """
        if declarer is None:
            return
        declarer, score = _entered("Bierlachs", declarer, score, len(self.tallies))
        if declarer == sitting_out:
            raise SkatError(f"Bierlachs: declarer {declarer} sits out in this deal")
        if score < 0:
            self.tallies[declarer] += score
            return
        for player in range(len(self.tallies)):
            if player not in (declarer, sitting_out):
                self.tallies[player] -= score

    @property
    def is_over(self) -> bool:
        """A tally has reached the target."""
        return min(self.tallies) <= -self.target

    @property
    def losers(self) -> list[int]:
        """Who lost: the lowest tally, several in a tie, nobody before the end."""
        lowest = min(self.tallies)
        return [p for p, tally in enumerate(self.tallies) if tally == lowest] if self.is_over else []
