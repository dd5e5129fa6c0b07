import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.auction import auction_calls, is_legal_bid, ladder, next_bid, parse_call, parse_calls
from skatai.deal import Deal
from skatai.errors import IllegalActionError, NotationError
from skatai.game import Game
from skatai.rules import Rules
from tests import naive
from tests.driver import ALL_RULES, play_both, scaled


def test_the_ladders() -> None:
    assert list(ladder()) == naive.OFFICIAL and len(ladder()) == 63
    assert list(ladder(Rules(grand_base=20))) == naive.GRAND_20 and len(ladder(Rules(grand_base=20))) == 63
    assert list(ladder(Rules.iss())) == naive.ISS and len(ladder(Rules.iss())) == 66
    derived = {b * n for b in (9, 10, 11, 12) for n in range(2, 19)} | {24 * n for n in range(2, 12)} | {23, 35, 46, 59}
    assert sorted(derived) == list(ladder())


@given(st.integers(0, 300), st.integers(0, 300))
def test_legal_bids(value: int, current: int) -> None:
    assert is_legal_bid(value, current) == (value in naive.OFFICIAL and value > current)
    above = [step for step in naive.OFFICIAL if step > current]
    assert next_bid(current) == (above[0] if above else None)


@pytest.mark.parametrize("value", [25, 26, 28, 92, 171, 189, 190, 200, 207, 209, 210, 220, 228])
def test_values_no_game_can_have(value: int) -> None:
    assert not is_legal_bid(value, 0)
    with pytest.raises(IllegalActionError, match=f"{value} is not a value that a game can have"):
        parse_call(str(value), 0)


def test_shorthand() -> None:
    """18-20-2-0-4-7-30, and German words."""
    assert parse_calls(["18", "20", "2", "0", "4", "7", "30", "3", "5", "6"]) == [
        18,
        20,
        22,
        23,
        24,
        27,
        30,
        33,
        35,
        36,
    ]
    assert parse_calls(["18", "Null", "zero", "null", "null"]) == [18, 23, 35, 46, 59]
    assert parse_calls(["18", "20", "zwei", "null", "vier", "sieben"]) == [18, 20, 22, 23, 24, 27]
    assert (parse_call("one", 80), parse_call("eins", 81)) == (81, 121)
    for current in naive.OFFICIAL[:-1]:
        following = next_bid(current)
        assert parse_call(str(following), current) == following


@pytest.mark.parametrize(
    ("text", "current", "error", "words"),
    [
        ("24", 27, IllegalActionError, "24 is not above the last call, 27"),
        ("null", 59, IllegalActionError, "no value above 59"),
        ("7", 264, IllegalActionError, "no value above 264"),
        ("hello", 0, NotationError, "'hello' is not a call"),
        ("", 0, NotationError, "is not a call"),
        ("-18", 0, NotationError, "is not a call"),
        ("1800", 0, NotationError, "is not a call"),
        ("²", 0, NotationError, "is not a call"),
    ],
)
def test_bad_calls(text: str, current: int, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        parse_call(text, current)


def test_calls_are_read_back_from_the_record() -> None:
    """The record holds sets of bids; the calls in their order follow from it at every moment, also in a masked record."""
    rng = random.Random(31)

    def check(state: object, twin: naive.NaiveGame) -> None:
        if twin.phase == "play" and len(twin.plays) > 1:
            return
        seats = naive.auction(twin.calls)["seats"]
        assert auction_calls(state) == list(zip(seats, twin.calls, strict=True))

    for _ in range(scaled(600)):
        play_both(rng, rng.choice(ALL_RULES), 0.02, check)


@pytest.mark.parametrize(
    ("calls", "declarer", "bid"),
    [
        ("18 y 20 y 22 p 23 y 24 y p", 1, 24),  # S0/S2: Clara declares at 24
        ("18 p 20 y 22 y p", 1, 22),  # the mnemonic example
        ("18 y 20 y 22 y 23 y 24 y p 27 y 30 y 33 y 35 y 36 y 40 y 44 y 46 p", 2, 46),  # S1
        ("18 p p", 1, 18),
        ("p 18 p", 2, 18),
        ("p p 18", 0, 18),
        ("p p p", None, 0),
        ("24 y p p", 0, 24),
        ("p 20 y p", 0, 20),
    ],
)
def test_the_auctions_of_the_rule_text(calls: str, declarer: int | None, bid: int) -> None:
    game = Game(Deal.random(1))
    for call in calls.split():
        game.play(call)
    assert (game.declarer, game.bid) == (declarer, bid)
    assert game.phase == ("over" if declarer is None else "skat")
    assert [{"hold": "y", "pass": "p"}.get(call, call) for _, call in game.calls] == calls.split()
    assert [(seat, name.removeprefix("bid ")) for seat, name in game.history] == game.calls
