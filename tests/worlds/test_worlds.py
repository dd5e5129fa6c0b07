"""The public face of the worlds: known counts, errors, determinism."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.game import Game
from skatai.rng import Rng
from skatai.worlds import count_worlds, sample_worlds, world_weights


def declared(*actions: str | int) -> Game:
    game = Game(Deal.random(11))
    for action in actions:
        game.play(action)
    return game


def first_two(game: Game) -> None:
    for _ in range(2):
        game.play(game.legal_actions[0])


def test_counts_known_by_formula() -> None:
    before = comb(22, 10) * comb(12, 10)
    assert before == 42_678_636
    game = declared()
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [before] * 3
    game = declared("bid 18", "pass", "pass")
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [before] * 3
    game.play("pick up")
    # The declarer knows all but the two other hands; for the others any two of his twelve cards may have been the skat.
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [comb(22, 10) * 66, comb(20, 10), comb(22, 10) * 66]
    first_two(game)
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [before * 66, comb(20, 10), before * 66]
    game.play("declare NO")
    # Ouvert: the opponents see his ten cards; the other hand and the two cards put away are left.
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [comb(12, 2) * 66, comb(20, 10), comb(12, 2) * 66]


def test_hand_ouvert_leaves_the_skat_open() -> None:
    game = declared("bid 18", "pass", "pass", "declare GOH")
    assert [count_worlds(game.view(seat)) for seat in range(3)] == [
        comb(12, 2),
        comb(22, 10) * comb(12, 10),
        comb(12, 2),
    ]


def test_finished_game_has_one_world() -> None:
    game = declared("pass", "pass", "pass")
    view = game.view(1)
    assert count_worlds(view) == 1
    assert sample_worlds(view, 1, Rng(1))[0].tobytes() == game.state.tobytes()


def test_same_seed_same_worlds_and_a_prefix_of_more() -> None:
    view = declared("bid 18", "pass", "pass", "declare GH").view(0)
    few, many = sample_worlds(view, 5, Rng(3)), sample_worlds(view, 9, Rng(3))
    assert few.tobytes() == many[:5].tobytes()
    assert len(np.unique(many["skat"])) > 1
    assert len(sample_worlds(view, 0, Rng(3))) == 0


def test_impossible_views_are_refused() -> None:
    view = declared("bid 18", "pass", "pass", "declare GH").view(0)
    view.state["hands"][0] = 0b111
    with pytest.raises(SkatError, match="no deal is consistent"):
        count_worlds(view)
    with pytest.raises(SkatError, match="no deal is consistent"):
        sample_worlds(view, 1, Rng(1))
    with pytest.raises(SkatError, match="sample of -1"):
        sample_worlds(declared().view(0), -1, Rng(1))
    view = declared().view(0)
    view.seat = 3
    with pytest.raises(SkatError, match="seat 3"):
        count_worlds(view)


def test_weights_add_up_and_favour_jacks_with_a_bidder() -> None:
    """Who bids 18 by himself holds more jacks in the weighed worlds than in the uniform ones."""
    game = declared("bid 18", "pass", "pass")
    view = game.view(0)
    worlds = sample_worlds(view, 400, Rng(5))
    weights = world_weights(view, worlds)
    assert weights.shape == (400,)
    assert weights.sum() == pytest.approx(1)
    jacks = np.bitwise_count(worlds["dealt"][:, 1] & np.uint32(0x80808080))
    assert (weights * jacks).sum() > jacks.mean() + 0.1


def test_weights_need_worlds() -> None:
    view = declared().view(0)
    with pytest.raises(SkatError, match="n > 0"):
        world_weights(view, sample_worlds(view, 0, Rng(1)))
    with pytest.raises(SkatError, match="expected"):
        world_weights(view, np.zeros(3))
