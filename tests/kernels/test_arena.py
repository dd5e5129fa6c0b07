"""The compiled loop over tables against a table at which Python asks every agent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatai.agent import decision_rng, make_agent
from skatai.arena.phases import compiled_policies
from skatai.arena.tables import Fixture, Tables
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.arena import MAX_MOVES
from skatai.kernels.batch_policies import EXTERNAL, RANDOM, RULE
from skatai.rules import Rules

RULES = (Rules(), Rules.table(), Rules(early_end="decided"))


def naive_game(agents: list[str], deal: Deal, seed: int, deal_index: int, rules: Rules) -> tuple[str, list[int]]:
    """The game and the decisions of each seat: a move at a time, every choice by its agent from its own view."""
    game, decisions, moves = Game(deal, rules=rules), [0, 0, 0], 0
    while not game.is_over:
        seat, legal = game.to_move, game.legal_actions
        assert seat is not None
        action = legal[0]
        if len(legal) > 1:
            before_the_lead = game.phase in ("auction", "skat", "discard", "declare")
            bidder, _, player = agents[seat].partition("+")
            agent = make_agent(bidder if before_the_lead else player or bidder)
            action = agent.act(game.view(seat), decision_rng(seed, deal_index, seat, moves))
            decisions[seat] += 1
        game.play(action)
        moves += 1
    return str(game), decisions


SEAT = st.sampled_from(["random", "rule", "rule+random", "random+rule"])


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**64), st.integers(-(2**63), 2**64), st.lists(SEAT, min_size=3, max_size=3), st.sampled_from(RULES)
)
def test_whole_games_equal_those_of_the_agents(cards: int, seed: int, agents: list[str], rules: Rules) -> None:
    deal = Deal.random(cards)
    fixture = Fixture(0, 5, deal, ("a", "b", "c"), ("a", "b", "c"), "ABC")
    policies = dict(zip("abc", map(compiled_policies, agents), strict=True))
    tables = Tables([fixture], seed, rules, policies)
    (table,) = tables.play_on()
    record = table.record()
    assert (record.line, list(record.decisions)) == naive_game(agents, deal, seed, 5, rules)
    assert (str(table.game()), tables.running) == (record.line, [])


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(["random", "rule"]), min_size=3, max_size=3), st.integers(0, 2))
def test_the_loop_stops_where_python_decides(cards: int, agents: list[str], outside: int) -> None:
    """One seat is not compiled: it gets the stream and the view of its decision, and the game comes out the same."""
    deal = Deal.random(cards)
    fixture = Fixture(0, 7, deal, ("a", "b", "c"), ("a", "b", "c"), "ABC")
    policies = {
        name: compiled_policies(a) for i, (name, a) in enumerate(zip("abc", agents, strict=True)) if i != outside
    }
    tables = Tables([fixture], 3, None, policies)
    agent = make_agent(agents[outside])
    while not (finished := tables.play_on()):
        (table,) = tables.running
        assert table.to_move == outside
        legal = table.view(outside).legal_actions
        assert len(legal) > 1
        table.decide(agent.act(table.view(outside), table.rng()), 1.0)
    record = finished[0].record()
    assert (record.line, list(record.decisions)) == naive_game(agents, deal, 3, 7, Rules())
    assert record.ms[outside] == record.decisions[outside]  # a millisecond each


def test_tables_do_not_depend_on_each_other() -> None:
    fixtures = [Fixture(i, i % 3, Deal.random(i), ("a", "b", "b"), ("a", "b"), "ABB") for i in range(20)]
    policies = {"a": (RANDOM, RANDOM), "b": (RULE, RANDOM)}
    together = [table.record().same_game for table in Tables(fixtures, 1, None, policies).play_on()]
    alone = [table.record().same_game for f in fixtures for table in Tables([f], 1, None, policies).play_on()]
    assert together == alone


def test_it_holds_before_the_first_lead_only_where_somebody_claims() -> None:
    fixtures = [Fixture(i, i, Deal.random(i), ("a", "b", "b"), ("a", "b"), "ABB") for i in range(30)]
    policies = {"a": (RULE, RULE), "b": (RULE, RULE)}
    free = {table.index for table in Tables(fixtures, 1, None, policies).play_on()}
    assert free == set(range(30))
    held = Tables(fixtures, 1, None, policies, claiming=["a"])
    passed_in = {table.index for table in held.play_on()}
    assert held.running
    for table in held.running:
        assert table.holds
        assert (table.view(0).phase, table.view(0).plays) == ("play", [])
        table.release()
    assert passed_in | {table.index for table in held.play_on()} == free


def test_moves_fit_their_rows() -> None:
    assert 4 * N_ACTIONS <= np.iinfo(np.int16).max
    longest = 2 * 70 + 4 + 30 + 10 * 3 * 4  # calls, moves of the declarer, cards, events
    assert longest <= MAX_MOVES


@pytest.mark.parametrize(
    ("spec", "policies"),
    [
        ("rule", (RULE, RULE)),
        ("random", (RANDOM, RANDOM)),
        ("rule+random", (RULE, RANDOM)),
        ("pimc+rule", (EXTERNAL, RULE)),
        ("random+pimc:worlds=2", (RANDOM, EXTERNAL)),
        ("pimc", (EXTERNAL, EXTERNAL)),
        ("", (EXTERNAL, EXTERNAL)),
        ("rule:", (EXTERNAL, EXTERNAL)),
    ],
)
def test_which_texts_are_compiled(spec: str, policies: tuple[int, int]) -> None:
    assert compiled_policies(spec) == policies


def test_an_agent_given_as_an_object_is_asked() -> None:
    assert compiled_policies(make_agent("rule")) == (EXTERNAL, EXTERNAL)
