"""Files of ISS records: framing, tags, compression, duplicates, damage, and the writer's round trip."""

from __future__ import annotations

import bz2
import gzip
import io
from pathlib import Path

import pytest

from skatai.deal import Deal, read_deals
from skatai.errors import RecordError
from skatai.records import FORMATS, detect_format, read_records, record_deals
from skatai.records.framing import MAX_RECORD
from skatai.records.iss import (
    GameOutcome,
    QuarantineOutcome,
    format_record,
    format_result,
    generate,
    generate_lines,
    parse_record,
    parse_result,
    replay,
)
from skatai.records.iss import read_records as read_iss
from tests.naive_records import naive_result

REAL = Path(__file__).parents[1] / "data" / "iss_records.sgf"
DATA = REAL.read_bytes()
LINES = DATA.decode("ascii").splitlines()


def kinds(source: object) -> list[tuple[int, str]]:
    return [(outcome.line, outcome.kind) for outcome in read_records(source)]  # type: ignore[arg-type]


def reason_of(text: str | bytes) -> str:
    (outcome,) = read_records(text)
    assert isinstance(outcome, QuarantineOutcome)
    return outcome.reason


# -------------------------------------------------------------------------------------------------------------- sources


def test_every_kind_of_source(tmp_path: Path) -> None:
    expected = [(line, "game") for line in range(1, 25)]
    for name, data in (
        ("a.sgf", DATA),
        ("a.gz", gzip.compress(DATA)),
        ("a.bz2", bz2.compress(DATA)),
        ("b", bz2.compress(DATA)),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        assert kinds(path) == kinds(str(path)) == expected
        assert detect_format(path) == "iss"
    assert kinds(DATA) == kinds(DATA.decode()) == expected
    assert kinds(io.BytesIO(DATA)) == kinds(io.StringIO(DATA.decode())) == expected
    assert kinds(DATA.replace(b"\n", b"\r\n")) == expected
    assert kinds(b"\xef\xbb\xbf" + DATA) == expected
    assert kinds(b"") == kinds(b"\n\n  \n# only a comment\n") == []


def test_unreadable_sources_raise_and_damage_inside_is_quarantined(tmp_path: Path) -> None:
    for source in (tmp_path / "none.sgf", tmp_path, "none.sgf", "", 7, None):
        with pytest.raises(RecordError, match="cannot read"):
            read_records(source)  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="no format 'pgn'; there are iss"):
        read_records(DATA, "pgn")
    with pytest.raises(RecordError, match="no known format"):
        detect_format(b"\x00\x01")
    damaged = tmp_path / "a.gz"
    damaged.write_bytes(gzip.compress(DATA * 50)[:-30])
    outcomes = list(read_records(damaged))
    assert outcomes[0].kind == "game"
    assert isinstance(outcomes[-1], QuarantineOutcome) and "damaged or unreadable" in outcomes[-1].reason


def test_deals_of_a_file_of_records(tmp_path: Path) -> None:
    path = tmp_path / "x.sgf.bz2"
    path.write_bytes(bz2.compress(DATA + b"broken\n"))
    deals = record_deals(path)
    assert len(deals) == 24
    assert deals[0] == Deal.parse(LINES[0].partition("MV[w ")[2].split(" ")[0])
    assert read_deals(path) == deals
    assert list(FORMATS) == ["iss"]


# -------------------------------------------------------------------------------------------------------------- framing


def spread(line: str) -> str:
    """The record over many lines, one property a line, as the server writes it, too."""
    return (
        line.replace("(;", "(;\n", 1)
        .replace("]P", "]\nP")
        .replace("]R", "]\nR")
        .replace("]MV", "]\nMV")
        .replace("] ;)", "]\n ;)")
    )


def test_records_over_several_lines_and_several_in_a_line() -> None:
    long = spread(LINES[6])
    assert long.count("\n") > 8
    assert kinds(long) == [(1, "game")]
    assert kinds(f"\n{long}\n{LINES[0]}\n") == [(2, "game"), (3 + long.count("\n"), "game")]
    assert kinds(f"{LINES[0]} {LINES[1]}\t{LINES[2]}\n{LINES[3]}") == [(1, "game")] * 3 + [(2, "game")]
    assert parse_record(long) == parse_record(LINES[6])


