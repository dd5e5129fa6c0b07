"""Games as ISS records and as columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.arena import Tournament, TournamentResult
from skatai.arena.export import iss_lines, write_columns, write_iss
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.records.columns import load_columns
from skatai.records.iss import GameOutcome, game_of_replay, read_records
from tests.arena.toys import Lowest, Uniform


class Blank(Lowest):
    """A name with blanks."""

    name = "low est:width=2"


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return Tournament([Uniform(), Blank()], deals_from_seed(3, 25)).run()


def test_every_game_comes_back(result: TournamentResult, tmp_path: Path) -> None:
    path = write_iss(tmp_path / "games.sgf", result.records)
    outcomes = list(read_records(path))
    assert len(outcomes) == len(result.records) == 150
    shorter = 0
    for outcome, record in zip(outcomes, result.records, strict=True):
        assert isinstance(outcome, GameOutcome), outcome
        found, game = game_of_replay(outcome.replay), record.replay()
        n = len(found.history)
        assert (found.deal, found.history) == (game.deal, game.history[:n])
        assert found.result is not None and found.result.won == record.won
        shorter += n < len(game.history)
        assert found.result.score == record.score or (n < len(game.history) and found.result.score < record.score)
        assert outcome.record.players == tuple(name.replace(" ", "_") for name in record.seats)
        assert (outcome.record.series, outcome.record.game_id) == (str(record.deal + 1), str(record.game + 1))
    assert not (tmp_path / "games.sgf.part").exists()
    assert 0 < shorter < 75  # an announced schneider or schwarz was out of reach


def test_columns(result: TournamentResult, tmp_path: Path) -> None:
    columns = load_columns(write_columns(tmp_path / "games.npz", result.records))
    assert columns.counts == (150, 0, 0)
    same = [score == record.score for score, record in zip(columns["score"].tolist(), result.records, strict=True)]
    assert sum(same) >= 120  # all but some with an announced schneider out of reach
    declarers = [-1 if record.declarer is None else record.declarer for record in result.records]
    assert columns["declarer"].tolist() == declarers
    assert set(columns["names"]) == {"uniform", "low_est:width=2"}
    assert not columns["duplicate"].any()


def test_nothing_is_left_of_a_failed_write(result: TournamentResult, tmp_path: Path) -> None:
    with pytest.raises(SkatError, match="cannot write records"):
        write_iss(tmp_path / "no" / "games.sgf", result.records)
    assert list(tmp_path.iterdir()) == []


def test_lines(result: TournamentResult) -> None:
    line = next(iss_lines(result.records))
    assert line.startswith("(;GM[Skat]PC[skatai]CO[ABB]SE[1]ID[1]")
