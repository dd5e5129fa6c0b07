"""Claims on hands of all kinds: the data are honest, only the head for the chance changes, and the claims get better."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch

from skatai.auction import ladder
from skatai.bidding import RuleBidder
from skatai.bidding.outcomes import Ventures, all_hands, declarations, outcomes
from skatai.bidding.protocol import bid_indices
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.kernels.encodings import ENCODING_SIZE, encode
from skatai.kernels.staged import make_declarer
from skatai.kernels.state import new_state, set_deal
from skatai.learn import NetworkConfig, SkatNetwork, load_network, predict, save_network
from skatai.rng import Rng
from skatai.rules import Rules
from skatai_agents.neural import DEFAULT_WEIGHTS
from tests.scripts import loaded_script

pytestmark = pytest.mark.jit  # whole games by the rule player are slow as plain Python


@pytest.fixture(scope="module")
def script():
    with loaded_script("fit_claims") as module:
        yield module


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """Untrained weights with a header of their own."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("weights") / "net.safetensors"
    save_network(path, SkatNetwork(NetworkConfig(16, 1)), {"command": "python train.py"})
    return path


def tiny(script, folder, source, name="run", **changes):
    path = folder / f"{name}.safetensors"
    if not path.exists():
        shutil.copy(source, path)
    values = {"chunks": 3, "deals": 20, "batch_size": 64, "units": 8, "held_out": 20}
    return script.Args(**{**values, "runs": folder, "run_name": name, "weights": path, **changes})


def test_values_from_the_whole_ladder(script):
    steps = list(ladder())
    limits = np.tile([0, 18, 24, 264], 3000)
    bids = script.venture_bids(limits, Rng(1).numpy())
    assert set(bids) == set(steps)
    assert np.mean(bids == 18) > 1 / 3
    at = np.searchsorted(steps, bids)
    for limit, step in ((24, steps.index(24)), (264, 62)):
        near = np.abs(at[limits == limit] - step) <= script.NEAR
        assert near.mean() >= 1 / 3
    assert 0.33 < np.mean(at[limits == 264] >= 59) < 0.40


def test_what_the_declarer_knows_and_who_wins(script):
    deals = deals_from_seed(5, 12)
    bids = np.resize([18, 20, 24, 48, 264], 36)
    skat, play = script.play_ventures(deals, bids, 9)
    ventures = Ventures.of_all(deals, bids)
    found = outcomes(ventures, seed=9)
    assert skat.won.tolist() == play.won.tolist() == found.won.tolist()
    assert 0 < found.won.mean() < 1
    hands, seats = all_hands(deals)
    before_play, row = declarations(ventures, seed=9), np.zeros(ENCODING_SIZE, dtype=np.int8)
    for i, (hand, seat, bid) in enumerate(zip(hands, seats, bid_indices(bids), strict=True)):
        state, cards = new_state(), [0, 0, 0]
        cards[seat] = int(hand)  # the ten cards alone
        set_deal(state, *cards, 0, Rules().to_int())
        make_declarer(state, int(seat), int(bid))
        encode(state, int(seat), row)
        assert (skat.encodings[i] == row).all()
        encode(before_play[i], int(seat), row)
        assert (play.encodings[i] == row).all()


def test_ordinary_games_have_a_winner(script):
    found, kinds = script.games(500, 4, (1.0,) * 7)
    assert len(found.won) == len(found.encodings) == len(kinds) <= 500
    assert set(found.won) == {0.0, 1.0} and set(kinds) >= {0, 1, 2, 3, 4}


def test_a_chunk_depends_on_the_seed_alone(script):
    args = script.Args(deals=20)
    first, again, other = (script.chunk_of_samples(args, index) for index in (0, 0, 1))
    assert first.encodings.tobytes() == again.encodings.tobytes() and first.won.tolist() == again.won.tolist()
    assert first.encodings.tobytes() != other.encodings.tobytes()
    assert 120 < len(first.won) <= 180 and first.won.dtype == np.float32


@pytest.mark.parametrize("units", [0, 8])
def test_nothing_changes_but_the_chance(script, tmp_path, weights, units, capsys):
    args = tiny(script, tmp_path, weights, units=units)
    script.main(args)
    assert "| at 18, before the pick-up | 60 | " in capsys.readouterr().out
    (old, header), (new, new_header) = load_network(weights), load_network(args.weights)
    assert new.config == NetworkConfig(16, 1, units)
    assert new_header["command"] == header["command"] == "python train.py"
    assert new_header["claims_command"].startswith("python experiments/fit_claims.py --chunks 3 --deals 20 ")
    assert str(tmp_path) not in json.dumps(new_header)
    tensors = new.state_dict()
    for name, tensor in old.state_dict().items():
        assert name.startswith("win.") or torch.equal(tensor, tensors[name])
    encodings = script.chunk_of_samples(args, 0).encodings
    before, after = predict(old.double(), encodings), predict(new.double(), encodings)
    assert (before.logits == after.logits).all() and (before.advantages == after.advantages).all()
    assert (before.list_points == after.list_points).all()
    assert (before.win_probability != after.win_probability).any()


def test_killed_and_resumed_and_repeated_gives_the_same_weights(script, tmp_path, weights, monkeypatch, capsys):
    straight = tiny(script, tmp_path, weights, "straight")
    script.main(straight)
    real = script.chunk_of_samples

    def killed(args, index):
        if index == 2:
            raise KeyboardInterrupt
        return real(args, index)

    args = tiny(script, tmp_path, weights, "killed")
    monkeypatch.setattr(script, "chunk_of_samples", killed)
    with pytest.raises(KeyboardInterrupt):
        script.main(args)
    assert args.weights.read_bytes() == weights.read_bytes()
    monkeypatch.setattr(script, "chunk_of_samples", real)
    script.main(args)
    assert "resumed at chunk 2" in capsys.readouterr().err
    result = straight.weights.read_bytes()
    assert args.weights.read_bytes() == result
    lines = (tmp_path / "killed" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["chunk"] for line in lines] == [1, 2, 3]
    # the head begins from nothing: the old claims do not matter
    script.main(tiny(script, tmp_path, weights, "again", weights=straight.weights))
    assert straight.weights.read_bytes() == result


def test_bad_arguments(script, tmp_path, weights):
    with pytest.raises(SkatError, match="--deals"):
        script.main(tiny(script, tmp_path, weights, deals=0))
    with pytest.raises(SkatError, match="win_units -1"):
        script.main(tiny(script, tmp_path, weights, units=-1))
    script.main(tiny(script, tmp_path, weights, chunks=1))
    with pytest.raises(SkatError, match="was started as"):
        script.main(tiny(script, tmp_path, weights, chunks=2))


def test_claims_come_true_on_all_hands(script, tmp_path):
    """Little learning, but on the packaged network's trunk: what it says follows the hand, and is right on average."""
    args = tiny(script, tmp_path, DEFAULT_WEIGHTS, deals=600, units=16, learning_rate=0.01)
    script.main(args)
    deals = deals_from_seed(77, 500)
    samples, _ = script.play_ventures(deals, 18, 0)
    network, won = load_network(args.weights)[0], samples.won.astype(float)
    claimed = script.claims(network, script.trunk(network, samples.encodings))
    assert abs(claimed.mean() - won.mean()) < 0.06  # two standard errors, and as much for so little learning
    assert np.mean((claimed - won) ** 2) < 0.21  # 0.23 for the share of games won
    rule = RuleBidder().win_chances(*all_hands(deals), np.full(1500, 18), Rules())
    assert np.corrcoef(claimed, rule)[0, 1] > 0.8
