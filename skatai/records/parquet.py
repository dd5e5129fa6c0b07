"""Columns of games as a Parquet file, for pandas, Polars, DuckDB and the like. Needs ``pip install 'skatai[parquet]'``.

One row a game, with the columns of :mod:`skatai.records.columns` and their types, but for these:

===========================  =========================================================================================
``actions``                  list of action ids (the offsets are gone)
``events``                   list of triples
``players place source``     texts; null where there is none
===========================  =========================================================================================

Columns of two dimensions are lists of fixed length. The metadata hold the format under ``skatai`` and how many games, views and
quarantined records there were, as JSON, under ``skatai.counts``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from skatai.errors import RecordError, SkatError

__all__ = ["FORMAT", "need_pyarrow", "save_parquet"]

FORMAT: Final = "skatai columns 1"
#: lists of different length and where they begin; texts and the table they index
_RAGGED: Final = {"actions": "action_offsets", "events": "event_offsets"}
_TABLES: Final = {"players": "names", "place": "places", "source": "sources"}


def need_pyarrow() -> tuple[ModuleType, ModuleType]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        SkatError: not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SkatError("Parquet files need pyarrow: pip install 'skatai[parquet]'") from None
    return pyarrow, pyarrow.parquet


def _texts(pa: Any, numbers: Any, texts: list[str]) -> Any:
    """The texts of a table by their numbers; bytes that are no UTF-8 are replaced."""
    table = [text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for text in texts]
    flat = np.asarray(numbers).reshape(-1)
    return pa.array([table[k] if k >= 0 else None for k in flat.tolist()], type=pa.string())


def _column(pa: Any, name: str, columns: Mapping[str, Any]) -> Any:
    values = columns[name]
    width = values.shape[1] if values.ndim == 2 else 0
    flat = _texts(pa, values, columns[_TABLES[name]]) if name in _TABLES else pa.array(values.reshape(-1))
    array = pa.FixedSizeListArray.from_arrays(flat, width) if width else flat
    if name in _RAGGED:
        array = pa.LargeListArray.from_arrays(pa.array(columns[_RAGGED[name]]), array)
    return array


def save_parquet(path: str | Path, columns: Mapping[str, Any], counts: tuple[int, int, int]) -> None:
    """Write columns to a Parquet file, whole or not at all.

    Args:
        path: the file.
        columns: from :func:`~skatai.records.columns.columns_of`, :func:`~skatai.records.columns.concatenate` or
            :func:`~skatai.records.columns.load_columns`.
        counts: games, views and quarantined records of the source.

    Raises:
        SkatError: pyarrow is not installed.
        RecordError: the file cannot be written.
    """
    pa, parquet = need_pyarrow()
    left_out = {*_RAGGED.values(), *_TABLES.values()}
    table = pa.table({name: _column(pa, name, columns) for name in columns if name not in left_out})
    metadata = {"skatai": FORMAT, "skatai.counts": json.dumps(list(counts))}
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        parquet.write_table(table.replace_schema_metadata(metadata), part, compression="zstd")
        os.replace(part, path)
    except OSError as error:
        raise RecordError(f"{path}: cannot write columns: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
