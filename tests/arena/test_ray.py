"""The Ray backend: workers killed, faults, addresses."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from skatai.arena import Tournament
from skatai.deal import deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.kernels.rollouts import random_action
from skatai.parallel import pmap
from skatai.rng import Rng
from skatai.view import PlayerView
from tests.arena.toys import Failing, Lowest, Uniform

DEALS = deals_from_seed(5, 8)


class Mortal(Uniform):
    """Its process is killed at the first decision; a file tells later processes not to."""

    name = "uniform"

    def __init__(self, note: str) -> None:
        self.note = note
        self.parent = os.getpid()

    def act(self, view: PlayerView, rng: Rng) -> int:
        if os.getpid() != self.parent and not os.path.exists(self.note):
            with open(self.note, "w", encoding="utf-8") as file:
                file.write(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return int(random_action(view.state, rng.state))


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    note = tmp_path / "killed"
    tournament = Tournament([Mortal(str(note)), Lowest()], DEALS, seed=9)
    result = tournament.run(tmp_path / "out", backend="ray", workers=1, tables=24)
    assert note.exists()
    expected = Tournament([Uniform(), Lowest()], DEALS, seed=9).run()
    assert [r.same_game for r in result.records] == [r.same_game for r in expected.records]


def test_an_agents_error_comes_through() -> None:
    with pytest.raises(AgentError, match="agent 'failing', deal"):
        Tournament([Failing(), Uniform()], DEALS).run(backend="ray", workers=1)


def test_an_address_needs_ray() -> None:
    with pytest.raises(SkatError, match="is for the backend ray, not threads"):
        pmap(abs, [1], "threads", address="auto")


def test_nobody_at_the_address(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SkatError, match="no Ray at nowhere"):
        list(pmap(abs, [1], "ray", address="nowhere"))


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SkatError, match=r"pip install 'skatai\[ray\]'"):
        list(pmap(abs, [1], "ray"))
