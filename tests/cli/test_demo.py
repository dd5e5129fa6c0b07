"""``skatai demo`` in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.arena import read_log
from skatai.cli import main
from skatai.cli.demo import AGENTS, demo_deals


def test_demo_deals_are_the_real_ones() -> None:
    deals = demo_deals()
    assert len(deals) == len(set(deals)) == 24


def test_small_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "rule", "random", "--real", "2", "--generated", "1", "--workers", "1", "--out", str(tmp_path)]
    assert main(["demo", *words]) == 0
    out = capsys.readouterr().out
    assert "rule – random: 18 games (3 deals, 6 games for each deal and pair)" in out
    assert str(tmp_path / "report.html") in out
    _, records = read_log(tmp_path / "games.jsonl")
    assert {str(record.replay().deal) for record in records if record.deal < 2} == set(map(str, demo_deals()[:2]))


def test_the_demo_has_four_agents() -> None:
    assert AGENTS == ("pimc", "neural", "rule", "random")


def test_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--generated", "-1"]) == 2
    assert "expected 0 or more" in capsys.readouterr().err


def test_other_settings_begin_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "rule", "random", "--real", "1", "--workers", "1", "--out", str(tmp_path)]
    assert main(["demo", *words, "--generated", "0"]) == 0
    assert "starting anew" not in capsys.readouterr().out
    assert main(["demo", *words, "--generated", "1"]) == 0
    assert "starting anew" in capsys.readouterr().out
    assert len(read_log(tmp_path / "games.old.jsonl")[1]) == 6
    assert main(["demo", *words, "--generated", "1"]) == 0
    assert "All games are in" in capsys.readouterr().out
    assert len(read_log(tmp_path / "games.jsonl")[1]) == 12