def test_comments_stand_outside_brackets_only() -> None:
    commented = spread(LINES[6]).replace("\n", "  # (; ] [ comment\n")
    text = f"# about it\n{commented} # end\n{LINES[0]}"
    assert [kind for _, kind in kinds(text)] == ["game", "game"]
    named = LINES[0].replace("P0[P0]", "P0[#1]").replace("CO[]", "CO[a # b]")
    assert parse_record(named).players[0] == "#1"
    assert parse_record(named).comment == "a # b"
    assert kinds(named) == [(1, "game")]


@pytest.mark.parametrize(
    "name", ["a]b", "a]", "]", "]]", "[", "a[b", "x]#y", "a;)", "(;", "(;)", "a]R[b", "R[", "]MV", "#", "\\]"]
)
def test_names_may_hold_brackets(name: str) -> None:
    for line in (LINES[6], LINES[4]):
        changed = line.replace("P1[P1]", f"P1[{name}]")
        (outcome,) = read_records(f"{changed}\n")
        assert isinstance(outcome, GameOutcome), outcome
        assert outcome.record.players == ("P0", name, "P2")
        assert format_record(outcome.record) == changed


def test_tags_in_any_order_absent_and_unknown() -> None:
    line = LINES[6]
    record = parse_record(line)
    moved = line.replace("]P0[P0]", "]").replace("GM[Skat]", "GM[Skat]P0[P0]")
    assert parse_record(moved) == record
    assert kinds(moved) == [(1, "game")]
    bare = f"(;GM[Skat]P0[a]P1[b]P2[c]MV[{record.moves_text}]R[{format_result(record.result)}];)"
    (outcome,) = read_records(bare)
    assert isinstance(outcome, GameOutcome)
    assert (outcome.record.place, outcome.record.game_id, outcome.record.ratings) == (None, None, (None, None, None))
    assert format_record(outcome.record) == bare.replace("];)", "] ;)")
    odd = line.replace("]MV[", "]XX[hello]YY[]MV[")
    (outcome,) = read_records(odd)
    assert isinstance(outcome, GameOutcome)
    assert outcome.record.others == (("XX", "hello"), ("YY", ""))
    assert format_record(outcome.record) == odd
    ratings = line.replace("R0[]", "R0[null]").replace("R1[]", "R1[987.5]").replace("R2[]", "R2[nan]")
    named = line.replace("[P0]", "[kermit:2]").replace("[P2]", "[kermits]")
    assert parse_record(named).bots == (True, False, False)
    assert parse_record(ratings).ratings == (None, 987.5, None)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("]R[", "]Q["), "tag R is missing"),
        (("]MV[", "]MW["), "tag MV is missing"),
        (("P1[P1]", ""), "tag P1 is missing"),
        (("GM[Skat]", "GM[Chess]"), "GM is 'Chess'"),
        (("P0[P0]", "P0[P0]P0[P0]"), "tag P0 occurs twice"),
        (("] ;)", "]"), "the file ends before its end"),
        (("(;GM", "GM"), "text outside a record"),
        (("R[d:2", "R[d:3"), "is not a result"),
        (("p:85", "p:٨٥"), "is not a result"),
        (("v:96", "v:w"), "is not a result"),
        (("v:96", "v:999999"), "is not a result"),
        (("win", "won"), "is not a result"),
        (("0 DK", "0 DK\x00"), "'DK\\x00' is not a card"),
        (("0 DK", "0 D\u212a"), "is not a card"),
        (("0 DK ", ""), "seat 0 is to move"),
        (("0 DK ", "0 "), "words"),
    ],
)
def test_damaged_records_are_quarantined_with_the_reason(change: tuple[str, str], reason: str) -> None:
    changed = LINES[6].replace(*change)
    assert changed != LINES[6]
    assert reason in reason_of(changed.encode())


def test_a_record_cut_off_does_not_swallow_the_next() -> None:
    text = "\n".join([LINES[0], LINES[6][:400], LINES[1], "junk", LINES[2][30:], LINES[3][:300] + LINES[4]])
    outcomes = list(read_records(text))
    assert [(o.line, o.kind) for o in outcomes] == [
        (1, "game"),
        (2, "quarantine"),
        (3, "game"),
        (4, "quarantine"),
        (5, "quarantine"),
        (6, "quarantine"),
        (6, "game"),
    ]
    assert isinstance(outcomes[1], QuarantineOutcome)
    assert outcomes[1].reason == "a new record begins before its end"
    assert outcomes[1].head == LINES[6][:200]


