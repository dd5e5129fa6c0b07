"""Whatever text comes in: the parsers answer with a value or a SkatError, never with anything else."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skatai import errors
from skatai.actions import ACTION_NAMES, parse_action
from skatai.agent import parse_spec
from skatai.auction import parse_call, parse_calls
from skatai.cards import PACKS, Card, CardSet, parse_card, parse_cards
from skatai.contract import Contract
from skatai.deal import Deal, iter_deals
from skatai.errors import SkatError
from skatai.game import Game
from skatai.rules import Rules
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
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert issubclass(kind, SkatError) and issubclass(kind, ValueError)
        assert kind.__doc__
