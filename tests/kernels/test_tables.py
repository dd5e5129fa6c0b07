"""The tables against the rule text, for every game and card."""

import pytest

from skatai.kernels import tables
from tests import naive
from tests.driver import cards_of

GAMES = list(enumerate("DHSCGN"))


def test_points_and_bases() -> None:
    assert [int(points) for points in tables.POINTS] == [naive.RANK_POINTS[card[1]] for card in naive.CARDS]
    assert int(tables.POINTS.sum()) == 120
    assert {game: int(tables.BASE[i]) for i, game in GAMES} == naive.BASES
    assert [int(value) for value in tables.NULL_VALUE] == [23, 35, 46, 59]
    assert [cards_of(mask) for mask in tables.SUIT_MASK] == [
        {card for card in naive.CARDS if card[0] == suit} for suit in "DHSC"
    ]
    assert cards_of(tables.JACKS) == {"DJ", "HJ", "SJ", "CJ"}
    assert tables.GAMES == "DHSCGN"


@pytest.mark.parametrize(("i", "game"), GAMES)
def test_trumps_from_the_top(i: int, game: str) -> None:
    assert cards_of(tables.TRUMPS[i]) == set(naive.trumps(game))
    listed = [naive.CARDS[card] for card in tables.MATADORS[i] if card >= 0]
    assert listed == naive.trumps(game)
    assert all(card == -1 for card in tables.MATADORS[i][len(listed) :])


@pytest.mark.parametrize(("i", "game"), GAMES)
def test_following(i: int, game: str) -> None:
    for card, name in enumerate(naive.CARDS):
        same = {other for other in naive.CARDS if naive.suit_class(other, game) == naive.suit_class(name, game)}
        assert cards_of(tables.FOLLOW[i, card]) == same


@pytest.mark.parametrize(("i", "game"), GAMES)
def test_beating(i: int, game: str) -> None:
    """A card beats another that leads the trick if the trick of both, with a card that cannot win, goes to it."""
    for card, name in enumerate(naive.CARDS):
        beaten_by = set()
        for other in naive.PACK - {name}:
            ranking = naive.order(game, naive.suit_class(name, game))
            if other in ranking:
                wins = ranking.index(other) < ranking.index(name)
            else:
                wins = other in naive.trumps(game)
            if wins:
                beaten_by.add(other)
        assert cards_of(tables.BEATS[i, card]) == beaten_by, name


@pytest.mark.parametrize(("i", "game"), GAMES)
def test_strength_is_the_order_in_the_suit_class(i: int, game: str) -> None:
    for suit in naive.classes(game):
        strengths = [int(tables.STRENGTH[i, naive.CARDS.index(card)]) for card in naive.order(game, suit)]
        assert strengths == list(range(len(strengths)))[::-1]
