"""The public checkers find what they are for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from skatai.agent import BaseAgent
from skatai.errors import AgentError
from skatai.game import Game
from skatai.rng import Rng
from skatai.testing import check_agent
from skatai.view import PlayerView


class First(BaseAgent):
    name = "first"

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[0]


class Answers(First):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: PlayerView, rng: Rng) -> int:
        return self.answer  # type: ignore[no-any-return]


class Moody(First):
    """Acts otherwise every time."""

    asked = 0

    def act(self, view: PlayerView, rng: Rng) -> int:
        self.asked += 1
        return view.legal_actions[self.asked % len(view.legal_actions)]


class Peeking(First):
    """Looks through a hole at the real game."""

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[sum(map(int, view.state["hands"])) % len(view.legal_actions)]


class FewAnswers(First):
    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        return [self.act(views[0], rngs[0])]


class OtherBatch(First):
    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        return [view.legal_actions[-1] for view in views]


class Meddling:
    name = "open-meddling"
    sees_all = True

    def act_open(self, game: Game, rng: Rng) -> int:
        action = game.legal_actions[0]
        game.state["points"][0] += 1
        return action


def test_a_good_agent_passes() -> None:
    report = check_agent(First(), deals=2)
    assert report.ok and report.games == 6 and report.decisions > 20 and report.worlds > 0
    assert check_agent(Peeking(), deals=2).ok  # there is no hole: the other hands are blank


@pytest.mark.parametrize(
    ("agent", "fault"),
    [
        (Answers(135), "'play on' is not legal"),
        (Answers(-1), "'-1' is not legal"),
        (Answers(10**30), f"'{10**30}' is not legal"),
        (Answers(None), "None is not an action id"),
        (Answers(32.0), "32.0 is not an action id"),
        (Moody(), "another action from the same seed"),
        (FewAnswers(), "act_batch: 1 answers to"),
        (OtherBatch(), "act_batch answers otherwise than act"),
        (Meddling(), "the agent changed the game"),
    ],
)
def test_faults_are_found(agent: Any, fault: str) -> None:
    report = check_agent(agent, deals=1, strict=False)
    assert not report.ok and any(fault in found for found in report.faults)
    with pytest.raises(AgentError, match=f"agent '{agent.name}': .* faults: "):
        check_agent(agent, deals=1)


def test_what_an_agent_raises_passes_through() -> None:
    class Broken(First):
        def act(self, view: PlayerView, rng: Rng) -> int:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        check_agent(Broken(), deals=1)
