import json
import pickle
import random
from typing import Any

import numpy as np
import pytest

from skatai.deal import Deal
from skatai.errors import NotationError, SkatError
from skatai.game import Game
from skatai.kernels.state import STATE, new_states
from skatai.view import PlayerView, stack_views
from tests.driver import ALL_RULES, play_both, scaled
from tests.naive import NaiveGame, contract_of


def texts(cards: Any) -> set[str]:
    return {str(card) for card in cards or ()}


def test_views_of_random_games() -> None:
    """Every property against the twin's account of what a seat may know; round trips in every phase."""
    rng = random.Random(61)

    def check(state: Any, twin: NaiveGame) -> None:
        if rng.random() < 0.5:
            return
        seat = rng.randrange(3)
        view, known = PlayerView(state, seat), twin.knows(seat)
        assert texts(view.hand) == twin.hands[seat] and texts(view.dealt) == twin.dealt[seat]
        assert texts(view.skat) == known["skat"] and texts(view.discards) == known["discards"]
        assert (view.skat is None) == (not known["skat"])
        assert (view.phase, view.to_move, view.declarer, view.bid) == (
            twin.phase,
            twin.to_move,
            twin.declarer,
            twin.bid,
        )
        assert view.is_my_turn == (twin.to_move == seat) and view.is_over == (twin.phase == "over")
        assert [(player, str(card)) for player, card in view.plays] == twin.plays
        assert [call for _, call in view.calls] == twin.calls
        if twin.declarer is None:
            assert view.role == "bidder"
        else:
            assert view.role == ("declarer" if twin.declarer == seat else "defender")
        if twin.contract is not None and "ouvert" in contract_of(twin.contract)[1]:
            assert twin.declarer is not None and texts(view.open_hand) == twin.hands[twin.declarer]
        else:
            assert view.open_hand is None
        if view.is_my_turn:
            assert set(view.legal_action_names) == twin.legal()
            assert np.flatnonzero(view.legal_mask()).tolist() == view.legal_actions
        else:
            assert view.legal_actions == [] and view.legal_action_names == [] and not view.legal_mask().any()
        for copy in (
            pickle.loads(pickle.dumps(view)),
            PlayerView.from_json(view.to_json()),
            PlayerView(view.state, seat),
        ):
            assert copy == view and hash(copy) == hash(view) and copy.to_bytes() == view.to_bytes()
        assert view != PlayerView(state, (seat + 1) % 3) and view != 5

    for _ in range(scaled(120)):
        play_both(rng, rng.choice(ALL_RULES), 0.08, check)


def test_the_record_and_the_array_are_one_memory() -> None:
    game = Game(Deal.random(3)).play("18")
    view, record, states = game.view(1), game.state, game.states
    assert states.shape == view.states.shape == (1,) and states.dtype == view.state.dtype == STATE
    game.play("pass").play("pass").play("s")
    assert record.tobytes() == states.tobytes() == game.state.tobytes() and record["phase"] == 2
    game.undo()
    assert record.tobytes() == states.tobytes() == game.state.tobytes() and record["phase"] == 1
    view.state["bid"] = 0
    assert view.states["bid"][0] == view.bid == 0 and game.bid == 18
    view.state = record
    assert view.states.tobytes() == states.tobytes() and not np.shares_memory(view.states, states)


def test_views_of_records_and_of_arrays() -> None:
    game = Game(Deal.random(3)).play("18")
    batch = new_states(4)
    batch[2] = game.state
    for state in (game.state, game.states, batch[2], batch[2:3]):
        assert PlayerView(state, 2) == game.view(2)
    for state in (batch, batch[:0], batch["phase"][2:3], bytes(STATE.itemsize), None):
        with pytest.raises(SkatError, match="is not a state record"):
            PlayerView(state, 2)


def test_views_are_stacked_for_kernels() -> None:
    game = Game(Deal.random(3)).play("18")
    views = [game.view(seat) for seat in (2, 0, 1)]
    states, seats = stack_views(iter(views))
    assert seats.dtype == np.int64 and seats.tolist() == [2, 0, 1]
    assert states.dtype == STATE and states.shape == (3,) and states.flags.writeable
    assert [state.tobytes() for state in states] == [view.to_bytes() for view in views]
    states["bid"] = 0
    assert views[0].bid == 18
    states, seats = stack_views([])
    assert states.shape == seats.shape == (0,) and states.dtype == STATE


def test_a_view_does_not_follow_the_game() -> None:
    game = Game(Deal.random(3))
    view = game.view(0)
    before = view.to_bytes()
    game.play("bid 18")
    assert view.to_bytes() == before and game.view(0).to_bytes() != before
    assert "PlayerView seat=0 phase=auction" in repr(view)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "1",
        '{"view": 3, "state": ""}',
        '{"view": 0, "state": "zz"}',
        '{"view": 0, "state": "00"}',
        '{"view": null}',
    ],
)
def test_bad_json(text: str) -> None:
    with pytest.raises(NotationError, match="view"):
        PlayerView.from_json(text)


def test_bytes_that_are_no_state_are_refused() -> None:
    """One byte after the other set to nonsense: read as a view, or refused with a reason."""
    view = Game(Deal.random(3)).play("18").play("y").view(2)
    assert PlayerView.from_json(view.to_json()) == view
    for text in ("00" * STATE.itemsize, "ff" * STATE.itemsize):
        with pytest.raises(NotationError, match="view"):
            PlayerView.from_json(json.dumps({"view": 2, "state": text}))
    for i in range(STATE.itemsize):
        for value in (0, 7, 200, 255):
            record = bytearray(view.to_bytes())
            record[i] = value
            try:
                PlayerView.from_json(json.dumps({"view": 2, "state": record.hex()}))
            except NotationError as error:
                assert "not the JSON of a view" in str(error)
