"""Games as ISS records and as columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.arena import Tournament, TournamentResult
from skatai.arena.export import iss_lines, write_columns, write_iss
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.game import Game
from skatai.records.columns import load_columns
from skatai.records.iss import GameOutcome, game_of_replay, read_records
from tests.arena.toys import Lowest, Uniform


class Blank(Lowest):
    """A name with blanks."""

    name = "low est:width=2"


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return Tournament([Uniform(), Blank()], deals_from_seed(3, 25)).run()


def iss_ending(game: Game) -> tuple[int, bool]:
    """Cards played when the rules of the server end a game, and whether they count schwarz that full play avoided.

    An announced schwarz ends with the defenders' first trick, an announced schneider once they have more than 30 points.
    """
    contract, declarer, tricks = game.contract, game.declarer, game.tricks
    if contract is None or not contract.schneider:
        return len(game.plays), False
    lost = own = 0
    for number, trick in enumerate(tricks[:-1], 1):
        winner = tricks[number][0][0]
        own += winner == declarer
        lost += 0 if winner == declarer else sum(card.points for _, card in trick)
        if (number > own) if contract.schwarz else lost > 30:
            result = game.result
            assert result is not None
            return 3 * number, not contract.schwarz and own == 0 and result.tricks[0] > 0
    return len(game.plays), False


def test_every_game_comes_back(result: TournamentResult, tmp_path: Path) -> None:
    path = write_iss(tmp_path / "games.sgf", result.records)
    outcomes = list(read_records(path))
    assert len(outcomes) == len(result.records) == 150
    cut = 0
    for outcome, record in zip(outcomes, result.records, strict=True):
        assert isinstance(outcome, GameOutcome), outcome
        found, game = game_of_replay(outcome.replay), record.replay()
        n = len(found.history)
        assert (found.deal, found.history) == (game.deal, game.history[:n])
        plays, schwarz = iss_ending(game)
        assert len(found.plays) == plays
        assert found.result is not None and found.result.won == record.won
        assert (found.result.score != record.score) == schwarz
        cut += plays < len(game.plays)
        assert outcome.record.players == tuple(name.replace(" ", "_") for name in record.seats)
        assert (outcome.record.series, outcome.record.game_id) == (str(record.deal + 1), str(record.game + 1))
    assert not (tmp_path / "games.sgf.part").exists()
    assert cut > 0


def test_columns(result: TournamentResult, tmp_path: Path) -> None:
    columns = load_columns(write_columns(tmp_path / "games.npz", result.records))
    assert columns.counts == (150, 0, 0)
    differs = [score != record.score for score, record in zip(columns["score"].tolist(), result.records, strict=True)]
    assert differs == [iss_ending(record.replay())[1] for record in result.records]
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
