"""Files of every format: right as they are, wrong where damaged, and never a crash."""

from __future__ import annotations

import bz2
import copy
import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skatai.cli import main
from skatai.conformance import FORMATS, FileError, check_file, detect

DATA = Path(__file__).parent.parent / "data"
#: file → format, cases, of these not supported
SAMPLES = {
    "rule_cases.jsonl": ("rules", 204, 40),
    "iss_records.sgf": ("iss", 24, 0),
    "xskat_games_sample.jsonl": ("xskat", 183, 0),
    "openspiel_games_sample.jsonl": ("openspiel", 100, 0),
    "solved_positions_sample.csv": ("positions", 200, 0),
    "contract_deals_sample.csv": ("deals", 30, 0),
    "play_puzzles.jsonl": ("puzzles", 13, 0),
}

#: the names as parameters: solving needs compiled code
NAMES = [pytest.param(name, marks=pytest.mark.jit) if name.endswith(".csv") else name for name in SAMPLES]


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_right(name: str) -> None:
    form, cases, unsupported = SAMPLES[name]
    report = check_file(DATA / name)
    assert (report.format, report.cases, report.unsupported) == (form, cases, unsupported)
    assert report.right == cases - unsupported and report.ok and not report.differences


def test_every_format_has_a_sample() -> None:
    assert {form for form, _, _ in SAMPLES.values()} == set(FORMATS)


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_file_does_not_matter(name: str, tmp_path: Path) -> None:
    data = (DATA / name).read_bytes()
    windows = b"\xef\xbb\xbf" + b"\r\n" * 2 + data.replace(b"\n", b"\r\n")
    for packed in (data, gzip.compress(data), bz2.compress(data), windows):
        path = tmp_path / "cases.bin"
        path.write_bytes(packed)
        assert detect(path) == SAMPLES[name][0]
        assert check_file(path, limit=3).cases == 3
        assert check_file(path, limit=3).ok


def run_lines(tmp_path: Path, lines: list[str]) -> Any:
    path = tmp_path / "cases"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return check_file(path, keep=len(lines))


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def swap_cards(game: dict[str, Any]) -> None:
    """The two last cards of the first trick change places: their players do not hold them."""
    a, b = game["plays"][1], game["plays"][2]
    a[1], b[1] = b[1], a[1]


