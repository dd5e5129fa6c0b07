"""Every game of a tournament in forms that other programs read: records of the Internet Skat Server, and columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from skatai.arena.records import GameRecord
from skatai.contract import Contract
from skatai.errors import SkatError
from skatai.game import Game
from skatai.records.columns import columns_of, save_columns
from skatai.records.iss import format_record, read_records, record_of_game
from skatai.records.outcomes import GameOutcome

__all__ = ["iss_lines", "write_columns", "write_iss"]


def _as_on_the_server(record: GameRecord) -> Game:
    """The game; one lost by an announced schneider or schwarz is over at once there, so that its last cards are left out."""
    game = record.replay()
    if record.contract is None or not Contract.parse(record.contract).schneider:
        return game
    shorter = Game(game.deal, rules=replace(game.rules, early_end="iss"))
    for _, name in game.history:
        if not shorter.is_over:
            shorter.play(name)
    return shorter


def iss_lines(records: Iterable[GameRecord]) -> Iterator[str]:
    """Each game as one ISS record: ``SE`` is the number of the deal, ``ID`` that of the game (from 1), ``CO`` the seating.

    The server breaks off a game in which an announced schneider or schwarz cannot be reached any more; so do the records. It
    looks at the tricks so far only, so that such a game may cost the declarer one level (schwarz) more than here.

    Raises:
        RecordError: a game by rules that ISS records cannot express.
    """
    for record in records:
        first, second, third = ("_".join(name.split()) for name in record.seats)
        yield format_record(
            record_of_game(
                _as_on_the_server(record),
                players=(first, second, third),
                comment=record.seating,
                series=record.deal + 1,
                game_id=record.game + 1,
            )
        )


def write_iss(path: str | Path, records: Iterable[GameRecord]) -> Path:
    """Write :func:`iss_lines` to a file, whole or not at all; returns its path.

    Raises:
        RecordError: a game by rules that ISS records cannot express.
        SkatError: the file cannot be written.
    """
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in iss_lines(records))
        os.replace(part, path)
    except OSError as error:
        raise SkatError(f"{path}: cannot write records: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return path


def write_columns(path: str | Path, records: Iterable[GameRecord]) -> Path:
    """Write the games as columns (:mod:`skatai.records.columns`, ``.npz``); returns the path.

    Raises:
        RecordError: a game by rules that ISS records cannot express, or the file cannot be written.
    """
    text = "".join(f"{line}\n" for line in iss_lines(records))
    games = [found for found in read_records(text.encode()) if isinstance(found, GameOutcome)]
    save_columns(path, columns_of(games, "tournament"), (len(games), 0, 0))
    return Path(path)
