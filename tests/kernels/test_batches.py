"""The compiled batch step against games played one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai._jit import JIT_ENABLED
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels import batches
from skatai.kernels.action_ids import DECLARATIONS
from skatai.kernels.batch_policies import ANY_CONTRACT, RANDOM, RULE, run_policies
from skatai.kernels.batch_views import _pick, observe_tables, sample_actions, write_masks
from skatai.kernels.batches import (
    ALL_SEATS,
    AS_DECLARER,
    AS_DEFENDER,
    BIDDING,
    CARD_PLAY,
    FROM_POOL,
    GIVEN,
    ILLEGAL_REWARDS,
    N_OPTIONS,
    OPTION_CONTRACTS,
    OPTION_ILLEGAL,
    OPTION_LEARNER,
    OPTION_REWARD,
    RAISE,
    REWARDS,
    ROTATE,
    TABLE,
    TERMINATE,
    derive,
    reward_of,
    start_tables,
    take_actions,
)
from skatai.kernels.bits import ALL_CARDS, nth_bit
from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE
from skatai.kernels.moves import legal_mask
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import random_action
from skatai.kernels.state import END_ABORTED, NOBODY, OVER, PLAY, new_states
from skatai.rng import Rng, derive_seed
from tests.naive_encodings import naive_encoding, naive_seen

N = 12 if JIT_ENABLED else 3
SUIT = sum(1 << i for i, (game, _) in enumerate(DECLARATIONS) if game < 4)


class Tables:
    """A batch with its arrays."""

    def __init__(self, n=N, seed=1, pool=None, **options):
        self.n, self.seed = n, seed
        self.states, self.tables, self.scratch = new_states(n), np.zeros(n, dtype=TABLE), new_states(1)
        self.tables["table"] = np.arange(n)
        self.tables["learner"] = NOBODY
        self.tables["stream"] = [derive_seed(seed, i) for i in range(n)]
        self.tables["sampler"][:, 0] = [derive_seed(seed, i, 9) for i in range(n)]
        self.options = np.zeros(N_OPTIONS, dtype=np.int64)
        self.options[OPTION_LEARNER], self.options[OPTION_CONTRACTS] = ALL_SEATS, ANY_CONTRACT
        self.options[OPTION_REWARD] = REWARDS.index("list_points")
        for name, value in options.items():
            self.options[getattr(batches, f"OPTION_{name.upper()}")] = value
        self.pool = np.zeros((0, 4), dtype=np.int64) if pool is None else np.array(pool, dtype=np.int64)
        self.rewards, self.ended = np.zeros((n, 3), dtype=np.float32), np.zeros((2, n), dtype=np.bool_)
        self.terminated, self.illegal = self.ended
        self.seats = np.zeros(n, dtype=np.int64)
        start_tables(self.states, self.tables, np.ones(n, dtype=np.bool_), self.options, self.pool)

    def policies(self):
        return run_policies(
            self.states, self.tables, self.options, self.pool, self.rewards, self.terminated, self.scratch
        )

    def sample(self):
        out = np.zeros(self.n, dtype=np.int64)
        sample_actions(self.tables, out)
        return out

    def take(self, actions):
        return take_actions(
            self.states, self.tables, actions, self.options, self.pool, self.rewards, self.ended, self.seats
        )

    def observe(self, masks=None, out=None, scaled=False):
        nothing = np.zeros((0, 0), dtype=np.int8)
        masks, out = nothing if masks is None else masks, nothing if out is None else out
        observe_tables(self.states, self.tables, masks, out, scaled)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
def test_derive_is_one_link_of_derive_seed(seed, key):
    assert int(derive(np.uint64(derive_seed(seed)), key)) == derive_seed(seed, key)


def test_deals_come_from_seed_table_and_episode():
    t = Tables(seed=7)
    for i, state in enumerate(t.states):
        assert [*state["dealt"].tolist(), int(state["skat"])] == list(Deal.random(derive_seed(7, i, 0)).masks)
    assert not t.tables["attempt"].any()


def test_steps_equal_games_played_one_by_one():
    t = Tables()
    games = [Game(Deal.random(derive_seed(1, i, 0))) for i in range(t.n)]
    episodes = [0] * t.n
    mask = np.zeros((t.n, 136), dtype=np.int8)
    for _ in range(120):
        write_masks(t.tables, mask)
        for i, game in enumerate(games):
            assert t.states[i].tobytes() == game.state.tobytes()
            assert mask[i].tolist() == game.legal_mask().tolist()
        actions = t.sample()
        over = [game.is_over for game in games]
        assert t.take(actions) == -1
        for i, game in enumerate(games):
            if over[i]:
                episodes[i] += 1
                games[i] = Game(Deal.random(derive_seed(1, i, episodes[i])))
                assert not t.terminated[i] and not t.rewards[i].any()
            else:
                game.play(int(actions[i]))
                assert t.terminated[i] == game.is_over and not t.illegal[i]
                assert game.is_over or t.seats[i] == game.to_move
                points = game.result.list_points if game.is_over else (0, 0, 0)
                assert t.rewards[i].tolist() == list(points)
    assert sum(episodes) > t.n and t.tables["episode"].tolist() == episodes


@pytest.mark.parametrize("options", [{}, {"learner": ROTATE, "left": RANDOM, "right": RULE}])
def test_observations_and_masks_from_what_was_seen_before(options):
    """The tables remember the cards played, and count on from there, whenever they are asked."""
    t = Tables(**options)
    assert t.policies() == -1
    masks, wanted = np.full((t.n, 136), 7, dtype=np.int8), np.zeros((t.n, 136), dtype=np.int8)
    small, large = np.full((t.n, ENCODING_SIZE), 7, dtype=np.int8), np.zeros((t.n, ENCODING_SIZE), dtype=np.float32)
    for step in range(110):
        if step % 5 != 1 and step % 7 < 4:
            t.observe(masks, small)
            write_masks(t.tables, wanted)
            assert masks.tolist() == wanted.tolist()
            for i in range(t.n):
                assert small[i].tolist() == naive_encoding(t.states[i], int(t.tables[i]["seat"]))
                seen = naive_seen(t.states[i]) if t.states[i]["phase"] >= PLAY else [0, 0, 0]
                assert t.tables[i]["seen"].tolist() == seen
            t.observe(None, large, True)
            assert np.array_equal(large, small * ENCODING_SCALE)
        t.take(t.sample())
        t.policies()


@given(st.integers(1, ALL_CARDS), st.integers(0, 31))
def test_picks_the_nth_card(cards, n):
    n %= cards.bit_count()
    assert _pick(cards, n) == nth_bit(cards, n)


def test_sampling_is_that_of_the_random_player():
    t = Tables(n=4)
    rngs = [new_rng(int(t.tables[i]["sampler"][0])) for i in range(4)]
    for _ in range(60):
        actions = t.sample()
        for i in range(4):
            if t.states[i]["phase"] != OVER:
                assert actions[i] == random_action(t.states[i], rngs[i])
            else:
                assert actions[i] == 0
        t.take(actions)


def test_a_table_does_not_depend_on_the_others():
    many, one = Tables(n=N), Tables(n=1)
    for _ in range(100):
        many.take(many.sample())
        one.take(one.sample())
        assert many.states[0].tobytes() == one.states[0].tobytes()
        assert many.tables[0].tobytes() == one.tables[0].tobytes()


def test_illegal_actions_end_the_deal():
    t = Tables(n=3)
    actions = np.array([64, 0, 136])  # a bid, a card in the auction, no id
    t.options[OPTION_ILLEGAL] = RAISE
    before = t.states.tobytes() + t.tables.tobytes()
    assert t.take(actions) == 1 and t.states.tobytes() + t.tables.tobytes() == before
    t.options[OPTION_ILLEGAL] = TERMINATE
    assert t.take(actions) == 2 and t.states.tobytes() + t.tables.tobytes() == before  # no id at all
    actions[2] = 135
    assert t.take(actions) == -1
    assert t.terminated.tolist() == [False, True, True]
    assert t.states["end"].tolist() == [0, END_ABORTED, END_ABORTED]
    assert t.rewards[1].tolist() == [0, ILLEGAL_REWARDS[1], 0]  # middlehand was to move
    assert t.tables["illegal"].tolist() == [0, 1, 1]
    assert t.illegal.tolist() == [False, True, True]
    t.options[OPTION_ILLEGAL] = RAISE
    assert t.take(np.array([33, 0, 136])) == -1  # where the deal is over any action will do
    assert t.tables["illegal"].tolist() == [0, 0, 0] and t.tables["episode"].tolist() == [0, 1, 1]


def test_rewards_of_every_kind():
    rng = Rng(3)
    seen = set()
    for seed in range(60):
        game = Game(Deal.random(seed))
        while not game.is_over:
            game.play(random_action(game.state, rng.state))
        result = game.result
        for seat in range(3):
            values = [reward_of(game.state, seat, kind) for kind in range(4)]
            if result.declarer is None:
                assert values == [0, 0, 0, 0]
                continue
            seen.add((result.won, result.contract.game == 5))
            declares = seat == result.declarer
            points = (60 if result.won else -60) if result.contract.game == 5 else result.points - 60
            assert values == [
                result.score if declares else -result.score / 2,
                result.list_points[seat],
                1 if result.won == declares else -1,
                points if declares else -points,
            ]
    assert len(seen) >= 2


def test_pool_and_given_deals():
    pool = [Deal.random(seed).masks for seed in range(5)]
    t = Tables(pool=pool, deals=FROM_POOL)
    dealt = {(*state["dealt"].tolist(), int(state["skat"])) for state in t.states}
    assert dealt <= set(pool) and (len(dealt) > 2 or not JIT_ENABLED)
    t = Tables(n=5, pool=pool, deals=GIVEN)
    assert [(*state["dealt"].tolist(), int(state["skat"])) for state in t.states] == pool


def test_card_play_starts_after_the_rule_players_auction():
    t = Tables(phase=CARD_PLAY, contracts=SUIT)
    assert t.policies() == -1
    for i, state in enumerate(t.states):
        assert state["phase"] == PLAY and state["n_plays"] == 0 and state["game"] < 4
        attempts = int(t.tables[i]["attempt"])
        for attempt in range(attempts + 1):
            game = Game(Deal.random(derive_seed(1, i, 0, *([attempt] if attempt else []))))
            while not game.is_over and game.phase != "play":
                game.play(int(rule_action(game.state, game.to_move, new_rng(0))))
            suited = not game.is_over and game.contract.game < 4
            assert suited == (attempt == attempts)
        assert state.tobytes() == game.state.tobytes()
        assert t.tables[i]["decisions"] == len(game.actions)


@pytest.mark.parametrize("mode", [AS_DECLARER, AS_DEFENDER, ROTATE, 0])
def test_seats_of_the_learner(mode):
    t = Tables(phase=CARD_PLAY, learner=mode, left=RULE, right=RANDOM)
    assert t.policies() == -1
    declares = t.tables["learner"] == t.states["declarer"]
    if mode == AS_DECLARER:
        assert declares.all()
    elif mode == AS_DEFENDER:
        assert not declares.any()
    elif mode == ROTATE:
        assert t.tables["learner"].tolist() == [i % 3 for i in range(t.n)]
    else:
        assert not t.tables["learner"].any()
    assert (t.states["to_move"] == t.tables["learner"]).all()


def test_forced_contracts():
    wanted = (1 << DECLARATIONS.index((4, 0))) | (1 << DECLARATIONS.index((5, 3)))  # grand, null ouvert hand
    t = Tables(n=max(N, 8), phase=CARD_PLAY, forced=1, contracts=wanted)
    assert t.policies() == -1
    assert not t.tables["attempt"].any()
    assert set(t.states["game"].tolist()) == {4, 5}
    assert len(set(t.states["declarer"].tolist())) > 1
    for state in t.states:
        assert (state["game"] == 4) == bool(state["discards"])


def test_bidding_is_played_out_by_the_rule_player():
    t = Tables(n=3, phase=BIDDING)
    assert t.policies() == -1
    games = [Game(Deal.random(derive_seed(1, i, 0))) for i in range(3)]
    for _ in range(40):
        actions = t.sample()
        over = [game.is_over for game in games]
        t.take(actions)
        assert t.policies() == -1
        for i, game in enumerate(games):
            if over[i]:
                return
            game.play(int(actions[i]))
            while game.phase == "play":
                game.play(int(rule_action(game.state, game.to_move, new_rng(0))))
            assert t.states[i].tobytes() == game.state.tobytes()
            if game.is_over:
                assert t.terminated[i] and t.rewards[i].tolist() == list(game.result.list_points)


def test_a_contract_never_bid_is_reported():
    deal = Deal.parse("C7.C8.S7.S8.H7.H8.D7.D8.C9.S9|CJ.SJ.HJ.DJ.CA.CT.SA.ST.HA.HT|CK.CQ.SK.SQ.HK.HQ.H9.D9.DQ.DK|DA.DT")
    t = Tables(n=1, pool=[deal.masks], deals=GIVEN, phase=CARD_PLAY, contracts=1 << DECLARATIONS.index((0, 0)))
    assert t.policies() == 0


def test_legal_words_follow_the_policies():
    t = Tables(phase=CARD_PLAY, learner=ROTATE, left=RANDOM, right=RANDOM)
    t.policies()
    mask, one = np.zeros((t.n, 136), dtype=np.int8), np.zeros(136, dtype=np.int8)
    for _ in range(25):
        write_masks(t.tables, mask)
        for i in range(t.n):
            legal_mask(t.states[i], one)
            assert mask[i].tolist() == one.tolist()
        t.take(t.sample())
        t.policies()