def assign(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda case: case.update(values)


def add(**values: int) -> Callable[[dict[str, Any]], None]:
    return lambda case: case.update({name: case[name] + more for name, more in values.items()})


XSKAT = {
    "dealer": lambda g: g.update(dealer=(g["dealer"] + 1) % 3),
    "declarer": lambda g: g.update(declarer=(g["declarer"] + 1) % 3),
    "bid": add(bid=1),
    "winners": lambda g: g["trick_winners"].reverse() or g["trick_winners"].append(0),
    "tricks": add(tricks_played=1),
    "won tricks": add(declarer_tricks=1),
    "won": lambda g: g.update(won=not g["won"]),
    "overbid": lambda g: g.update(overbid=not g["overbid"]),
    "score": add(game_score=1),
    "hand": lambda g: g.update(hand_game=not g["hand_game"]),
    "ouvert": lambda g: g.update(ouvert=not g["ouvert"]),
    "announcement": assign(announce_text="Donnerschlag"),
    "passed": assign(passed=True),
    "cards": swap_cards,
    "too few cards": lambda g: g["plays"].pop(),
    "too many cards": lambda g: g["plays"].append(g["plays"][-1]),
    "bidding": lambda g: g["bidding"].pop(),
    "calls": lambda g: g["bidding"].append([0, 18, "call"]),
    "a call": lambda g: g["bidding"][0].__setitem__(2, "mumble"),
    "skat": lambda g: g.update(skat=g["hands"][0][:2]),
    "no skat": lambda g: g.pop("skat"),
}
OPENSPIEL = {
    "legal": lambda g: g["plays"][0][2].pop(),
    "more legal": lambda g: g["plays"][4][2].append(g["plays"][0][1]),
    "player": lambda g: g["plays"][1].__setitem__(0, 2),
    "cards": swap_cards,
    "too few cards": lambda g: g["plays"].pop(),
    "winner": lambda g: g["tricks"][0].update(winner=(g["tricks"][0]["winner"] + 1) % 3),
    "leader": lambda g: g["tricks"][0].update(leader=1),
    "trick": lambda g: g["tricks"][0]["cards"].reverse(),
    "tricks": lambda g: g["tricks"].pop(),
    "winners": lambda g: g["winners"].append(0),
    "discards": lambda g: g.update(discards=["CJ"]),
    "game": assign(game="ramsch"),
}
OPENSPIEL_POINTS = {
    "solo": add(final_solo=1),
    "team": add(final_team=-1),
    "points": lambda g: g["points_after_trick"][2].reverse(),
    "card points": add(declarer_card_points=1),
}
PUZZLES = {
    "legal": lambda p: p["legal"].pop(),
    "accepted": lambda p: p.update(accepted=["D7" if "D7" not in p["legal"] else "C7"]),
    "hand": lambda p: p["hand"].pop(),
    "seat": assign(seat=3),
    "played": lambda p: p["played"].append([0, "CJ"]),
    "game": assign(game="Q"),
    "discards": lambda p: p.update(discards_known=p["hand"][:2]),
}
PASSED = {
    "declarer": assign(declarer=1),
    "score": assign(game_score=18),
    "bid": assign(bid=18),
    "passed": assign(passed=False),
    "last call": lambda g: g["bidding"].pop(),
}


def damaged(cases: list[dict[str, Any]], damage: dict[str, Callable[[dict[str, Any]], Any]]) -> list[str]:
    """Each kind of damage done to each case."""
    lines: list[str] = []
    for name, hurt in damage.items():
        for case in cases:
            twin = copy.deepcopy(case)
            hurt(twin)
            twin["id"] = f"{name} of {case['id']}"
            lines.append(json.dumps(twin))
    return lines


@pytest.mark.parametrize(
    ("name", "chosen", "damage"),
    [
        ("xskat_games_sample.jsonl", lambda g: not g["passed"] and g["contract"] != "N", XSKAT),
        ("xskat_games_sample.jsonl", lambda g: g["passed"], PASSED),
        ("openspiel_games_sample.jsonl", lambda g: True, OPENSPIEL),
        ("openspiel_games_sample.jsonl", lambda g: g["game"] != "null", OPENSPIEL_POINTS),
        ("play_puzzles.jsonl", lambda p: True, PUZZLES),
    ],
    ids=["xskat", "passed", "openspiel", "points", "puzzles"],
)
def test_damaged_games_are_found(
    name: str, chosen: Callable[[dict[str, Any]], bool], damage: Any, tmp_path: Path
) -> None:
    cases = [case for case in read(name) if chosen(case)][:6]
    lines = damaged(cases, damage)
    report = run_lines(tmp_path, lines)
    missed = {json.loads(line)["id"] for line in lines} - {difference.case for difference in report.differences}
    assert not missed
    assert (report.wrong, report.right) == (len(lines), 0)


@pytest.mark.jit
@pytest.mark.parametrize("name", ["solved_positions_sample.csv", "contract_deals_sample.csv"])
def test_damaged_rows_are_found(name: str, tmp_path: Path) -> None:
    header, *rows = (DATA / name).read_text().splitlines()
    columns = header.split(",")
    bad: list[str] = []
    for row in rows[:3]:
        cells = row.split(",")
        for i, column in enumerate(columns):
            values = {"id": [], "declarer_wins": [str(1 - int(cells[-1])), "2"]}.get(column, ["", "CJ CJ", "-1", "999"])
            number = cells[i].isdigit() and column not in ("cards_each", "declarer_wins", "player_to_lead")
            values += [str(int(cells[i]) + 1)] if number else []
            bad += [",".join([*cells[:i], value, *cells[i + 1 :]]) for value in values]
    bad += [rows[0] + ",1", rows[0].rsplit(",", 1)[0], '"', "x"]
    report = run_lines(tmp_path, [header, *bad, rows[0]])
    assert (report.wrong, report.right) == (len(bad), 1), report.right


def test_other_points_make_a_record_wrong(tmp_path: Path) -> None:
    records = (DATA / "iss_records.sgf").read_text().splitlines()
    game = next(record for record in records if " win v:" in record and "r:0" in record)
    points = game.split(" p:")[1].split()[0]
    report = run_lines(tmp_path, [game, game.replace(f" p:{points} ", f" p:{int(points) - 1} "), "(;nonsense"])
    assert (report.right, report.wrong) == (1, 2)
    assert [difference.line for difference in report.differences] == [2, 3]


def test_views_are_not_supported(tmp_path: Path) -> None:
    record = (DATA / "iss_records.sgf").read_text().splitlines()[1]
    moves = record.split("MV[w ")[1]
    hidden = ".".join(["??"] * 10)
    view = record.replace(
        "MV[w " + moves.split()[0], f"OW[0]MV[w {'.'.join(moves.split('.')[:10])}|{hidden}|{hidden}|??.??"
    )
    report = run_lines(tmp_path, [record, view])
    assert (report.right, report.unsupported) == (1, 1) and "view" in report.remarks[0]


def test_malformed_lines_are_wrong_by_number(tmp_path: Path) -> None:
    good = (DATA / "rule_cases.jsonl").read_text().splitlines()[0]
    bad = [
        "{",
        "null",
        "[]",
        '"text"',
        "1",
        "{}",
        '{"id": 1}',
        "[" * 100_000,
        "x" * 200_000,
        '{"id": "a", "kind": "\\ud800"}',
        "1e999",
    ]
    path = tmp_path / "cases"
    lines = [good.encode(), *(line.encode() for line in bad), b"\xff\xfe", b"", good.encode()]
    path.write_bytes(b"\n".join(lines))
    report = check_file(path, keep=99)
    assert (report.right, report.wrong) == (2, len(bad) + 1)
    assert [difference.line for difference in report.differences] == list(range(2, len(bad) + 3))
    assert all(str(difference).isprintable() and len(str(difference)) < 700 for difference in report.differences)


def test_deep_nesting_in_a_case(tmp_path: Path) -> None:
    deep = "[" * 900 + "]" * 900
    lines = [json.dumps({"id": name, "kind": "trick", "in": {"contract": "H", "cards": "CJ HT H9"}, "expect": {"winner": 0}})
             for name in "abc"]  # fmt: skip
    lines[1] = lines[1].replace('"CJ HT H9"', deep)
    lines[2] = lines[2].replace(": 0}", f": {deep}}}")
    report = run_lines(tmp_path, lines)
    assert (report.right, report.wrong) == (1, 2)


JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 3, 10**9, 1.5, float("nan"), "", "x", "CJ", "CJ CJ", "\ud800", "7" * 90, [], [[]], ["CJ"],
    [0, "CJ"], {}, {"a": {}}, [None], "F", "H", "pass", "yes", "18",
]  # fmt: skip


