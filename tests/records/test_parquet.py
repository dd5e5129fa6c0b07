"""Columns of records as Parquet."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from skatai.cli import main
from skatai.errors import RecordError, SkatError
from skatai.records.columns import columns_of, load_columns
from skatai.records.parquet import save_parquet
from skatai.records.survey import survey_files

REAL = Path(__file__).parents[1] / "data" / "iss_records.sgf"


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def test_every_column_of_every_game(tmp_path: Path) -> None:
    """The command writes both forms; what they hold is the same."""
    for name in ("x.npz", "x.parquet"):
        assert main(["records", str(REAL), "--out", str(tmp_path / name)]) == 0
    columns, rows = load_columns(tmp_path / "x.npz"), _rows(tmp_path / "x.parquet")
    assert len(rows) == columns.n_games > 10
    texts = {"players", "place", "source"}
    plain = [name for name in rows[0] if name not in {"actions", "events", *texts}]
    assert {
        *plain,
        *texts,
        "actions",
        "events",
        "action_offsets",
        "event_offsets",
        "names",
        "places",
        "sources",
    } == set(columns)
    for i, row in enumerate(rows):
        assert row["actions"] == columns.actions_of(i).tolist()
        assert row["events"] == columns.events_of(i).tolist()
        assert tuple(row["players"]) == columns.players_of(i)
        assert row["source"] == columns["sources"][columns["source"][i]]
        place = int(columns["place"][i])
        assert row["place"] == (columns["places"][place] if place >= 0 else None)
        for name in plain:
            np.testing.assert_array_equal(np.array(row[name]), columns[name][i])


def test_types_and_metadata(tmp_path: Path) -> None:
    _, arrays = survey_files([REAL], columns=True)
    save_parquet(tmp_path / "x.parquet", arrays, (5, 1, 2))
    schema = pyarrow.parquet.read_schema(tmp_path / "x.parquet")
    assert schema.metadata[b"skatai"] == b"skatai columns 1"
    assert json.loads(schema.metadata[b"skatai.counts"]) == [5, 1, 2]
    types = {name: str(schema.field(name).type) for name in ("score", "won", "deal", "actions", "players")}
    assert types == {
        "score": "int16",
        "won": "bool",
        "deal": "fixed_size_list<element: uint8>[32]",
        "actions": "large_list<element: uint8>",
        "players": "fixed_size_list<element: string>[3]",
    }


def test_names_that_are_no_utf8_are_replaced(tmp_path: Path) -> None:
    _, arrays = survey_files([REAL], columns=True)
    arrays["names"][int(arrays["players"][0, 0])] = "J\udcfcrgen"
    save_parquet(tmp_path / "x.parquet", arrays, (0, 0, 0))
    assert _rows(tmp_path / "x.parquet")[0]["players"][0] == "J\ufffdrgen"


def test_no_games(tmp_path: Path) -> None:
    save_parquet(tmp_path / "x.parquet", columns_of([]), (0, 0, 0))
    assert _rows(tmp_path / "x.parquet") == []


def test_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RecordError, match="cannot write columns"):
        save_parquet(tmp_path / "no" / "x.parquet", columns_of([]), (0, 0, 0))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SkatError, match=r"pip install 'skatai\[parquet\]'"):
        save_parquet(tmp_path / "x.parquet", columns_of([]), (0, 0, 0))


def test_the_command_says_what_is_missing_before_it_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["records", str(REAL), "--out", str(tmp_path / "x.csv")]) == 2
    assert "expected a name that ends in .npz or .parquet" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["records", str(REAL), "--out", str(tmp_path / "x.parquet")]) == 2
    captured = capsys.readouterr()
    assert "need pyarrow" in captured.err and not captured.out
