"""``skatai bidding`` as a user meets it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skatai.arena import read_log
from skatai.cli import main
from skatai.deal import deals_from_seed, write_deals

RECORDS = Path(__file__).parents[1] / "data" / "iss_records.sgf"


def _run(*words: str | Path | int) -> int:
    return main(["bidding", *map(str, words)])


def test_tables_results_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "mine.py", tmp_path / "out"
    source.write_text("def limit(hand, seat):\n    return 18 if seat == 2 else 0\n", encoding="utf-8")
    words = ("rule", f"{source}:limit", "--deals", 4, "--workers", 1, "--iss", RECORDS, "--out", out)
    assert _run(*words) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"rule – {source}:limit: 4 deals, 48 games.")
    assert "Differences at one table" in text and "Agreement with people" in text and "Regret" not in text
    assert text.rstrip().endswith(f"Results: {out / 'bidding.json'}\nReport:  {out / 'report.html'}")
    assert (out / "report.html").stat().st_size > 10_000
    parts = json.loads((out / "bidding.json").read_text(encoding="utf-8"))["parts"]
    assert [key.split()[0] for key in parts] == [
        "field",
        "meetings",
        "limits",
        "limits",
        "claims",
        "agreement",
        "agreement",
    ]
    before = (out / "bidding.json").read_bytes()
    assert _run(*words) == 0
    assert (out / "bidding.json").read_bytes() == before
    assert _run(*words, "--no-resume") == 2
    assert "holds results already" in capsys.readouterr().err
    assert _run(*words, "--no-meet", "--sweep", "--regret", "rollouts", "--regret-deals", 1) == 0
    again = capsys.readouterr().out
    assert "Regret" in again and "Bolder or shyer" in again and "Differences at one table" not in again


def test_deals_that_occur_twice_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = deals_from_seed(5, 2)
    deals = tmp_path / "deals.txt"
    write_deals(deals, [first, second, first])
    assert _run("random", "--deals", deals, "--workers", 1, "--out", tmp_path / "out") == 0
    assert "note: 1 of the deals have the cards of an earlier one" in capsys.readouterr().err
    assert _run("random", "--deals", 1, "--workers", 1, "--out", tmp_path / "once") == 0
    assert "earlier one" not in capsys.readouterr().err


def test_the_folder_is_named_by_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in (1, 2, 1):
        assert _run("random", "--deals", 1, "--workers", 1, "--seed", seed) == 0
    assert len(list((tmp_path / "results").iterdir())) == 2
    assert f"Results: {Path('results')}" in capsys.readouterr().out


def test_deals_from_a_file_and_other_rules(tmp_path: Path) -> None:
    deals = deals_from_seed(4, 2)
    write_deals(tmp_path / "my.deals", deals, "two deals")
    words = ("rule", "--deals", tmp_path / "my.deals", "--workers", 1, "--rules", "grand_base=20", "--field", "random")
    assert _run(*words, "--out", tmp_path / "o") == 0
    header, records = read_log(tmp_path / "o" / "field" / "games.jsonl")
    assert {str(record.replay().deal) for record in records} == set(map(str, deals))
    assert header["settings"]["rules"] == "grand_base=20" and header["settings"]["agents"] == ["rule", "random"]


def test_other_code_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "--deals", 1, "--workers", 1, "--out", tmp_path)
    assert _run(*words) == 0
    path = tmp_path / "bidding.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["versions"]["code"] = "another"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert _run(*words) == 0
    assert "other code made the first parts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no bidders given"),
        (["nobody"], "no agent 'nobody'"),
        (["open"], "sees all cards"),
        (["rule", "--deals", "0"], "0 deals"),
        (["rule", "--deals", "missing.txt"], "missing.txt"),
        (["rule", "--workers", "0"], "--workers 0: expected at least 1"),
        (["rule", "--regret", "much"], "regret 'much'"),
        (["rule", "--regret-deals", "0"], "regret: deals 0"),
        (["rule", "--iss", "missing.sgf"], "missing.sgf: no such file"),
        (["rule", "--min-rating", "1000"], "--min-rating: there are no recorded players without --iss"),
        (["rule", "--play", "nobody"], "no agent 'nobody'"),
        (["rule", "--rules", "ladder=high"], "ladder=high"),
        (["rule", "--speed", "9"], "--speed"),
        (["onnx:missing.onnx"], "missing.onnx: no such file"),
        (["missing.py:limit"], "missing.py"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*words, "--out", tmp_path / "out") == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("skatai bidding: ")
    assert message in captured.err
    assert not (tmp_path / "out").exists()


def test_another_evaluations_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "--deals", "1", "--workers", "1", "--out", tmp_path)
    assert _run(*words) == 0
    assert _run(*words, "--seed", "5") == 2
    assert "seed was 1 and is now 5" in capsys.readouterr().err


def test_ctrl_c_ends_with_a_report(tmp_path: Path) -> None:
    log = tmp_path / "field" / "games.jsonl"
    words = ["bidding", "random", "rule", "--deals", "20000", "--workers", "1", "--out", str(tmp_path)]
    process = subprocess.Popen([sys.executable, "-m", "skatai", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
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
    assert b"Stopped before the end (5 parts are missing); the same command continues." in out
    assert b"Bidders" in out  # what is done is told
    assert "Stopped before the end." in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_tournament_and_an_evaluation_never_share_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = {"bidding": tmp_path / "bidding", "tournament": tmp_path / "tournament"}
    for command, out in folders.items():
        words = [command, "rule", "random", "--deals", "1", "--workers", "1", "--out", str(out)]
        assert main(words) == 0
        report = (out / "report.html").read_bytes()
        other = "tournament" if command == "bidding" else "bidding"
        files = sorted(out.rglob("*"))
        capsys.readouterr()
        assert main([other, *words[1:]]) == 2
        error = capsys.readouterr().err
        assert f"{out} holds " in error and error.endswith("choose another folder\n") and error.count("\n") == 1
        assert (out / "report.html").read_bytes() == report
        assert sorted(out.rglob("*")) == files
    assert main(["demo", "--real", "0", "--generated", "1", "--out", str(folders["bidding"])]) == 2
    assert "an evaluation of bidders (bidding.json)" in capsys.readouterr().err
