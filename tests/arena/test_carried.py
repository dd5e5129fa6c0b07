"""Agents of the same name that are others: their games are not taken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skatai.arena import Tournament, read_log
from skatai.arena.carried import carried_values
from skatai.arena.phases import PhaseAgent
from skatai.arena.tournament import LOG_NAME
from skatai.deal import deals_from_seed
from skatai.errors import SkatError
from skatai.rng import Rng
from skatai.view import PlayerView
from tests.arena.toys import Uniform

DEALS = deals_from_seed(8, 2)


class Obj(Uniform):
    """Carries a value, counts its decisions, and remembers the last one."""

    name = "obj"

    def __init__(self, value: Any = 0) -> None:
        self.value = value
        self.asked = 0
        self.last: int | None = None
        self.network = [value]  # no simple value

    def act(self, view: PlayerView, rng: Rng) -> int:
        self.asked += 1
        self.last = super().act(view, rng)
        return self.last


@dataclass(slots=True)
class Slotted:
    """Has no ``__dict__``, and a secret."""

    key: str
    name: str = "slotted"
    sees_all: bool = False

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[0]


def _play(agent: Any, out: Path) -> int:
    return len(Tournament([agent, "random"], DEALS).run(out).records)


@pytest.mark.parametrize(
    ("one", "other"), [(0, 1), (0.5, 0.25), ("a", "b"), (None, 0), (True, False), ((1, "a"), (1, "b"))]
)
def test_another_agent_of_the_same_name_is_refused(one: Any, other: Any, tmp_path: Path) -> None:
    assert _play(Obj(one), tmp_path) == 12
    assert _play(Obj(one), tmp_path) == 12
    with pytest.raises(
        SkatError, match=r"belongs to other settings: agent 'obj' differs \(value\); choose another folder"
    ):
        _play(Obj(other), tmp_path)


def test_an_agent_that_counts_goes_on(tmp_path: Path) -> None:
    agent = Obj(3)
    waiting = Tournament([agent, "random"], DEALS)
    _play(agent, tmp_path / "one")
    assert agent.asked > 0
    _play(agent, tmp_path / "one")
    _play(agent, tmp_path / "two")
    _play(Obj(3), tmp_path / "two")
    assert len(waiting.run(tmp_path / "one").records) == 12
    agent.value = 4
    with pytest.raises(SkatError, match=r"\(value\)"):
        _play(agent, tmp_path / "one")


def test_parts_of_an_agent(tmp_path: Path) -> None:
    _play(PhaseAgent(Obj(1), Obj(2)), tmp_path)
    _play(PhaseAgent(Obj(1), Obj(2)), tmp_path)
    with pytest.raises(SkatError, match=r"agent 'obj\+obj' differs \(cards value\)"):
        _play(PhaseAgent(Obj(1), Obj(1)), tmp_path)


def test_values_are_hashed(tmp_path: Path) -> None:
    _play(Slotted("secret word"), tmp_path)
    assert "secret word" not in (tmp_path / LOG_NAME).read_text(encoding="utf-8")
    with pytest.raises(SkatError, match=r"\(key\)"):
        _play(Slotted("another"), tmp_path)


def test_what_counts() -> None:
    assert carried_values(Obj([1])) == carried_values(Obj({2: 3})) != carried_values(Obj(1))
    assert carried_values(Obj(np.float64(0.5))) == carried_values(Obj(0.5))


def test_logs_without_these_values_are_continued(tmp_path: Path) -> None:
    _play(Obj(0), tmp_path)
    log = tmp_path / LOG_NAME
    header, *games = log.read_text(encoding="utf-8").splitlines()
    old = {key: value for key, value in json.loads(header).items() if key != "objects"}
    log.write_text("\n".join([json.dumps(old), *games[:7]]) + "\n", encoding="utf-8")
    assert len(read_log(log)[1]) == 7
    assert _play(Obj(1), tmp_path) == 12


def test_agents_by_name_carry_nothing(tmp_path: Path) -> None:
    Tournament(["rule", "random"], DEALS).run(tmp_path)
    assert read_log(tmp_path / LOG_NAME)[0]["objects"] == {}
