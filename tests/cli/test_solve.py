"""``skatai solve``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from skatai.cli import main
from skatai.deal import Deal

DATA = Path(__file__).parent.parent / "data"
ENDING = "H F F CJ.HT|HA.H7|SJ.D7"


def test_a_position_with_moves_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", ENDING, "--moves", "--line"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["value", "nodes", "best", "moves", "line"]
    assert "CJ:4 HT:2" in row
    assert row.endswith("CJ H7 SJ HT HA D7")


def test_goals_limits_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", ENDING + " - 57", "--goal", "win", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["target"], row["reached"]) == (4, "yes")
    assert main(["solve", ENDING, "--node-limit", "1"]) == 0
    assert "…" in capsys.readouterr().out


def test_a_file_of_positions_to_csv_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, picture = tmp_path / "in.csv", tmp_path / "deep" / "out.csv", tmp_path / "position.svg"
    source.write_text(f"id,position\na,{ENDING}\nb,N F F C7|C8|C9\n")
    command = ["solve", str(source), "--moves", "--threads", "2", "--out", str(out), "--picture", str(picture)]
    assert main(command) == 0
    rows = list(csv.DictReader(out.open()))
    assert [(row["id"], row["value"]) for row in rows] == [("a", "4"), ("b", "1")]
    assert picture.read_text().startswith("<svg")
    assert main(["solve", str(out)]) == 0  # what it wrote can be read again
    assert "4" in capsys.readouterr().out


@pytest.mark.jit
def test_deals(capsys: pytest.CaptureFixture[str]) -> None:
    deal = str(Deal.random(3))
    assert main(["solve", deal, "--declarer", "F", "--game", "C", "--discards", "SQ DT"]) == 0
    assert capsys.readouterr().out.startswith("value")
    assert main(["solve", deal, "--declarer", "F", "--contracts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["diamonds", "hearts", "spades", "clubs", "grand", "null"]
    assert main(["solve", deal, "--declarer", "F", "--put-aways", "--game", "N"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 67


@pytest.mark.jit
def test_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records.sgf"
    records.write_text("\n".join((DATA / "iss_records.sgf").read_text().splitlines()[:4]))
    out = tmp_path / "losses.csv"
    assert main(["solve", str(records), "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.open()))
    assert rows
    for row in rows:
        assert int(row["loss"]) == abs(int(row["best"]) - int(row["value"]))
        assert (row["loss"] == "0") == (row["played"] in row["best_cards"].split())
    assert "open-card loss" in capsys.readouterr().out


@pytest.mark.jit
def test_statistics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "positions.csv"
    lines = (DATA / "solved_positions_sample.csv").read_text().splitlines()
    small.write_text("\n".join(lines[:20]))
    assert main(["solve", str(small), "--stats"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert {row[0] for row in rows} <= {"suit", "grand"}
    assert all("exact" in row or "card" in row for row in rows)
    small.write_text("\n".join([*lines[:6], lines[6].rsplit(",", 1)[0] + ",99"]))
    assert main(["solve", str(small), "--stats"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to solve"),
        (["nofile"], "neither a position"),
        (["H F F CJ|CJ|D7"], "occurs twice"),
        ([str(Deal.random(1))], "needs --game"),
        ([str(Deal.random(1)), "--game", "G"], "needs --declarer"),
        ([str(Deal.random(1)), "--contracts"], "needs --declarer"),
        ([str(Deal.random(1)), "--put-aways", "--declarer", "M"], "needs --game"),
        ([ENDING, "--stats"], "needs a file"),
        ([ENDING, "--goal", "best"], "no goal"),
        ([ENDING, "--picture", "a.png"], "ends with"),
        ([ENDING, "--threads", "0"], "workers"),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
