"""Looking back with all cards seen."""

from __future__ import annotations

import pytest

from skatai.arena.hindsight import at_first_lead, hindsight
from skatai.deal import Deal
from skatai.game import Game
from skatai.solver import Position, solve, solve_moves


def _declared(seed: int, contract: str) -> Game:
    game = Game(Deal.random(seed)).play("bid 18").play("pass").play("pass").play("pick up")
    for _ in range(2):
        game.play(game.legal_actions[0])
    return game.play(f"declare {contract}")


@pytest.mark.parametrize(("seed", "contract"), [(1, "D"), (2, "G"), (3, "C"), (4, "N")])
def test_perfect_play_has_no_slips(seed: int, contract: str) -> None:
    game = _declared(seed, contract)
    while not game.is_over:
        game.play(solve_moves(Position.from_state(game.state)).best_moves[0])
    seen = hindsight(game)
    assert seen is not None
    assert seen.slips == ()
    assert game.result is not None
    assert seen.value == (game.result.won if contract == "N" else game.result.points)


@pytest.mark.parametrize(("seed", "contract"), [(1, "D"), (2, "G"), (5, "S")])
def test_slips_explain_the_difference(seed: int, contract: str) -> None:
    """What the declarer got is the value at the first lead, less his slips, plus the defenders'."""
    game = _declared(seed, contract)
    while not game.is_over:
        game.play(game.legal_actions[-1])
    seen = hindsight(game)
    assert seen is not None and game.result is not None
    assert seen.slips
    gains = sum(slip.cost if slip.seat != game.declarer else -slip.cost for slip in seen.slips)
    assert game.result.points == seen.value + gains
    assert [slip.cost for slip in seen.worst] == sorted((slip.cost for slip in seen.slips), reverse=True)


def test_first_lead() -> None:
    game = _declared(1, "G")
    lead = str(game)
    game.play(game.legal_actions[0])
    start = at_first_lead(game)
    assert str(start) == lead
    assert len(game.plays) == 1
    assert solve(Position.from_state(start.state)).exact


def test_nothing_to_see() -> None:
    assert hindsight(Game(Deal.random(1))) is None
    assert hindsight(_declared(1, "G")) is None


def test_looking_back_changes_nothing() -> None:
    game = _declared(2, "G")
    while not game.is_over:
        game.play(game.legal_actions[-1])
    before = [str(at_first_lead(game)), str(at_first_lead(game).contract)]
    assert hindsight(game) == hindsight(game)
    assert [str(at_first_lead(game)), str(at_first_lead(game).contract)] == before
