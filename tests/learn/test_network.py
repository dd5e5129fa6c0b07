"""The network, masked probabilities, weight files and checkpoints."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from skatai.errors import SkatError
from skatai.kernels.action_ids import FIRST_BID, FIRST_DECLARATION, N_ACTIONS, PASS
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SCALE, ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_cards
from skatai.kernels.rng import new_rng
from skatai.kernels.rollouts import deal_cards
from skatai.kernels.state import new_state, set_deal
from skatai.learn import (
    NetworkConfig,
    SkatNetwork,
    load_checkpoint,
    load_network,
    masked_log_probs,
    masked_probs,
    predict,
    read_metadata,
    save_checkpoint,
    save_network,
)

SMALL = NetworkConfig(width=16, blocks=1)


def network(config=SMALL, seed=0):
    torch.manual_seed(seed)
    return SkatNetwork(config)


def encodings(n, seed=0):
    """Random entries in their ranges, with one game type or none."""
    rng = np.random.default_rng(seed)
    largest = np.round(1 / ENCODING_SCALE).astype(int)
    rows = rng.integers(0, largest + 1, size=(n, ENCODING_SIZE)).astype(np.int8)
    rows[:, ENCODING_BLOCKS["GAME"]] = np.eye(7, 6, dtype=np.int8)[rng.integers(0, 7, size=n)]
    return rows


def test_shapes_and_size():
    net = network(NetworkConfig())
    outputs = net(torch.from_numpy(encodings(5)))
    assert outputs.logits.shape == outputs.advantages.shape == (5, N_ACTIONS)
    assert outputs.list_points.shape == outputs.win_logits.shape == (5,)
    assert net.n_parameters == 454_674


def position(trump, swap):
    """A suit game with ``trump`` after two cards; ``swap`` exchanges that suit (without its jack) and clubs in the deal."""
    cards = np.zeros(4, dtype=np.int64)
    deal_cards(new_rng(8), np.zeros(32, dtype=np.int64), cards)
    state = new_state()
    set_deal(
        state, *(sum(1 << swapped(c, trump) if swap else 1 << c for c in range(32) if m >> c & 1) for m in cards), 0
    )
    for action in (PASS, PASS, FIRST_BID, FIRST_DECLARATION + 7 + 4 * (trump if swap else 3)):
        apply(state, action)
    lead = int(cards[0]).bit_length() - 1
    follow = max((c for c in range(32) if legal_cards(int(cards[1]), 3, lead) >> c & 1), default=0)
    for card in (lead, follow):
        apply(state, swapped(card, trump) if swap else card)
    return state


def swapped(card, trump):
    if card % 8 == 7:
        return card
    return {trump: 24, 3: 8 * trump}.get(card // 8, card // 8 * 8) + card % 8


@pytest.mark.parametrize("trump", [0, 1, 2])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_all_suit_games_are_one(trump, seat):
    net = network()
    with torch.no_grad():  # the only entries that tell the games apart
        net.stem.weight[:, ENCODING_BLOCKS["GAME"]] = 0
    rows = np.zeros((2, ENCODING_SIZE), dtype=np.int8)
    encode(position(trump, False), seat, rows[0])
    encode(position(trump, True), seat, rows[1])
    assert (rows[0] != rows[1]).any()
    clubs, other = predict(net.double(), rows).logits
    for card in range(32):
        assert clubs[card] == other[swapped(card, trump)]
    assert (clubs[32:] == other[32:]).all()


@pytest.mark.parametrize(("width", "blocks"), [(0, 1), (5000, 1), (16, -1), (16, 65)])
def test_bad_sizes(width, blocks):
    with pytest.raises(SkatError, match="width"):
        NetworkConfig(width, blocks)


def test_masked_probabilities():
    logits = torch.tensor([[0.0, math.log(3.0), 50.0], [1000.0, -1000.0, 0.0]])
    mask = torch.tensor([[1, 1, 0], [0, 1, 0]], dtype=torch.int8)
    probs = masked_probs(logits, mask)
    assert probs[0].tolist() == pytest.approx([0.25, 0.75, 0.0])
    assert probs[1].tolist() == [0.0, 1.0, 0.0]
    log_probs = masked_log_probs(logits, mask)
    assert torch.isfinite(log_probs).all()
    assert log_probs[0, 0].item() == pytest.approx(math.log(0.25))
    assert (probs * log_probs).sum(dim=1).tolist() == pytest.approx([0.25 * math.log(0.25) + 0.75 * math.log(0.75), 0])


def test_no_gradient_through_illegal_actions():
    logits = torch.zeros(1, 4, requires_grad=True)
    masked_log_probs(logits, torch.tensor([[1, 0, 1, 0]]))[0, 0].backward()
    assert logits.grad.tolist() == [[0.5, 0.0, -0.5, 0.0]]


def test_predict_does_not_depend_on_the_batch():
    net = network(NetworkConfig(width=64, blocks=2)).double()
    rows = encodings(67)
    together = predict(net, rows)
    for size in (1, 2, 3, 32, 66):
        for start in range(0, 67, size):
            part = predict(net, rows[start : start + size])
            for one, all_rows in zip(part, together, strict=True):
                assert (one == all_rows[start : start + size]).all()


def test_predict_refuses_what_it_cannot_do():
    with pytest.raises(SkatError, match="float64"):
        predict(network(), encodings(2))
    with pytest.raises(SkatError, match="shape"):
        predict(network().double(), np.zeros((2, 5), dtype=np.int8))


def test_weights_round_trip(tmp_path):
    net, path = network(), tmp_path / "deep" / "net.safetensors"
    save_network(path, net, {"command": "python train.py"})
    loaded, metadata = load_network(path)
    assert loaded.config == net.config and not loaded.training
    assert metadata["command"] == "python train.py" == read_metadata(path)["command"]
    assert (metadata["encoding_version"], metadata["action_space_version"]) == ("1", "1")
    for name, tensor in net.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor.half().float())
    save_network(tmp_path / "again.safetensors", loaded, {"command": "python train.py"})
    assert (tmp_path / "again.safetensors").read_bytes() == path.read_bytes()
    assert not list(tmp_path.glob("**/*.part"))


def test_a_hidden_layer_before_the_chance(tmp_path):
    config = NetworkConfig(16, 1, win_units=8)
    net, path = network(config), tmp_path / "net.safetensors"
    assert net.n_parameters == network().n_parameters - 17 + (16 * 8 + 8) + (8 + 1)
    save_network(path, net)
    loaded, metadata = load_network(path)
    assert loaded.config == config and metadata["win_units"] == "8"
    rows = torch.from_numpy(encodings(5))
    hidden = torch.relu(loaded.trunk(rows) @ loaded.win[0].weight.T + loaded.win[0].bias)
    assert loaded(rows).win_logits.tolist() == pytest.approx(
        (hidden @ loaded.win[2].weight[0] + loaded.win[2].bias).tolist()
    )
    with pytest.raises(SkatError, match="win_units -1"):
        NetworkConfig(win_units=-1)
    optimizer = torch.optim.AdamW(net.parameters())
    save_checkpoint(tmp_path / "checkpoint.pt", net, optimizer, 1)
    assert load_checkpoint(tmp_path / "checkpoint.pt", network(config, seed=5))[0] == 1
    with pytest.raises(SkatError, match="expected NetworkConfig"):
        load_checkpoint(tmp_path / "checkpoint.pt", network())


def test_files_from_before_the_hidden_layer(tmp_path):
    path = tmp_path / "net.safetensors"
    save_network(path, network())
    header, tensors = read_metadata(path), load_network(path)[0].state_dict()
    assert header.pop("win_units") == "0"
    save_file({name: tensor.half() for name, tensor in tensors.items()}, path, metadata={"skatai": json.dumps(header)})
    assert load_network(path)[0].config == SMALL


def test_default_weights_are_small(tmp_path):
    save_network(tmp_path / "net.safetensors", network(NetworkConfig()))
    assert (tmp_path / "net.safetensors").stat().st_size < 1_000_000


def bad_files(tmp_path):
    good = tmp_path / "good.safetensors"
    save_network(good, network())
    header = read_metadata(good)
    tensors = {name: tensor.half() for name, tensor in network().state_dict().items()}

    def write(name, changed_tensors, **changes):
        save_file(changed_tensors, tmp_path / name, metadata={"skatai": json.dumps({**header, **changes})})

    write("encoding", tensors, encoding_version="99")
    write("size", tensors, width="32")
    write("word", tensors, width="wide")
    write("hidden", tensors, win_units="8")
    write("huge", tensors, width="1000000000")
    write("less", {"policy.bias": tensors["policy.bias"]})
    write("nan", {**tensors, "policy.bias": tensors["policy.bias"] * float("nan")})
    save_file(tensors, tmp_path / "bare")
    save_file(tensors, tmp_path / "list", metadata={"skatai": "[1, 2]"})
    save_file(tensors, tmp_path / "json", metadata={"skatai": "{"})
    (tmp_path / "text").write_text("not weights at all")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "cut").write_bytes(good.read_bytes()[:5000])
    (tmp_path / "folder").mkdir()


def test_bad_weight_files(tmp_path):
    bad_files(tmp_path)
    messages = {
        "encoding": "encoding_version is 99, expected 1",
        "bare": "encoding_version is missing",
        "size": "do not fit",
        "word": "do not fit",
        "hidden": "do not fit",
        "huge": "do not fit",
        "less": "do not fit",
        "nan": "not a number",
        "list": "not a JSON object",
        "json": "not a safetensors file",
        "text": "not a safetensors file",
        "empty": "not a safetensors file",
        "cut": "not a safetensors file",
        "folder": "no such file",
        "missing": "no such file",
    }
    for name, message in messages.items():
        with pytest.raises(SkatError, match=message) as caught:
            load_network(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value) and "\n" not in str(caught.value)


def train(net, optimizer, rows):
    for row in rows:
        loss = net(torch.from_numpy(row)).logits.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test_checkpoint_goes_on_as_if_never_stopped(tmp_path):
    batches = encodings(80).reshape(8, 10, ENCODING_SIZE)
    straight = network()
    train(straight, torch.optim.AdamW(straight.parameters(), lr=0.01), batches)

    first = network()
    optimizer = torch.optim.AdamW(first.parameters(), lr=0.01)
    train(first, optimizer, batches[:3])
    save_checkpoint(tmp_path / "checkpoint.pt", first, optimizer, 3, {"seed": 7})

    second = network(seed=5)
    optimizer = torch.optim.AdamW(second.parameters(), lr=0.01)
    assert load_checkpoint(tmp_path / "checkpoint.pt", second, optimizer) == (3, {"seed": 7})
    train(second, optimizer, batches[3:])
    for name, tensor in straight.state_dict().items():
        assert torch.equal(tensor, second.state_dict()[name])


def test_bad_checkpoints(tmp_path):
    net = network()
    good = tmp_path / "good.pt"
    save_checkpoint(good, net, torch.optim.AdamW(net.parameters()), 1)
    with pytest.raises(SkatError, match="expected NetworkConfig"):
        load_checkpoint(good, network(NetworkConfig(8, 1)))
    with pytest.raises(SkatError, match="no such file"):
        load_checkpoint(tmp_path / "missing.pt", net)
    torch.save({"step": 3}, tmp_path / "other.pt")
    torch.save([1, 2], tmp_path / "list.pt")
    (tmp_path / "text.pt").write_text("not a checkpoint")
    (tmp_path / "empty.pt").write_bytes(b"")
    (tmp_path / "cut.pt").write_bytes(good.read_bytes()[:3000])
    for name in ("other", "list", "text", "empty", "cut"):
        with pytest.raises(SkatError, match="not a checkpoint"):
            load_checkpoint(tmp_path / f"{name}.pt", net)
