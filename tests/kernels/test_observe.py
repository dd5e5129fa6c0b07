"""What a seat may know, to the byte (rules 1.4)."""

import random
from typing import Any

import numpy as np

from skatai._jit import JIT_ENABLED
from skatai.kernels.events import apply
from skatai.kernels.observe import copy_state, observe, void_in
from skatai.kernels.state import STATE, new_state
from skatai.view import PlayerView
from tests import naive
from tests.driver import ALL_RULES, cards_of, mask_of, play_both, random_deal, scaled, start


def test_the_record_is_small_and_copied_whole() -> None:
    assert STATE.itemsize == 137
    rng = np.random.default_rng(1)
    source = np.frombuffer(rng.bytes(STATE.itemsize), dtype=STATE).copy()[0]
    target = new_state()
    copy_state(source, target)
    assert target.tobytes() == source.tobytes()


def other_world(state: Any, seat: int, rng: random.Random) -> Any:
    """The same to ``seat``: all cards it cannot know are dealt anew among the places where they may lie."""
    world = state.copy()
    declarer, flags = int(state["declarer"]), int(state["flags"])
    declared = int(state["game"]) != 255
    is_declarer = seat == declarer
    open_hand = declared and bool(flags & 2)
    picked_up = int(state["phase"]) >= 2 and declarer != 255 and not flags & 1
    played = {s: set() for s in range(3)}
    for i in range(int(state["n_plays"])):
        played[(int(state["leaders"][i // 3]) + i % 3) % 3].add(naive.CARDS[state["plays"][i]])

    hidden_seats = [s for s in range(3) if s != seat and not (open_hand and s == declarer)]
    places = {f"hand {s}": cards_of(state["hands"][s]) for s in hidden_seats}
    if not (is_declarer and picked_up):
        if picked_up and int(state["discards"]):
            places["away"] = cards_of(state["discards"])
        elif not picked_up:
            places["skat"] = cards_of(state["skat"])
    deck = sorted(set().union(*places.values()))
    rng.shuffle(deck)
    for place, cards in places.items():
        places[place] = set(deck[: len(cards)])
        deck = deck[len(cards) :]

    hands = {s: places.get(f"hand {s}", cards_of(state["hands"][s])) for s in range(3)}
    away = places.get("away", cards_of(state["discards"]))
    skat = places.get("skat", cards_of(state["skat"]))
    for s in range(3):
        world["hands"][s] = mask_of(hands[s])
        if s != seat and not (s == declarer and picked_up):
            world["dealt"][s] = mask_of(hands[s] | played[s])
    if picked_up and not is_declarer:
        twelve = sorted(hands[declarer] | played[declarer] | away)
        rng.shuffle(twelve)
        skat = set(twelve[:2])
        world["dealt"][declarer] = mask_of(twelve[2:])
    world["skat"], world["discards"] = mask_of(skat), mask_of(away)
    return world


def test_hidden_cards_leave_no_trace_in_a_view() -> None:
    """Deal the hidden cards anew in any phase: the seat's record does not change by a bit."""
    rng = random.Random(21)
    phases: set[str] = set()
    changed = 0

    def check(state: Any, twin: naive.NaiveGame) -> None:
        nonlocal changed
        if twin.phase == "over" or rng.random() < 0.6:
            return
        phases.add(twin.phase)
        for seat in range(3):
            world = other_world(state, seat, rng)
            changed += world.tobytes() != state.tobytes()
            mine, theirs = new_state(), new_state()
            observe(state, seat, mine)
            observe(world, seat, theirs)
            assert mine.tobytes() == theirs.tobytes(), (twin.phase, seat, twin.contract)
            assert PlayerView(state, seat) == PlayerView(world, seat)

    for _ in range(scaled(150)):
        play_both(rng, rng.choice(ALL_RULES), 0.1, check)
    assert changed > scaled(1000)
    if JIT_ENABLED:
        assert phases == {"auction", "skat", "discard", "declare", "play", "answer"}


def test_a_view_shows_what_the_seat_knows_and_nothing_else() -> None:
    """The twin's account of knowledge, in every phase; own cards, skat and discards are never lost."""
    rng = random.Random(22)

    def check(state: Any, twin: naive.NaiveGame) -> None:
        if rng.random() < 0.5:
            return
        for seat in range(3):
            known = twin.knows(seat)
            out = new_state()
            observe(state, seat, out)
            for other in range(3):
                assert cards_of(out["hands"][other]) == known["hands"].get(other, set())
            assert cards_of(out["skat"]) == known["skat"]
            assert cards_of(out["discards"]) == known["discards"]
            assert cards_of(out["dealt"][seat]) == twin.dealt[seat]
            for name in STATE.names:
                if name not in ("hands", "dealt", "skat", "discards"):
                    assert np.array_equal(out[name], state[name]), name
            again = new_state()
            observe(out, seat, again)
            assert again.tobytes() == out.tobytes()

    for _ in range(scaled(150)):
        play_both(rng, rng.choice(ALL_RULES), 0.1, check)


def test_how_an_ouvert_hand_was_dealt_is_public_only_by_hand() -> None:
    """After a pick-up two of the declarer's ten dealt cards may lie in the skat again."""
    hands, skat = random_deal(random.Random(23))
    for calls, dealt_is_shown in (
        (("declare NOH",), True),
        (("declare GO",), True),
        (("pick up", *(f"play {card}" for card in sorted(skat)), "declare NO"), False),
    ):
        state, _ = start(hands, skat, {})
        for name in ("pass", "pass", "bid 18", *calls):
            apply(state, naive.ACTIONS.index(name))
        out = new_state()
        observe(state, 1, out)
        assert int(out["hands"][0]) == int(state["hands"][0])
        assert bool(out["dealt"][0]) == dealt_is_shown
        assert not out["skat"] and not out["discards"]


def test_voids_are_what_the_play_has_shown() -> None:
    """Every card of a suit class that a seat did not follow; the same from a masked record, and never a card still held."""
    shown = 0

    def check(state: Any, twin: naive.NaiveGame) -> None:
        nonlocal shown
        expected: list[set[str]] = [set(), set(), set()]
        letter = "DHSCGN"[state["game"]] if state["game"] != 255 else ""
        led = ""
        for number, (seat, card) in enumerate(twin.plays):
            if number % 3 == 0:
                led = naive.suit_class(card, letter)
            elif naive.suit_class(card, letter) != led:
                expected[seat] |= {other for other in naive.CARDS if naive.suit_class(other, letter) == led}
        for seat in range(3):
            void = cards_of(int(void_in(state, seat)))
            assert void == expected[seat]
            assert not void & cards_of(state["hands"][seat])
            assert int(void_in(PlayerView(state, (seat + 1) % 3).state, seat)) == mask_of(void)
            shown += len(void)

    rng = random.Random(11)
    for _ in range(scaled(60)):
        play_both(rng, ALL_RULES[0], at_each_step=check)
    assert shown > 1000
