"""The log: torn lines, resuming, other settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skatai.arena import Tournament, TournamentResult, read_log
from skatai.arena.tournament import LOG_NAME
from skatai.deal import deals_from_seed, read_deals
from skatai.errors import AgentError, RecordError, SkatError
from tests.arena.toys import Illegal, Lowest, Uniform

DEALS = deals_from_seed(8, 4)


def _tournament(seed: int = 1) -> Tournament:
    return Tournament([Uniform(), Lowest()], DEALS, seed=seed)


def _games(result: TournamentResult) -> list[object]:
    return [record.same_game for record in result.records]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[object]]:
    out = tmp_path_factory.mktemp("whole")
    result = _tournament().run(out, tables=5)
    return (out / LOG_NAME).read_bytes(), _games(result)


def test_log_holds_settings_and_games(whole: tuple[bytes, list[object]], tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(whole[0])
    header, records = read_log(tmp_path / LOG_NAME)
    assert header["settings"]["agents"] == ["uniform", "lowest"]
    assert header["settings"]["design"] == "pair-six"
    assert "numpy" in header["versions"]
    assert [record.same_game for record in records] == whole[1]


def test_deals_are_kept_beside_the_games(tmp_path: Path) -> None:
    _tournament().run(tmp_path)
    assert read_deals(tmp_path / "deals.txt") == DEALS


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fraction=st.floats(0, 1))
def test_resume_after_a_cut_anywhere(whole: tuple[bytes, list[object]], tmp_path: Path, fraction: float) -> None:
    data, games = whole
    log = tmp_path / LOG_NAME
    log.write_bytes(data[: int(fraction * len(data))])
    result = _tournament().run(tmp_path, tables=7)
    assert _games(result) == games
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(games)
    assert all(json.loads(line) for line in lines)


@pytest.mark.parametrize("cut", [0, 1, 20, -1, -2, -300])
def test_resume_after_particular_cuts(whole: tuple[bytes, list[object]], tmp_path: Path, cut: int) -> None:
    data, games = whole
    (tmp_path / LOG_NAME).write_bytes(data[:cut])
    result = _tournament().run(tmp_path)
    assert _games(result) == games
    assert len(read_log(tmp_path / LOG_NAME)[1]) == len(games)


def test_a_finished_tournament_is_left_alone(whole: tuple[bytes, list[object]], tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(whole[0])
    _tournament().run(tmp_path)
    assert (tmp_path / LOG_NAME).read_bytes() == whole[0]


def test_other_settings_are_refused(whole: tuple[bytes, list[object]], tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(whole[0])
    with pytest.raises(SkatError, match="seed was 1 and is now 2"):
        _tournament(seed=2).run(tmp_path)
    with pytest.raises(SkatError, match="deals was 4 and is now 3"):
        Tournament([Uniform(), Lowest()], DEALS[:3], seed=1).run(tmp_path)
    assert (tmp_path / LOG_NAME).read_bytes() == whole[0]


def test_a_damaged_line_is_named(whole: tuple[bytes, list[object]], tmp_path: Path) -> None:
    lines = whole[0].splitlines(keepends=True)
    lines[3] = b"{}\n"
    (tmp_path / LOG_NAME).write_bytes(b"".join(lines))
    with pytest.raises(RecordError, match=r"games\.jsonl, line 4: not the row of a game"):
        _tournament().run(tmp_path)


@pytest.mark.parametrize("text", ["my diary\nof today\n", "my diary", '{"format": "a song"}\n', '{"form": 1'])
def test_another_file_is_not_touched(text: str, tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match="not the log of a tournament"):
        _tournament().run(tmp_path)
    assert (tmp_path / LOG_NAME).read_text(encoding="utf-8") == text


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with _tournament().open_log(tmp_path), pytest.raises(SkatError, match="another run"):
        _tournament().run(tmp_path)
    _tournament().run(tmp_path)


def test_games_before_an_agents_error_are_kept(tmp_path: Path) -> None:
    """Until its illegal card the agent acts like its sound twin."""
    deals = deals_from_seed(8, 20)
    with pytest.raises(AgentError):
        Tournament([Illegal(), Lowest()], deals).run(tmp_path, tables=120)
    _, kept = read_log(tmp_path / LOG_NAME)
    assert kept
    twin = Uniform()
    twin.name = "illegal"
    sound = {record.game: record for record in Tournament([twin, Lowest()], deals).run().records}
    assert all(record.same_game == sound[record.game].same_game for record in kept)
    assert len(kept) < len(sound)


def test_missing_log(tmp_path: Path) -> None:
    with pytest.raises(SkatError, match="cannot read"):
        read_log(tmp_path / "nothing")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SkatError, match="cannot write"):
        _tournament().run(tmp_path / "file" / "out")
