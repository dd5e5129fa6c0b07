"""ISS records: the real ones, and every ending and form of the format with its result reckoned by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.errors import RecordError
from skatai.records.iss import (
    GameOutcome,
    IssRecord,
    QuarantineOutcome,
    Replay,
    ViewOutcome,
    canonical_moves,
    format_record,
    format_result,
    parse_record,
    parse_result,
    read_records,
    replay,
)

REAL = Path(__file__).parents[1] / "data" / "iss_records.sgf"
LINES = REAL.read_text(encoding="ascii").splitlines()


def parts(number: int) -> tuple[str, str, str]:
    """Deal, moves up to the declaration, and play of real record ``number`` (from 1)."""
    text = parse_record(LINES[number - 1]).moves_text.strip()
    words = text.split(" ")
    pairs = [" ".join(words[i : i + 2]) for i in range(0, len(words), 2)]
    declared = next(i for i, pair in enumerate(pairs) if pair[0] != "w" and pair[2] in "DHSCGN")
    if pairs[declared + 1][2:7].count(".") == 1:  # split: the discards follow
        declared += 1
    return pairs[0], " ".join(pairs[1 : declared + 1]), " ".join(pairs[declared + 1 :])


def record(moves: str, result: str) -> IssRecord:
    return IssRecord(moves, parse_result(result), ("a", "b", "c"))


def outcome_of(moves: str, result: str) -> GameOutcome | ViewOutcome | QuarantineOutcome:
    """What a file with this one record gives."""
    line = f"(;GM[Skat]PC[x]CO[]SE[1]ID[2]DT[]P0[a]P1[b]P2[c]R0[]R1[]R2[]MV[{moves} ]R[{result}] ;)"
    (outcome,) = read_records(line)
    return outcome


def check(moves: str, result: str) -> Replay:
    """The record is a game by both paths, and its result comes out as written."""
    outcome = outcome_of(moves, result)
    assert isinstance(outcome, GameOutcome), outcome
    careful = replay(record(moves, result))
    assert format_result(outcome.replay.result) == format_result(careful.result) == result
    assert outcome.replay.state == careful.state
    assert outcome.replay.actions.tolist() == careful.actions.tolist()
    assert outcome.replay.events == careful.events
    assert (outcome.replay.convention, outcome.replay.split) == (careful.convention, careful.split)
    return outcome.replay


def refuse(moves: str, result: str, reason: str) -> None:
    """The record is quarantined for this reason."""
    outcome = outcome_of(moves, result)
    assert isinstance(outcome, QuarantineOutcome), outcome
    assert reason in outcome.reason
    with pytest.raises(RecordError, match=r".") as error:
        replay(record(moves, result))
    assert reason in str(error.value)


# -------------------------------------------------------------------------------------------------------- real records


def test_all_real_records_are_games_and_their_results_are_reproduced() -> None:
    outcomes = list(read_records(REAL))
    assert [outcome.line for outcome in outcomes] == list(range(1, 25))
    for line, outcome in zip(LINES, outcomes, strict=True):
        assert isinstance(outcome, GameOutcome)
        recorded = line.rpartition("]R[")[2].removesuffix("] ;)")
        assert format_result(outcome.replay.result) == recorded
        assert outcome.replay.convention == ""


@pytest.mark.parametrize("number", range(1, 25))
def test_the_careful_path_agrees_with_the_compiled_one(number: int) -> None:
    (outcome,) = read_records(LINES[number - 1])
    assert isinstance(outcome, GameOutcome)
    assert parse_record(LINES[number - 1]) == outcome.record
    careful = replay(outcome.record)
    assert careful.state == outcome.replay.state
    assert careful.result == outcome.replay.result
    assert careful.actions.tolist() == outcome.replay.actions.tolist()
    assert (careful.events, careful.split) == (outcome.replay.events, outcome.replay.split)


def test_writing_real_records_gives_their_lines() -> None:
    assert [format_record(parse_record(line)) for line in LINES] == LINES


def test_marks_of_real_records() -> None:
    found = [outcome for outcome in read_records(REAL) if isinstance(outcome, GameOutcome)]
    marked = {
        name: [outcome.line for outcome in found if getattr(outcome.replay, name)]
        for name in ("claimed", "aborted", "resigned", "split")
    }
    assert marked == {"claimed": [9, 19], "aborted": [1, 3, 5, 12], "resigned": [9, 10, 19], "split": [24]}
    assert [o.line for o in found if not o.replay.complete] == [1, 2, 3, 4, 5, 8, 9, 10, 12, 19, 21]
    first = found[0].record
    assert (first.key, first.ratings) == (("Internet Skat Server", "8"), (None, None, None))
    assert str(first.time) == "2007-10-29 04:44:01+00:00"
    assert str(first.deal).startswith("CJ.SJ")


# ------------------------------------------------------------------------------------------------------------- endings

DEAL7, CALLS7, PLAY7 = parts(7)  # grand with 3 by rearhand at 27; discards S8 C9
TRICKS7 = [" ".join(PLAY7.split(" ")[6 * i : 6 * i + 6]) for i in range(10)]


def after(n: int, rest: str) -> str:
    """Record 7 after ``n`` tricks, then ``rest``. Of its tricks the defenders take the first two (35 points)."""
    return " ".join([DEAL7, CALLS7, *TRICKS7[:n], rest])


ENDINGS = [
    # Before a trick is complete the declarer is neither schneider nor schwarz: 24 · (3 + 1), doubled.
    (0, "2 RE", "d:2 loss v:-192 m:3 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (0, "0 DK 1 DA 2 RE", "d:2 loss v:-192 m:3 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (0, "w TI.2", "d:2 loss v:-192 m:3 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:2 r:0"),
    (0, "w LE.0", "d:2 win v:144 m:3 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:0 to:-1 r:0"),
    # After two tricks of the defenders he is both: 24 · (3 + 1 + 2), doubled.
    (2, "2 RE", "d:2 loss v:-288 m:3 bidok p:0 t:0 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (2, "w LE.2", "d:2 loss v:-288 m:3 bidok p:0 t:0 s:1 z:1 p0:0 p1:0 p2:0 l:2 to:-1 r:0"),
    (3, "2 RE", "d:2 loss v:-240 m:3 bidok p:13 t:1 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    # The open trick counts for nobody.
    (7, "2 HQ 0 S9 w TI.2", "d:2 loss v:-192 m:3 bidok p:55 t:5 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:2 r:0"),
    # Defenders who give up leave all that is open to the declarer: 120 − 35 points, 10 − 2 tricks.
    (2, "0 RE 1 RE", "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (3, "1 RE 2 HJ 0 RE", "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (3, "2 SC 2 HJ 0 CT w TI.1", "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0"),
    # One resignation ends nothing; the declarer's after it does.
    (2, "1 RE 2 RE", "d:2 loss v:-288 m:3 bidok p:0 t:0 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    # 61 points after eight tricks: who resigns then has won, who leaves has lost.
    (8, "2 RE", "d:2 win v:96 m:3 bidok p:61 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"),
    (8, "w TI.2", "d:2 loss v:-192 m:3 bidok p:61 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:2 r:0"),
]


@pytest.mark.parametrize(("tricks", "rest", "result"), ENDINGS)
def test_endings(tricks: int, rest: str, result: str) -> None:
    found = check(after(tricks, rest), result)
    assert found.convention == ""
    assert found.aborted == ("w " in rest)
    assert found.claimed == ("SC" in rest)
    assert found.resigned == result.endswith("r:1")
    assert not found.complete


def test_resignation_of_one_defender_does_not_end_the_game() -> None:
    moves = after(2, " ".join(["1 RE", *TRICKS7[2:]]))
    found = check(moves, "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0")
    assert found.complete and not found.resigned


def test_a_single_resignation_that_ended_the_game_counts_as_both_if_the_result_says_so() -> None:
    moves = after(3, "2 SC 0 RE")
    found = check(moves, "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1")
    assert found.convention == "single resignation" and found.resigned
    refuse(moves, "d:2 win v:96 m:3 bidok p:84 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1", "the moves give 'unknown'")
    assert check(moves, "unknown").convention == ""


def test_a_declarer_who_left_with_a_won_game_may_be_recorded_as_winner() -> None:
    result = "d:2 win v:96 m:3 bidok p:61 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:2 to:-1 r:0"
    assert check(after(8, "w LE.2"), result).convention == "win kept"
    refuse(after(7, "w LE.2"), result.replace("p:61 t:6", "p:55 t:5"), "R: recorded")


def test_unfinished_games_are_unknown() -> None:
    for moves in (DEAL7, f"{DEAL7} 1 18", after(0, ""), after(4, "2 DQ")):
        assert check(moves.strip(), "unknown").result.kind == "unknown"
    refuse(after(3, "2 RE"), "unknown", "R: recorded 'unknown'")


def test_null_keeps_its_points_and_has_no_levels() -> None:
    deal, calls, _ = parts(10)  # null ouvert by middlehand, HA and HQ put away
    check(f"{deal} {calls} w LE.0", "d:1 win v:46 m:0 bidok p:14 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:0 to:-1 r:0")
    check(f"{deal} {calls} 1 RE", "d:1 loss v:-92 m:0 bidok p:14 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1")
    check(f"{deal} {calls} w TI.1", "d:1 loss v:-92 m:0 bidok p:14 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0")


def test_a_missed_announcement_has_neither_s_nor_z() -> None:
    deal, calls, play = parts(23)  # diamonds hand with 3, schneider announced; the skat H7 C8 counts nothing
    # 9 · (3 + 1 + hand + announced + counted as reached) = 63, whatever the tricks.
    lost = "d:2 loss v:-126 m:3 bidok p:{p} t:{t} s:0 z:0 p0:0 p1:0 p2:0 l:2 to:-1 r:0"
    check(f"{deal} {calls} w LE.2", lost.format(p=0, t=0))
    check(f"{deal} {calls} {' '.join(play.split(' ')[:6])} w LE.2", lost.format(p=17, t=1))
    # The server's published client shows him schneider: read, too.
    shown = lost.format(p=17, t=1).replace("s:0", "s:1")
    assert check(f"{deal} {calls} {' '.join(play.split(' ')[:6])} w LE.2", shown).convention == "own schneider"


# -------------------------------------------------------------------------------------------------- before the contract


def penalty(declarer: int, guilty: str, left: int = -1, timed_out: int = -1) -> str:
    p0, p1, p2 = guilty
    return f"d:{declarer} penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:{p0} p1:{p1} p2:{p2} l:{left} to:{timed_out} r:0"


DEAL9 = parts(9)[0]  # the skat is SA CJ


@pytest.mark.parametrize(
    ("calls", "result"),
    [
        ("w TI.0", penalty(-1, "100", timed_out=0)),
        ("1 18 w LE.1", penalty(-1, "010", left=1)),
        ("1 171 0 y 1 189 0 y 1 190 0 p w TI.2", penalty(-1, "001", timed_out=2)),
        ("1 20 0 y 1 p 2 p w LE.0", penalty(0, "100", left=0)),
        ("1 p 2 p 0 27 w LE.0", penalty(0, "100", left=0)),
        ("1 18 0 p 2 p w TI.0", penalty(1, "101", timed_out=0)),
        ("1 18 0 p 2 p 1 s w LE.1", penalty(1, "010", left=1)),
        ("1 18 0 p 2 p 1 s w CJ.SA w LE.2", penalty(1, "101", left=2)),
        ("1 p 2 p 0 p", "passed"),
    ],
)
def test_auctions_without_a_game(calls: str, result: str) -> None:
    assert check(f"{DEAL9} {calls}", result).convention == ""


@pytest.mark.parametrize(
    ("number", "rest", "result"),
    [
        # The scorer knows SA CJ: with 1. 24 · 2, doubled.
        (9, "1 G w TI.1", "d:1 loss v:-96 m:1 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0"),
        # It knows DJ D8: clubs without 3, grand without 3.
        (10, "1 C w LE.1", "d:1 loss v:-96 m:-3 bidok p:2 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:1 to:-1 r:0"),
        (10, "1 NO w LE.1", "d:1 loss v:-92 m:0 bidok p:2 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:1 to:-1 r:0"),
        # A defender gives everything up: 24 · (3 + 1 + 2).
        (10, "1 G w LE.2", "d:1 win v:144 m:-3 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:2 to:-1 r:0"),
        # No jack at all: clubs without 11.
        (15, "1 C w TI.1", "d:1 loss v:-288 m:-11 bidok p:7 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0"),
        (15, "1 G w TI.1", "d:1 loss v:-240 m:-4 bidok p:7 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0"),
    ],
)
def test_breaking_off_between_contract_and_discards(number: int, rest: str, result: str) -> None:
    deal, calls, _ = parts(number)
    before = calls.rpartition(" 1 ")[0]
    assert check(f"{deal} {before} {rest}", result).convention == "contract without discard"


# ----------------------------------------------------------------------------------------------------- forms of contract


def test_forms_of_ouvert_and_their_canonical_writing() -> None:
    deal, calls, play = parts(10)
    result = format_result(parse_record(LINES[9]).result)
    before = calls.rpartition(" 1 ")[0]
    hand = "HA.C7.CJ.DK.D7.C8.DA.DT.D9.DJ"  # not his ten cards, but of his twelve
    ten = ".".join(deal.split(" ")[1].split(".")[10:20])
    forms = ["NO.HA.HQ", f"NO.HA.HQ.{ten}", f"NO.HQ.HA.{hand}", "NO 1 HA.HQ", f"NO 1 HA.HQ.{ten}.{ten}"]
    for form in forms:
        found = check(f"{deal} {before} 1 {form} {play}", result)
        assert found.split == (" " in form)
        assert canonical_moves(f"{deal} {before} 1 {form} {play}") in (
            f"{deal} {before} 1 NO.{form[3:8]} {play} ",
            f"{deal} {before} 1 NO 1 {form[5:10]} {play} ",
        )
    refuse(f"{deal} {before} 1 NO.HA.HQ.C9 {play}", result, "shows a card that the declarer does not have")
    refuse(f"{deal} {before} 1 NO.HA {play}", result, "expected two discards")
    refuse(f"{deal} {before} 1 NO.HA.HA {play}", result, "HA is not legal in the discard")


@pytest.mark.parametrize(("number", "forms"), [(2, ["NOH", "NHO"]), (4, ["CO", "CHO", "COH", "CHOSZ", "COZ", "COS"])])
def test_flags_are_a_set(number: int, forms: list[str]) -> None:
    deal, calls, play = parts(number)
    result = format_result(parse_record(LINES[number - 1]).result)
    before = calls.rpartition(" ")[0]
    ten = ".".join(deal.split(" ")[1].split(".")[10:20])
    for form in forms:
        for shown in ("", f".{ten}"):
            check(f"{deal} {before} {form}{shown} {play}", result)
            assert canonical_moves(f"{deal} {before} {form}{shown}") == f"{deal} {before} {forms[0]} "
    for wrong in ("N", "NO", "NHH", "NHS", "H7", "NX", "GS", "nh"):
        outcome = outcome_of(f"{deal} {before} {wrong} {play}", result)
        assert isinstance(outcome, QuarantineOutcome)


def test_a_hand_game_is_told_by_the_skat_left_not_by_the_letters() -> None:
    deal, calls, play = parts(14)  # hearts after a pick-up, declared H
    result = format_result(parse_record(LINES[13]).result)
    check(f"{deal} {calls} {play}", result)
    refuse(f"{deal} {calls.replace(' H.', ' HH.')} {play}", result, "hand declared after the pick-up")
    refuse(f"{deal} 1 p 2 p 0 18 0 H {play}", result, "must be declared as hand")


# -------------------------------------------------------------------------------------------------- deals, views, damage


def test_deals_with_bars_and_views() -> None:
    cards = DEAL7.split(" ")[1].split(".")
    bars = "|".join(".".join(cards[a:b]) for a, b in ((0, 10), (10, 20), (20, 30), (30, 32)))
    result = format_result(parse_record(LINES[6]).result)
    check(after(10, "").strip().replace(DEAL7, f"w {bars}"), result)
    hidden = "|".join([".".join(cards[:10]), ".".join(["??"] * 10), ".".join(["??"] * 10), "??.??"])
    for moves in (f"w {hidden} 1 18", f"w {hidden.replace('|', '.')} 1 18 0 p 2 p 1 s w ??.?? 1 G.??.?? 0 DK"):
        outcome = outcome_of(moves, "unknown")
        assert isinstance(outcome, ViewOutcome)
        with pytest.raises(RecordError, match="view"):
            replay(outcome.record)
    line = LINES[6].replace("]P0[", "]OW[2]P0[")
    (outcome,) = read_records(line)
    assert isinstance(outcome, ViewOutcome) and outcome.record.viewer == "2"
    assert format_record(outcome.record) == line


def test_an_unknown_card_is_taken_only_before_somebody_goes() -> None:
    result = "d:2 win v:144 m:3 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:0 to:-1 r:0"
    check(after(0, "0 ?? w LE.0"), result)
    refuse(after(0, "0 ?? 1 DA w LE.0"), result, "an unknown card before it")
    refuse(after(0, "1 ?? w LE.0"), result, "seat 0 is to move")
    refuse(after(0, "0 ??"), "unknown", "ends with an unknown card")


BAD_MOVES = [
    ("w", "1 words"),
    ("1 18", "expected to begin with the deal"),
    (DEAL7.replace("SQ", "SX"), "'SX' is not a card"),
    (DEAL7.replace("SQ", "DK"), "deal: DK occurs twice"),
    (DEAL7[:-3], "deal: 31 cards"),
    (DEAL7.replace(".", "|", 1), "expected 10|10|10|2"),
    (f"{DEAL7} 0 18", "seat 1 is to move"),
    (f"{DEAL7} 1 17", "expected a bid"),
    (f"{DEAL7} 1 19", "expected a bid"),
    (f"{DEAL7} 1 018", "expected a bid"),
    (f"{DEAL7} 1 500", "expected a bid"),
    (f"{DEAL7} 1 w", "expected a bid"),
    (f"{DEAL7} 1 ١٨", "expected a bid"),
    (f"{DEAL7} 1 20 0 y 1 18", "bid 18 is not legal in the auction"),
    (f"{DEAL7} 1 y", "hold is not legal in the auction"),
    (f"{DEAL7} 1 18 0 20", "bid 20 is not legal in the auction"),
    (f"{DEAL7} 3 18", "expected w, 0, 1 or 2"),
    (f"{DEAL7} w C7.C8", "expected TI or LE"),
    (f"{DEAL7} 1 RE", "resignation outside play"),
    (f"{DEAL7} 1 SC", "only the declarer shows his cards"),
    (f"{DEAL7} w TI.3", "expected TI or LE"),
    (f"{DEAL7} w LE.0 1 18", "the game was over before"),
    (f"{DEAL7} 1 p 2 p 0 p 1 18", "the game was over before"),
    (f"{DEAL7} 1 18 0 p 2 p 1 s 1 G.C7.C8", "expected 'w' and the skat"),
    (f"{DEAL7} 1 18 0 p 2 p 1 s w HT.HA", "not the skat that was dealt"),
    (f"{DEAL7} 1 18 0 p 2 p 1 s w HT.H9.H9 1 G.HT.H8", "not the skat that was dealt"),
    (f"{DEAL7} 1 24 0 p 2 p 1 NH 0 p", "'p' is not a card"),
    (f"{DEAL7} 1 36 0 p 2 p 1 NH", "declare NH is not legal"),
    (after(0, "0 DA"), "DA is not legal in play"),
    (after(0, "0 DK 1 ST"), "ST is not legal in play"),
    (after(0, "0 DK 1 RE 1 RE"), "resigned twice"),
    (after(0, "0 SC"), "only the declarer shows his cards"),
    (after(0, "2 SC.DK"), "shows a card"),
    (after(10, "w TI.0"), "the game was over before"),
    (after(10, "0 RE"), "the game was over before"),
]


@pytest.mark.parametrize(("moves", "reason"), BAD_MOVES)
def test_what_the_rules_do_not_allow_is_quarantined_with_the_reason(moves: str, reason: str) -> None:
    refuse(moves, "passed", reason)


def test_shown_cards_of_a_claim_are_his_and_the_writer_drops_them() -> None:
    result = "d:2 win v:96 m:3 bidok p:85 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"
    assert check(after(3, "2 SC.HJ.SJ.DQ 0 RE 1 RE"), result).claimed
    assert canonical_moves("w x 2 SC.HJ.SJ 0 RE") == "w x 2 SC 0 RE "


@pytest.mark.parametrize("token", range(14))
def test_every_token_of_the_result_is_checked(token: int) -> None:
    words = format_result(parse_record(LINES[6]).result).split(" ")
    changed = [
        "d:1",
        "loss",
        "v:95",
        "m:-3",
        "overbid",
        "p:84",
        "t:9",
        "s:1",
        "z:1",
        "p0:1",
        "p1:1",
        "p2:1",
        "l:0",
        "to:1",
    ]
    words[token] = changed[token]
    refuse(after(10, "").strip(), " ".join(words), "R: recorded")


def test_an_absent_r_token_is_kept() -> None:
    for line in (LINES[2], LINES[4]):
        assert " r:" not in line
        (outcome,) = read_records(line)
        assert isinstance(outcome, GameOutcome)
        assert outcome.record.result.resigned is None and outcome.replay.result.resigned is None
    for tricks, rest, result in ENDINGS:
        found = check(after(tricks, rest), result[:-4])
        assert found.resigned == result.endswith("r:1")
