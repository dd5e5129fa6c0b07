"""A run that is killed, and two runs on one folder, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skatai.arena import Tournament, read_log
from skatai.arena.tournament import LOG_NAME
from skatai.cli import main
from skatai.deal import deals_from_seed
from skatai.rng import Rng

KILLS = 20
DEALS = 3000


def _start(out: Path, deals: int, workers: int) -> subprocess.Popen[bytes]:
    words = ["tournament", "random", "rule", "--deals", str(deals), "--seed", "4", "--tables", "12"]
    words += ["--workers", str(workers), "--out", str(out)]
    return subprocess.Popen([sys.executable, "-m", "skatai", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _lines(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def _wait_for_lines(process: subprocess.Popen[bytes], log: Path, lines: int) -> None:
    deadline = time.monotonic() + 120
    while _lines(log) < lines:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.002)


@pytest.mark.slow
def test_killed_twenty_times_at_random_moments(tmp_path: Path) -> None:
    """No game is lost that was on the disk, none is played twice, and the whole is what one run gives."""
    rng, log, kept = Rng(2024), tmp_path / LOG_NAME, 0
    for kill in range(KILLS):
        process = _start(tmp_path, DEALS, 1 + kill % 2)
        try:
            if rng.below(5) == 0:
                time.sleep(2.0 * rng.random())  # now and then before anything is played
            else:
                _wait_for_lines(process, log, kept + 1 + rng.below(200))
                time.sleep(0.03 * rng.random())
            assert process.poll() is None
        finally:
            process.kill()
            process.communicate()
        before, kept = kept, _lines(log)
        assert kept >= before
    assert 0 < kept - 1 < 6 * DEALS
    killed = read_log(log)[1] if kept else []
    process = _start(tmp_path, DEALS, 2)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err.decode()
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:]]
    assert sorted(row["game"] for row in rows) == list(range(6 * DEALS))
    _, records = read_log(log)
    by_number = {record.game: record for record in records}
    assert all(by_number[record.game] == record for record in killed)  # times and all: they were not played again
    expected = Tournament(["random", "rule"], deals_from_seed(4, DEALS), 4).run().records
    assert [record.same_game for record in records] == [record.same_game for record in expected]


def test_two_processes_on_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = _start(tmp_path, 20_000, 1)
    try:
        _wait_for_lines(process, tmp_path / LOG_NAME, 5)
        words = ["random", "rule", "--deals", "20000", "--seed", "4", "--workers", "1", "--out", str(tmp_path)]
        assert main(["tournament", *words]) == 2
        captured = capsys.readouterr()
        assert "another run is writing this tournament" in captured.err
        assert captured.err.count("\n") == 1
        assert process.poll() is None  # and the first one goes on
    finally:
        process.kill()
        process.communicate()
