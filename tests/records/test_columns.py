"""Columns, surveys and the command ``skatai records``."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from skatai.cli import main
from skatai.errors import RecordError
from skatai.kernels.events import EVENT_CONCEDE, EVENT_LEAVE, EVENT_TIME_OUT, apply_event
from skatai.kernels.moves import apply_move, is_legal
from skatai.kernels.state import new_state, set_deal
from skatai.records import GameOutcome, read_records
from skatai.records.columns import Columns, columns_of, concatenate, load_columns, save_columns
from skatai.records.iss import generate_lines
from skatai.records.survey import survey_files
from skatai.rules import Rules

REAL = Path(__file__).parents[1] / "data" / "iss_records.sgf"
_EVENTS = {0: EVENT_CONCEDE, 2: EVENT_TIME_OUT, 3: EVENT_LEAVE}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Synthetic records, some of them broken, views or doubled."""
    lines = list(generate_lines(4, 300))
    lines[7] = lines[7].replace("]R[", "]R[x")
    lines[20] = "junk\n"
    lines[50] = lines[50].replace("]P0[", "]OW[1]P0[")
    lines[90] = lines[3]
    path = tmp_path_factory.mktemp("records") / "mixed.sgf.gz"
    path.write_bytes(gzip.compress("".join(lines).encode()))
    return path


def test_columns_rebuild_every_game(mixed: Path, tmp_path: Path) -> None:
    _, arrays = survey_files([mixed], columns=True)
    save_columns(tmp_path / "x.npz", arrays, (297, 1, 2))
    columns = load_columns(tmp_path / "x.npz")
    outcomes = [outcome for outcome in read_records(mixed) if isinstance(outcome, GameOutcome)]
    assert columns.counts == (297, 1, 2) and columns.n_games == len(outcomes) == 297
    for i, outcome in enumerate(outcomes):
        record, replay = outcome.record, outcome.replay
        deal = columns.deal_of(i)
        assert deal == record.deal
        state = new_state()
        set_deal(state, *deal.masks, Rules.iss().to_int())
        events = [tuple(event) for event in columns.events_of(i).tolist()]
        for number, action in enumerate([*columns.actions_of(i).tolist(), None]):
            while events and events[0][0] == number:
                _, kind, seat = events.pop(0)
                if kind in _EVENTS:
                    apply_event(state, _EVENTS[kind], seat)
            if action is not None:
                assert is_legal(state, action)
                apply_move(state, action)
        assert state == replay.state
        assert columns.players_of(i) == record.players
        assert columns["places"][columns["place"][i]] == record.place
        assert (columns["line"][i], columns["game_id"][i]) == (outcome.line, int(record.game_id or -1))
        assert tuple(columns["bots"][i]) == record.bots
        assert columns["time"][i] == (record.time.timestamp() if record.time else -1)
        assert [None if np.isnan(r) else pytest.approx(float(r)) for r in columns["ratings"][i]] == list(record.ratings)
        for name in (
            "won",
            "overbid",
            "score",
            "matadors",
            "points",
            "tricks",
            "schneider",
            "schwarz",
            "left",
            "timed_out",
        ):
            assert columns[name][i] == getattr(replay.result, name), name
        for name in ("complete", "claimed", "aborted", "resigned", "split"):
            assert columns[name][i] == getattr(replay, name), name
        assert columns["duplicate"][i] == (outcome.duplicate_of is not None)
        assert tuple(columns["penalties"][i]) == replay.result.penalties
        if replay.result.kind == "game":
            assert columns["declarer"][i] == replay.result.declarer
    assert columns["duplicate"].sum() == 1
    assert set(columns) >= {"names", "places", "sources", "deal", "limits", "kind"}


def test_surveys_do_not_depend_on_the_number_of_processes(mixed: Path) -> None:
    one, columns = survey_files([mixed, REAL], columns=True)
    two, same = survey_files([mixed, REAL], columns=True, workers=2)
    assert one == two
    assert one.counts == (321, 1, 2) and one.duplicates == 1 and one.n_records == 324
    assert [(line, reason.split(":")[0]) for _, line, reason in one.quarantine] == [
        (8, "R"),
        (21, "text outside a record"),
    ]
    assert sum(one.contracts.values()) == one.results["game"] == sum(one.bids.values())
    assert sum(one.endings.values()) == 321
    assert set(columns) == set(same)
    for name in columns:
        assert np.array_equal(columns[name], same[name], equal_nan=name == "ratings")


def test_joining_columns_renumbers_names(mixed: Path) -> None:
    games = [outcome for outcome in read_records(mixed) if isinstance(outcome, GameOutcome)]
    parts = [columns_of(games[:100], "x"), columns_of([], "x"), columns_of(games[100:], "x")]
    joined, whole = Columns(concatenate(parts), (297, 0, 0)), Columns(columns_of(games, "x"), (297, 0, 0))
    for i in range(297):
        assert joined.players_of(i) == whole.players_of(i)
        assert joined.actions_of(i).tolist() == whole.actions_of(i).tolist()
        assert joined.events_of(i).tolist() == whole.events_of(i).tolist()
    assert concatenate([])["deal"].shape == (0, 32)


def test_files_that_are_no_columns(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("hello")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "array.npz", np.zeros(3))
    (tmp_path / "array.npz.npy").rename(tmp_path / "array.npz")
    for name in ("none.npz", "text.npz", "other.npz", "array.npz"):
        with pytest.raises(RecordError):
            load_columns(tmp_path / name)
    with pytest.raises(RecordError, match="cannot write"):
        save_columns(tmp_path / "no" / "x.npz", columns_of([]), (0, 0, 0))


def test_the_command_tells_what_is_in_a_file(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games.npz"
    assert main(["records", str(mixed), str(REAL), "--out", str(out)]) == 0
    text = capsys.readouterr().out
    for words in (
        "quarantine",
        "declarer won",
        "winning bid",
        "played to the end",
        "defenders resigned",
        "line 21: text outside",
    ):
        assert words in text
    assert load_columns(out).n_games == 321
    assert [Path(name).name for name in load_columns(out)["sources"]] == ["mixed.sgf.gz", "iss_records.sgf"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no files given"),
        (["none.sgf"], "no such file"),
        ([str(REAL), "none.sgf"], "no such file"),
        ([str(REAL), "--workers", "0"], "--workers"),
        ([str(REAL), "--out", "x.csv"], "ends in .npz"),
        ([str(REAL), "--out", "nowhere/x.npz"], "folder does not exist"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["records", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and words in captured.err


@pytest.mark.parametrize("content", [b"", b"# nothing but a comment\n"])
def test_a_file_without_records_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    path = tmp_path / "empty.sgf"
    path.write_bytes(content)
    assert main(["records", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"no records in {path}" in captured.err
