"""Bidders that only look alike never share results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skatai.agent import BaseAgent, make_agent
from skatai.bidding import RuleBidder, evaluate_bidders, make_bidder
from skatai.bidding.sources import source_digest
from skatai.cards import CardSet
from skatai.deal import deals_from_seed
from skatai.errors import SkatError

DEALS = deals_from_seed(11, 1)


def digest(spec: Any) -> str:
    return source_digest(spec, make_bidder(spec))


def up_to(limit: Any, *more: Any) -> Callable[[CardSet], Any]:
    def bid(hand: CardSet) -> Any:
        return (limit, more)[0]

    return bid


def plain(hand: CardSet, seat: int, limit: int = 18) -> int:
    return limit


class Limits:
    """A bidder with one limit."""

    name = "limits"

    def __init__(self, limit: int) -> None:
        self.limit, self.asked = limit, Counter[int]()

    def limits(self, hands: Any, seats: Any, rules: Any) -> Any:
        self.asked["limits"] += 1
        return [self.limit] * len(hands)

    def one(self, hand: CardSet) -> int:
        return self.limit


class Patient(BaseAgent):
    """An agent with a setting that its name does not tell."""

    name = "patient"

    def __init__(self, setting: float) -> None:
        self.setting = setting

    def act(self, view: Any, rng: Any) -> int:
        return 32


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (up_to(0), up_to(0), up_to(18)),
        (up_to(0, (1, 2.5)), up_to(0, (1, 2.5)), up_to(0, (1, 2.6))),
        (up_to(np.arange(3)), up_to(np.arange(3)), up_to(np.arange(3) + 1)),
        (up_to(up_to(0)), up_to(up_to(0)), up_to(up_to(18))),
        (partial(plain, limit=0), partial(plain, limit=0), partial(plain, limit=18)),
        (Limits(0), Limits(0), Limits(18)),
        (Limits(0).one, Limits(0).one, Limits(18).one),
        (Patient(0.1), Patient(0.1), Patient(0.2)),
    ],
)
def test_what_a_bidder_carries_tells_it_apart(one: Any, same: Any, other: Any) -> None:
    assert digest(one) == digest(same) != digest(other)
    assert len(digest(one)) == 16


def test_functions_without_a_file_are_told_apart_by_their_code() -> None:
    def made(text: str) -> Any:
        names: dict[str, Any] = {}
        exec(text, names)
        return names["bid"]

    one, other = "def bid(hand):\n    return 18\n", "def bid(hand):\n    return 20\n"
    inner = "def bid(hand):\n    return max(20 for card in hand)\n"
    assert digest(made(one)) == digest(made(one))
    assert len({digest(made(text)) for text in (one, other, inner, inner.replace("20", "22"))}) == 4


def test_what_changes_on_the_way_does_not_count() -> None:
    bidder = Limits(18)
    before = digest(bidder)
    bidder.limits(np.zeros(1), np.zeros(1), None)
    assert digest(bidder) == before

    def itself(hand: CardSet) -> int:
        return 18 if itself else 0

    assert digest(itself) == digest(itself)


def test_names_tell_agents_apart(tmp_path: Path) -> None:
    for spec in ("rule", "rule:margin=3", "neural", "neural@0.6", RuleBidder(5.0)):
        assert digest(spec) == ""
    assert digest(make_agent("neural")) != ""


@pytest.mark.parametrize("make", [up_to, lambda limit: partial(plain, limit=limit), Limits])
def test_results_of_another_bidder_are_not_taken(make: Callable[[int], Any], tmp_path: Path) -> None:
    evaluate_bidders([make(0)], DEALS, out=tmp_path)
    evaluate_bidders([make(0)], DEALS, out=tmp_path)
    with pytest.raises(SkatError, match="sources was"):
        evaluate_bidders([make(18)], DEALS, out=tmp_path)