def mutate(value: Any, rng: random.Random) -> Any:
    """Replace, drop or double something inside."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: mutate(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        i = rng.randrange(len(value))
        way = rng.random()
        return (
            value[:i] + ([] if way < 0.1 else [value[i]] * 2 if way < 0.2 else [mutate(value[i], rng)]) + value[i + 1 :]
        )
    if isinstance(value, str) and " " in value and rng.random() < 0.7:
        words = value.split()
        words[rng.randrange(len(words))] = str(rng.choice(["CJ", "??", "D7", ""]))
        return " ".join(words)
    return rng.choice(JUNK)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name.endswith(".jsonl")])
def test_mutated_cases_never_crash(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    cases = read(name)
    count = 2500 if name == "rule_cases.jsonl" else 300
    lines = [json.dumps(cases[0])] + [json.dumps(mutate(rng.choice(cases), rng)) for _ in range(count)]
    report = run_lines(tmp_path, lines)
    assert report.cases == len(lines) and report.wrong > count // 3
    assert all(difference.what and str(difference).isprintable() for difference in report.differences)


@pytest.mark.jit
@pytest.mark.parametrize("name", [name for name in SAMPLES if name.endswith(".csv")])
def test_mutated_rows_never_crash(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    header, *rows = (DATA / name).read_text().splitlines()
    lines = [header]
    for _ in range(200):
        row = rng.choice(rows[:20])
        i = rng.randrange(len(row))
        lines.append(row[:i] + rng.choice(["", ",", '"', "CJ", "9", "é", " "]) + row[i + rng.randrange(2) :])
    assert run_lines(tmp_path, lines).cases == 200


def test_first_positions() -> None:
    report = check_file(DATA / "solved_positions_sample.csv", limit=20)
    assert (report.right, report.cases) == (20, 20)


def test_unfinished_is_said() -> None:
    report = check_file(DATA / "contract_deals_sample.csv", node_limit=1)
    assert report.unfinished > 0 and report.wrong == 0
    assert str(report).endswith(f"{report.unfinished} not finished")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"hello\nworld\n", "no format known"),
        (b"a,b,c\n1,2,3\n", "no format known"),
        (b'{"a": 1}\n', "no format known"),
        (bytes(range(256)) * 20, "no format known"),
        (gzip.compress(b'{"kind": "trick", "in": {}}\n' * 2000)[:-9], "cannot be read"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
        (b"BZhnot bzip2", "cannot be read"),
        (
            b"id,game,declarer,forehand,middlehand,rearhand,declarer_skat_points,declarer_trick_points,declarer_wins\n",
            "no case",
        ),
    ],
)
def test_unreadable_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "cases"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message):
        check_file(path)


def test_no_such_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(FileError, match="cannot be read"):
            check_file(path)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, unreadable = tmp_path / "good", tmp_path / "bad", tmp_path / "unreadable"
    lines = (DATA / "rule_cases.jsonl").read_text().splitlines()
    good.write_text("\n".join(lines[:5]))
    bad.write_text("\n".join([lines[0].replace("30}", "31}"), *lines[1:3]]))
    unreadable.write_text("hello")
    assert main(["check", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: 5 cases, 5 right, 0 wrong, 0 not supported\n"
    assert main(["check", str(bad), str(good)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [
        f"{bad}: 3 cases, 2 right, 1 wrong, 0 not supported",
        "  card_points-001 (line 1): expected points 31, came 30",
        f"{good}: 5 cases, 5 right, 0 wrong, 0 not supported",
    ]
    assert main(["check", str(unreadable), str(good), str(bad)]) == 2
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith(f"skatai check: {unreadable}: no format known")
    assert len(captured.out.splitlines()) == 3
    assert main(["check", "--limit", "2", str(bad)]) == 1
    assert "2 cases" in capsys.readouterr().out
    assert main(["check", "--agent", "nobody", str(good)]) == 2
    assert main(["check"]) == 2
    assert main(["check", str(DATA / "play_puzzles.jsonl")]) == 0
    shown = capsys.readouterr().out
    assert "case10_easy: Gegenspieler: Zweite Karte III" in shown and "accepted  S7" in shown
