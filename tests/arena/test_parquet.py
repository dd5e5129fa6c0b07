"""Games as Parquet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pyarrow.parquet
import pytest

import skatai.arena.parquet as module
from skatai.arena import GameRecord, Tournament
from skatai.arena.parquet import read_parquet, write_parquet
from skatai.deal import deals_from_seed
from skatai.errors import RecordError, SkatError
from tests.arena.toys import Claiming, Lowest

DEALS = deals_from_seed(31, 5)


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    return Tournament([Claiming(), Lowest()], DEALS, seed=2)


@pytest.fixture(scope="module")
def records(tournament: Tournament) -> tuple[GameRecord, ...]:
    return tournament.run().records


def test_round_trip(tournament: Tournament, records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "games.parquet", records, tournament.settings)
    settings, found = read_parquet(path)
    assert settings == tournament.settings
    assert found == list(records)  # times and claims included
    assert {record.declarer for record in records} >= {None, 0}
    assert {record.claim is None for record in records} == {True, False}


def test_row_groups(records: tuple[GameRecord, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GROUP", 7)
    path = write_parquet(tmp_path / "games.parquet", iter(records))
    assert pyarrow.parquet.ParquetFile(path).num_row_groups == 5
    assert read_parquet(path) == (None, list(records))


def test_columns_are_the_fields_of_a_record(records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    """Types do not depend on the games: a file of one game that was passed in has no null column."""
    path = write_parquet(tmp_path / "games.parquet", [replace(records[0], declarer=None, contract=None, claim=None)])
    schema = pyarrow.parquet.read_schema(path)
    assert schema.names == [field.name for field in fields(GameRecord)]
    assert str(schema.field("declarer").type) == "int8"
    assert str(schema.field("contract").type) == "string"
    assert str(schema.field("claim").type) == "double"
    assert str(schema.field("list_points").type) == "list<element: int32>"


def test_no_games(tmp_path: Path) -> None:
    assert read_parquet(write_parquet(tmp_path / "games.parquet", [])) == (None, [])


def test_other_files(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), other)
    with pytest.raises(RecordError, match="expected the format 'skatai games 1'"):
        read_parquet(other)
    other.write_text("no Parquet at all, but long enough to have a footer", encoding="utf-8")
    with pytest.raises(RecordError, match="not a Parquet file of games"):
        read_parquet(other)
    with pytest.raises(SkatError, match=r"missing\.parquet: cannot read games"):
        read_parquet(tmp_path / "missing.parquet")


def test_a_file_is_whole_or_not_there(records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    def torn() -> Iterator[GameRecord]:
        yield records[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_parquet(tmp_path / "games.parquet", torn())
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SkatError, match="cannot write games"):
        write_parquet(tmp_path / "no" / "games.parquet", records)


def test_without_pyarrow(records: tuple[GameRecord, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (lambda path: write_parquet(path, records), read_parquet):
        with pytest.raises(SkatError, match=r"pip install 'skatai\[parquet\]'"):
            call(tmp_path / "games.parquet")
