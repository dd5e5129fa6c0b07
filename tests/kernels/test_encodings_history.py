"""History and all-cards encodings: nothing the seat cannot know, nothing lost that it can."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai.kernels.action_ids import FIRST_DECLARATION, HAND, N_ACTIONS, PASS, PICK_UP
from skatai.kernels.encodings import ENCODING_SIZE, encode
from skatai.kernels.encodings_history import (
    ANSWER_TOKEN,
    CLAIM_REFUSED_TOKEN,
    CONCESSION_REFUSED_TOKEN,
    DEALT_TOKEN,
    GIVEN_UP_TOKEN,
    HISTORY_LENGTH,
    N_TOKENS,
    OVER_TOKEN,
    PENDING_TOKEN,
    PERFECT_BLOCKS,
    PERFECT_SIZE,
    PUT_AWAY_TOKEN,
    SAFE_TOKEN,
    SEAT_TOKEN,
    SHOWN_TOKEN,
    SKAT_TOKEN,
    encode_history,
    encode_history_batch,
    encode_perfect,
    encode_perfect_batch,
)
from skatai.kernels.events import apply
from skatai.kernels.observe import copy_state, observe
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.state import ANSWER, DECLARE, DISCARD, NOBODY, OVER, STATE, new_state, new_states, set_deal
from skatai.rules import Rules

RULE_SETS = [
    Rules(),
    Rules.table(),
    Rules(concede_policy="award_rest", claims="penalise", early_end="decided"),
    Rules.iss(),
]


def position(seed: int, steps: int, rules: int = 0, over: bool = False):
    """A state after ``steps`` random actions (the last one before the end unless ``over``)."""
    state, cards, before = new_state(), np.zeros(4, dtype=np.int64), new_state()
    deal_cards(new_rng(seed), np.zeros(32, dtype=np.int64), cards)
    set_deal(state, *cards, rules)
    rng = new_rng(seed + 1)
    for _ in range(steps):
        copy_state(state, before)
        apply(state, random_action(state, rng))
        if state["phase"] == OVER:
            return state if over else before
    return state


def history(state, seat):
    out = np.full((HISTORY_LENGTH, 2), 77, dtype=np.int16)
    n = encode_history(state, seat, out)
    assert not out[n:].any() and out[:n, 0].all()
    return out


def read_back(rows, rules):
    """The seat's masked record, rebuilt from the tokens alone by playing them through."""
    rows = [(int(token), int(actor)) for token, actor in rows if token]
    seat = next(token for token, _ in rows if SEAT_TOKEN <= token < SEAT_TOKEN + 3) - SEAT_TOKEN

    def cards(first):
        return sum(1 << (token - first) for token, _ in rows if first <= token < first + 32)

    hands = [0, 0, 0]
    hands[seat] = cards(DEALT_TOKEN)
    state = new_state()
    set_deal(state, *hands, cards(SKAT_TOKEN), rules)
    for token, actor in rows:
        who = (seat + actor - 1) % 3
        if token <= N_ACTIONS:
            action = token - 1
            if FIRST_DECLARATION <= action < FIRST_DECLARATION + 29 and state["phase"] in (DISCARD, DECLARE):
                state["phase"] = DECLARE  # somebody else's discards leave no token
            assert state["to_move"] == who, (token, actor)
            apply(state, action)
        elif PUT_AWAY_TOKEN <= token < PUT_AWAY_TOKEN + 32:
            apply(state, token - PUT_AWAY_TOKEN)
        elif SHOWN_TOKEN <= token < SHOWN_TOKEN + 32 and who != seat:
            state["hands"][who] |= 1 << (token - SHOWN_TOKEN)
            if int(state["flags"]) & HAND:
                state["dealt"][who] |= 1 << (token - SHOWN_TOKEN)
    for token, actor in rows:
        who = (seat + actor - 1) % 3
        if token == CLAIM_REFUSED_TOKEN:
            state["refused"] |= 1 << who
        elif token == CONCESSION_REFUSED_TOKEN:
            state["refused"] |= 1 << (4 + who)
        elif token == GIVEN_UP_TOKEN:
            state["resigned"] |= 1 << who
        elif token == SAFE_TOKEN:
            state["resigned"] |= 16
        elif token == PENDING_TOKEN:
            state["phase"], state["pending"] = ANSWER, who
        elif token == ANSWER_TOKEN:
            state["to_move"] = who
    return state


positions = st.builds(
    position,
    st.integers(0, 10**6),
    st.integers(0, 46),
    st.sampled_from([rules.to_int() for rules in RULE_SETS]),
)


