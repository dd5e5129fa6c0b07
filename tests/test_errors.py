"""Whatever text comes in: the parsers answer with a value or a SkatError, never with anything else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skatai import errors
from skatai.actions import ACTION_NAMES, bid_action, parse_action
from skatai.agent import parse_spec
from skatai.auction import parse_call, parse_calls
from skatai.cards import PACKS, Card, CardSet, parse_card, parse_cards
from skatai.contract import Contract
from skatai.deal import Deal, iter_deals
from skatai.errors import InvalidDealError, SkatError, whole_number
from skatai.game import Game
from skatai.rules import Rules
from skatai.scoring import SeegerFabianList, list_points, score_game
from skatai.view import PlayerView

PARSERS: dict[str, Callable[[str], Any]] = {
    "card": Card.parse,
    **{f"card of {pack}": (lambda text, pack=pack: parse_card(text, pack)) for pack in PACKS},
    "cards": parse_cards,
    "card set": CardSet.parse,
    "contract": Contract.parse,
    "action": parse_action,
    "call": lambda text: parse_call(text, 18),
    "calls": lambda text: parse_calls(text.split()),
    "deal": Deal.parse,
    "deals": lambda text: list(iter_deals(text.splitlines())),
    "rules": Rules.parse,
    "game": Game.parse,
    "game JSON": Game.from_json,
    "view JSON": PlayerView.from_json,
    "agent": parse_spec,
}

LINE = str(Game(Deal.random(1)).play("18").play("y").play("p").play("p").play("s"))
WORDS = [
    "CJ",
    "HT",
    "D7",
    "GH",
    "NO",
    "18",
    "y",
    "p",
    "s",
    "-",
    "|",
    ".",
    ",",
    "@",
    "=",
    "claim@1",
    "²",
    "♣",
    "{",
    '"',
    "0",
    "ß",
    "İ",
]
PIECES = st.sampled_from(
    [*WORDS, "claim@1", "²", "♣", "{", '"', "ß", "İ", " ", "\n", "\x00", "9" * 30, *ACTION_NAMES[::9], *LINE.split()]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(PIECES, max_size=12).map(" ".join),
    # one character of a good line put wrong
    st.builds(lambda i, c: LINE[:i] + c + LINE[i + 1 :], st.integers(0, len(LINE) - 1), st.characters()),
)


@pytest.mark.parametrize("name", PARSERS)
@given(text=TEXTS)
@example(text="bid " + "9" * 5000)
@example(text="bid ²")
@example(text="bid ١٨")
@example(text='{"game": 1}')
@example(text='{"view": 1e999, "state": ""}')
@example(text="[" * 5000)
@example(text='{"view": 0, "state": {}}')
def test_nothing_but_skat_errors(name: str, text: str) -> None:
    try:
        PARSERS[name](text)
    except SkatError as error:
        assert str(error), "an error must say something"
        assert len(str(error)) < 20_000


def test_one_base_class() -> None:
    kinds = [kind for kind in map(errors.__dict__.get, errors.__all__) if isinstance(kind, type)]
    assert len(kinds) == 7
    for kind in kinds:
        assert issubclass(kind, SkatError) and issubclass(kind, ValueError)
        assert kind.__doc__


WRONG: tuple[Any, ...] = (None, 1.5, float("nan"), "x", b"CJ", [], {}, object(), -1, 10**30)
DEAL = Deal.random(1)


@pytest.mark.parametrize(
    "give",
    [
        Card,
        CardSet,
        Contract,
        lambda value: Contract(1, hand=value),
        Game,
        lambda value: Game(DEAL, dealer=value),
        lambda value: Game(DEAL, rules=value or 0),
        lambda value: Game(DEAL).play(value),
        lambda value: Game(DEAL).event("time_out", value),
        lambda value: Game(DEAL).view(value),
        lambda value: PlayerView(value, 0),
        lambda value: PlayerView(Game(DEAL).state, value),
        lambda value: score_game(Contract(1), 1, value, 5, 5),
        lambda value: score_game(Contract(1), value or 0, 61, 5, 5) if value != -1 else Card(-1),
        lambda value: score_game(Contract(1), 1, 61, value, 5),
        lambda value: score_game(Contract(1), 1, 61, 5, 5, value),
        lambda value: SeegerFabianList().add(0, value) if value != -1 else Card(-1),
        lambda value: list_points(18, value if value is not None else 7),
        lambda value: Deal((value, value, value), value),
    ],
)
def test_values_of_another_type_are_refused(give: Callable[[Any], Any]) -> None:
    for value in WRONG:
        with pytest.raises(SkatError) as caught:
            give(value)
        assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_whole_numbers() -> None:
    assert whole_number(np.uint8(7), "n", 0, 7) == 7 and type(whole_number(np.int64(1), "n", 0, 7)) is int
    with pytest.raises(InvalidDealError, match="n 8: expected 0 … 7"):
        whole_number(np.int64(8), "n", 0, 7, InvalidDealError)
    with pytest.raises(SkatError, match=r"n 2\.0: expected a whole number 0 … 7"):
        whole_number(2.0, "n", 0, 7)  # type: ignore[arg-type]
    assert Contract(np.int64(4), np.True_) == Contract(4, True)  # type: ignore[arg-type]


def test_messages_are_short() -> None:
    long = "x" * 10_000
    for give in (
        lambda: parse_card("CJ", long),
        lambda: Rules(ladder=long),
        lambda: Rules.parse(long),
        lambda: Rules.parse(f"ladder={long}"),
        lambda: Game(DEAL).event(long, 0),
        lambda: bid_action(long),  # type: ignore[arg-type]
    ):
        with pytest.raises(SkatError) as caught:
            give()
        assert len(str(caught.value)) < 300
