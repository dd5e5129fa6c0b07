"""The games of a tournament as a Parquet file, for pandas, Polars, DuckDB and the like. Needs ``pip install 'skatai[parquet]'``.

One row a game; the columns are the attributes of :class:`~skatai.arena.records.GameRecord`, with lists where it has tuples and
nulls where it has ``None``. The file's metadata hold the format under ``skatai`` and the settings of the tournament, as JSON, under
``skatai.settings``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from skatai.arena.records import GameRecord
from skatai.errors import RecordError, SkatError
from skatai.records.parquet import need_pyarrow

__all__ = ["FORMAT", "read_parquet", "write_parquet"]

FORMAT: Final = "skatai games 1"
#: games of a row group
_GROUP: Final = 20_000
#: names of Arrow types; a type in brackets is that of a list's elements
_TYPES: Final = {
    "game": "int64",
    "deal": "int64",
    "group": "[string]",
    "seating": "string",
    "seats": "[string]",
    "declarer": "int8",
    "contract": "string",
    "bid": "int16",
    "end": "string",
    "won": "bool_",
    "overbid": "bool_",
    "matadors": "int8",
    "value": "int32",
    "score": "int32",
    "points": "int16",
    "schneider": "bool_",
    "schwarz": "bool_",
    "list_points": "[int32]",
    "decisions": "[int32]",
    "ms": "[float64]",
    "line": "string",
    "claim": "float64",
}


def _schema(pa: Any, settings: Mapping[str, Any] | None) -> Any:
    def arrow_type(name: str) -> Any:
        return pa.list_(getattr(pa, name[1:-1])()) if name.startswith("[") else getattr(pa, name)()

    metadata = {"skatai": FORMAT}
    if settings is not None:
        metadata["skatai.settings"] = json.dumps(settings, ensure_ascii=False)
    return pa.schema([(column, arrow_type(name)) for column, name in _TYPES.items()], metadata=metadata)


def _groups(records: Iterable[GameRecord]) -> Iterator[list[GameRecord]]:
    rest = iter(records)
    while group := list(islice(rest, _GROUP)):
        yield group


def write_parquet(path: str | Path, records: Iterable[GameRecord], settings: Mapping[str, Any] | None = None) -> Path:
    """Write the games to a Parquet file, whole or not at all; returns its path.

    Args:
        path: the file; one that exists is replaced.
        records: the games.
        settings: of the tournament, kept in the metadata.

    Raises:
        SkatError: pyarrow is not installed, or the file cannot be written.
    """
    pa, parquet = need_pyarrow()
    path = Path(path)
    part = path.with_name(path.name + ".part")
    schema = _schema(pa, settings)
    try:
        with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
            for group in _groups(records):
                columns = {name: [getattr(record, name) for record in group] for name in _TYPES}
                writer.write_table(pa.table(columns, schema=schema))
        os.replace(part, path)
    except OSError as error:
        raise SkatError(f"{path}: cannot write games: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return path


def read_parquet(path: str | Path) -> tuple[dict[str, Any] | None, list[GameRecord]]:
    """Settings (``None`` where the file has none) and games of a file of :func:`write_parquet`.

    Raises:
        SkatError: pyarrow is not installed, or the file cannot be read.
        RecordError: it is something else.
    """
    pa, parquet = need_pyarrow()
    try:
        table = parquet.read_table(path)
    except OSError as error:
        raise SkatError(f"{path}: cannot read games: {error.strerror or error}") from None
    except pa.ArrowException as error:
        raise RecordError(f"{path}: not a Parquet file of games: {' '.join(str(error).split())}") from None
    metadata = table.schema.metadata or {}
    if metadata.get(b"skatai", b"").decode() != FORMAT:
        raise RecordError(f"{path}: not a Parquet file of games: expected the format {FORMAT!r} in its metadata")
    settings = metadata.get(b"skatai.settings")
    return None if settings is None else json.loads(settings), [GameRecord.from_dict(row) for row in table.to_pylist()]
