"""A network's bidding as an ONNX file with the signature of :mod:`skatai.bidding.onnx`, for use without PyTorch."""

from __future__ import annotations

import logging
import os
import warnings
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from skatai.errors import SkatError
from skatai.kernels.action_ids import (
    BID_VALUES,
    FIRST_BID,
    HOLD,
    LADDER_OFFICIAL,
    LADDER_WORDS,
    N_ACTIONS,
    PASS,
    WORD_BITS,
)
from skatai.kernels.encodings import ENCODING_BLOCKS, ENCODING_SIZE, encode
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_mask
from skatai.kernels.staged import make_declarer
from skatai.kernels.state import StateRecord, new_state, set_deal
from skatai.learn.network import LIST_POINTS_SCALE, SkatNetwork
from skatai.learn.weights import load_network
from skatai.rules import Rules

__all__ = ["BidderModule", "export_bidder"]

#: indices of the official ladder's values
_STEPS = [
    action - FIRST_BID
    for action in range(FIRST_BID, FIRST_BID + len(BID_VALUES))
    if int(LADDER_WORDS[LADDER_OFFICIAL, action // WORD_BITS]) >> (action % WORD_BITS) & 1
]


def _empty_deal() -> StateRecord:
    """The start of a deal; the hand is written into the encoding, not into the state."""
    state = new_state()
    set_deal(state, 0, 0, 0, 0, Rules().to_int())
    return state


def _asked(seat: int, step: int) -> StateRecord:
    """The auction in which ``seat`` is asked for rung ``step`` of the ladder: up to there both sides named every value.

    Forehand is asked by middlehand, middlehand and (after middlehand has passed) rearhand bid against forehand, who holds.
    """
    state = _empty_deal()
    if seat == 2:
        apply(state, PASS)
    for index in _STEPS[:step]:
        apply(state, FIRST_BID + index)
        apply(state, HOLD)
    if seat == 0:
        apply(state, FIRST_BID + _STEPS[step])
    return state


def _declarer(seat: int, bid: int) -> StateRecord:
    state = _empty_deal()
    make_declarer(state, seat, bid)
    return state


def _encoded(states: list[list[StateRecord]]) -> Tensor:
    """What each seat knows in its situations, without its hand: float32 (3, k, ENCODING_SIZE)."""
    out = np.zeros((3, len(states[0]), ENCODING_SIZE), dtype=np.int8)
    for seat in range(3):
        for place, state in enumerate(states[seat]):
            encode(state, seat, out[seat, place])
    return torch.from_numpy(out.astype(np.float32))


class BidderModule(nn.Module):
    """A network's bidding as a function of hand and seat.

    Its questions are those of an auction with this hand alone at the table (see :class:`skatai.bidding.AgentBidder`): it says yes
    where a bid or holding has a higher merit than passing, as the neural agent does.

    Args:
        network: of any size.
        trust: weight of the network's advantages, per list point; as the neural agent's.
    """

    cards: Tensor
    calls: Tensor
    declares: Tensor
    answers: Tensor
    values: Tensor

    def __init__(self, network: SkatNetwork, trust: float = 0.1) -> None:
        super().__init__()
        self.blocks, self.norm = network.blocks, network.norm
        self.policy, self.advantages, self.win = network.policy, network.advantages, network.win
        self.trust = float(trust)
        calls = [[_asked(seat, step) for step in range(len(_STEPS))] for seat in range(3)]
        declares = [[_declarer(seat, bid) for bid in range(len(BID_VALUES))] for seat in range(3)]
        answers = np.zeros((3, len(_STEPS), N_ACTIONS), dtype=np.int8)
        for seat, states in enumerate(calls):
            for step, state in enumerate(states):
                legal_mask(state, answers[seat, step])
        answers[:, :, PASS] = 0
        # Before the declaration the first layer is a sum: what the situation adds, and what each card adds.
        weights = network.stem.weight[:, :ENCODING_SIZE] * network.scale
        self.register_buffer("cards", weights[:, ENCODING_BLOCKS["HAND"]].detach().clone())
        for name, states in (("calls", calls), ("declares", declares)):
            self.register_buffer(name, (_encoded(states) @ weights.T + network.stem.bias).detach())
        self.register_buffer("answers", torch.from_numpy(answers.astype(np.float32)))
        self.register_buffer("values", torch.tensor([0, *(int(BID_VALUES[i]) for i in _STEPS)], dtype=torch.float32))

    def _body(self, situations: Tensor, hand: Tensor, seat: Tensor) -> Tensor:
        """Last layer for every hand in the situations (3, k, width) of its seat: (n, k, width)."""
        x = torch.einsum("ns,skw->nkw", seat, situations) + (hand @ self.cards.T).unsqueeze(1)
        for block in self.blocks:
            x = block(x)
        return torch.relu(self.norm(x))

    def forward(self, hand: Tensor, seat: Tensor) -> tuple[Tensor, Tensor]:
        """``limit`` (n,) and ``win_chance`` (n, 68) of ``hand`` (n, 32) and ``seat`` (n, 3), float32."""
        x = self._body(self.calls, hand, seat)
        merits = self.policy(x) + self.trust * LIST_POINTS_SCALE * self.advantages(x)
        allowed = torch.einsum("ns,ska->nka", seat, self.answers)
        best = (merits - 1e9 * (1.0 - allowed)).amax(dim=2)
        passes = (best <= merits[:, :, PASS]).to(torch.float32).cumsum(dim=1)
        limit = self.values[(passes == 0).sum(dim=1)]
        return limit, torch.sigmoid(self.win(self._body(self.declares, hand, seat)).squeeze(2))


def export_bidder(network: SkatNetwork | str | Path, path: str | Path, trust: float = 0.1) -> None:
    """Write a network's bidding to an ONNX file: ``skatai bidding net.onnx`` evaluates it.

    Args:
        network: the network, or its weight file.
        path: where to; the file is replaced in one step.
        trust: weight of the network's advantages, per list point.

    Raises:
        SkatError: no such weights, or the packages of ``skatai[onnx]`` are missing.
    """
    if not isinstance(network, SkatNetwork):
        network = load_network(network)[0]
    try:
        import onnx
        import onnxscript  # noqa: F401 (PyTorch's exporter needs it)
    except ImportError:
        raise SkatError("export of a bidder: ONNX files need pip install 'skatai[onnx]'") from None
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    module = BidderModule(deepcopy(network).cpu().float(), trust).eval()
    example = torch.zeros(3, 32), torch.eye(3)
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)  # it complains of packages that are not needed
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                module,
                example,
                input_names=["hand", "seat"],
                output_names=["limit", "win_chance"],
                dynamic_shapes={"hand": {0: "n"}, "seat": {0: "n"}},
                dynamo=True,
                verbose=False,
            )
    finally:
        log.setLevel(level)
    assert program is not None
    part = path.with_name(path.name + ".part")
    onnx.save(program.model_proto, part)
    os.replace(part, path)
