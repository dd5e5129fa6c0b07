"""Matadors, levels, value, overbid and score against the twin, exhaustively where that is possible."""

import itertools
import random
from typing import Any

import pytest

from skatai._jit import JIT_ENABLED
from skatai.contract import Contract
from skatai.kernels import settle
from skatai.rules import Rules
from tests import naive
from tests.driver import mask_of, scaled

CONTRACTS = naive.AFTER_PICK_UP + naive.BY_HAND
LEVELS = [(False, False), (True, False), (True, True)]
SCORING_RULES = [{"grand_base": base, "lost_hand_counts_once": once} for base in (24, 20) for once in (False, True)]


def packed(rules: dict[str, Any]) -> int:
    return Rules(**rules).to_int()


@pytest.mark.parametrize("game", "DHSCG")
def test_matadors_of_every_holding_of_trumps(game: str) -> None:
    trumps, i = naive.trumps(game), "DHSCGN".index(game)
    others = sorted(naive.PACK - set(trumps))
    for held in itertools.product((False, True), repeat=len(trumps)):
        cards = {card for card, have in zip(trumps, held, strict=True) if have}
        cards |= set(others[: 12 - len(cards)])
        assert settle.count_matadors(i, mask_of(cards)) == naive.matadors(game, cards)


def test_matadors_of_random_cards() -> None:
    rng = random.Random(1)
    for _ in range(scaled(3000)):
        twelve = set(rng.sample(naive.CARDS, 12))
        for i, game in enumerate("DHSCGN"):
            assert settle.count_matadors(i, mask_of(twelve)) == naive.matadors(game, twelve)


@pytest.mark.parametrize("text", CONTRACTS)
def test_value_and_score_over_the_whole_grid(text: str) -> None:
    contract = Contract.parse(text)
    game, words = naive.contract_of(text)
    counts = range(1, {"G": 5, "N": 2}.get(game, 12))
    bids = [0, *naive.ALL_VALUES][:: 1 if JIT_ENABLED else 9]
    for rules, n, levels, goal, bid in itertools.product(SCORING_RULES, counts, LEVELS, (False, True), bids):
        sign = -1 if bid % 2 else 1  # with or without must not matter
        got = settle.settle(contract.game, contract.flags, sign * n, *levels, goal, bid, packed(rules))
        full = {**naive.DEFAULT_RULES, **rules}
        schneider, schwarz = (False, False) if game == "N" else levels
        expected = naive.settle(game, words, n, schneider, schwarz, goal, bid, full)
        assert (bool(got[0]), bool(got[1]), int(got[2]), int(got[3])) == expected, (text, rules, n, levels, goal, bid)


@pytest.mark.parametrize("text", ["D", "GH", "CHS", "SHZ", "GO", "N", "NOH"])
def test_goal_of_all_points_and_tricks(text: str) -> None:
    contract = Contract.parse(text)
    game, words = naive.contract_of(text)
    for points, tricks in itertools.product(range(121), range(11)):
        got = settle.goal_reached(contract.game, contract.flags, points, tricks, 10 - tricks)
        assert bool(got) == naive.reached(game, words, points, tricks, 10 - tricks)


def test_schneider_by_points_and_schwarz_by_tricks() -> None:
    assert [p for p in range(121) if settle.is_schneider(p)] == [*range(31), *range(90, 121)]
    assert [t for t in range(11) if settle.is_schwarz(t, 10 - t)] == [0, 10]


def test_extreme_multipliers() -> None:
    """2 … 18 in a suit game, 2 … 11 in grand; values 18 … 264 (rules 3.3, 3.4)."""
    values: dict[str, set[int]] = {game: set() for game in "DHSCG"}
    for text in CONTRACTS:
        contract = Contract.parse(text)
        if text[0] == "N":
            continue
        for n in range(1, 5 if text[0] == "G" else 12):
            for levels in LEVELS:
                values[text[0]].add(int(settle.game_value(contract.game, contract.flags, n, *levels, 0)))
    for game, base in (("D", 9), ("H", 10), ("S", 11), ("C", 12)):
        assert values[game] == {base * n for n in range(2, 19)}
    assert values["G"] == {24 * n for n in range(2, 12)}
    nulls = {
        int(settle.game_value(5, Contract.parse(text).flags, 0, False, False, 0)) for text in ("N", "NH", "NO", "NOH")
    }
    assert sorted(set().union(*values.values(), nulls)) == naive.OFFICIAL


def test_base_of_grand_is_a_switch() -> None:
    assert settle.base_value(4, packed({})) == 24
    assert settle.base_value(4, packed({"grand_base": 20})) == 20
    assert settle.base_value(3, packed({"grand_base": 20})) == 12
