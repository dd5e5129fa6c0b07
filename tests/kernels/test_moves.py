"""Legal actions and the transition function against the twin, in full random games under every set of rules."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

from skatai._jit import JIT_ENABLED
from skatai.kernels import moves
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.events import apply
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_game
from skatai.kernels.state import OVER, new_state, set_deal
from skatai.rules import Rules
from skatai.view import legal_action_ids
from tests import naive
from tests.driver import ALL_RULES, mask_of, play_both, random_deal, same_position, scaled, start


@pytest.mark.parametrize("odds", [0.0, 0.03, 0.25])
def test_random_games_agree_with_the_twin(odds: float) -> None:
    """Legal sets at every decision, positions and results; rules drawn from all combinations of the switches."""
    rng = random.Random(f"games {odds}")
    ends: dict[str, int] = {}
    for _ in range(scaled(700)):
        _, twin = play_both(rng, rng.choice(ALL_RULES), odds)
        assert twin.result is not None
        ends[twin.result["end"]] = ends.get(twin.result["end"], 0) + 1
    assert ends["played"] > 0
    if odds and JIT_ENABLED:
        assert ends["passed_in"] > 0
        assert set(ends) >= {"decided", "conceded", "defenders_conceded", "claim", "refused_claim", "timed_out", "left"}


@pytest.mark.parametrize("rules", ALL_RULES[:: len(ALL_RULES) // 40], ids=lambda rules: str(Rules(**rules)))
def test_each_switch_in_some_games(rules: dict[str, Any]) -> None:
    rng = random.Random(str(rules))
    for _ in range(scaled(20)):
        play_both(rng, rules)


def test_all_tricks_of_three_cards() -> None:
    """Every ordered triple of cards in every game; with plain Python a sample."""
    triples: Any = itertools.permutations(range(32), 3)
    if not JIT_ENABLED:
        triples = list(triples)[::97]
    names = naive.CARDS
    for a, b, c in triples:
        for i, game in enumerate("DHSCGN"):
            assert moves.trick_winner(i, a, b, c) == _winner(game, names[a], names[b], names[c])


_ORDER = {
    game: {card: place for suit in naive.classes(game) for place, card in enumerate(naive.order(game, suit))}
    for game in "DHSCGN"
}
_CLASS = {game: {card: naive.suit_class(card, game) for card in naive.CARDS} for game in "DHSCGN"}


def _winner(game: str, *cards: str) -> int:
    """As :func:`naive.winner`, with its answers looked up."""
    kinds = [_CLASS[game][card] for card in cards]
    wanted = "trump" if "trump" in kinds else kinds[0]
    return min((i for i in range(3) if kinds[i] == wanted), key=lambda i: _ORDER[game][cards[i]])


def test_the_quick_winner_is_the_twins() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        game, trick = rng.choice("DHSCGN"), rng.sample(naive.CARDS, 3)
        assert _winner(game, *trick) == naive.winner(trick, game)


def test_legal_cards_of_random_hands() -> None:
    rng = random.Random(3)
    for _ in range(scaled(3000)):
        pack = rng.sample(naive.CARDS, 11)
        hand, led = set(pack[: rng.randint(1, 10)]), pack[10]
        for i, game in enumerate("DHSCGN"):
            got = moves.legal_cards(mask_of(hand), i, naive.CARDS.index(led))
            assert got == mask_of(naive.may_play(hand, led, game))
            assert moves.legal_cards(mask_of(hand), i, -1) == mask_of(hand)


@pytest.mark.parametrize("ladder", ["official", "iss", "grand 20"])
def test_every_auction_of_a_few_steps(ladder: str) -> None:
    """All call sequences where a caller names the next value, the one after, or passes, up to six calls."""
    rules = {"official": {}, "iss": {"ladder": "iss"}, "grand 20": {"grand_base": 20}}[ladder]
    deal = random_deal(random.Random(1))
    seen = 0

    def walk(calls: list[str]) -> None:
        nonlocal seen
        state, twin = start(*deal, rules)
        for call in calls:
            apply(state, naive.ACTIONS.index(call))
            twin.act(call)
        same_position(state, twin)
        limits = [0 if not limit else naive.ALL_VALUES[limit - 1] for limit in state["limits"]]
        assert limits == naive.auction(twin.calls)["limits"]
        seen += 1
        if twin.phase != "auction" or len(calls) == (6 if JIT_ENABLED else 4):
            return
        legal = twin.legal()
        bids = sorted((name for name in legal if name.startswith("bid")), key=lambda name: int(name[4:]))
        for call in sorted(legal - set(bids)) + bids[:2]:
            walk([*calls, call])

    walk([])
    assert seen > 40


def test_the_end_of_the_ladder() -> None:
    """After 264 is held the caller can only pass (rules 2.2)."""
    state, twin = start(*random_deal(random.Random(1)), {})
    for call in ("bid 264", "hold"):
        apply(state, naive.ACTIONS.index(call))
        twin.act(call)
    assert twin.legal() == {"pass"}
    same_position(state, twin)


def test_masks_words_and_places_agree() -> None:
    rng, mask = random.Random(4), np.zeros(N_ACTIONS, dtype=np.int8)

    def check(state: Any, twin: naive.NaiveGame) -> None:
        ids = legal_action_ids(state)
        words = moves.legal_words(state)
        assert moves.count_legal(words) == len(ids)
        assert [moves.nth_legal(words, n) for n in range(len(ids))] == ids
        assert moves.nth_legal(words, len(ids)) == -1
        assert moves.legal_mask(state, mask) == len(ids)
        assert np.flatnonzero(mask).tolist() == ids
        assert [a for a in range(-2, N_ACTIONS + 3) if moves.is_legal(state, a)] == ids

    for _ in range(scaled(40)):
        play_both(rng, rng.choice(ALL_RULES), at_each_step=check)


def test_cards_and_points_are_kept_at_every_step() -> None:
    """Each card is in one place, complete tricks and what was put away make 120 points."""
    rng = random.Random(5)

    def check(state: Any, twin: naive.NaiveGame) -> None:
        places = [int(hand) for hand in state["hands"]] + [1 << int(c) for c in state["plays"][: state["n_plays"]]]
        places.append(int(state["discards"]) if twin.picked_up else int(state["skat"]))
        assert sum(places) == 0xFFFFFFFF and len([c for p in places for c in range(32) if p >> c & 1]) == 32
        if twin.result is not None and twin.result["end"] == "played":
            assert int(state["points"].sum()) + naive.points(twin.away or twin.skat) == 120
            assert int(state["tricks"].sum()) == 10

    for _ in range(scaled(150)):
        play_both(rng, rng.choice(ALL_RULES), at_each_step=check)


def test_put_away_in_either_order_is_the_same_state() -> None:
    forehand = {"CJ", "D7"} | set(sorted(naive.PACK - {"CJ", "D7"})[:8])
    rest = sorted(naive.PACK - forehand)
    states = []
    for order in (("CJ", "D7"), ("D7", "CJ")):
        state, _ = start([forehand, set(rest[:10]), set(rest[10:20])], set(rest[20:]), {})
        for name in ("pass", "pass", "bid 18", "pick up", *(f"play {card}" for card in order)):
            apply(state, naive.ACTIONS.index(name))
        states.append(state.tobytes())
    assert states[0] == states[1]


def test_early_end_decided_gives_the_score_of_full_play() -> None:
    """Under ``decided`` a game may stop, but never with another won, value or score than full play would give."""
    stopped = 0
    for seed in range(scaled(4000)):
        rng = random.Random(seed)
        deal = random_deal(rng)
        results = []
        for early in ("null_only", "decided"):
            state = new_state()
            set_deal(state, *(mask_of(cards) for cards in (*deal[0], deal[1])), Rules(early_end=early).to_int())
            random_game(state, new_rng(seed))
            results.append((int(state["won"]), int(state["value"]), int(state["score"]), int(state["overbid"])))
            assert state["phase"] == OVER
            stopped += int(early == "decided" and state["end"] == 2 and state["game"] != 5)
        assert results[0] == results[1], seed
    assert stopped > 0


@pytest.mark.parametrize("null_overbid", ["reject", "multiple"])
def test_the_strict_check_leaves_something(null_overbid: str) -> None:
    """Nothing can reach 264: then every suit and grand may be declared (rules 5.2); a null that is lost at once is no way out."""
    rules = {"declaration_check": "strict", "null_overbid": null_overbid}
    state, twin = start(*random_deal(random.Random(8)), rules)
    for call in ("bid 264", "pass", "pass", "pick up"):
        apply(state, naive.ACTIONS.index(call))
        twin.act(call)
    for _ in range(2):
        name = sorted(twin.legal())[0]
        apply(state, naive.ACTIONS.index(name))
        twin.act(name)
    same_position(state, twin)
    nulls = {"declare N", "declare NO"} if null_overbid == "multiple" else set()
    assert twin.legal() == {f"declare {game}" for game in "DHSCG"} | nulls
