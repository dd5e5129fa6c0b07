"""Results as JSON: what is written is read back, and a file is never half written."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai.arena.intervals import Interval
from skatai.arena.shares import Proportion
from skatai.bidding.store import PartStore, from_data, one_writer, to_data
from skatai.errors import RecordError, SkatError


@dataclass(frozen=True)
class Part:
    name: str
    interval: Interval | None
    shares: dict[str, Proportion]
    pairs: tuple[tuple[int, float], ...]
    by_seat: tuple[int, int, int]
    values: NDArray[np.float64]
    by_bid: dict[int, list[bool]]


PART = Part(
    "rule",
    Interval(0.5, -math.inf, math.inf, 1),
    {"won": Proportion(1, 2, 1.5)},
    ((18, 0.25), (20, math.nan)),
    (1, 2, 3),
    np.array([0.5, 1.0]),
    {18: [True, False]},
)


def test_round_trip() -> None:
    data = json.loads(json.dumps(to_data(PART), allow_nan=False))
    back = from_data(Part, data)
    assert back.interval == PART.interval and back.shares == PART.shares and back.by_bid == PART.by_bid
    assert back.pairs[0] == (18, 0.25) and math.isnan(back.pairs[1][1])
    assert back.by_seat == (1, 2, 3)
    assert back.values.dtype == np.float64 and back.values.tolist() == [0.5, 1.0]
    assert to_data(back) == data
    assert from_data(Interval | None, None) is None
    assert to_data(np.int64(3)) == 3


def test_parts_are_kept(tmp_path: Path) -> None:
    path, settings = tmp_path / "bidding.json", {"seed": 1, "bidders": ["rule"]}
    store = PartStore(path, settings, {"python": "3"})
    assert "a" not in store and store.get("a", Part) is None
    store.put("a", PART)
    store.put("b", {"x": 1})
    assert [file.name for file in tmp_path.iterdir()] == ["bidding.json"]
    again = PartStore(path, settings, {"python": "4"})
    assert again.versions == {"python": "3"}
    found = again.get("a", Part)
    assert found is not None and found.shares == PART.shares
    with pytest.raises(SkatError, match="seed was 1 and is now 2; choose another folder"):
        PartStore(path, settings | {"seed": 2}, {})
    with pytest.raises(RecordError, match="part 'b' is damaged: KeyError"):
        again.get("b", Part)


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "bidding.json"
    for text in ("", "[]", '{"format": "skatai bidding 1"}', "{"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RecordError, match="not the results of an evaluation"):
            PartStore(path, {}, {})
    path.unlink()
    with pytest.raises(SkatError, match="cannot write results"):
        PartStore(tmp_path / "no" / "bidding.json", {}, {}).put("a", 1)


def test_in_memory() -> None:
    store = PartStore(None, {}, {})
    store.put("a", PART)
    assert "a" in store


def test_one_writer(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with one_writer(folder), pytest.raises(SkatError, match="another run is writing these results"), one_writer(folder):
        pass
    with one_writer(folder):
        pass
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(SkatError, match="cannot write results"), one_writer(tmp_path / "file"):
        pass
