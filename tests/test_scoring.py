"""Scores as people ask for them, with the numeric examples of the rule text (5.3)."""

import random

import pytest

from skatai.cards import CardSet
from skatai.contract import Contract
from skatai.errors import SkatError
from skatai.rules import Rules
from skatai.scoring import Bierlachs, SeegerFabianList, list_points, matadors, score_game
from tests import naive
from tests.driver import scaled

EXAMPLE_1 = "CJ DJ HA HT HK H8 H7 D9 D8 D7 SA SQ"
EXAMPLE_2 = "CJ SJ HJ HA HT HK H8 H7 CT C7 DJ SQ"


def score(contract: str, n: int, points: int, tricks: tuple[int, int] = (7, 3), bid: int = 18, **rules: object) -> int:
    return score_game(Contract.parse(contract), n, points, *tricks, bid, Rules(**rules)).score  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "cards", "expected"),
    [
        (1, EXAMPLE_1, 1),
        (1, EXAMPLE_2, 7),
        (4, EXAMPLE_2, 4),
        (1, "CJ SJ", 2),
        (1, "CJ HJ", 1),
        (4, "CJ SJ HJ DJ CA SA HA DA", 4),
        (4, "HJ DJ", -2),
        (4, "HJ", -2),
        (1, "CJ SJ HJ DJ HA", 5),
        (1, "DJ", -3),
        (1, "HT HK", -5),
        (1, "SJ", -1),
        (3, "D7", -11),
        (5, "CJ", 0),
    ],
)
def test_matadors(game: int, cards: str, expected: int) -> None:
    assert matadors(game, CardSet.parse(cards)) == expected


@pytest.mark.parametrize(
    ("contract", "n", "points", "tricks", "bid", "expected"),
    [
        ("H", 1, 61, (6, 4), 18, 20),
        ("HH", 1, 61, (6, 4), 18, 30),
        ("H", 1, 90, (8, 2), 18, 30),
        ("G", 1, 61, (6, 4), 18, 48),
        ("H", 3, 61, (6, 4), 18, 40),
        ("HHS", 7, 95, (8, 2), 18, 110),
        ("G", 4, 90, (8, 2), 18, 144),
        ("GH", 4, 90, (8, 2), 18, 168),
        ("C", 2, 75, (7, 3), 30, 36),
        ("C", 1, 75, (7, 3), 30, -72),
        ("C", 1, 92, (8, 2), 30, 36),
        ("H", 1, 75, (7, 3), 30, -60),
        ("H", 1, 28, (2, 8), 30, -60),  # lost and schneider lifts to 30: still 60
        ("H", 1, 10, (0, 10), 30, -80),  # schwarz against him: 40
        ("H", 3, 75, (7, 3), 48, -100),
        ("G", 2, 78, (7, 3), 20, 72),
        ("NO", 0, 20, (1, 8), 30, -92),
        ("N", 0, 0, (0, 10), 18, 23),
        ("D", 1, 60, (5, 5), 18, -36),
        ("D", 1, 30, (1, 9), 18, -54),
        ("D", 1, 31, (1, 9), 18, -36),
        ("D", 1, 22, (0, 10), 20, -72),
        ("GHS", 4, 89, (8, 2), 18, -384),
        ("GHS", 1, 20, (1, 9), 18, -24 * 5 * 2),
        ("GHS", 1, 10, (0, 10), 18, -24 * 6 * 2),
        ("GHS", 1, 120, (10, 0), 18, 24 * 6),
        ("GHZ", 1, 120, (9, 1), 18, -24 * 7 * 2),
        ("CO", 2, 120, (10, 0), 18, 108),
        ("DH", 1, 120, (9, 1), 198, -396),
        ("D", 1, 120, (10, 0), 18, 36),
        ("D", 1, 120, (9, 1), 18, 27),
        ("H", 1, 61, (6, 4), 20, 20),
        ("G", 1, 61, (6, 4), 50, -144),
        ("CH", 2, 74, (7, 3), 46, 48),
        ("CH", 1, 74, (7, 3), 46, -96),
        ("CH", 1, 95, (8, 2), 46, 48),
    ],
)
def test_the_examples(contract: str, n: int, points: int, tricks: tuple[int, int], bid: int, expected: int) -> None:
    assert score(contract, n, points, tricks, bid) == expected
    assert score(contract, -n, points, tricks, bid) == expected


def test_old_rules() -> None:
    assert score("DH", 1, 50) == -54 and score("DH", 1, 50, lost_hand_counts_once=True) == -27
    assert score("D", 1, 50, lost_hand_counts_once=True) == -36
    assert score("NH", 0, 50, (1, 5), lost_hand_counts_once=True) == -35
    assert score("GO", 4, 120, (10, 0), grand_base=20) == 220
    assert score("N", 0, 0, (0, 10), bid=24, null_overbid="multiple") == -92


