from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from skatai import agent as agent_module
from skatai.agent import (
    Agent,
    BaseAgent,
    OpenAgentProtocol,
    available_agents,
    choose,
    decision_rng,
    make_agent,
    parse_spec,
)
from skatai.deal import Deal
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.rng import Rng
from skatai.view import PlayerView


class First(BaseAgent):
    """Takes the first legal action."""

    name = "first"

    def __init__(self, worlds: int = 1, greedy: bool = False, level: float = 0.5, bid: str = "rule") -> None:
        if worlds < 1:
            raise ValueError(f"worlds is {worlds}, expected at least 1")
        if bid == "odd":
            raise AgentError("no bidding 'odd'")
        self.options = (worlds, greedy, level, bid)

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[0]


class OpenLast:
    """Sees all, takes the last legal action."""

    name = "open-last"
    sees_all = True

    def act_open(self, game: Game, rng: Rng) -> int:
        return game.legal_actions[-1]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        name: EntryPoint(name, f"{__name__}:{factory}", "skatai.agents")
        for name, factory in (("first", "First"), ("open-last", "OpenLast"))
    }
    loaded = {"first": First, "open-last": OpenLast}
    monkeypatch.setattr(EntryPoint, "load", lambda point: loaded[point.name])
    monkeypatch.setattr(agent_module, "_registered", lambda: points)


def test_agents_by_name() -> None:
    assert available_agents() == ["first", "open-last"]
    agent = make_agent("first:worlds=20,greedy=true,level=1.5,bid=other")
    assert agent.options == (20, True, 1.5, "other")
    assert agent.name == "first:worlds=20,greedy=true,level=1.5,bid=other"
    assert make_agent(agent) is agent
    assert isinstance(agent, Agent) and repr(agent).startswith("<First first:")
    assert isinstance(make_agent("open-last"), OpenAgentProtocol)


def test_specs() -> None:
    assert parse_spec(" pimc : worlds = 20 , bid = rule ".replace(" :", ":")) == ("pimc", {"worlds": 20, "bid": "rule"})
    assert parse_spec("x:a=1.5,b=False,c=none,d=-3,e=") == ("x", {"a": 1.5, "b": False, "c": None, "d": -3, "e": ""})
    assert parse_spec("rule") == ("rule", {})


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody", "no agent 'nobody'; there are first, open-last"),
        ("first:worlds", "'worlds' is not option=value"),
        ("first:", "'' is not option=value"),
        ("first:worlds=1,worlds=2", "'worlds=2' is not option=value"),
        ("first:1=2", "'1=2' is not option=value"),
        ("first:speed=9", "no option 'speed'; first has worlds, greedy, level, bid"),
        ("open-last:speed=9", "open-last has no options"),
        ("first:worlds=0", "agent 'first:worlds=0': worlds is 0, expected at least 1"),
        ("first:worlds=many", "agent 'first:worlds=many': '<' not supported"),
        ("first:bid=odd", "no bidding 'odd'"),
    ],
)
def test_bad_specs(spec: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        make_agent(spec)


class Fixed:
    """Its name cannot be set."""

    __slots__ = ()
    name = "fixed"
    sees_all = False

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[0]


class NoFile(First):
    def __init__(self) -> None:
        raise FileNotFoundError(2, "No such file or directory", "weights.bin")


def lacking(point: EntryPoint) -> Any:
    raise ModuleNotFoundError("No module named 'absent'")


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (lacking, "agent 'first': .*:First cannot be imported: No module named 'absent'"),
        (lambda point: NoFile, "agent 'first': .*No such file or directory: 'weights.bin'"),
        (lambda point: Fixed, "agent 'first': its attribute 'name' cannot be set"),
        (lambda point: object, "'first' .* is no agent: it has no name, sees_all, act"),
    ],
)
def test_broken_packages_of_agents(load: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EntryPoint, "load", load)
    with pytest.raises(AgentError, match=words):
        make_agent("first")


def test_things_that_are_no_agents() -> None:
    for thing in (None, 5, First, object()):
        with pytest.raises(AgentError, match="is no agent"):
            make_agent(thing)  # type: ignore[arg-type]
    for answer in (None, 32.0, "pass"):
        agent = First()
        agent.act = lambda view, rng, answer=answer: answer  # type: ignore[assignment, method-assign]
        with pytest.raises(AgentError, match=r"agent 'first': .* is not an action id"):
            choose(agent, Game(Deal.random(1)), Rng(1))


def test_no_agents_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_module, "_registered", dict)
    with pytest.raises(AgentError, match="there are none installed"):
        make_agent("first")


def test_choosing() -> None:
    game = Game(Deal.random(1))
    assert choose(First(), game, Rng(1)) == game.legal_actions[0]
    assert choose(OpenLast(), game, Rng(1)) == game.legal_actions[-1]
    views = [game.view(1), game.view(1)]
    assert First().act_batch(views, [Rng(1), Rng(2)]) == [game.legal_actions[0]] * 2
    for _ in range(3):
        game.play("pass")
    with pytest.raises(AgentError, match="nobody is to move, the deal is over"):
        choose(First(), game, Rng(1))
    with pytest.raises(AgentError, match="does not say how it acts"):
        BaseAgent().act(game.view(0), Rng(1))


def test_streams_of_decisions() -> None:
    keys = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 0)]
    first = {decision_rng(*key).bits() for key in keys}
    assert len(first) == 5 and decision_rng(*keys[0]).bits() in first


def test_installed_agents_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real entry points, whose packages may lack: names only."""
    monkeypatch.undo()
    names: Callable[[], Any] = available_agents
    assert {"random", "rule", "pimc", "open", "neural"} <= set(names())


def test_agent_errors_are_skat_errors() -> None:
    assert issubclass(AgentError, SkatError)
