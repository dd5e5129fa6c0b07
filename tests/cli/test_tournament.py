"""``skatai tournament`` as a user meets it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skatai.arena import read_log, read_parquet
from skatai.cli import main
from skatai.deal import deals_from_seed, write_deals
from skatai.records.columns import load_columns
from skatai.records.iss import generate_lines


def _run(*words: str | Path) -> int:
    return main(["tournament", *map(str, words)])


def test_tables_log_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert _run("random", "rule", "--deals", 3, "--workers", 1, "--out", out) == 0  # type: ignore[arg-type]
    text = capsys.readouterr().out
    assert "random" in text
    assert text.rstrip().endswith(f"Report: {out / 'report.html'}")
    assert (out / "report.html").stat().st_size > 10_000
    header, records = read_log(out / "games.jsonl")
    assert len(records) == 18
    assert header["settings"]["agents"] == ["random", "rule"]


def test_the_same_command_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "rule", "--deals", "2", "--workers", "1", "--out", tmp_path)
    assert _run(*words) == 0
    log = tmp_path / "games.jsonl"
    first = log.read_bytes()
    table = capsys.readouterr().out
    log.write_bytes(first[:-700])
    assert _run(*words) == 0
    assert len(read_log(log)[1]) == 12
    assert capsys.readouterr().out.count("random") == table.count("random")
    assert _run(*words, "--no-resume") == 2


def test_sprt_stops_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rule", "random", "--deals", "400", "--workers", "1", "--tables", "120", "--sprt", "5", "--out", tmp_path)
    assert _run(*words) == 0
    out = capsys.readouterr().out
    assert "Enough after 100 deals: the difference is nearer +5 than 0" in out
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Stopped by rule" in report and "cluster-robust" in report and "factor" in report
    for text in (out, report):
        assert "holds the truth in 91 to 94 % of such runs only." in text


def test_a_wanted_width_needs_no_caution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rule", "random", "--deals", "110", "--workers", "1", "--until", "50", "--out", tmp_path)
    assert _run(*words) == 0
    out = capsys.readouterr().out
    assert "Enough after 100 deals: half-width" in out
    assert "of such runs only" not in out + (tmp_path / "report.html").read_text(encoding="utf-8")


def test_three_agents_at_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "rule", "random", "--deals", "1", "--workers", "1", "--design", "three-six", "--out", tmp_path)
    assert _run(*words, "--details") == 0
    out = capsys.readouterr().out
    assert "6 games (1 deals, 6 games for each deal and group)" in out
    assert "Ratings (openskill)" in out and "By role" in out


def test_card_play_only_and_bidding_only(tmp_path: Path) -> None:
    for mode in ("cards", "bidding"):
        words = ("random", "rule", "--deals", "2", "--workers", "1", "--mode", mode, "--fixed", "rule")
        assert _run(*words, "--out", tmp_path / mode) == 0
        header, records = read_log(tmp_path / mode / "games.jsonl")
        assert (header["settings"]["mode"], header["settings"]["fixed"]) == (mode, "rule")
        assert len({(record.deal, record.contract) for record in records}) == 2 or mode == "bidding"


def test_contracts_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("".join(generate_lines(3, 40)), encoding="utf-8")
    words = ("random", "rule", "--deals", "3", "--workers", "1", "--mode", "cards", "--fixed", path)
    assert _run(*words, "--out", tmp_path / "o") == 0
    header, records = read_log(tmp_path / "o" / "games.jsonl")
    assert header["settings"]["fixed"] == "open-records:games.sgf"
    assert len(records) == 18


def test_what_if(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rule", "random", "--deals", "2", "--workers", "1", "--what-if", "--out", tmp_path)
    assert _run(*words) == 0
    assert "What if: rule − random: " in capsys.readouterr().out
    assert "What if" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_series_of_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rule", "random", "rule", "random", "--deals", "24", "--lists", "12", "--workers", "1")
    exports = (
        "--iss",
        tmp_path / "games.sgf",
        "--columns",
        tmp_path / "games.npz",
        "--parquet",
        tmp_path / "g.parquet",
    )
    assert _run(*words, *exports, "--out", tmp_path / "o") == 0
    out = capsys.readouterr().out
    assert "24 games in lists of 12 deals at a table of 4" in out
    assert "Series of 2 lists" in out and "lists won" in out
    for text in (out, (tmp_path / "o" / "report.html").read_text(encoding="utf-8")):
        assert "are those of a table of three" in " ".join(text.split())
    assert len((tmp_path / "games.sgf").read_text(encoding="utf-8").splitlines()) == 24
    assert load_columns(tmp_path / "games.npz").counts[0] == 24
    header, records = read_log(tmp_path / "o" / "games.jsonl")
    assert read_parquet(tmp_path / "g.parquet") == (header["settings"], records)
    assert (header["settings"]["list"], header["settings"]["table"]) == (12, 4)


def test_slow_agents_play_the_first_deals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rule", "random", "pimc:worlds=2", "--deals", "3", "--first", "pimc:worlds=2=1", "--workers", "1")
    assert _run(*words, "--out", tmp_path) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "30 games (3 deals, pimc:worlds=2 on the first 1, 6 games for each deal and pair)" in out
    assert "pimc:worlds=2 plays the first 1 deals only" in out
    assert "Claims of rule to win: Brier" in out
    header, records = read_log(tmp_path / "games.jsonl")
    assert header["settings"]["first"] == {"pimc:worlds=2": 1}
    assert {r.deal for r in records if "pimc:worlds=2" in r.group} == {0}
    assert _run(*words, "--out", tmp_path) == 0
    assert "All games are in" in capsys.readouterr().out


def test_other_code_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "rule", "--deals", "1", "--workers", "1", "--out", tmp_path)
    assert _run(*words) == 0
    log = tmp_path / "games.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    header["versions"]["code"] = "another"
    log.write_text("\n".join([json.dumps(header), *lines[1:4]]) + "\n", encoding="utf-8")
    assert _run(*words) == 0
    assert "other code played the first 3 games" in capsys.readouterr().err


def test_deals_from_a_file(tmp_path: Path) -> None:
    deals = deals_from_seed(4, 2)
    write_deals(tmp_path / "my.deals", deals, "two deals")
    assert _run("random", "rule", "--deals", tmp_path / "my.deals", "--workers", "1", "--out", tmp_path / "o") == 0
    _, records = read_log(tmp_path / "o" / "games.jsonl")
    assert {str(record.replay().deal) for record in records} == set(map(str, deals))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "nobody"], "no agent 'nobody'"),
        (["random"], "1 agents"),
        (["random", "rule", "--deals", "0"], "0 deals"),
        (["random", "rule", "--deals", "missing.txt"], "missing.txt"),
        (["random", "rule", "--design", "round"], "no seat design 'round'"),
        (["random", "rule", "--design", "three-six"], "2 agents are too few: seat design three-six needs 3"),
        (["random", "rule", "--mode", "tricks"], "mode 'tricks'"),
        (["random", "rule", "--mode", "cards", "--fixed", "nobody"], "no agent 'nobody'"),
        (["random", "rule", "random", "--what-if"], "two agents"),
        (["random", "rule", "--lists", "36"], "list of 2 players"),
        (["random", "rule", "random", "--lists", "36", "--sprt", "1"], "no stopping rule"),
        (["random", "rule", "--first", "rule"], "--first rule: expected each agent once"),
        (["random", "rule", "--first", "rule=x"], "--first rule=x: expected each agent once"),
        (["random", "rule", "--first", "pimc=5"], "first deals of 'pimc': no such agent; there are random, rule"),
        (["random", "rule", "--deals", "3", "--first", "rule=5"], "first deals of rule 5: expected 1 … 3"),
        (["random", "rule", "--what-if", "--first", "rule=5"], "no --first"),
        (["random", "rule", "--until", "0"], "until 0"),
        (["random", "rule", "--until", "1", "--sprt", "1"], "one of the two"),
        (["random", "rule", "--rules", "ladder=high"], "ladder=high"),
        (["random", "rule", "--backend", "magic"], "magic"),
        (["random", "rule", "--workers", "0"], "--workers 0: expected at least 1"),
        (["random", "rule", "--deals", "0"], "0 deals, expected 1 … 10,000,000"),
        (["random", "rule", "--deals", "99999999999"], "99999999999 deals, expected 1 … 10,000,000"),
        (["random", "rule", "--deals", "²"], "²: cannot read deals"),
        (["random", "rule", "--deals=--5"], "--5: cannot read deals"),
        (["random:colour=red", "rule"], "colour"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*words, "--out", tmp_path / "out") == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("skatai tournament: ")
    assert message in captured.err


def test_another_tournaments_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "rule", "--deals", "1", "--workers", "1", "--out", tmp_path)
    assert _run(*words) == 0
    assert _run(*words, "--seed", "5") == 2
    assert "seed was 1 and is now 5" in capsys.readouterr().err


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_with_a_report(workers: int, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    words = ["tournament", "random", "rule", "--deals", "20000", "--tables", "12", "--workers", str(workers)]
    process = subprocess.Popen(
        [sys.executable, "-m", "skatai", *words, "--out", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        deadline = time.monotonic() + 120
        while not (log.exists() and log.read_bytes().count(b"\n") > 30):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, err.decode()
    assert b"Traceback" not in err and b"leaked" not in err
    assert b"the same command continues" in out
    assert (tmp_path / "report.html").exists()
    assert all(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("option", ["--iss", "--columns", "--parquet"])
@pytest.mark.parametrize("place", ["nothing/games", "file/games", "folder", "x" * 300])
def test_a_file_that_cannot_be_written_shows_before_the_games(
    option: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    words = ("random", "rule", "--deals", "1", "--workers", "1", "--out", tmp_path / "out")
    assert _run(*words, option, tmp_path / place) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path / place}: cannot be written: " in error and error.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_records_in_the_folder_of_the_results(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    assert _run("random", "rule", "--deals", "1", "--workers", "1", "--out", out, "--iss", out / "games.sgf") == 0
    assert len((out / "games.sgf").read_text(encoding="utf-8").splitlines()) == 6


def test_a_report_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.html").mkdir()
    assert _run("random", "rule", "--deals", "1", "--workers", "1", "--out", tmp_path) == 2
    assert "report.html: cannot be written: it is a folder" in capsys.readouterr().err
    assert not (tmp_path / "games.jsonl").exists()