def test_against_the_twin() -> None:
    rng = random.Random(41)
    for _ in range(scaled(5000)):
        text = rng.choice(naive.AFTER_PICK_UP + naive.BY_HAND)
        game, words = naive.contract_of(text)
        n, points, own = rng.randint(1, 4 if text[0] == "G" else 11), rng.randint(0, 120), rng.randint(0, 10)
        rules = {"grand_base": rng.choice((24, 20)), "lost_hand_counts_once": rng.random() < 0.5}
        bid = rng.choice([0, *naive.OFFICIAL])
        got = score_game(Contract.parse(text), n, points, own, 10 - own, bid, Rules(**rules))
        full = {**naive.DEFAULT_RULES, **rules}
        schneider, schwarz = points <= 30 or points >= 90, own in (0, 10)
        if schwarz and not schneider:
            continue  # there is no such game
        goal = naive.reached(game, words, points, own, 10 - own)
        expected = naive.settle(game, words, n, schneider, schwarz, goal, bid, full)
        assert (got.won, got.overbid, got.value, got.score) == expected
        if game != "N":
            assert got.multiplier == naive.multiplier(n, words, schneider, schwarz)
            assert got.text.endswith(f"= {got.multiplier * naive.base_value(game, full)}")


def test_the_reckoning_in_words() -> None:
    grand = score_game(Contract.parse("GH"), 2, 70, 7, 3)
    assert grand.text == "with 2, game 3, hand 4, times 24 grand = 96"
    hearts = score_game(Contract.parse("HHS"), -1, 95, 10, 0)
    assert hearts.text == "without 1, game 2, hand 3, schneider 4, announced 5, schwarz 6, times 10 hearts = 60"
    assert score_game(Contract.parse("NO"), 0, 0, 0, 10).text == "null ouvert"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((1, 121, 5, 5), "points 121: expected 0 … 120"), ((12, 60, 5, 5), "matadors 12: expected -11 … 11")],
)
def test_bad_numbers(arguments: tuple[int, int, int, int], words: str) -> None:
    with pytest.raises(SkatError, match=words):
        score_game(Contract.parse("D"), *arguments)


# -- lists (5.4) ------------------------------------------------------------------------------------------------------------


def test_points_of_one_deal() -> None:
    assert list_points(48, 1) == (0, 98, 0)
    assert list_points(-92, 0) == (-142, 40, 40)
    assert list_points(-92, 0, players=4) == (-142, 30, 30, 30)
    assert list_points(-92, 0, players=3, table=4) == (-142, 30, 30)
    assert list_points(0, None) == (0, 0, 0)


@pytest.mark.parametrize("table", [3, 4])
def test_lists_equal_deals_and_the_twin(table: int) -> None:
    rng = random.Random(table)
    deals: list[tuple[int | None, int]] = [
        (None, 0) if rng.random() < 0.1 else (rng.randrange(table), rng.choice((18, 48, -36, -144, 59)))
        for _ in range(48)
    ]
    sheet = SeegerFabianList(table)
    sheet.extend(deals)
    summed = [sum(column) for column in zip(*(list_points(s, d, table) for d, s in deals), strict=True)]
    assert sheet.totals == summed == naive.seeger_fabian(deals, table)
    assert sheet.deals == 48
    ranking = sheet.ranking()
    assert [line.total for line in ranking] == sorted(summed, reverse=True)
    assert sum(line.won + line.lost for line in ranking) == sum(d is not None for d, _ in deals)


def test_ties() -> None:
    """More games won, then fewer lost, then the lot; without a seed the rank is shared."""
    sheet = SeegerFabianList(3)
    sheet.extend([(0, 50), (1, 50)])
    assert [(line.rank, line.player) for line in sheet.ranking()] == [(1, 0), (1, 1), (3, 2)]
    lots = {tuple(line.player for line in sheet.ranking(seed)) for seed in range(30)}
    assert lots == {(0, 1, 2), (1, 0, 2)}
    assert [line.rank for line in sheet.ranking(3)] == [1, 2, 3]
    # 100 each; player 1 won two games and lost one, player 0 won one
    sheet = SeegerFabianList(3)
    sheet.extend([(0, 90), (1, 60), (1, 60), (1, -30)])
    totals = sheet.totals
    sheet.game_points[0] += totals[1] - totals[0]
    assert sheet.ranking()[0].player == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: list_points(18, 3), "declarer 3: expected 0 … 2"),
        (lambda: list_points(18, 0, 5), "table of 5, expected 3 or 4"),
        (lambda: SeegerFabianList(2), "table of 2, expected 3 or 4"),
        (lambda: SeegerFabianList(3).add(3, 18), "declarer 3: expected 0 … 2"),
        (lambda: SeegerFabianList(3).add(0, 0), "score other than 0"),
        (lambda: Bierlachs(5), "players 5: expected 3 … 4"),
        (lambda: Bierlachs(3, 0), "target 0: expected 1"),
        (lambda: Bierlachs(4).add(2, 18, sitting_out=2), "declarer 2 sits out"),
        (lambda: Bierlachs(3).add(3, 18), "declarer 3: expected 0 … 2"),
    ],
)
def test_bad_lists(call: object, words: str) -> None:
    with pytest.raises(SkatError, match=words):
        call()  # type: ignore[operator]


def test_bierlachs() -> None:
    match = Bierlachs()
    match.add(0, 33)
    match.add(1, -96)
    match.add(None)
    assert match.tallies == [0, -129, -33] and not match.is_over and match.losers == []
    match.add(2, -468)
    assert match.is_over and match.losers == [2] and match.tallies[2] == -501
    four = Bierlachs(4, target=40)
    four.add(0, 40, sitting_out=3)
    assert four.tallies == [0, -40, -40, 0] and four.losers == [1, 2]
