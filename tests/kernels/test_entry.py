"""The doors from Python do what the kernels behind them do with records."""

import random
from typing import Any

import numpy as np
import pytest

from skatai.deal import Deal
from skatai.kernels import entry
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.events import EVENTS, apply, apply_event, is_legal_event
from skatai.kernels.moves import is_legal, legal_mask
from skatai.kernels.observe import copy_state, observe
from skatai.kernels.state import STATE, bid_value, new_state, new_states, set_deal
from skatai.rules import Rules
from tests.driver import ALL_RULES, play_both, scaled
from tests.naive import ACTIONS, NaiveGame


def test_new_arrays() -> None:
    states = entry.blank_state()
    assert states.shape == (1,) and states.dtype == STATE and not any(states.tobytes())
    record = new_state()
    for rules in (Rules(), Rules.table(), Rules.iss()):
        masks = Deal.random(5).masks
        entry.start_deal(states, *masks, rules.to_int())
        set_deal(record, *masks, rules.to_int())
        assert states.tobytes() == record.tobytes()
    for source in (record, states, new_states(3)[1:2]):
        copy = entry.copied_state(source)
        assert copy.shape == (1,) and copy.dtype == STATE and copy.tobytes() == source.tobytes()
        copy[0]["rules"] += 1
        assert copy.tobytes() != source.tobytes()


def test_doors_of_random_games() -> None:
    """Every position of random games under all rules: what is read, every action and event, what each seat sees."""
    rng = random.Random(31)

    def check(state: Any, twin: NaiveGame) -> None:
        if rng.random() < 0.8:
            return
        states, mask, flags = entry.copied_state(state), np.ones(N_ACTIONS, np.int8), np.ones(N_ACTIONS, np.int8)
        ids = entry.legal_ids(states)
        assert ids.dtype == np.int64 and {ACTIONS[i] for i in ids} == twin.legal() and (np.diff(ids) > 0).all()
        assert entry.legal_flags(states, flags) == legal_mask(state, mask) and (flags == mask).all()
        assert entry.last_bid(states) == bid_value(state) == twin.bid
        after = new_state()
        for action in rng.sample(range(-1, N_ACTIONS + 1), 12) + rng.sample(ids.tolist(), min(len(ids), 3)):
            states = entry.copied_state(state)
            copy_state(state, after)
            legal = bool(is_legal(state, action))
            if legal:
                apply(after, action)
            assert entry.take_action(states, action) == (state["to_move"] if legal else -1)
            assert states.tobytes() == after.tobytes()
        for kind, seat in [(kind, seat) for kind in range(len(EVENTS)) for seat in range(3)]:
            states = entry.copied_state(state)
            copy_state(state, after)
            legal = bool(is_legal_event(state, kind, seat))
            if legal:
                apply_event(after, kind, seat)
            assert entry.take_event(states, kind, seat) == legal and states.tobytes() == after.tobytes()
        for seat in range(3):
            states = entry.copied_state(state)
            observe(state, seat, after)
            entry.hide(states, seat)
            assert states.tobytes() == after.tobytes()

    for _ in range(scaled(60)):
        play_both(rng, rng.choice(ALL_RULES), 0.08, check)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_legal_when_the_deal_is_over(seed: int) -> None:
    states = entry.blank_state()
    entry.start_deal(states, *Deal.random(seed).masks, 0)
    assert entry.take_event(states, EVENTS.index("leave"), seed)
    before = states.tobytes()
    assert entry.legal_ids(states).tolist() == []
    assert all(entry.take_action(states, action) == -1 for action in range(N_ACTIONS))
    assert not entry.take_event(states, EVENTS.index("leave"), seed) and states.tobytes() == before
