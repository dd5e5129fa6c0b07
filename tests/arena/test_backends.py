"""The same games, bit for bit, whoever plays them: one worker, threads, processes, Ray; any number of workers and tables."""

from __future__ import annotations

import pytest

from skatai.arena import Tournament
from skatai.deal import deals_from_seed

AGENTS = ("rule", "neural", "pimc:worlds=2", "random+rule")
WAYS = (
    ("serial", 1, 1),
    ("serial", 1, 11),
    ("threads", 2, 7),
    ("threads", 3, None),
    ("processes", 1, 13),
    ("processes", 2, None),
    ("processes", 3, 5),
    ("ray", 1, 17),
    ("ray", 2, None),
    ("ray", 3, 4),
)


def _tournament() -> Tournament:
    return Tournament(AGENTS, deals_from_seed(77, 2), seed=6, first={"pimc:worlds=2": 1})


@pytest.fixture(scope="module")
def expected() -> list[object]:
    records = _tournament().run(backend="serial", tables=1000).records
    assert len(records) == _tournament().games == 6 * (6 + 3)
    claimers = {r.seats[r.declarer] for r in records if r.claim is not None and r.declarer is not None}
    assert claimers >= {"rule", "neural", "pimc:worlds=2"}
    return [record.same_game for record in records]


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "workers", "tables"), WAYS)
def test_all_backends_play_the_same_games(
    backend: str, workers: int, tables: int | None, expected: list[object]
) -> None:
    """Compiled, neural and searching agents; claims, decisions and lines of play, but for the times."""
    found = _tournament().run(backend=backend, workers=workers, tables=tables)
    assert [record.same_game for record in found.records] == expected
