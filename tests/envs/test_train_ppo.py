"""The PPO script: runs, resumes, and its advantages are right."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from skatai.errors import SkatError

pytestmark = pytest.mark.jit  # whole games by the rule player are slow as plain Python

SCRIPT = Path(__file__).parents[2] / "experiments" / "train_ppo.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("train_ppo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    threads = torch.get_num_threads()
    spec.loader.exec_module(module)
    yield module
    torch.set_num_threads(threads)
    del sys.modules[spec.name]


def tiny(script, folder, **changes):
    values = {
        "total_decisions": 62 * 4 * 3,
        "tables": 4,
        "batch_size": 64,
        "epochs": 1,
        "width": 16,
        "evaluate_every": 2,
        "evaluation_deals": 6,
        "final_deals": 8,
        "runs": folder,
        "run_name": "run",
        "track": False,
    }
    return script.Args(**{**values, **changes})


def test_runs_and_resumes(script, tmp_path, capsys):
    script.main(tiny(script, tmp_path))
    run = tmp_path / "run"
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [line["rollout"] for line in lines] == [0, 2, 3]
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "| rule | 8 |" in capsys.readouterr().out
    saved = torch.load(run / "checkpoint.pt", weights_only=True)
    assert saved["rollouts"] == 3
    script.main(tiny(script, tmp_path))  # nothing is left to do
    assert "resumed after 3 rollouts" in capsys.readouterr().err
    with pytest.raises(SkatError, match="other settings"):
        script.main(tiny(script, tmp_path, learning_rate=0.5))


def test_advantages_of_a_deal_by_hand(script):
    """Two seats act in turns at one table: 0, 1, 0, then the deal ends with 1, -1; the next deal is cut off."""
    rollout = script.Rollout.empty(6, 1)
    rollout.seats[:, 0] = [0, 1, 0, 0, 0, 1]
    rollout.values[:, 0] = [0.5, 0.2, 0.3, 9.0, 0.4, 0.1]
    rollout.acting[:, 0] = [True, True, True, False, True, True]  # the fourth step only deals
    rollout.over[2, 0] = True
    rollout.rewards[2, 0] = [1.0, -1.0, 0.0]
    found, known = script.advantages(rollout, 0.5)
    assert known[:, 0].tolist() == [True, True, True, False, False, False]
    last = 1.0 - 0.3
    assert found[:3, 0].tolist() == pytest.approx([0.3 - 0.5 + 0.5 * last, -1.0 - 0.2, last])


def test_evaluation_is_paired(script, tmp_path):
    args = tiny(script, tmp_path)
    network = script.Network(16)
    one, other = (script.list_points(network, "random", 12, args) for _ in range(2))
    assert np.array_equal(one, other)
