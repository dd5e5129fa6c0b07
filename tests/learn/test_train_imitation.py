"""The training script: from nothing to weights, and the same weights when it is killed on the way."""

from __future__ import annotations

import json

import pytest

from skatai.errors import SkatError
from skatai.learn import load_network
from tests.scripts import loaded_script

pytestmark = pytest.mark.jit  # whole games by the rule player are slow as plain Python


@pytest.fixture(scope="module")
def script():
    with loaded_script("train_imitation") as module:
        yield module


def tiny(script, folder, name="run", **changes):
    values = {
        "steps": 9,
        "batch_size": 64,
        "chunk": 150,
        "held_out": 200,
        "width": 16,
        "blocks": 1,
        "evaluate_every": 4,
        "checkpoint_every": 2,
        "trust": (0.0, 0.1),
    }
    where = {"runs": folder, "run_name": name, "weights": folder / f"{name}.safetensors"}
    return script.Args(**{**values, **where, **changes})


def test_killed_and_resumed_gives_the_same_weights(script, tmp_path, monkeypatch, capsys):
    script.main(tiny(script, tmp_path, "straight"))
    report = capsys.readouterr()
    assert "| bid | " in report.out and "trust 0.1" in report.out and "straight.safetensors" in report.err

    real, calls = script.imitation_loss, []

    def killed(*args):
        calls.append(None)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(script, "imitation_loss", killed)
    with pytest.raises(KeyboardInterrupt):
        script.main(tiny(script, tmp_path, "killed"))
    assert not (tmp_path / "killed.safetensors").exists()
    monkeypatch.setattr(script, "imitation_loss", real)
    script.main(tiny(script, tmp_path, "killed"))
    assert "resumed at step 4" in capsys.readouterr().err
    assert (tmp_path / "killed.safetensors").read_bytes() == (tmp_path / "straight.safetensors").read_bytes()

    lines = (tmp_path / "killed" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [4, 8, 9]
    metadata = load_network(tmp_path / "killed.safetensors")[1]
    assert metadata["command"].startswith("python experiments/train_imitation.py --steps 9 --batch-size 64 ")
    assert str(tmp_path) not in json.dumps(metadata)


def test_without_advantages(script, tmp_path, capsys):
    script.main(tiny(script, tmp_path, steps=2, advantage_weight=0.0))
    assert "trust 0.1" not in capsys.readouterr().out


def test_refuses_another_commands_run(script, tmp_path):
    script.main(tiny(script, tmp_path, steps=2))
    with pytest.raises(SkatError, match="was started as"):
        script.main(tiny(script, tmp_path, steps=3))


def test_bad_sizes(script, tmp_path):
    with pytest.raises(SkatError, match="--chunk 10"):
        script.main(tiny(script, tmp_path, chunk=10))
