"""Claims: the chance of winning that declarers give themselves, and what the report makes of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from skatai.agent import decision_rng
from skatai.arena import GameRecord, PhaseAgent, Tournament, calibration, play_game, read_log
from skatai.arena.console import print_summary
from skatai.arena.report import report_html
from skatai.arena.tournament import LOG_NAME
from skatai.deal import deals_from_seed
from skatai.errors import AgentError, RecordError
from skatai.game import Game
from tests.arena.toys import BatchClaiming, Claiming, Lowest, Uniform

DEALS = deals_from_seed(5, 8)


@pytest.fixture(scope="module")
def records() -> tuple[GameRecord, ...]:
    return Tournament([Claiming(), Lowest()], DEALS, seed=9).run().records


def _without_claims(record: GameRecord) -> tuple[Any, ...]:
    return tuple("uniform" if v == "claiming" else v for v in record.same_game[5:-1])


def test_claims_change_no_game(records: tuple[GameRecord, ...]) -> None:
    silent = Tournament([Uniform(), Lowest()], DEALS, seed=9).run().records
    assert [_without_claims(r) for r in records] == [_without_claims(r) for r in silent]
    assert all(r.claim is None for r in silent)


def test_only_declarers_that_have_an_answer_claim(records: tuple[GameRecord, ...]) -> None:
    claims = 0
    for record in records:
        claiming = record.declarer is not None and record.seats[record.declarer] == "claiming"
        assert (record.claim is not None) == claiming
        claims += claiming
    assert 0 < claims < len(records)


def test_the_claim_is_that_of_the_declarers_view_before_the_first_card(records: tuple[GameRecord, ...]) -> None:
    for record in records:
        if record.claim is None or record.declarer is None:
            continue
        game = record.replay()
        start = Game(game.deal)
        for _, name in game.history:
            if start.phase == "play":
                break
            start.play(name)
        rng = decision_rng(9, record.deal, record.declarer, -1)
        assert record.claim == round(Claiming().win_chance(start.view(record.declarer), rng), 6)


@pytest.mark.parametrize("tables", [1, 7, 100])
def test_batches_claim_the_same(records: tuple[GameRecord, ...], tables: int) -> None:
    found = Tournament([BatchClaiming(), Lowest()], DEALS, seed=9).run(tables=tables, workers=2, backend="threads")
    assert [r.same_game for r in found.records] == [r.same_game for r in records]


def test_the_part_that_declares_claims() -> None:
    found = Tournament([PhaseAgent(Claiming(), Lowest()), PhaseAgent(Lowest(), BatchClaiming())], DEALS).run().records
    claimers = {r.seats[r.declarer] for r in found if r.claim is not None and r.declarer is not None}
    assert claimers == {"claiming+lowest"}
    assert hasattr(PhaseAgent(BatchClaiming(), Lowest()), "win_chance_batch")
    assert not hasattr(PhaseAgent(Claiming(), Lowest()), "win_chance_batch")


def test_claims_are_in_the_log_and_old_logs_are_read(records: tuple[GameRecord, ...], tmp_path: Path) -> None:
    tournament = Tournament([Claiming(), Lowest()], DEALS, seed=9)
    tournament.run(tmp_path)
    log = tmp_path / LOG_NAME
    assert [r.claim for r in read_log(log)[1]] == [r.claim for r in records]
    lines = log.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines[1:]]
    assert all("claim" in row for row in rows)
    for row in rows:
        del row["claim"]
    log.write_text("\n".join([lines[0], *map(json.dumps, rows[:10])]) + "\n", encoding="utf-8")
    assert [r.claim for r in read_log(log)[1]] == [None] * 10
    assert len(tournament.run(tmp_path).records) == len(records)
    with pytest.raises(RecordError, match="expected the fields"):
        GameRecord.from_dict({**rows[0], "extra": 1})


def test_calibration_of_the_summary(records: tuple[GameRecord, ...], capsys: pytest.CaptureFixture[str]) -> None:
    result = Tournament([Claiming(), Lowest()], DEALS, seed=9).run()
    summary = result.summary()
    found = {agent.name: agent.calibration for agent in summary.agents}
    mine = [(r.claim, r.won) for r in records if r.claim is not None]
    assert found["lowest"] is None
    expected = calibration([claim for claim, _ in mine], [won for _, won in mine])
    assert str(found["claiming"]) == str(expected)
    print_summary(summary)
    out = " ".join(capsys.readouterr().out.split())
    assert f"Claims of claiming to win: {expected}" in out
    html = report_html(result)
    assert f'<td class="n">{expected.brier:.4f}</td>' in html
    assert '<img alt="Claims of claiming" src="data:image/svg+xml;base64,' in html
    assert "Claims of lowest" not in html


@pytest.mark.parametrize("answer", [1.1, -0.1, math.nan, None, "certain"])
def test_what_is_no_chance(answer: object) -> None:
    class Boasting(Uniform):
        name = "boasting"

        def win_chance(self, view: object, rng: object) -> object:
            return answer

    with pytest.raises(AgentError, match=r"agent 'boasting', deal \d, \w+ in play: chance of winning .*expected 0 … 1"):
        Tournament([Boasting(), Boasting()], DEALS).run()


def test_a_claim_that_raises_is_an_agents_error() -> None:
    class Shy(Uniform):
        name = "shy"

        def win_chance_batch(self, views: object, rngs: object) -> list[float]:
            raise RuntimeError("rather\nnot")

    with pytest.raises(AgentError, match=r"agent 'shy', deal \d, \w+ in play: RuntimeError: rather not; position: "):
        Tournament([Shy(), Shy()], DEALS).run()


def test_too_few_claims() -> None:
    class Lazy(Uniform):
        def win_chance_batch(self, views: object, rngs: object) -> list[float]:
            return []

    with pytest.raises(AgentError, match="0 claims for 1 views"):
        for deal in DEALS:
            play_game([Lazy()] * 3, deal)
