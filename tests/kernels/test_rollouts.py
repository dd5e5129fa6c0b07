"""Dealing, random play and counting positions; the numbers in ``tests/golden`` never change."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skatai._jit import JIT_ENABLED
from skatai.deal import Deal
from skatai.kernels.events import apply
from skatai.kernels.moves import is_legal
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, perft, random_action, random_game, random_games
from skatai.kernels.state import OVER, STATE, new_state, new_states, set_deal
from skatai.rules import Rules
from tests import naive
from tests.driver import ALL_RULES, cards_of, scaled

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "rollouts.json").read_text())


def deal_stream(n: int, seed: int) -> Any:
    rng, deck, cards = new_rng(seed), np.empty(32, dtype=np.int64), np.empty(4, dtype=np.int64)
    for _ in range(n):
        deal_cards(rng, deck, cards)
        yield deck, cards


def test_ten_thousand_deals_stay_the_same_for_ever() -> None:
    """The full checksum with compiled kernels, the first 500 deals otherwise."""
    digest = hashlib.sha256()
    for i, (_, cards) in enumerate(deal_stream(10_000 if JIT_ENABLED else 500, GOLDEN["deals"]["seed"]), 1):
        digest.update(cards.astype("<u4").tobytes())
        if i == 500:
            assert digest.hexdigest() == GOLDEN["deals"]["sha256 of the first 500"]
    if JIT_ENABLED:
        assert digest.hexdigest() == GOLDEN["deals"]["sha256 of 10000"]


def test_the_packets_are_three_skat_four_three() -> None:
    for deck, cards in deal_stream(20, 7):
        hands, skat = naive.deal_from_deck([naive.CARDS[card] for card in deck])
        assert [cards_of(mask) for mask in cards] == [*map(set, hands), set(skat)]
        assert Deal.from_deck(deck.tolist()) == Deal.from_masks(cards)


def test_dealing_is_fair() -> None:
    """Each card is as often in each place: 10 : 10 : 10 : 2."""
    n = scaled(4000)
    counts = np.zeros((4, 32))
    for _, cards in deal_stream(n, 3):
        for place in range(4):
            for card in range(32):
                counts[place, card] += int(cards[place]) >> card & 1
    for place, share in enumerate((10, 10, 10, 2)):
        expected = n * share / 32
        assert abs(counts[place] - expected).max() < 5 * (n * share / 32 * (1 - share / 32)) ** 0.5


def test_random_actions_are_legal_and_games_end() -> None:
    rng = new_rng(12)
    chooser = random.Random(12)
    for _ in range(scaled(100)):
        state, rules = new_state(), Rules(**chooser.choice(ALL_RULES))
        set_deal(state, *Deal.random(chooser.getrandbits(60)).masks, rules.to_int())
        decisions = 0
        while state["phase"] != OVER:
            action = random_action(state, rng)
            assert is_legal(state, action)
            apply(state, action)
            decisions += 1
        assert decisions <= 200


def test_the_random_bidder_names_the_next_value() -> None:
    """Also at the end of the ladder: 264 after 240, and nothing but a pass after 264."""
    for before, expected in (([], {"pass", "bid 18"}), (["bid 240", "hold"], {"pass", "bid 264"})):
        state, rng = new_state(), new_rng(2)
        set_deal(state, *Deal.random(1).masks, 0)
        for name in before:
            apply(state, naive.ACTIONS.index(name))
        assert {naive.ACTIONS[random_action(state, rng)] for _ in range(40)} == expected
    for name in ("bid 264", "hold"):
        apply(state, naive.ACTIONS.index(name))
    assert {naive.ACTIONS[random_action(state, rng)] for _ in range(40)} == {"pass"}


def test_random_games_count_their_decisions() -> None:
    n = scaled(50)
    state, rng = new_state(), new_rng(4)
    total = random_games(state, rng, n, 0)
    single, rng, by_hand = new_state(), new_rng(4), 0
    deck, cards = np.empty(32, dtype=np.int64), np.empty(4, dtype=np.int64)
    for _ in range(n):
        deal_cards(rng, deck, cards)
        set_deal(single, *(int(card) for card in cards), 0)
        by_hand += random_game(single, rng)
    assert total == by_hand and single.tobytes() == state.tobytes()


def position(entry: dict[str, Any]) -> Any:
    state = new_states(1 + 8)
    set_deal(state[0], *Deal.parse(entry["deal"]).masks, Rules.parse(entry["rules"]).to_int())
    for name in entry["actions"]:
        apply(state[0], naive.ACTIONS.index(name))
    return state


@pytest.mark.parametrize("entry", GOLDEN["perft"], ids=lambda entry: entry["name"])
def test_perft_counts(entry: dict[str, Any]) -> None:
    """The pinned counts; the small ones also by the twin."""
    states = position(entry)
    deepest = len(entry["counts"]) if JIT_ENABLED else 2
    assert [int(perft(states, 0, depth)) for depth in range(1, deepest + 1)] == entry["counts"][:deepest]

    deal = Deal.parse(entry["deal"])
    rules = {name: getattr(Rules.parse(entry["rules"]), name) for name in naive.DEFAULT_RULES}
    twin = naive.NaiveGame([cards_of(hand.mask) for hand in deal.hands], cards_of(deal.skat.mask), rules)
    for depth in (1, 2):
        if entry["counts"][depth - 1] < 3000:
            assert naive.naive_perft(twin, depth, entry["actions"]) == entry["counts"][depth - 1]


def test_perft_of_a_finished_deal_is_one() -> None:
    states = new_states(4)
    set_deal(states[0], *Deal.random(1).masks, 0)
    for _ in range(3):
        apply(states[0], naive.ACTIONS.index("pass"))
    assert perft(states, 0, 3) == 1
    assert STATE.itemsize <= 192
