"""Games as ISS records and back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from skatai.deal import Deal
from skatai.errors import RecordError
from skatai.game import Game
from skatai.records.iss import (
    GameOutcome,
    format_record,
    format_result,
    game_of_replay,
    generate_lines,
    parse_record,
    read_records,
    record_of_game,
)
from skatai.rules import Rules

REAL = Path(__file__).parents[1] / "data" / "iss_records.sgf"


def test_records_become_games_and_records_again() -> None:
    outcomes = [*read_records(REAL), *read_records("".join(generate_lines(6, 200)))]
    for outcome in outcomes:
        assert isinstance(outcome, GameOutcome)
        found = outcome.replay
        game = game_of_replay(found)
        assert game.state == found.state
        assert game.deal == outcome.record.deal
        record = record_of_game(game)
        assert record.result.score == outcome.record.result.score
        (again,) = read_records(format_record(record))
        assert isinstance(again, GameOutcome)
        assert again.replay.state == found.state


def test_a_game_written_out() -> None:
    deal = Deal.parse("CJ SJ HJ DJ CA CT CK CQ C9 C8 SA ST SK SQ S9 S8 S7 HA HT HK DA DT DK DQ D9 D8 D7 HQ H9 H8 C7 H7")
    game = Game(deal, rules=Rules.iss())
    for call in ("pass", "pass", "bid 18", "declare GHS"):
        game.play(call)
    time = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    line = format_record(record_of_game(game, players=("a", "b", "c"), series=2, game_id=3, time=time))
    assert line == (
        "(;GM[Skat]PC[skatai]CO[]SE[2]ID[3]DT[2026-01-02/03:04:05/UTC]P0[a]P1[b]P2[c]R0[]R1[]R2[]"
        "MV[w CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8.SA.ST.SK.SQ.S9.S8.S7.HA.HT.HK.HQ.H9.H8.DA.DT.DK.DQ.D9.D8.D7.C7.H7 "
        "1 p 2 p 0 18 0 GHS ]R[unknown] ;)"
    )
    assert parse_record(line).time == time
    game.event("concede", 1).event("concede", 2)
    record = record_of_game(game)  # 24 · (4 + 1 + hand + announced + schneider + schwarz)
    assert format_result(record.result) == ("d:0 win v:216 m:4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:1")


def test_what_records_cannot_say() -> None:
    deal = Deal.random(seed=1)
    claim = Game(deal, rules=Rules(claims="penalise"))
    for call in ("bid 18", "pass", "pass", "declare GH"):
        claim.play(call)
    claim.event("claim", 1)
    with pytest.raises(RecordError, match="claim"):
        record_of_game(claim)
    with pytest.raises(RecordError, match="ladder"):
        record_of_game(Game(deal, rules=Rules.iss()).play("bid 171"))
    isko = Game(deal, rules=Rules.table())
    for call in ("bid 18", "pass", "pass", "declare GH"):
        isko.play(call)
    isko.event("concede", 0).event("accept", 1)
    with pytest.raises(RecordError):
        record_of_game(isko)
