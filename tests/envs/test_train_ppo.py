"""The PPO script: runs, resumes, and its advantages are right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from skatai.errors import SkatError
from tests.scripts import loaded_script

pytestmark = pytest.mark.jit  # whole games by the rule player are slow as plain Python


@pytest.fixture(scope="module")
def script():
    with loaded_script("train_ppo") as module:
        yield module


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


def rollouts(run):
    return [json.loads(line)["rollout"] for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_a_kill_at_any_moment_leaves_one_curve(script, tmp_path, monkeypatch):
    script.main(tiny(script, tmp_path))
    run = tmp_path / "run"
    with open(run / "metrics.jsonl", "a", encoding="utf-8") as log:  # killed after the line, before the checkpoint …
        log.write('{"rollout": 4}\n{"rollout": 5, "deci')  # … and in the middle of a line
    script.main(tiny(script, tmp_path))
    assert rollouts(run) == [0, 2, 3]

    def killed(saved, path):
        Path(path).write_bytes(b"PK")
        raise KeyboardInterrupt

    other = tiny(script, tmp_path, run_name="other")
    script.main(tiny(script, tmp_path, run_name="other", minutes=1e-9))
    assert rollouts(tmp_path / "other") == [0]
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(script.torch, "save", killed)
        script.main(other)
    script.main(other)
    assert rollouts(tmp_path / "other") == [0, 2, 3]
    (run / "checkpoint.pt").write_bytes(b"PK")
    with pytest.raises(SkatError, match=r"checkpoint\.pt: no checkpoint that can be read"):
        script.main(tiny(script, tmp_path))


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("tables", "--tables"),
        ("steps", "--steps"),
        ("evaluate_every", "--evaluate-every"),
        ("batch_size", "--batch-size"),
    ],
)
def test_counts_that_make_no_run(script, tmp_path, name, option):
    with pytest.raises(SkatError, match=f"{option} 0: expected 1 …"):
        script.main(tiny(script, tmp_path, **{name: 0}))
    assert not list(tmp_path.iterdir())


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
