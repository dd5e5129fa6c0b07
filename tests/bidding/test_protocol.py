"""What bidders say is checked, whoever wrote them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skatai.agent import BaseAgent
from skatai.bidding import (
    AgentBidder,
    BiddingAgent,
    ThresholdBidder,
    claims_on_all_hands,
    evaluate_bidders,
    make_bidder,
    rollout_regret,
    sweep,
)
from skatai.bidding.outcomes import all_hands
from skatai.bidding.protocol import chances_of, limits_of
from skatai.deal import deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.rules import Rules

DEALS = deals_from_seed(2, 2)
HANDS, SEATS = all_hands(DEALS)


class Says:
    """Answers with whatever it was told to."""

    name = "says"

    def __init__(self, limits: Callable[[Any], Any], chances: Callable[[Any], Any] | None = None) -> None:
        self.answer, self.makes_claims = limits, chances is not None
        if chances is not None:
            self.win_chances = lambda hands, seats, bids, rules: chances(hands)

    def limits(self, hands: Any, seats: Any, rules: Rules) -> Any:
        return self.answer(hands)


def eighteen(hands: Any) -> Any:
    return np.full(len(hands), 18)


def failing(hands: Any) -> Any:
    raise KeyError("no\nhand")


WRONG: list[tuple[Callable[[Any], Any], str]] = [
    (lambda hands: ["18"] * len(hands), r"limit np.str_\('18'\)"),
    (lambda hands: np.full(len(hands), 19), "limit np.int64.19. .int64., expected 0 or a value of the ladder"),
    (lambda hands: np.full(len(hands), -18), "limit np.int64.-18."),
    (lambda hands: np.full(len(hands), 10**12), "limit np.int64.1000000000000."),
    (lambda hands: np.full(len(hands), 18.5), "limit np.float64.18.5."),
    (lambda hands: np.full(len(hands), np.nan), "limit np.float64.nan."),
    (lambda hands: np.full(len(hands), True), "limit np.True_ .bool."),
    (lambda hands: np.full(len(hands) + 1, 18), "limits of shape"),
    (lambda hands: np.full((len(hands), 1), 18), "limits of shape"),
    (lambda hands: 18, "limits of shape"),
    (lambda hands: None, "limits of shape"),
    (failing, "KeyError: 'no.*hand'"),
]


@pytest.mark.parametrize(("answer", "words"), WRONG)
def test_limits_that_are_none(answer: Callable[[Any], Any], words: str) -> None:
    bidder, words = Says(answer), f"'says'.*{words}"
    for ask in (
        lambda: limits_of(bidder, HANDS, SEATS, Rules()),
        lambda: evaluate_bidders([bidder], DEALS),
        lambda: sweep(bidder, DEALS),
        lambda: rollout_regret(DEALS, bidder, worlds=2),
    ):
        with pytest.raises(SkatError, match=words):
            ask()


def test_limits_that_are_right() -> None:
    for answer in (eighteen, lambda hands: [18] * len(hands), lambda hands: np.full(len(hands), 18, dtype=np.uint8)):
        found = limits_of(Says(answer), HANDS, SEATS, Rules())
        assert (found.dtype, found.tolist()) == (np.int64, [18] * 6)
    assert limits_of(Says(lambda hands: []), HANDS[:0], SEATS[:0], Rules()).shape == (0,)


def test_a_bidder_cannot_change_the_hands() -> None:
    def spoil(hands: Any) -> Any:
        hands[:] = 0
        return np.full(len(hands), 18)

    before = HANDS.tolist()
    limits_of(Says(spoil), HANDS, SEATS, Rules())
    assert HANDS.tolist() == before


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda hands: np.full(len(hands), np.nan), "chance of winning nan, expected 0 … 1"),
        (lambda hands: np.full(len(hands), 1.5), "chance of winning 1.5"),
        (lambda hands: np.full(len(hands), -0.1), "chance of winning -0.1"),
        (lambda hands: ["high"] * len(hands), "ValueError: could not convert string"),
        (lambda hands: np.full(len(hands) + 1, 0.5), "claims of shape"),
        (lambda hands: 0.5, "claims of shape"),
        (failing, "KeyError"),
    ],
)
def test_claims_that_are_none(answer: Callable[[Any], Any], words: str) -> None:
    bidder = Says(eighteen, answer)
    for ask in (
        lambda: chances_of(bidder, HANDS, SEATS, np.full(6, 18), Rules()),
        lambda: claims_on_all_hands(bidder, DEALS),
        lambda: ThresholdBidder(bidder, 0.5).limits(HANDS, SEATS, Rules()),
        lambda: sweep(bidder, DEALS),
    ):
        with pytest.raises(SkatError, match=f"'says'.*{words}"):
            ask()


def test_a_bidder_has_a_name() -> None:
    bidder: Any = Says(eighteen)
    bidder.name = None
    with pytest.raises(SkatError, match="it has no name"):
        make_bidder(bidder)


class Answers(BaseAgent):
    """An agent that answers with whatever it was told to."""

    name = "answers"

    def __init__(self, answer: Callable[[Any], Any], claim: Callable[[Any], Any] = lambda view: 0.5) -> None:
        self.answer, self.claim = answer, claim

    def act(self, view: Any, rng: Any) -> Any:
        return self.answer(view)

    def win_chance(self, view: Any, rng: Any) -> Any:
        return self.claim(view)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda view: "pass", "'pass' is not an action"),
        (lambda view: 32.0, "32.0 is not an action"),
        (lambda view: np.array([32, 33]), "is not an action"),
        (lambda view: 0, "action 0 is not legal"),
        (failing, "asked as a bidder: KeyError"),
    ],
)
def test_agents_that_fail_as_bidders(answer: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(AgentError, match=f"'answers'.*{words}"):
        AgentBidder(Answers(answer)).limits(HANDS, SEATS, Rules())


def test_claims_of_agents_that_fail() -> None:
    for claim in (failing, lambda view: "high"):
        with pytest.raises(AgentError, match=r"'answers', asked as a bidder: (Key|Value)Error"):
            claims_on_all_hands(AgentBidder(Answers(lambda view: 32, claim)), DEALS)


def test_agents_that_answer_too_little() -> None:
    class Short(Answers):
        def act_batch(self, views: Any, rngs: Any) -> list[int]:
            return [32] * (len(views) - 1)

    with pytest.raises(AgentError, match="'answers': 5 answers for a batch of 6 views"):
        AgentBidder(Short(failing)).limits(HANDS, SEATS, Rules())


def test_at_the_table_a_wrong_limit_is_named() -> None:
    from skatai.game import Game
    from skatai.rng import Rng

    with pytest.raises(SkatError, match=r"'says': limit np\.int64.19"):
        BiddingAgent(Says(lambda hands: np.full(len(hands), 19))).act(Game(DEALS[0]).view(1), Rng(0))