def _with_open_hand(state):
    """Hands of an ouvert game shrink as cards are played: what was added from the tokens must shrink as well."""
    for i in range(int(state["n_plays"])):
        who = (int(state["leaders"][i // 3]) + i) % 3
        state["hands"][who] &= 0xFFFFFFFF ^ (1 << int(state["plays"][i]))
    return state


@settings(max_examples=300, deadline=None)
@given(positions, st.integers(0, 2))
def test_own_view_can_be_rebuilt(state, seat):
    view = new_state()
    observe(state, seat, view)
    rebuilt = _with_open_hand(read_back(history(state, seat), int(state["rules"])))
    for name in STATE.names:
        assert np.array_equal(rebuilt[name], view[name]), name


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 2))
def test_masked_record_gives_the_same(state, seat):
    view = new_state()
    observe(state, seat, view)
    assert history(view, seat).tolist() == history(state, seat).tolist()


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 2), st.integers(0, 10**6))
def test_hidden_cards_do_not_show(state, seat, seed):
    before = history(state, seat).tolist()
    view, rng = new_state(), random.Random(seed)
    observe(state, seat, view)
    for other in range(3):  # all that the view does not show is replaced by nonsense
        if view["hands"][other] != state["hands"][other]:
            state["hands"][other] = rng.getrandbits(32)
        if view["dealt"][other] != state["dealt"][other]:
            state["dealt"][other] = rng.getrandbits(32)
    for name in ("skat", "discards"):
        if view[name] != state[name]:
            state[name] = rng.getrandbits(32)
    assert history(state, seat).tolist() == before


def test_tokens_stay_in_the_vocabulary_and_the_length_suffices():
    longest = 0
    for seed in range(200):
        state = position(seed, 200, RULE_SETS[seed % 4].to_int(), over=True)
        rows = history(state, seed % 3)
        longest = max(longest, int(np.count_nonzero(rows[:, 0])))
        assert rows[:, 0].max() < N_TOKENS and rows[:, 1].max() <= 3
        assert rows[np.count_nonzero(rows[:, 0]) - 1, 0] == OVER_TOKEN + int(state["end"])
    assert longest > 50


def test_the_longest_auction_fits():
    state, cards = new_state(), np.zeros(4, dtype=np.int64)
    deal_cards(new_rng(1), np.zeros(32, dtype=np.int64), cards)
    set_deal(state, *cards, Rules.iss().to_int())
    from skatai.view import legal_action_ids

    while len(legal_action_ids(state)) > 1 and state["stage"] == 1 and int(state["phase"]) == 0:
        ids = legal_action_ids(state)
        if int(state["bid"]) == 68 and state["to_move"] == 1:
            break
        apply(state, next(i for i in ids if i != PASS))
    while int(state["phase"]) == 0:
        apply(state, PASS)
    rows = history(state, 0)
    used = int(np.count_nonzero(rows[:, 0]))
    assert 11 + 130 < used <= HISTORY_LENGTH - 16 - 30 - 12 + 11


def test_pick_up_is_public_and_the_skat_is_not():
    state = position(3, 0)
    for action in (64, PASS, PASS, PICK_UP):
        apply(state, action)
    tokens = [set(history(state, seat)[:, 0].tolist()) for seat in range(3)]
    assert all(PICK_UP + 1 in seen for seen in tokens)
    skat = [{t for t in seen if SKAT_TOKEN <= t < SKAT_TOKEN + 32} for seen in tokens]
    assert [len(cards) for cards in skat] == [0, 2, 0]


@settings(max_examples=100, deadline=None)
@given(positions, st.integers(0, 2))
def test_all_cards(state, seat):
    out = np.full(PERFECT_SIZE, 77, dtype=np.int8)
    encode_perfect(state, seat, out)
    own = np.zeros(ENCODING_SIZE, dtype=np.int8)
    encode(state, seat, own)
    assert out[:ENCODING_SIZE].tolist() == own.tolist()
    for name, mask in (
        ("LEFT_HAND", state["hands"][(seat + 1) % 3]),
        ("RIGHT_HAND", state["hands"][(seat + 2) % 3]),
        ("SKAT", state["skat"]),
        ("DISCARDS", state["discards"]),
    ):
        assert [i for i in range(32) if int(mask) >> i & 1] == np.flatnonzero(out[PERFECT_BLOCKS[name]]).tolist()


def test_batches_equal_rows():
    states, seats = new_states(6), np.array([0, 1, 2, 0, 1, 2])
    for i in range(6):
        copy_state(position(i, 7 * i), states[i])
    rows = np.ones((6, HISTORY_LENGTH, 2), dtype=np.int16)
    encode_history_batch(states, seats, rows)
    perfect = np.ones((6, PERFECT_SIZE), dtype=np.int8)
    encode_perfect_batch(states, seats, perfect)
    for i in range(6):
        assert rows[i].tolist() == history(states[i], seats[i]).tolist()
        one = np.zeros(PERFECT_SIZE, dtype=np.int8)
        encode_perfect(states[i], seats[i], one)
        assert perfect[i].tolist() == one.tolist()


def test_nobody_is_encoded_as_zero():
    state = position(5, 300, over=True)
    assert int(state["end_seat"]) == NOBODY
    rows = history(state, 1)
    last = rows[np.count_nonzero(rows[:, 0]) - 1]
    assert last[1] == 0
