"""The derived card features against a plain reckoning on random positions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.state import NOBODY, OVER, PLAY, new_state, set_deal
from skatai.kernels.tables import BEATS, FOLLOW
from skatai.learn.features import N_FEATURES, CardFeatures


def expected(state, seat):
    out = np.zeros(N_FEATURES)
    if state["phase"] != PLAY:
        return out
    game, n = int(state["game"]), int(state["n_plays"])
    plays = [int(card) for card in state["plays"][:n]]
    known = int(state["hands"][seat]) | sum(1 << card for card in plays)
    if seat == state["declarer"]:
        known |= int(state["discards"])
    if int(state["flags"]) & 2:  # ouvert
        known |= int(state["hands"][state["declarer"]])
    table = plays[n - n % 3 :]
    best = None
    for place, card in enumerate(table):
        if best is None or int(BEATS[game, table[best]]) >> card & 1:
            best = place
    for card in range(32):
        if int(state["hands"][seat]) >> card & 1:
            out[card] = int(BEATS[game, card] & FOLLOW[game, card]) & ~known == 0
            out[32 + card] = best is not None and int(BEATS[game, table[best]]) >> card & 1
    if best is not None:
        out[64 + (int(state["leaders"][n // 3]) + best - seat) % 3] = 1
    return out


@pytest.mark.parametrize("seed", range(8))
def test_features_of_whole_games(seed):
    features, rng, found = CardFeatures(), new_rng(seed), 0
    for deal in range(12):
        state, cards = new_state(), np.zeros(4, dtype=np.int64)
        deal_cards(rng, np.zeros(32, dtype=np.int64), cards)
        set_deal(state, *cards, 0)
        while state["phase"] != OVER:
            game = int(state["game"])
            if state["phase"] != PLAY or game in (3, 4, 5):  # the network makes the other suits clubs
                seat = int(state["to_move"])
                row = np.zeros(ENCODING_SIZE, dtype=np.int8)
                encode(state, seat, row)
                got = features(torch.from_numpy((row * ENCODING_SCALE)[None]))[0].numpy()
                assert got.tolist() == expected(state, seat).tolist(), (deal, state["n_plays"])
                found += state["phase"] == PLAY
            apply(state, random_action(state, rng))
        assert state["declarer"] == NOBODY or state["n_plays"] > 0
    assert found > 20
