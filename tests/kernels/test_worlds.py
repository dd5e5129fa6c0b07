"""Worlds: the count and the distribution against an enumeration, and every sample against the view."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.events import apply
from skatai.kernels.moves import is_legal
from skatai.kernels.observe import observe
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_action
from skatai.kernels.state import OVER, new_state
from skatai.kernels.worlds import count_placings, draw_cards, sample_world
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.view import PlayerView
from skatai.worlds import count_worlds, sample_worlds
from tests import naive_worlds

OPENINGS = (
    ["bid 18", "pass", "pass", "pick up", None, None, "declare D"],
    ["bid 18", "hold", "pass", "pass", "pick up", None, None, "declare G"],
    ["pass", "bid 18", "pass", "declare SH"],
    ["pass", "pass", "bid 18", "declare NH"],
    ["pass", "pass", "bid 18", "pick up", None, None, "declare NO"],
    ["bid 20", "pass", "pass", "declare GOH"],
)


def played_game(seed: int, opening: list[str | None], cards: int) -> Game:
    """A game by random cards after a fixed auction; fewer cards where null ended before."""
    rng = Rng(seed)
    game = Game(Deal.random(seed), rules=Rules())
    for action in opening:
        game.play(action if action is not None else rng.choice(game.legal_actions))
    for _ in range(cards):
        if game.is_over:
            break
        game.play(rng.choice(game.legal_actions))
    return game


def random_state(seed: int, steps: int) -> np.void:
    """A state that random players reach after some steps (an auction, a discard, the play or the end)."""
    rng = new_rng(seed)
    game = Game(Deal.random(seed))
    for _ in range(steps):
        if game.state["phase"] == OVER:
            break
        apply(game.state, random_action(game.state, rng))
    return game.state


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 45), seat=st.integers(0, 2))
def test_every_world_looks_the_same_to_the_seat(seed: int, steps: int, seat: int) -> None:
    view = PlayerView(random_state(seed, steps), seat)
    world, seen = new_state(), new_state()
    rng = new_rng(seed + 1)
    for _ in range(3):
        sample_world(view.state, seat, rng, world)
        observe(world, seat, seen)
        assert seen.tobytes() == view.to_bytes()
        parts = [int(world["hands"][i]) for i in range(3)] + [1 << int(c) for c in world["plays"][: world["n_plays"]]]
        picked_up = world["discards"] or int(np.bitwise_count(world["hands"]).max()) == 12
        parts.append(int(world["discards"]) if picked_up else int(world["skat"]))
        assert sum(parts) == 0xFFFFFFFF
        dealt = [*world["dealt"], world["skat"]]
        assert np.bitwise_or.reduce(dealt) == 0xFFFFFFFF
        assert [int(mask).bit_count() for mask in dealt] == [10, 10, 10, 2]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), opening=st.sampled_from(OPENINGS), cards=st.integers(0, 29), seat=st.integers(0, 2))
def test_worlds_are_games_that_could_have_been(seed: int, opening: list[str | None], cards: int, seat: int) -> None:
    """Replayed from the deal, every call and card of a world is legal, and the replay ends in the world."""
    game = played_game(seed, opening, cards)
    for world in sample_worlds(game.view(seat), 2, Rng(seed)):
        replay = Game(Deal.from_masks([*map(int, world["dealt"]), int(world["skat"])]))
        for action in opening:
            if action is not None:
                replay.play(action)
            else:
                discard = int(world["discards"]) & ~int(replay.state["discards"])
                replay.play((discard & -discard).bit_length() - 1)
        for i in range(int(world["n_plays"])):
            assert is_legal(replay.state, int(world["plays"][i]))
            replay.play(int(world["plays"][i]))
        assert replay.state.tobytes() == world.tobytes()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), opening=st.sampled_from(OPENINGS), cards=st.integers(18, 29), seat=st.integers(0, 2))
def test_count_against_enumeration(seed: int, opening: list[str | None], cards: int, seat: int) -> None:
    game = played_game(seed, opening, cards)
    if not game.is_over:
        assert count_worlds(game.view(seat)) == naive_worlds.count_worlds(game.view(seat))


@pytest.mark.parametrize(("opening", "seat"), [(OPENINGS[0], 1), (OPENINGS[0], 0), (OPENINGS[2], 2), (OPENINGS[4], 0)])
def test_placings_are_equally_likely(opening: list[str | None], seat: int) -> None:
    for seed in range(100):  # the first ending with voids that leaves a few placings
        game = played_game(seed, opening, 20)
        if game.is_over:
            continue
        view = game.view(seat)
        places = list(naive_worlds.placings(view))
        if 30 <= len(places) <= 300 and len(places) == count_placings(view.state, seat):
            break
    else:
        raise AssertionError("no ending found")
    n = 60 * len(places)
    left, right = (seat + 1) % 3, (seat + 2) % 3
    worlds = sample_worlds(view, n, Rng(7))
    picked_up = not opening[-1].endswith("H")  # type: ignore[union-attr]
    shown = view.declarer if view.open_hand is not None else None
    seen = Counter(
        (
            0 if shown == left else int(w["hands"][left]),
            0 if shown == right else int(w["hands"][right]),
            (int(w["discards"]) if view.declarer != seat else 0) if picked_up else int(w["skat"]),
        )
        for w in worlds
    )
    assert set(seen) <= set(places)
    expected = n / len(places)
    chi2 = sum((seen[place] - expected) ** 2 / expected for place in places)
    degrees = len(places) - 1
    assert abs(chi2 - degrees) < 5 * (2 * degrees) ** 0.5


def test_dealt_skat_of_a_pick_up_is_uniform() -> None:
    view = played_game(3, OPENINGS[0], 20).view(0)
    n = 66 * 100
    worlds = sample_worlds(view, n, Rng(1))
    declarer = view.declarer
    assert declarer is not None
    counts: Counter[tuple[int, ...]] = Counter()
    for world in worlds:
        twelve = int(world["dealt"][declarer]) | int(world["skat"])
        order = [card for card in range(32) if twelve >> card & 1]
        counts[tuple(order.index(card) for card in range(32) if int(world["skat"]) >> card & 1)] += 1
    assert len(counts) == 66
    chi2 = sum((count - 100) ** 2 / 100 for count in counts.values())
    assert abs(chi2 - 65) < 5 * (2 * 65) ** 0.5


def test_draw_cards_is_uniform() -> None:
    rng = new_rng(5)
    for size in (2, 4):
        counts = Counter(int(draw_cards(rng, 0b10110101, size)) for _ in range(4000))
        expected = 4000 / len(counts)
        assert len(counts) == {2: 10, 4: 5}[size]
        assert sum((c - expected) ** 2 / expected for c in counts.values()) < 30
