"""The neural agent: legal, honest, the same in every batch, with weights that say where they come from."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch

from skatai.agent import decision_rng, make_agent
from skatai.deal import Deal
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.learn import NetworkConfig, SkatNetwork, read_metadata, save_network
from skatai.rng import Rng
from skatai.testing import check_agent
from skatai_agents.neural import DEFAULT_WEIGHTS, NeuralAgent

pytestmark = pytest.mark.jit  # many games are slow as plain Python


@pytest.fixture(scope="module")
def agent():
    return NeuralAgent()


@pytest.fixture(scope="module")
def views():
    """A view of the seat to move at every decision of some random games."""
    found = []
    for seed in range(6):
        game, rng = Game(Deal.random(seed)), Rng(seed)
        while not game.is_over:
            found.append(game.view(game.to_move))
            actions = game.legal_actions
            # Short auctions: hold or pass, and rarely a jump.
            game.play(rng.choice(actions[:3]) if game.phase == "auction" else rng.choice(actions))
    return found


def rngs(n):
    return [decision_rng(1, 0, 0, i) for i in range(n)]


def test_registered():
    agent = make_agent("neural:temperature=0.5,trust=0")
    assert isinstance(agent, NeuralAgent) and agent.temperature == 0.5 and agent.trust == 0 and not agent.sees_all


def test_keeps_every_promise(agent):
    report = check_agent(agent, deals=4, seed=3, opponents="neural", worlds=2, strict=False)
    assert report.faults == [] and report.decisions > 100


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 64, 1000])
def test_decisions_do_not_depend_on_the_batch(views, temperature, size):
    agent = NeuralAgent(temperature=temperature)
    streams = rngs(len(views))
    actions = []
    for start in range(0, len(views), size):
        actions += agent.act_batch(views[start : start + size], streams[start : start + size])
    expected = [agent.act(view, rng) for view, rng in zip(views, rngs(len(views)), strict=True)]
    assert actions == expected
    assert all(action in view.legal_actions for action, view in zip(actions, views, strict=True))


def test_empty_batch(agent):
    assert agent.act_batch([], []) == []


def test_equal_logits_go_to_the_lower_id(tmp_path, views):
    network = SkatNetwork(NetworkConfig(8, 0))
    for parameter in network.parameters():
        torch.nn.init.zeros_(parameter)
    save_network(tmp_path / "zero.safetensors", network)
    agent = NeuralAgent(weights=str(tmp_path / "zero.safetensors"))
    assert agent.act_batch(views, rngs(len(views))) == [view.legal_actions[0] for view in views]


def test_temperature_draws_from_the_softmax(tmp_path, views):
    network = SkatNetwork(NetworkConfig(8, 0))
    for parameter in network.parameters():
        torch.nn.init.zeros_(parameter)
    view = next(view for view in views if view.phase == "play" and len(view.legal_actions) >= 3)
    first, second = view.legal_actions[:2]
    with torch.no_grad():
        network.policy.bias.fill_(-60.0)
        network.policy.bias[first] = 0.0
        network.policy.bias[second] = float(np.float16(2 * np.log(3)))
    save_network(tmp_path / "biased.safetensors", network)
    agent = NeuralAgent(weights=str(tmp_path / "biased.safetensors"), temperature=2.0)
    draws = agent.act_batch([view] * 4000, rngs(4000))
    assert set(draws) == {first, second}
    assert np.mean([action == second for action in draws]) == pytest.approx(0.75, abs=0.03)


def test_trust_weighs_the_advantages(tmp_path, views):
    network = SkatNetwork(NetworkConfig(8, 0))
    for parameter in network.parameters():
        torch.nn.init.zeros_(parameter)
    view = next(view for view in views if view.phase == "play" and len(view.legal_actions) >= 3)
    first, second = view.legal_actions[:2]
    with torch.no_grad():
        network.policy.bias[first] = 2.0
        network.advantages.bias[second] = 0.25  # 25 points
    save_network(tmp_path / "biased.safetensors", network)
    chosen = [NeuralAgent(weights=str(tmp_path / "biased.safetensors"), trust=trust) for trust in (0, 0.07, 0.09)]
    assert [agent.act(view, Rng(0)) for agent in chosen] == [first, first, second]


def test_pickles_small(agent, views):
    data = pickle.dumps(agent)
    assert len(data) < 1000
    assert pickle.loads(data).act(views[0], Rng(0)) == agent.act(views[0], Rng(0))


def test_bad_options(tmp_path):
    for value in (-1.0, float("inf"), float("nan")):
        with pytest.raises(AgentError, match="temperature"):
            NeuralAgent(temperature=value)
        with pytest.raises(AgentError, match="trust"):
            NeuralAgent(trust=value)
    with pytest.raises(SkatError, match="no such file"):
        NeuralAgent(weights=str(tmp_path / "missing.safetensors"))
    (tmp_path / "text").write_text("no weights")
    with pytest.raises(SkatError, match="not a safetensors file"):
        make_agent(f"neural:weights={tmp_path / 'text'}")


def test_module_loads_without_torch():
    code = "import sys, skatai_agents.neural; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_packaged_weights_say_where_they_come_from():
    metadata = read_metadata(DEFAULT_WEIGHTS)
    assert DEFAULT_WEIGHTS.stat().st_size < 1_000_000
    assert metadata["command"].startswith("python experiments/train_imitation.py")
    shares = json.loads(metadata["held_out_accuracy"])
    assert float(shares["all"]) > 0.75
    readme = DEFAULT_WEIGHTS.with_name("README.md").read_text(encoding="utf-8")
    assert metadata["command"] in readme and metadata["claims_command"] in readme
    assert metadata["claims_command"].startswith("python experiments/fit_claims.py")
    for name, share in shares.items():
        assert any(line.startswith(f"| {name} | ") and f"{float(share):.1%}" in line for line in readme.splitlines())
