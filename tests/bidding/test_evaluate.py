"""Evaluations: the same for equal bidders, resumable, and right against the games on the disk."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from skatai.agent import make_agent
from skatai.arena import read_log
from skatai.bidding.bidders import ThresholdBidder
from skatai.bidding.evaluate import RESULTS_NAME, Evaluation, evaluate_bidders
from skatai.bidding.results import BiddingReport
from skatai.bidding.store import one_writer, to_data
from skatai.cards import CardSet
from skatai.deal import deals_from_seed
from skatai.errors import AgentError, SkatError

DEALS = deals_from_seed(11, 8)
RECORDS = Path(__file__).parents[1] / "data" / "iss_records.sgf"
EVERYTHING: dict[str, Any] = {"regret": "rollouts", "regret_deals": 2, "sweep": True, "iss": [RECORDS]}


def passer(hand: CardSet) -> int:
    """Never bids."""
    return 0


def jacks(hand: CardSet, seat: int) -> int:
    """Bids on two jacks, and a little higher in forehand."""
    return (20 if seat == 0 else 18) if (hand.mask & 0x80808080).bit_count() >= 2 else 0


def plain(report: BiddingReport) -> str:
    """A report as text, without what the machine says."""
    return json.dumps({key: value for key, value in to_data(report).items() if key != "versions"}, sort_keys=True)


def test_equal_bidders_are_exactly_equal() -> None:
    report = evaluate_bidders(["rule", "rule"], DEALS, 1)
    assert [bidder.name for bidder in report.bidders] == ["rule", "rule#2"]
    for difference in (*report.field, *report.meetings):
        assert (difference.first, difference.second) == ("rule", "rule#2")
        assert (difference.points.mean, difference.points.half, difference.points.n) == (0, 0, 8)
    first, second = (bidder.metrics for bidder in report.bidders)
    assert first is not None and second is not None
    assert (first.hands, first.declared, first.list_points) == (24, second.declared, second.list_points)


def test_metrics_are_those_of_the_games_on_the_disk(tmp_path: Path) -> None:
    report = evaluate_bidders([passer, "rule"], DEALS, 1, out=tmp_path)
    _, records = read_log(tmp_path / "field" / "games.jsonl")
    assert len(records) == 2 * 3 * 8
    metrics = report.bidders[0].metrics
    assert metrics is not None and metrics.list_points is not None
    mine = [(record, seat) for record in records for seat in range(3) if record.seats[seat] == "passer"]
    assert len(mine) == metrics.hands == 24
    assert metrics.declared.hits == 0
    points = [record.list_points[seat] for record, seat in mine]
    assert set(points) <= {0, 40}
    assert metrics.list_points.mean == pytest.approx(sum(points) / 24)
    rule = [
        record.list_points[seat]
        for record in records
        for seat in range(3)
        if record.group[0] == "rule" == record.seats[seat]
    ]
    assert report.field[0].points.mean == pytest.approx((sum(points) - sum(rule)) / 24)
    _, met = read_log(tmp_path / "meetings" / "games.jsonl")
    assert len(met) == 6 * 8
    assert report.meetings[0].points.mean < 0
    limits = report.bidders[0].limits
    assert limits is not None and limits.bids.hits == 0 and [row[0] for row in limits.levels] == [8, 8, 8]
    assert report.bidders[0].claims is None and report.bidders[1].claims is not None


def test_every_part_and_any_number_of_workers(tmp_path: Path) -> None:
    evaluation = Evaluation(["rule", jacks, ThresholdBidder("rule", 0.7)], DEALS, 1, **EVERYTHING)
    assert evaluation.games == 8 * (3 * 3 + 3 * 6)
    one = evaluation.run(tmp_path / "one")
    assert not one.interrupted
    rule, function, threshold = one.bidders
    assert rule.sweep is not None and function.sweep is not None and threshold.sweep is not None
    assert [rule.sweep.what, function.sweep.what, threshold.sweep.what] == ["margin", "steps", "threshold"]
    assert rule.regret is not None and (rule.regret.hands, rule.regret.measure) == (6, "rollouts")
    assert rule.agreement is not None and rule.agreement.after["discard"].n > 0
    assert function.agreement is not None and function.agreement.after == {}
    assert threshold.claims is not None and rule.claims is not None
    assert threshold.claims.everything.brier == rule.claims.everything.brier  # the same claims, the same games
    two = Evaluation(["rule", jacks, ThresholdBidder("rule", 0.7)], DEALS, 1, **EVERYTHING)
    assert plain(two.run(workers=2, backend="threads")) == plain(one)
    assert plain(evaluation.run(tmp_path / "one")) == plain(one)  # read back


class Crash(BaseException):
    """Something that nobody catches, such as the end of the process."""


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Crash])
def test_a_stopped_run_goes_on_where_it_was(
    stop: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = evaluate_bidders(["rule", passer], DEALS, 1, **EVERYTHING)
    done: Counter[str] = Counter()

    def count(name: str, breaks: bool) -> None:
        original = getattr(Evaluation, name)

        def counted(self: Evaluation, *which: int) -> Any:
            if breaks and which == (1,):
                raise stop
            done[f"{name}{which}"] += 1
            return original(self, *which)

        monkeypatch.setattr(Evaluation, name, counted)

    names = ("_play_alone", "_play_meetings", "_limits", "_claims", "_sweep", "_regret", "_people")
    with monkeypatch.context():
        for name in names:
            count(name, name == "_sweep")
        evaluation = Evaluation(["rule", passer], DEALS, 1, **EVERYTHING)
        if stop is KeyboardInterrupt:
            report = evaluation.run(tmp_path)
            assert report.interrupted and report.missing[0] == "passer: bolder and shyer"
            assert report.bidders[0].sweep is not None and report.bidders[1].sweep is None
        else:
            with pytest.raises(Crash):
                evaluation.run(tmp_path)
    monkeypatch.undo()
    for name in names:
        count(name, False)
    assert plain(evaluate_bidders(["rule", passer], DEALS, 1, out=tmp_path, **EVERYTHING)) == plain(whole)
    assert set(done.values()) == {1}, done
    assert len(done) == 2 + 2 + 1 + 2 + 2 + 2  # games twice; limits, sweep, regret, people of both, claims of one


def test_a_bidder_that_fails_leaves_what_is_done(tmp_path: Path) -> None:
    calls = 0

    def fails(hand: CardSet) -> int:
        nonlocal calls
        calls += 1
        if calls > 40:
            raise RuntimeError("no more")
        return 0

    with pytest.raises(SkatError, match=r"bidder 'fails', hand .*: RuntimeError: no more"):
        evaluate_bidders([fails], DEALS, 1, out=tmp_path)
    parts = json.loads((tmp_path / RESULTS_NAME).read_text(encoding="utf-8"))["parts"]
    assert list(parts) == ["field"]


def test_games_of_a_killed_run_are_not_taken_for_those_of_another_bidder(tmp_path: Path) -> None:
    """Even if the run was killed before its first part was done."""
    source, out = tmp_path / "mine.py", tmp_path / "out"
    source.write_text("def limit(hand):\n    return 0\n", encoding="utf-8")
    evaluation = Evaluation([f"{source}:limit"], DEALS, 1)

    def killed() -> None:
        evaluation._played(evaluation._games.alone, "field")
        raise Crash

    evaluation._play_alone = killed  # type: ignore[assignment, method-assign]
    with pytest.raises(Crash):
        evaluation.run(out)
    assert (out / "field" / "games.jsonl").exists()
    source.write_text("def limit(hand):\n    return 18\n", encoding="utf-8")
    with pytest.raises(SkatError, match="sources was"):
        evaluate_bidders([f"{source}:limit"], DEALS, 1, out=out)


def test_a_folder_of_other_settings(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text("def limit(hand):\n    return 0\n", encoding="utf-8")
    out = tmp_path / "out"
    evaluate_bidders([f"{source}:limit"], DEALS[:1], 1, out=out)
    with pytest.raises(SkatError, match="seed was 1 and is now 2"):
        evaluate_bidders([f"{source}:limit"], DEALS[:1], 2, out=out)
    source.write_text("def limit(hand):\n    return 18\n", encoding="utf-8")
    with pytest.raises(SkatError, match=r"sources was .*; choose another folder"):
        evaluate_bidders([f"{source}:limit"], DEALS[:1], 1, out=out)
    with one_writer(out), pytest.raises(SkatError, match="another run is writing"):
        evaluate_bidders([f"{source}:limit"], DEALS[:1], 1, out=out)


def test_other_records_in_the_same_file_are_compared_anew(tmp_path: Path) -> None:
    """Also where they have the same length; the same records elsewhere are not."""
    lines = RECORDS.read_text(encoding="utf-8").splitlines(keepends=True)
    file, moved, out = tmp_path / "records.sgf", tmp_path / "moved.sgf", tmp_path / "out"
    keys = []
    for path, text in ((file, lines), (moved, lines), (file, lines[1:] + lines[:1])):
        path.write_text("".join(text), encoding="utf-8")
        report = evaluate_bidders(["rule"], DEALS, 1, out=out, iss=[path])
        assert report.bidders[0].agreement is not None
        keys.append(
            [key for key in json.loads((out / RESULTS_NAME).read_text(encoding="utf-8"))["parts"] if "people" in key]
        )
    assert [len(found) for found in keys] == [1, 1, 2]


def test_more_parts_in_the_same_folder(tmp_path: Path) -> None:
    """Asking for more does not repeat what is there."""
    evaluate_bidders(["rule"], DEALS, 1, out=tmp_path)
    log = tmp_path / "field" / "games.jsonl"
    before = log.stat().st_mtime_ns
    report = evaluate_bidders(["rule"], DEALS, 1, out=tmp_path, regret="rollouts", regret_deals=1)
    assert report.bidders[0].regret is not None and report.bidders[0].sweep is None
    assert log.stat().st_mtime_ns == before
    rated = evaluate_bidders(["rule"], DEALS, 1, out=tmp_path, iss=[RECORDS], min_rating=1000.0)
    assert rated.bidders[0].agreement is not None and rated.bidders[0].agreement.calls[0].agreement.n == 0
    everybody = evaluate_bidders(["rule"], DEALS, 1, out=tmp_path, iss=[RECORDS])
    assert everybody.bidders[0].agreement is not None and everybody.bidders[0].agreement.calls[0].agreement.n > 100


@pytest.mark.parametrize(
    ("bidders", "options", "message"),
    [
        ([], {}, "without bidders"),
        ("rule", {}, "without bidders: expected a list"),
        (["nobody"], {}, "no agent 'nobody'"),
        (["open"], {}, "sees all cards"),
        (["rule"], {"field": "nobody"}, "no agent 'nobody'"),
        (["rule"], {"play": "nobody"}, "no agent 'nobody'"),
        (["rule"], {"regret": "much"}, "regret 'much': expected one of open, rollouts, none"),
        (["rule"], {"regret_deals": 0}, "regret: deals 0"),
        (["rule"], {"iss": ["missing.sgf"]}, "missing.sgf: no such file"),
        (["rule"], {"iss": [str(RECORDS.parent)]}, "data: not a file"),
        (["rule"], {"field": "open", "sweep": True}, "'open': it sees all cards"),
        (["missing.onnx"], {}, "missing.onnx: no such file"),
        (["missing.py:limit"], {}, "missing.py cannot be loaded"),
    ],
)
def test_mistakes(bidders: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises((SkatError, AgentError), match=message.replace(".", r"\.")):
        Evaluation(bidders, DEALS, **options)


def test_agents_may_be_objects() -> None:
    report = evaluate_bidders([make_agent("rule"), "random"], DEALS[:2], 1, meet=False)
    assert [bidder.name for bidder in report.bidders] == ["rule", "random"]
    assert report.meetings == () and len(report.field) == 1


def test_only_the_bidding_half_of_a_joined_agent_counts() -> None:
    report = evaluate_bidders(["rule+random", "rule"], DEALS[:2], 1, meet=False, iss=[RECORDS])
    assert [bidder.name for bidder in report.bidders] == ["rule", "rule#2"]
    assert report.field[0].points.mean == 0
    first, second = (bidder.agreement for bidder in report.bidders)
    assert first is not None and second is not None and first.calls == second.calls


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """A killed process loses no part, repeats none, and the whole is what one run gives."""
    words = ["bidding", "rule", "random", "--deals", "40", "--sweep", "--regret", "rollouts", "--regret-deals", "10"]
    command = [sys.executable, "-m", "skatai", *words, "--workers", "1"]
    results = tmp_path / "killed" / RESULTS_NAME
    kept: dict[str, Any] = {}
    for kill in range(8):
        process = subprocess.Popen(
            [*command, "--out", str(tmp_path / "killed")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        deadline = time.monotonic() + 20 + 2 * kill
        while process.poll() is None and time.monotonic() < deadline:
            found = json.loads(results.read_text(encoding="utf-8"))["parts"] if results.exists() else {}
            if len(found) > len(kept):
                break
            time.sleep(0.01 * (1 + kill))
        process.kill()
        process.communicate()
        now = json.loads(results.read_text(encoding="utf-8"))["parts"] if results.exists() else {}
        assert {key: now[key] for key in kept} == kept
        kept = now
    assert kept
    for out in ("killed", "whole"):
        subprocess.run([*command, "--out", str(tmp_path / out)], check=True, capture_output=True)
    killed, whole = (
        json.loads((tmp_path / out / RESULTS_NAME).read_text(encoding="utf-8")) for out in ("killed", "whole")
    )
    assert killed["parts"] == whole["parts"]


def test_files_without_records_show_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty.sgf").write_text("", encoding="utf-8")
    with pytest.raises(SkatError, match=r"no records in .*empty\.sgf"):
        Evaluation(["rule"], DEALS, iss=[tmp_path / "empty.sgf"])
    Evaluation(["rule"], DEALS, iss=[tmp_path / "empty.sgf", RECORDS])
