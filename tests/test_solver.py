"""The public face of the solver, and samples of positions that independent solvers agree on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from skatai._jit import JIT_ENABLED
from skatai.cards import Card, CardSet
from skatai.contract import GAME_NAMES
from skatai.errors import InvalidDealError, NotationError, SkatError
from skatai.kernels.state import STATE
from skatai.seats import SEAT_NAMES
from skatai.solver import Position, Solution, solve, solve_batch, solve_moves

DATA = Path(__file__).parent / "data"
ENDING = Position.of(["CJ HT", "HA H7", "SJ D7"], game="H", declarer="F", leader="F")


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def solved_positions() -> list[tuple[Position, int]]:
    return [
        (
            Position.of(
                [row["player1_declarer"], row["player2"], row["player3"]],
                game=GAME_NAMES.index(row["game"]),
                declarer=0,
                leader=int(row["player_to_lead"]) - 1,
            ),
            int(row["expected_value"]),
        )
        for row in rows("solved_positions_sample.csv")
    ]


def contract_deals() -> list[tuple[dict[str, str], Position]]:
    return [
        (
            row,
            Position.of(
                [row[name] for name in SEAT_NAMES],
                game=GAME_NAMES.index(row["game"]),
                declarer=SEAT_NAMES.index(row["declarer"]),
                leader=0,
            ),
        )
        for row in rows("contract_deals_sample.csv")
    ]


@pytest.mark.jit
def test_solved_positions() -> None:
    for position, expected in solved_positions():
        assert solve(position).value == expected
        solution = solve_moves(position)
        assert solution.value == expected
        assert solution.best_moves


@pytest.mark.jit
def test_contract_deals() -> None:
    for row, position in contract_deals():
        wins = row["declarer_wins"] == "1"
        if row["game"] == "null":
            assert solve(position).value == wins
            continue
        target = 61 - int(row["declarer_skat_points"])
        assert solve(position).value == int(row["declarer_trick_points"])
        assert solve(position, target=target).reaches(target) is wins


def test_small_solved_positions() -> None:
    for position, expected in solved_positions()[:30]:
        assert solve(position).value == expected


def test_solution_of_an_ending() -> None:
    solution = solve_moves(ENDING)
    assert solution.moves == {Card.parse("CJ"): 4, Card.parse("HT"): 2}
    assert solution.best_moves == (Card.parse("CJ"),)
    assert solution.exact
    assert solution.lower == solution.value == solution.upper == 4
    assert solve(ENDING).moves == {}


def test_moves_of_a_defender_take_the_smallest_value() -> None:
    position = Position.of(["HT", "HA H7", "SJ D7"], game="H", declarer="F", leader="F", table="CJ")
    assert position.to_move == 1
    solution = solve_moves(position)
    assert solution.moves == {Card.parse("HA"): 25, Card.parse("H7"): 4}
    assert solution.value == 4


def test_target_and_node_limit() -> None:
    assert solve(ENDING, target=4).reaches(4) is True
    assert solve(ENDING, target=5).reaches(5) is False
    assert Solution(10, False, 10, 50, 7).reaches(30) is None
    hands = ["CJ SJ C7 H9 H7", "HJ CA CT HA H8", "DJ CK CQ HT HK"]
    limited = solve(Position.of(hands, "C", "F", "M"), node_limit=2)
    full = solve(Position.of(hands, "C", "F", "M"))
    assert not limited.exact
    assert limited.lower <= full.value <= limited.upper
    assert limited.nodes <= 3 < full.nodes
    with pytest.raises(SkatError, match="negative"):
        solve(ENDING, target=-1)


def test_batches_do_not_depend_on_threads() -> None:
    positions = [position for position, _ in solved_positions()[: 120 if JIT_ENABLED else 20]]
    values = [solution.value for solution in solve_batch(positions)]
    assert values == [solution.value for solution in solve_batch(positions, threads=2)]
    assert [s.moves for s in solve_batch(positions, moves=True, threads=2)] == [solve_moves(p).moves for p in positions]
    assert [s.reaches(20) for s in solve_batch(positions, target=20)] == [value >= 20 for value in values]
    with pytest.raises(SkatError, match="exclude"):
        solve_batch(positions, target=1, moves=True)


def test_positions_are_checked() -> None:
    with pytest.raises(InvalidDealError, match="CJ occurs twice"):
        Position.of(["CJ HT", "CJ H7", "SJ D7"], "H", "F", "F")
    with pytest.raises(InvalidDealError, match="HT occurs twice"):
        Position.of(["CJ HT", "HA", "SJ"], "H", "F", "M", table="HT H9")
    with pytest.raises(InvalidDealError, match=r"hands of \[2, 1, 2\]"):
        Position.of(["CJ HT", "HA", "SJ D7"], "H", "F", "F")
    with pytest.raises(InvalidDealError, match="3 cards on the table"):
        Position.of(["", "", ""], "H", "F", "F", table="CJ SJ HJ")
    with pytest.raises(InvalidDealError, match="expected 3"):
        Position.of(["CJ", "SJ"], "H", "F", "F")
    with pytest.raises(SkatError, match="declarer 3"):
        Position.of(["CJ", "SJ", "HJ"], "H", 3, "F")
    with pytest.raises(SkatError, match="game 6"):
        Position.of(["CJ", "SJ", "HJ"], 6, 0, "F")
    with pytest.raises(NotationError, match="not a seat"):
        Position.of(["CJ", "SJ", "HJ"], "H", "X", "F")
    with pytest.raises(NotationError, match="not a game"):
        Position.of(["CJ", "SJ", "HJ"], "GH", "F", "F")
    with pytest.raises(NotationError, match="not a card"):
        Position.of(["CJ", "SJ", "XX"], "G", "F", "F")


def test_positions_without_cards() -> None:
    empty = Position.of(["", "", ""], "G", "F", "F")
    assert solve(empty).value == 0
    with pytest.raises(SkatError, match="no card"):
        solve_moves(empty)


def test_position_of_a_game_record() -> None:
    state = np.zeros(1, dtype=STATE)[0]
    state["game"] = 255
    with pytest.raises(SkatError, match="no contract"):
        solve(state)
    state["game"], state["declarer"] = 1, 0
    state["hands"] = [CardSet.parse(text).mask for text in ("HT", "HA H7", "SJ D7")]
    state["n_plays"] = 25
    state["plays"][24] = Card.parse("CJ")
    state["leaders"][8] = 0
    position = Position.from_state(state)
    assert position == Position.of(["HT", "HA H7", "SJ D7"], "H", "F", "F", table="CJ")
    assert position.points_left == 25
    assert solve(state).value == 4
