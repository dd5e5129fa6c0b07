"""The public face of the solver, and samples of positions that independent solvers agree on."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai._jit import JIT_ENABLED
from skatai.cards import Card, CardSet
from skatai.contract import GAME_NAMES
from skatai.deal import Deal
from skatai.errors import IllegalActionError, InvalidDealError, NotationError, SkatError
from skatai.game import Game
from skatai.kernels.state import STATE
from skatai.rng import Rng
from skatai.seats import SEAT_NAMES
from skatai.solver import (
    Position,
    Solution,
    best_line,
    position_html,
    position_svg,
    positions_of,
    solve,
    solve_batch,
    solve_contracts,
    solve_discards,
    solve_game,
    solve_moves,
)
from skatai.solver.cases import read_cases, statistics

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
    assert [s.reached for s in solve_batch(positions, goal=20)] == [value >= 20 for value in values]
    asked = solve_batch(positions, 20, moves=True)
    for solution, every in zip(asked, solve_batch(positions, moves=True), strict=True):
        assert dict(solution.moves) == {card: int(value >= 20) for card, value in every.moves.items()}
        assert solution.reached is (every.value >= 20)
        assert set(solution.best_moves) >= set(every.best_moves) or every.value < 20
    with pytest.raises(SkatError, match="exclude"):
        solve_batch(positions, node_limit=1, moves=True)


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


def test_cards_on_the_table_must_have_followed() -> None:
    with pytest.raises(InvalidDealError, match="rearhand played C7 to H7 and still holds HT"):
        Position.of(["CJ HA", "H8", "HT"], "S", "F", "M", table="H7 C7")
    with pytest.raises(InvalidDealError, match="still holds CJ"):
        Position.of(["D8", "CJ", "D9 D7"], "H", "F", "F", table="SJ SA")
    Position.of(["CJ HA", "H8", "ST"], "S", "F", "M", table="H7 C7")


def test_positions_round_trip_and_play() -> None:
    for position, _ in solved_positions()[:60]:
        assert Position.parse(str(position)) == position
        card = solve_moves(position).best_moves[0]
        after = position.play(card)
        assert Position.parse(str(after)) == after
    ending = Position.parse("H F F CJ.HT|HA.H7|SJ.D7 - 40")
    assert ending.taken == 40
    for name in ("CJ", "HA", "SJ"):
        ending = ending.play(Card.parse(name))
    assert (ending.taken, ending.leader, ending.table) == (55, 0, ())
    with pytest.raises(IllegalActionError, match="does not hold CJ"):
        ending.play(Card.parse("CJ"))
    with pytest.raises(IllegalActionError, match="must follow"):
        Position.parse("H F F CJ|HA.D7|D8.D9 HT").play(Card.parse("D7"))
    for text in ("H F F", "H F F CJ|HA|D8 - x", "X F F CJ|HA|D8", "H F F CJ|HA"):
        with pytest.raises(SkatError):
            Position.parse(text)


def test_goals_count_what_was_taken() -> None:
    ending = Position.parse("H F F CJ.HT|HA.H7|SJ.D7 - 57")
    assert solve(ending).value == 4
    assert solve(ending, "win").reached is True
    assert solve(ending, 62).reached is False
    assert solve(ending, "schneider").reached is False
    assert solve(ending, "out of schneider").reached is True
    assert str(solve(ending, "win")).startswith("at least 4: yes")
    for goal in ("null", "points", -1):
        with pytest.raises(SkatError, match="goal"):
            solve(ending, goal)
    with pytest.raises(SkatError, match="goal"):
        solve(Position.parse("N F F C7|C8|C9"), 61)
    with pytest.raises(SkatError, match="exclude"):
        solve(ending, "win", target=3)


def test_positions_of_deals_and_games() -> None:
    deal = Deal.random(5)
    position = Position.from_deal(deal, "G", "M")
    assert position.taken == deal.skat.points
    twelve = deal.hands[1] | deal.skat
    away = CardSet.of(list(twelve)[:2])
    position = Position.from_deal(deal, "G", "M", away)
    assert position.hands[1] == twelve - away
    with pytest.raises(InvalidDealError, match="expected two of"):
        Position.from_deal(deal, "G", "M", deal.hands[0])
    with pytest.raises(SkatError, match="expected a Position"):
        solve(3)
    game = played_game()
    with pytest.raises(SkatError, match="no contract"):
        solve(Game(deal))
    pairs = positions_of(game.state)
    assert [card for _, card in pairs] == [card for _, card in game.plays]
    assert [position.to_move for position, _ in pairs] == [seat for seat, _ in game.plays]
    assert pairs[0][0] == Position.from_deal(game.deal, "G", game.declarer)
    last = pairs[-1][0].play(pairs[-1][1])
    assert last == Position.from_state(game.state)


def played_game() -> Game:
    """A grand hand of forehand, nine cards into the play."""
    game = Game(Deal.random(7))
    for action in ("pass", "pass", "bid 18", "declare GH"):
        game.play(action)
    rng = Rng(3)
    for _ in range(9 if not JIT_ENABLED else 17):
        game.play(rng.choice(game.legal_actions))
    return game


@pytest.mark.jit
def test_losses_of_a_game_add_up() -> None:
    game = played_game()
    decisions = solve_game(game)
    assert [decision.card for decision in decisions] == [card for _, card in game.plays]
    start = Position.from_deal(game.deal, "G", game.declarer)
    now = Position.from_state(game.state)
    total = solve(start).value
    for decision in decisions:
        assert decision.loss >= 0
        total += -decision.loss if decision.seat == game.declarer else decision.loss
    assert total == solve(now).value + now.taken - start.taken


@pytest.mark.jit
def test_best_line_is_worth_the_value() -> None:
    for position, expected in solved_positions()[::7]:
        line = best_line(position)
        for card in line.cards:
            position = position.play(card)
        assert position.taken == line.value == expected
        assert len(position.hands[0]) == 0
    won = best_line("N F M C7.D7|C8.D8|C9.D9")
    assert (won.value, len(won.plays)) == (1, 6)
    assert len(best_line("N F F C9.D7|C8.D8|C7.D9").plays) == 3


@pytest.mark.jit
def test_put_aways_and_contracts() -> None:
    deal = Deal.random(3)
    hands = [deal.hands[0] | deal.skat, *deal.hands[1:]]
    puts = solve_discards(hands, "C", 0)
    assert len({put.discards for put in puts}) == 66
    assert puts[0].total == max(put.total for put in puts)
    for put in puts[::13]:
        assert put.total == put.discards.points + solve(Position.from_deal(deal, "C", 0, put.discards)).value
    reached = solve_discards(hands, "C", 0, target=50)
    assert {put.discards for put in reached if put.reached} == {put.discards for put in puts if put.total >= 50}
    for put in reached:
        assert (put.total >= 50) is put.reached
    values = solve_contracts(deal, 0)
    assert list(values) == [0, 1, 2, 3, 4, 5]
    assert values[3].total == puts[0].total
    assert values[3].won is (puts[0].total >= 61)
    nulls = solve_discards(hands, "N", 0)
    assert values[5].won is bool(nulls[0].total)
    by_hand = solve_contracts(deal, 0, hand=True)
    for game in range(5):
        assert by_hand[game].total == deal.skat.points + solve(Position.from_deal(deal, game, 0)).value
        assert by_hand[game].total <= values[game].total or game < 5
    with pytest.raises(InvalidDealError, match="expected twelve"):
        solve_discards(deal.hands, "C", 0)


def test_pictures() -> None:
    svg = position_svg("H F F CJ.HT|HA.H7|SJ.D7")
    assert svg.startswith("<svg") and svg.endswith("</svg>")
    assert "the declarer gets 4 of 25 points to come" in svg
    assert position_html("N F F C7|C8|C9").startswith("<!DOCTYPE html>")
    with_table = position_svg("H F F HT|HA.H7|SJ.D7 CJ")
    assert "trick, led by forehand" in with_table


def test_results_print_well() -> None:
    assert str(solve_moves(ENDING)).split("  ")[1:] == ["CJ 4", "HT 2"]
    assert str(Solution(1, False, 1, 9, 1000)) == "1 … 9 (1,000 nodes)"
    assert str(best_line(ENDING)) == "4: F:CJ M:H7 R:SJ F:HT M:HA R:D7"


def test_statistics_of_the_samples() -> None:
    cases = read_cases(DATA / "contract_deals_sample.csv")[: 25 if JIT_ENABLED else 0]
    solved = read_cases(DATA / "solved_positions_sample.csv")
    # A position of one card needs no search; two and three cards are quick without the compiler, too.
    cases += [case for case in solved if sum(map(len, case.position.hands)) in (6, 9)][:20]
    lines = list(statistics(cases, ("exact",)))
    assert {line.kind for line in lines} >= {"suit", "grand"}
    assert all(line.wrong == 0 and line.count > 0 and line.total_nodes > 0 for line in lines)
    wrong = [replace(case, expected=(case.expected or 0) + 1) for case in cases[-5:]]
    assert sum(line.wrong for line in statistics(wrong, ("exact",))) == 5


def test_files_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# two\nH F F CJ.HT|HA.H7|SJ.D7\n\nG M R CJ|SJ|HJ # last\n")
    assert [case.kind for case in read_cases(path)] == ["suit", "grand"]
    path.write_text("H F F CJ.HT|HA.H7|SJ.D7\nG M R CJ|SJ\n")
    with pytest.raises(SkatError, match=r"positions.txt, line 2: .*expected 3"):
        read_cases(path)
    path.write_text("id,position\n7,N F F C7|C8|C9\n")
    assert read_cases(path)[0].name == "7"
    path.write_text("id,position\n7,N F F C7|C8\n")
    with pytest.raises(SkatError, match="line 2"):
        read_cases(path)
    path.write_text("# nothing\n")
    with pytest.raises(SkatError, match="no positions"):
        read_cases(path)
    with pytest.raises(SkatError, match="cannot read"):
        read_cases(tmp_path / "missing.txt")


# ----------------------------------------------------------------------------------------------------------- symmetries


def ending(seed: int, game: int, most: int) -> Position:
    """A random ending, perhaps in the middle of a trick."""
    rng = Rng(seed)
    n = 1 + rng.below(most)
    cards = list(range(32))
    rng.shuffle(cards)
    hands = [CardSet.of(cards[i * n : (i + 1) * n]) for i in range(3)]
    position = Position.of(hands, game, rng.below(3), rng.below(3))
    for _ in range(rng.below(3)):
        moves = list(solve_moves(position).moves)
        position = position.play(rng.choice(moves))
    return position


MOST = 6 if JIT_ENABLED else 2
EXAMPLES = 150 if JIT_ENABLED else 10
seeds = st.integers(0, 2**40)
games = st.integers(0, 5)


def mapped(position: Position, name: Callable[[Card], int]) -> Position:
    three = [CardSet.of(name(card) for card in hand) for hand in position.hands]
    table = [Card(name(card)) for card in position.table]
    return Position.of(three, position.game, position.declarer, position.leader, table)


@settings(max_examples=EXAMPLES, deadline=None)
@given(seeds, games, st.permutations(range(4)))
def test_side_suits_may_be_renamed(seed: int, game: int, suits: list[int]) -> None:
    position = ending(seed, game, MOST)
    if game < 4:  # the trump suit keeps its name
        i = suits.index(game)
        suits[i], suits[game] = suits[game], game

    def name(card: Card) -> int:
        jack = card.rank == 7 and game != 5
        return int(card) if jack else 8 * suits[card.suit] + card.rank

    other = mapped(position, name)
    here, there = solve_moves(position), solve_moves(other)
    assert {name(card): value for card, value in here.moves.items()} == {int(c): v for c, v in there.moves.items()}


@settings(max_examples=EXAMPLES, deadline=None)
@given(seeds, games, st.integers(1, 2))
def test_seats_may_be_rotated(seed: int, game: int, by: int) -> None:
    position = ending(seed, game, MOST)
    hands = [position.hands[(seat - by) % 3] for seat in range(3)]
    turned = Position.of(hands, game, (position.declarer + by) % 3, (position.leader + by) % 3, position.table)
    here, there = solve_moves(position), solve_moves(turned)
    assert here.moves == there.moves
    assert here.nodes == there.nodes


@settings(max_examples=EXAMPLES, deadline=None)
@given(seeds, games)
def test_equal_cards_have_equal_values(seed: int, game: int) -> None:
    position = ending(seed, game, MOST)
    moves = solve_moves(position).moves
    for card, value in moves.items():
        if card.rank in (0, 1) and Card(card + 1) in moves:  # 7 and 8, 8 and 9 of one hand
            assert moves[Card(card + 1)] == value
        if card.rank == 7 and card.suit < 3 and Card(card + 8) in moves and game != 5:
            assert moves[Card(card + 8)] == value


@settings(max_examples=EXAMPLES, deadline=None)
@given(seeds, games)
def test_a_position_is_worth_its_best_move(seed: int, game: int) -> None:
    position = ending(seed, game, MOST)
    values = []
    for card, value in solve_moves(position).moves.items():
        after = position.play(card)
        lost = game == 5 and not after.table and after.leader == position.declarer
        child = 0 if lost else solve(after).value + (after.taken - position.taken if game != 5 else 0)
        assert child == value
        values.append(value)
    assert solve(position).value == (max if position.to_move == position.declarer else min)(values)


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
