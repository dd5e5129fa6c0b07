"""Bidders in ONNX files: the signature, limits and claims of models written by hand, and a network's bidding exported."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from skatai.auction import ladder
from skatai.bidding import AgentBidder, OnnxBidder, make_bidder
from skatai.bidding.onnx import onnx_inputs
from skatai.bidding.outcomes import all_hands
from skatai.cards import Card, CardSet
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.kernels.action_ids import BID_VALUES, N_BIDS
from skatai.rules import Rules

HANDS, SEATS = all_hands(deals_from_seed(2, 10))
FLOAT = TensorProto.FLOAT
JACKS = [7, 15, 23, 31]


def save(path, outputs, inputs=(("hand", FLOAT, ["n", 32]), ("seat", FLOAT, ["n", 3])), weights=None):
    """A model whose outputs are ``hand @ weights[name]``, shapes as declared in ``outputs``."""
    nodes, constants = [], []
    for name, _, shape in outputs:
        matrix = (weights or {}).get(name, np.zeros((32, shape[-1] if len(shape) > 1 else 1), dtype=np.float32))
        constants.append(helper.make_tensor(f"w_{name}", FLOAT, matrix.shape, matrix.astype(np.float32).ravel()))
        flat = len(shape) == 1
        nodes.append(helper.make_node("MatMul", [inputs[0][0], f"w_{name}"], [f"m_{name}" if flat else name]))
        if flat:
            constants.append(helper.make_tensor(f"s_{name}", TensorProto.INT64, [1], [-1]))
            nodes.append(helper.make_node("Reshape", [f"m_{name}", f"s_{name}"], [name]))
    graph = helper.make_graph(
        nodes,
        "bidder",
        [helper.make_tensor_value_info(*put) for put in inputs],
        [helper.make_tensor_value_info(*put) for put in outputs],
        constants,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def jack_weights(columns):
    """Weights that give the number of jacks times each number of ``columns``."""
    weights = np.zeros((32, len(columns)), dtype=np.float32)
    weights[JACKS] = columns
    return weights


def jacks_of(hand):
    return sum(card.rank == 7 for card in CardSet(int(hand)))


@pytest.fixture
def by_limit(tmp_path):
    """Bids 12 for every jack: 0, 12 → 0, 24, 36, 48."""
    return save(tmp_path / "limit.onnx", [("limit", FLOAT, ["n"])], weights={"limit": jack_weights([12.0])})


@pytest.fixture
def by_chance(tmp_path):
    """A quarter of chance for every jack at 18, falling with the index of the value."""
    columns = [0.25 * (1 - i / N_BIDS) for i in range(N_BIDS)]
    weights = {"win_chance": jack_weights(columns)}
    return save(tmp_path / "chance.onnx", [("win_chance", FLOAT, ["n", N_BIDS])], weights=weights)


def test_inputs_are_cards_by_number_and_one_seat():
    hand, seat = onnx_inputs(HANDS[:3], np.array([2, 0, 1]))
    assert hand.dtype == seat.dtype == np.float32
    assert [np.flatnonzero(row).tolist() for row in hand] == [list(CardSet(int(mask))) for mask in HANDS[:3]]
    assert seat.tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert hand[0, Card.parse("CJ")] == (Card.parse("CJ") in CardSet(int(HANDS[0])))


def test_limits_are_taken_down_to_the_ladder(by_limit):
    bidder = OnnxBidder(by_limit)
    jacks = [jacks_of(hand) for hand in HANDS]
    assert {0, 1, 2, 3} <= set(jacks)
    assert bidder.limits(HANDS, SEATS, Rules()).tolist() == [(0, 0, 24, 36, 48)[n] for n in jacks]
    assert not bidder.makes_claims and bidder.name == f"onnx:{by_limit}"
    with pytest.raises(SkatError, match="no output win_chance"):
        bidder.win_chances(HANDS[:1], SEATS[:1], np.array([18]), Rules())


def test_without_limits_the_threshold_decides(by_chance):
    bidder = OnnxBidder(by_chance, threshold=0.4)
    limits = bidder.limits(HANDS, SEATS, Rules()).tolist()
    for hand, limit in zip(HANDS, limits, strict=True):
        chances = {value: jacks_of(hand) * 0.25 * (1 - i / N_BIDS) for i, value in enumerate(BID_VALUES.tolist())}
        assert limit == max((value for value in ladder() if chances[value] >= 0.4), default=0)
    assert len(set(limits)) > 2
    claims = bidder.win_chances(HANDS, SEATS, np.full(len(HANDS), 24), Rules())
    place = BID_VALUES.tolist().index(24)
    assert claims.tolist() == pytest.approx([jacks_of(hand) * 0.25 * (1 - place / N_BIDS) for hand in HANDS])


def test_options_in_the_text(by_chance):
    assert make_bidder(str(by_chance)).threshold == 0.65
    bidder = make_bidder(f"onnx:{by_chance},threshold=0.3")
    assert bidder.threshold == 0.3 and bidder.name == f"onnx:{by_chance},threshold=0.3"
    for text, words in (
        (f"{by_chance},threshold=x", "threshold=x"),
        (f"{by_chance},trust=1", "'trust=1', expected threshold"),
        (f"{by_chance},threshold=2", "threshold 2.0, expected 0 … 1"),
        ("onnx:nothing.onnx", "nothing.onnx: no such file"),
    ):
        with pytest.raises(SkatError, match=words):
            make_bidder(text)


def test_pickled_and_in_another_batch(by_chance):
    bidder = OnnxBidder(by_chance, threshold=0.4)
    copy = pickle.loads(pickle.dumps(bidder))
    whole = copy.limits(HANDS, SEATS, Rules()).tolist()
    assert whole == [int(bidder.limits(HANDS[i : i + 1], SEATS[i : i + 1], Rules())[0]) for i in range(len(HANDS))]
    assert bidder.limits(HANDS[:0], SEATS[:0], Rules()).shape == (0,)


def test_a_model_for_one_hand_without_seat(tmp_path):
    inputs = [("hand", FLOAT, [1, 32])]
    path = save(tmp_path / "one.onnx", [("limit", FLOAT, [1, 1])], inputs, {"limit": jack_weights([12.0])})
    assert OnnxBidder(path).limits(HANDS[:5], SEATS[:5], Rules()).max() in (24, 36, 48)


@pytest.mark.parametrize(
    ("outputs", "inputs", "words"),
    [
        ([("limit", FLOAT, ["n"])], [("cards", FLOAT, ["n", 32])], "no input 'hand' among cards"),
        ([("limit", FLOAT, ["n"])], [("hand", FLOAT, ["n", 32]), ("bid", FLOAT, ["n"])], "unknown input 'bid'"),
        ([("limit", FLOAT, ["n"])], [("hand", FLOAT, ["n", 30])], r"hand is tensor\(float\) of shape \['n', 30\]"),
        ([("limit", FLOAT, ["n"])], [("hand", FLOAT, [7, 32])], r"of shape \[7, 32\]"),
        ([("limit", FLOAT, ["n"])], [("hand", TensorProto.DOUBLE, ["n", 32])], r"hand is tensor\(double\)"),
        ([("bid", FLOAT, ["n"])], [("hand", FLOAT, ["n", 32])], r"outputs bid; expected limit \(n,\)"),
        ([("win_chance", FLOAT, ["n", 63])], [("hand", FLOAT, ["n", 32])], r"win_chance of shape .*expected \(n, 68\)"),
        (
            [("limit", TensorProto.BOOL, ["n"])],
            [("hand", FLOAT, ["n", 32])],
            r"limit is tensor\(bool\), expected numbers",
        ),
        ([("limit", FLOAT, ["n", 2])], [("hand", FLOAT, ["n", 32])], r"limit of shape .*expected \(n,\) or \(n, 1\)"),
    ],
)
def test_other_signatures_are_named(tmp_path, outputs, inputs, words):
    rows = inputs[0][2][1] if len(inputs[0][2]) > 1 else 32
    weights = {
        name: np.zeros((rows, shape[-1] if len(shape) > 1 else 1), dtype=np.float32) for name, _, shape in outputs
    }
    path = save(tmp_path / "other.onnx", outputs, inputs, weights)
    if inputs[0][1] == TensorProto.DOUBLE:
        model = onnx.load(path)
        cast = helper.make_node("Cast", ["hand"], ["cast"], to=FLOAT)
        model.graph.node.insert(0, cast)
        model.graph.node[1].input[0] = "cast"
        onnx.save(model, path)
    if outputs[0][1] == TensorProto.BOOL:
        model = onnx.load(path)
        model.graph.node[-1].output[0] = "number"
        model.graph.node.append(helper.make_node("Cast", ["number"], ["limit"], to=TensorProto.BOOL))
        onnx.save(model, path)
    with pytest.raises(SkatError, match=words):
        OnnxBidder(path)


def test_numbers_that_make_no_sense(tmp_path):
    chances = {"win_chance": jack_weights([2.0] * N_BIDS)}
    path = save(tmp_path / "high.onnx", [("win_chance", FLOAT, ["n", N_BIDS])], weights=chances)
    with pytest.raises(SkatError, match=r"win_chance from 0 … [468], expected 0 … 1"):
        OnnxBidder(path).limits(HANDS, SEATS, Rules())
    path = save(tmp_path / "nan.onnx", [("limit", FLOAT, ["n"])], weights={"limit": jack_weights([float("nan")])})
    with pytest.raises(SkatError, match="limit is infinite or not a number"):
        OnnxBidder(path).limits(HANDS, SEATS, Rules())


def test_a_file_that_is_no_model(tmp_path):
    path = tmp_path / "text.onnx"
    path.write_text("no model")
    with pytest.raises(SkatError, match="not an ONNX model"):
        OnnxBidder(path)


def test_without_the_package(by_limit, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    copy = by_limit.with_name("copy.onnx")
    copy.write_bytes(by_limit.read_bytes())
    with pytest.raises(SkatError, match=r"pip install 'skatai\[onnx\]'"):
        OnnxBidder(copy)


@pytest.mark.jit
def test_a_networks_bidding_exported(tmp_path):
    """The file bids and claims as the neural agent does."""
    from skatai.learn import export_bidder
    from skatai_agents.neural import DEFAULT_WEIGHTS

    export_bidder(DEFAULT_WEIGHTS, tmp_path / "net.onnx")
    exported, agent = make_bidder(str(tmp_path / "net.onnx")), AgentBidder("neural")
    assert exported.inputs == ("hand", "seat") and exported.outputs == ("limit", "win_chance")
    for value in (18, 27, 264):
        bids = np.full(len(HANDS), value)
        claims = agent.win_chances(HANDS, SEATS, bids, Rules())
        assert exported.win_chances(HANDS, SEATS, bids, Rules()) == pytest.approx(claims, abs=1e-5)
    forehand = SEATS == 0  # who can only hold or pass cannot jump: the limits are the same
    limits = agent.limits(HANDS[forehand], SEATS[forehand], Rules()).tolist()
    assert exported.limits(HANDS[forehand], SEATS[forehand], Rules()).tolist() == limits
    assert len(set(limits)) > 3
