"""Demonstrations are what the rule player does, and learning from them works."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skatai.errors import SkatError
from skatai.kernels.action_ids import FIRST_BID
from skatai.kernels.demonstrations import KINDS, decision_kind, relative_points, seat_list_points
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_mask
from skatai.kernels.policies import rule_action
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards, random_game
from skatai.kernels.state import NOBODY, OVER, new_state, set_deal
from skatai.learn import NetworkConfig, SkatNetwork
from skatai.learn.demonstrations import DEMONSTRATION, generate_demonstrations
from skatai.learn.imitation import advantage_scales, imitation_loss, measure, to_batch
from skatai.scoring import list_points

pytestmark = pytest.mark.jit  # whole games by the rule player are slow as plain Python


@pytest.fixture(scope="module")
def samples():
    return generate_demonstrations(3000, seed=11)[0]


@pytest.fixture(scope="module")
def evaluated():
    return generate_demonstrations(300, seed=11, evaluate=True)[0]


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


def replay(action_at, wanted):
    """The first deal of seed 11 with one action changed: its final state."""
    state, cards, rng = new_state(), np.zeros(4, dtype=np.int64), new_rng(11)
    deal_cards(rng, np.zeros(32, dtype=np.int64), cards)
    set_deal(state, *cards, 0)
    mask, index = np.zeros(136, dtype=np.int8), 0
    while state["phase"] != OVER:
        action = rule_action(state, int(state["to_move"]), rng)
        if legal_mask(state, mask) > 1:
            if index == action_at:
                action = wanted
                seat = int(state["to_move"])
            index += 1
        apply(state, action)
    return seat, state


def test_advantages_are_those_of_play_outs(evaluated):
    for index in (0, 1, 2, 6, 9, 12, 15):
        sample = evaluated[index]
        seat, baseline = replay(index, int(sample["action"]))
        assert sample["tried"][sample["action"]] == 1 and sample["advantage"][sample["action"]] == 0
        for action in np.flatnonzero(sample["tried"]):
            _, final = replay(index, int(action))
            expected = relative_points(final, seat) - relative_points(baseline, seat)
            assert sample["advantage"][action] == expected


def test_every_action_is_tried_but_jumps(evaluated):
    for sample in evaluated:
        legal, tried = np.flatnonzero(sample["mask"]), np.flatnonzero(sample["tried"])
        bids = [action for action in legal if action >= FIRST_BID]
        assert tried.tolist() == [action for action in legal if action < FIRST_BID or action == bids[0]]
    assert (evaluated["advantage"][evaluated["tried"] == 0] == 0).all()
    assert (evaluated["advantage"] != 0).any()


def test_relative_points_sum_to_nothing():
    state, rng, cards = new_state(), new_rng(6), np.zeros(4, dtype=np.int64)
    for _ in range(50):
        deal_cards(rng, np.zeros(32, dtype=np.int64), cards)
        set_deal(state, *cards, 0)
        random_game(state, rng)
        points = [int(relative_points(state, seat)) for seat in range(3)]
        assert abs(sum(points)) <= 2  # halves are rounded down
        if state["declarer"] != NOBODY:
            assert (points[state["declarer"]] > 0) == bool(state["won"])


def test_training_lowers_the_loss_and_learns_the_bids():
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=64, blocks=1))
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    keep = [0.5, 1, 1, 0.4, 0.4, 1, 1]
    training, _ = generate_demonstrations(8192, seed=1, keep=keep, evaluate=True)
    held_out, _ = generate_demonstrations(4000, seed=2, evaluate=True)
    batch = to_batch(training)
    scales = advantage_scales(batch)
    before, at_first = imitation_loss(network, batch, scales), measure(network, held_out)["all"]
    for step in range(120):
        part = type(batch)(*(column[step % 16 * 512 : (step % 16 + 1) * 512] for column in batch))
        losses = imitation_loss(network, part, scales)
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
    after, at_last = imitation_loss(network, batch, scales), measure(network, held_out)["all"]
    assert after.policy < 0.8 * before.policy
    assert after.advantage < 0.95 * before.advantage
    assert after.win < before.win and after.list_points < before.list_points
    assert at_last.accuracy > at_first.accuracy + 0.15
    assert at_last.gain > at_first.gain + 5


def test_measure_by_hand(evaluated):
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=8, blocks=0))
    outputs = network(to_batch(evaluated).encoding)
    for trust in (0.0, 0.5):
        merits = (outputs.logits + trust * 100 * outputs.advantages).detach().numpy()
        chosen = np.where(evaluated["mask"] == 1, merits, -np.inf).argmax(axis=1)
        right = chosen == evaluated["action"]
        gains = evaluated["advantage"][np.arange(len(evaluated)), chosen]
        scores = measure(network, evaluated, trust)
        assert scores["all"] == pytest.approx((len(evaluated), right.mean(), gains.mean()))
        bids = evaluated["kind"] == 0
        assert scores["bid"] == pytest.approx((bids.sum(), right[bids].mean(), gains[bids].mean()))
        assert set(scores) <= {"all", *KINDS}


def test_advantage_loss_by_hand():
    samples = np.zeros(3, dtype=DEMONSTRATION)
    samples["mask"][:, [0, 1, 2, 70]] = 1
    samples["tried"][:2, :3] = 1
    samples["kind"] = [0, 3, 3]
    samples["advantage"][0, :3] = 0, -40, 100
    samples["advantage"][1, :3] = 0, 0, -900  # cut at 300
    network = SkatNetwork(NetworkConfig(width=8, blocks=0))
    torch.nn.init.zeros_(network.advantages.weight)
    torch.nn.init.zeros_(network.advantages.bias)
    batch = to_batch(samples)
    scales = advantage_scales(batch)
    assert scales[0].item() == pytest.approx(np.sqrt((0.4**2 + 1) / 3))
    assert scales[3].item() == pytest.approx(np.sqrt(9 / 3))
    expected = [(0.4**2 + 1 + 0.02) / 3.02 / scales[0] ** 2, (9 + 0.02) / 3.02 / scales[3] ** 2]
    assert imitation_loss(network, batch, scales).advantage.item() == pytest.approx(np.mean(expected))


def test_passed_in_deals_do_not_count_for_the_win():
    samples = np.zeros(4, dtype=DEMONSTRATION)
    samples["mask"][:, :2] = 1
    samples["declarer_won"] = [-1, -1, 1, 0]
    torch.manual_seed(0)
    network = SkatNetwork(NetworkConfig(width=8, blocks=0))
    all_four = imitation_loss(network, to_batch(samples)).win
    assert all_four.item() == pytest.approx(imitation_loss(network, to_batch(samples[2:])).win.item())
    assert imitation_loss(network, to_batch(samples[:2])).win.item() == 0
