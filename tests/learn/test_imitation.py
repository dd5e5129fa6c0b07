"""Demonstrations are what the rule player does, and learning from them works."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skatai.errors import SkatError
from skatai.kernels.demonstrations import KINDS, decision_kind, seat_list_points
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_mask
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, random_game
from skatai.kernels.state import NOBODY, OVER, new_state, set_deal
from skatai.learn import NetworkConfig, SkatNetwork, masked_log_probs
from skatai.learn.demonstrations import DEMONSTRATION, generate_demonstrations
from skatai.learn.imitation import accuracy, imitation_loss, to_batch
from skatai.scoring import list_points


@pytest.fixture(scope="module")
def samples():
    return generate_demonstrations(3000, seed=11)[0]


def test_equal_seeds_give_equal_data(samples):
    again, deals = generate_demonstrations(3000, seed=11)
    assert samples.dtype == DEMONSTRATION and deals > 50
    assert samples.tobytes() == again.tobytes()
    assert samples.tobytes() != generate_demonstrations(3000, seed=12)[0].tobytes()
    assert samples[:500].tobytes() == generate_demonstrations(500, seed=11)[0][:500].tobytes()


def test_first_deal_replayed_by_hand(samples):
    state, cards, rng = new_state(), np.zeros(4, dtype=np.int64), new_rng(11)
    deal_cards(rng, np.zeros(32, dtype=np.int64), cards)
    set_deal(state, *cards, 0)
    expected, mask, encoding = [], np.zeros(136, dtype=np.int8), np.zeros(ENCODING_SIZE, dtype=np.int8)
    while state["phase"] != OVER:
        seat = int(state["to_move"])
        action = rule_action(state, seat, rng)
        if legal_mask(state, mask) > 1:
            encode(state, seat, encoding)
            expected.append((seat, int(decision_kind(state)), action, mask.copy(), encoding.copy()))
        apply(state, action)
    declarer = None if state["declarer"] == NOBODY else int(state["declarer"])
    points = list_points(int(state["score"]), declarer)
    for sample, (seat, kind, action, legal, encoded) in zip(samples, expected, strict=False):
        assert (sample["kind"], sample["action"]) == (kind, action)
        assert (sample["mask"] == legal).all() and (sample["encoding"] == encoded).all()
        assert sample["list_points"] == points[seat]
        assert sample["declarer_won"] == (-1 if declarer is None else int(state["won"]))


def test_actions_are_legal_choices_of_the_seat_to_move(samples):
    rows = np.arange(len(samples))
    assert (samples["mask"][rows, samples["action"]] == 1).all()
    assert (samples["mask"].sum(axis=1) > 1).all()
    assert (samples["encoding"][:, ENCODING_BLOCKS["TO_MOVE"]] == [1, 0, 0]).all()
    assert set(samples["kind"]) >= {0, 1, 2, 3, 4}


def test_shares_are_kept():
    only_bids, _ = generate_demonstrations(400, seed=3, keep=[1, 0, 0, 0, 0, 0, 0])
    assert set(only_bids["kind"]) == {0}
    half, _ = generate_demonstrations(20_000, seed=3, keep=[1, 1, 1, 0.5, 1, 1, 1])
    full, _ = generate_demonstrations(20_000, seed=3)
    ratios = [np.mean(part["kind"] == 3) / np.mean(part["kind"] == 4) for part in (half, full)]
    assert ratios[0] / ratios[1] == pytest.approx(0.5, abs=0.06)


def test_noise_changes_the_deals_not_the_answers():
    noisy, _ = generate_demonstrations(3000, seed=11, noise=0.5)
    clean, _ = generate_demonstrations(3000, seed=11)
    assert noisy.tobytes() != clean.tobytes()
    assert (noisy["mask"][np.arange(3000), noisy["action"]] == 1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"noise": 1.5},
        {"keep": [1.0]},
        {"keep": [0, 1, 1, 1, 1, 1, 1]},
        {"keep": [2] * 7},
        {"keep": [float("nan")] * 7},
    ],
)
def test_bad_arguments(wrong):
    with pytest.raises(SkatError, match="demonstrations"):
        generate_demonstrations(**{"n": 10, "seed": 1, **wrong})


def test_list_points_as_in_scoring():
    state, rng = new_state(), new_rng(5)
    cards = np.zeros(4, dtype=np.int64)
    for _ in range(200):
        deal_cards(rng, np.zeros(32, dtype=np.int64), cards)
        set_deal(state, *cards, 0)
        random_game(state, rng)
        declarer = None if state["declarer"] == NOBODY else int(state["declarer"])
        expected = list_points(int(state["score"]), declarer)
        assert tuple(int(seat_list_points(state, seat)) for seat in range(3)) == expected


def test_training_lowers_the_loss_and_learns_the_bids():
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=64, blocks=1))
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    training, _ = generate_demonstrations(8192, seed=1, keep=[0.5, 1, 1, 0.4, 0.4, 1, 1])
    held_out, _ = generate_demonstrations(4000, seed=2)
    batch = to_batch(training)
    before, at_first = imitation_loss(network, batch), accuracy(network, held_out)
    for step in range(120):
        part = type(batch)(*(column[step % 16 * 512 : (step % 16 + 1) * 512] for column in batch))
        losses = imitation_loss(network, part)
        optimizer.zero_grad()
        (losses.policy + losses.list_points + losses.win).backward()
        optimizer.step()
    after, at_last = imitation_loss(network, batch), accuracy(network, held_out)
    assert after.policy < 0.7 * before.policy
    assert after.win < before.win and after.list_points < before.list_points
    assert at_last["all"] > at_first["all"] + 0.2
    assert at_last["bid"] > 0.65
    assert set(at_last) <= {"all", *KINDS}


def test_accuracy_by_hand(samples):
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=8, blocks=0))
    batch = to_batch(samples[:300])
    best = masked_log_probs(network(batch.encoding).logits, batch.mask).argmax(dim=1)
    right = (best == batch.action).numpy()
    shares = accuracy(network, samples[:300])
    assert shares["all"] == pytest.approx(right.mean())
    assert shares["bid"] == pytest.approx(right[samples["kind"][:300] == 0].mean())


def test_passed_in_deals_do_not_count_for_the_win():
    samples = np.zeros(4, dtype=DEMONSTRATION)
    samples["mask"][:, :2] = 1
    samples["declarer_won"] = [-1, -1, 1, 0]
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=8, blocks=0))
    all_four = imitation_loss(network, to_batch(samples)).win
    assert all_four.item() == pytest.approx(imitation_loss(network, to_batch(samples[2:])).win.item())
    assert imitation_loss(network, to_batch(samples[:2])).win.item() == 0
