"""The encoding against its slow twin, and its one promise: nothing in it that the seat cannot know."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai.kernels.action_ids import BID_VALUES, FIRST_DECLARATION, HAND, HOLD, N_BIDS, OUVERT, PASS, PICK_UP
from skatai.kernels.encodings import (
    BID_STEPS,
    ENCODING_BLOCKS,
    ENCODING_SCALE,
    ENCODING_SIZE,
    ENCODING_VERSION,
    encode,
    encode_batch,
    encode_scaled_batch,
    look_back,
)
from skatai.kernels.events import apply
from skatai.kernels.observe import observe
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.state import DISCARD, NOBODY, OVER, PLAY, new_state, new_states, set_deal
from skatai.rules import Rules
from tests.naive_encodings import naive_encoding, naive_seen

RULE_SETS = [Rules(), Rules.table(), Rules(concede_policy="award_rest", claims="penalise", early_end="decided")]


def deal(seed, rules=0):
    state, cards = new_state(), np.zeros(4, dtype=np.int64)
    deal_cards(new_rng(seed), np.zeros(32, dtype=np.int64), cards)
    set_deal(state, *cards, rules)
    return state


def position(seed, steps, rules=0):
    """A state after ``steps`` random actions (or at the end of the deal)."""
    state, rng = deal(seed, rules), new_rng(seed + 1)
    for _ in range(steps):
        if state["phase"] == OVER:
            break
        apply(state, random_action(state, rng))
    return state


def encoding(state, seat):
    out = np.full(ENCODING_SIZE, 77, dtype=np.int8)
    encode(state, seat, out)
    return out


def block(state, seat, name):
    return encoding(state, seat)[ENCODING_BLOCKS[name]].tolist()


def permute_hidden(state, seat, rng):
    """Deal the cards that ``seat`` cannot see anew among the places that hide them."""
    view = new_state()
    observe(state, seat, view)
    places = [("hands", other) for other in range(3) if view["hands"][other] != state["hands"][other]]
    places += [(name, None) for name in ("skat", "discards") if view[name] != state[name]]
    masks = [int(state[name] if i is None else state[name][i]) for name, i in places]
    if state["discards"] and ("skat", None) in places:  # a skat picked up lies in the hand and the discards
        del masks[places.index(("skat", None))]
        places.remove(("skat", None))
    cards = [card for mask in masks for card in range(32) if mask >> card & 1]
    rng.shuffle(cards)
    for (name, i), mask in zip(places, masks, strict=True):
        part = [cards.pop() for _ in range(mask.bit_count())]
        value = sum(1 << card for card in part)
        if i is None:
            state[name] = value
        else:
            state[name][i] = value


positions = st.builds(
    position,
    st.integers(0, 10**6),
    st.integers(0, 44),
    st.sampled_from([rules.to_int() for rules in RULE_SETS]),
)


def test_layout_is_frozen():
    assert (ENCODING_VERSION, ENCODING_SIZE) == (1, 399)
    assert list(ENCODING_BLOCKS)[:3] == ["HAND", "PUT_AWAY", "PICKED_UP"]
    assert ENCODING_BLOCKS["PLAYED"] == slice(128, 224)
    assert ENCODING_BLOCKS["VOIDS"] == slice(320, 335)
    assert ENCODING_BLOCKS["PHASE"] == slice(347, 354)
    assert ENCODING_BLOCKS["N_PLAYS"] == slice(398, 399)
    assert ENCODING_SCALE.shape == (399,) and ENCODING_SCALE.dtype == np.float32
    assert N_BIDS == 68 and set(BID_STEPS.tolist()) <= set(BID_VALUES.tolist())


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 2))
def test_equals_the_slow_twin(state, seat):
    assert encoding(state, seat).tolist() == naive_encoding(state, seat)


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 30))
def test_what_the_cards_played_show(state, known):
    seen = np.zeros(3, dtype=np.int64)
    look_back(state, 0, seen)
    assert seen.tolist() == naive_seen(state)
    known = min(known, int(state["n_plays"]))
    earlier = state.copy()
    earlier["n_plays"] = known
    seen[:] = naive_seen(earlier)
    look_back(state, known, seen)
    assert seen.tolist() == naive_seen(state)


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 2))
def test_masked_record_gives_the_same(state, seat):
    view = new_state()
    observe(state, seat, view)
    assert encoding(view, seat).tolist() == encoding(state, seat).tolist()


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 2), st.integers(0, 10**6))
def test_hidden_cards_do_not_show(state, seat, seed):
    before = encoding(state, seat).tolist()
    if state["phase"] != OVER:
        permute_hidden(state, seat, random.Random(seed))
    assert encoding(state, seat).tolist() == before


@settings(max_examples=60, deadline=None)
@given(positions, st.integers(0, 2))
def test_scaled_to_the_unit_interval(state, seat):
    scaled = encoding(state, seat) * ENCODING_SCALE
    assert scaled.min() >= 0 and scaled.max() <= 1


@pytest.mark.parametrize("seed", range(5))
def test_batch_is_row_by_row(seed):
    states = new_states(40)
    seats = np.arange(40) % 3
    for i in range(40):
        states[i] = position(seed, i)
    out = np.full((40, ENCODING_SIZE), 77, dtype=np.int8)
    encode_batch(states, seats, out)
    for i in range(40):
        assert out[i].tolist() == encoding(states[i], int(seats[i])).tolist()
    scaled = np.full((40, ENCODING_SIZE), 77, dtype=np.float32)
    encode_scaled_batch(states, seats, scaled)
    assert np.array_equal(scaled, out * ENCODING_SCALE)


def test_start_of_a_deal():
    state = deal(3)
    assert block(state, 1, "TO_MOVE") == [1, 0, 0]  # middlehand begins
    assert block(state, 0, "TO_MOVE") == [0, 1, 0]
    assert block(state, 2, "SEAT") == [0, 0, 1]
    assert block(state, 1, "CALLER") == [1, 0, 0]
    assert sum(block(state, 0, "HAND")) == 10
    assert sum(block(state, 0, "BID_REACHED")) == 0
    assert block(state, 0, "DECLARER") == [0, 0, 0] == block(state, 0, "LEADER")


def test_auction_and_pick_up_from_each_side():
    state = deal(4)
    for action in (64, HOLD, 65, PASS, PASS):  # middlehand 18, 20; forehand and rearhand pass
        apply(state, action)
    assert state["declarer"] == 1
    assert block(state, 1, "LIMITS") == [2, 0, 1]
    assert block(state, 0, "LIMITS") == [1, 2, 0]
    assert block(state, 0, "PASSED") == [1, 0, 1]
    assert sum(block(state, 2, "BID_REACHED")) == 2
    apply(state, PICK_UP)
    assert state["phase"] == DISCARD
    skat = int(state["skat"])
    assert sum(block(state, 1, "HAND")) == 12
    assert [card for card, one in enumerate(block(state, 1, "PICKED_UP")) if one] == [
        card for card in range(32) if skat >> card & 1
    ]
    assert sum(block(state, 0, "PICKED_UP")) == 0
    for card in [card for card in range(32) if skat >> card & 1]:
        apply(state, card)
    assert block(state, 1, "PUT_AWAY") == block(state, 1, "PICKED_UP")
    assert sum(block(state, 2, "PUT_AWAY")) == 0


def test_ouvert_hand_is_shown_to_everybody():
    state = deal(5)
    for action in (PASS, PASS, 64):
        apply(state, action)
    apply(state, FIRST_DECLARATION + 28)  # null ouvert hand, forehand
    assert state["phase"] == PLAY and state["flags"] == HAND | OUVERT
    shown = block(state, 0, "HAND")
    assert [block(state, seat, "SHOWN") for seat in range(3)] == [shown] * 3
    assert block(state, 0, "GAME") == [0, 0, 0, 0, 0, 1]


def test_void_is_marked_for_the_seat_that_did_not_follow():
    spades, hearts, rest = 0xFF << 16, 0xFF << 8, 0xFF
    state = new_state()
    clubs = [24 + i for i in range(8)]
    hand0 = spades | 3
    hand1 = hearts | 0b1100
    hand2 = sum(1 << card for card in clubs) | 0b110000
    set_deal(state, hand0, hand1, hand2, rest & 0b11000000, 0)
    for action in (PASS, PASS, 64, FIRST_DECLARATION + 28):  # null: no trumps
        apply(state, action)
    apply(state, 16)  # S7
    apply(state, 8)  # H7: middlehand has no spade
    assert block(state, 1, "VOIDS") == [0, 0, 1, 0, 0] + [0] * 10
    assert block(state, 0, "VOIDS") == [0] * 5 + [0, 0, 1, 0, 0] + [0] * 5
    assert block(state, 2, "VOIDS") == [0] * 10 + [0, 0, 1, 0, 0]
    assert state["pending"] == NOBODY and block(state, 0, "LEADER") == [1, 0, 0]
