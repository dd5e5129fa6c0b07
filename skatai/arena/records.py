"""One finished game as a row of a tournament's log."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from skatai.errors import RecordError
from skatai.game import Game

__all__ = ["GameRecord"]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a tournament: who sat where, what came of it, and the game itself.

    Attributes:
        game: its number in the tournament; the same for every run with the same settings.
        deal: index of the deal.
        group: the players who meet, ``A`` first.
        seating: who sat forehand, middlehand and rearhand, as letters of the group (``"ABB"``).
        seats: the same as names.
        declarer: seat, or ``None`` when the deal was passed in.
        contract: as in ISS records (``"GH"``), or ``None``.
        bid: the value at which the declarer got the game.
        end: ``played``, ``passed_in``, … (``Result.end_reason``).
        won: the declarer won.
        overbid: the value did not cover the bid.
        matadors: signed.
        value: game value.
        score: the declarer's score.
        points: the declarer's card points.
        schneider: the level schneider counts.
        schwarz: the level schwarz counts.
        list_points: Seeger-Fabian points of the three seats.
        decisions: how often each seat was asked; moves without a choice are not asked for.
        ms: milliseconds each seat thought in all. The only field that differs between runs.
        line: the whole game in the one-line form of :class:`~skatai.game.Game`, for replaying.
        claim: the chance of winning that the declarer gave itself before the first lead, to six decimals; ``None`` where it makes
            no claims (and in logs from before there were any).
    """

    game: int
    deal: int
    group: tuple[str, ...]
    seating: str
    seats: tuple[str, ...]
    declarer: int | None
    contract: str | None
    bid: int
    end: str
    won: bool
    overbid: bool
    matadors: int
    value: int
    score: int
    points: int
    schneider: bool
    schwarz: bool
    list_points: tuple[int, ...]
    decisions: tuple[int, ...]
    ms: tuple[float, ...]
    line: str
    claim: float | None = None

    def to_json(self) -> str:
        """One line of JSON."""
        row = {name: getattr(self, name) for name in self.__slots__}  # asdict would copy every value
        return json.dumps(row, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_dict(cls, data: Any) -> GameRecord:
        """From the parsed JSON.

        Raises:
            RecordError: not an object with exactly these fields (``claim`` may be missing).
        """
        names = [field.name for field in fields(cls)]
        if not isinstance(data, dict) or sorted({"claim", *data}) != sorted(names):
            raise RecordError(f"not the row of a game: expected the fields {', '.join(names)}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**values)

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """Read :meth:`to_json`.

        Raises:
            RecordError: not such a line.
        """
        try:
            data = json.loads(text)
        except ValueError as error:
            raise RecordError(f"not the row of a game: {error}") from None
        return cls.from_dict(data)

    def replay(self) -> Game:
        """The game, replayed by the rules."""
        return Game.parse(self.line)

    @property
    def same_game(self) -> tuple[Any, ...]:
        """Everything but the times: equal in every run with the same settings."""
        return tuple(getattr(self, field.name) for field in fields(self) if field.name != "ms")