def test_a_record_without_an_end_is_given_up_after_a_megabyte() -> None:
    endless = b"(;GM[Skat]CO[" + b"x" * (10 * MAX_RECORD)
    for middle in (endless, endless.replace(b"x" * 100, b"x" * 99 + b"\n")):
        outcomes = list(read_records(DATA.splitlines()[0] + b"\n" + middle + b"\n" + DATA.splitlines()[1]))
        assert [outcome.kind for outcome in outcomes] == ["game", "quarantine", "game"]
        assert isinstance(outcomes[1], QuarantineOutcome) and "no end within 1048576 bytes" in outcomes[1].reason
        assert len(outcomes[1].head) == 200
    with pytest.raises(RecordError, match="at most 1048576"):
        parse_record(endless)


def test_duplicates_are_marked_and_kept() -> None:
    other = LINES[6].replace("International Skat Server", "elsewhere")
    text = "\n".join([LINES[6], LINES[7], LINES[6], other, LINES[7]])
    assert [outcome.duplicate_of for outcome in read_records(text) if isinstance(outcome, GameOutcome)] == [
        None,
        None,
        1,
        None,
        2,
    ]
    free = [o for o in read_records(text, find_duplicates=False) if isinstance(o, GameOutcome)]
    assert [outcome.duplicate_of for outcome in free] == [None] * 5


@pytest.mark.parametrize(
    "text", ["", "x", "(;", "(;)", "(; ;)", "[", "]", "(;GM[Skat] ;)", "(;GM[Skat", "(;GM[Skat]MV[]R[] ;)", "\x00"]
)
def test_parse_record_raises_its_own_error_only(text: str) -> None:
    for form in (text, text.encode()):
        with pytest.raises(RecordError):
            parse_record(form)
    with pytest.raises(RecordError):
        parse_record(7)  # type: ignore[arg-type]
    with pytest.raises(RecordError):
        parse_result(text)


# ----------------------------------------------------------------------------------------------------------- round trip


def round_trip(seed: int, n: int) -> None:
    """Synthetic records: read as games, written as they were, by their naive result, counted once each."""
    lines = list(generate_lines(seed, n))
    outcomes = list(read_iss("".join(lines).encode()))
    assert [outcome.line for outcome in outcomes] == list(range(1, n + 1))
    for line, outcome in zip(lines, outcomes, strict=True):
        assert isinstance(outcome, GameOutcome), outcome
        assert format_record(outcome.record) + "\n" == line
        naive = naive_result(outcome.record.moves_text)
        recorded = format_result(outcome.record.result)
        assert recorded in (naive, naive[:-4])
        assert outcome.record.result == outcome.replay.result


def test_round_trip() -> None:
    round_trip(seed=1, n=2000)


@pytest.mark.slow
def test_round_trip_of_a_hundred_thousand() -> None:
    for seed in range(20):
        round_trip(seed, n=5000)


def test_the_careful_path_is_the_twin_of_the_compiled_one() -> None:
    lines = list(generate_lines(2, 300))
    for outcome in read_iss("".join(lines)):
        assert isinstance(outcome, GameOutcome)
        careful = replay(outcome.record)
        assert careful.state == outcome.replay.state
        assert careful.result == outcome.replay.result
        assert careful.actions.tolist() == outcome.replay.actions.tolist()
        assert (careful.events, careful.split, careful.convention) == (outcome.replay.events, outcome.replay.split, "")


def test_the_generator_covers_every_kind_and_does_not_depend_on_n() -> None:
    records = list(generate(3, 3000))
    assert records[:50] == list(generate(3, 50))
    assert {record.result.kind for record in records} == {"game", "passed", "penalty"}
    played = [record.result for record in records if record.result.kind == "game"]
    for field in ("won", "overbid", "schneider", "schwarz"):
        assert {getattr(result, field) for result in played} == {True, False}
    assert {result.resigned for result in played} == {None, 0, 1}
    assert any(result.left >= 0 for result in played) and any(result.timed_out >= 0 for result in played)
