"""Tournaments: fairness, reproducibility, errors of agents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from skatai.arena import GameRecord, Tournament, play_game, play_match
from skatai.arena.designs import DESIGNS, SeatDesign
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.sequential import SPRT, Until
from skatai.arena.table import unique_names, warm_up
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.view import PlayerView
from tests.arena.toys import Batching, Failing, Illegal, Lowest, OpenUniform, Uniform

DEALS = deals_from_seed(5, 12)


def _games(records: tuple[GameRecord, ...]) -> list[object]:
    return [record.same_game for record in records]


def test_identical_agents_give_exactly_zero() -> None:
    summary = play_match(Uniform(), Uniform(), DEALS, seed=3)
    (pair,) = summary.pairs
    assert set(pair.by_deal.values()) == {0.0}
    assert (pair.difference.mean, pair.difference.low, pair.difference.high) == (0.0, 0.0, 0.0)
    first, second = summary.agents
    assert first.points == second.points
    assert first.contracts == second.contracts


def test_different_agents_differ() -> None:
    (pair,) = play_match(Uniform(), Lowest(), DEALS).pairs
    assert pair.difference.mean != 0


def test_seats_and_numbers() -> None:
    tournament = Tournament([Uniform(), Lowest(), OpenUniform()], DEALS[:2])
    result = tournament.run()
    assert tournament.games == result.games == len(result.records) == 2 * 3 * 6
    assert [record.game for record in result.records] == list(range(36))
    held = Counter((name, seat) for record in result.records for seat, name in enumerate(record.seats))
    assert set(held.values()) == {2 * 2 * 3}  # deals × pairs × times
    for record in result.records:
        letters = dict(zip("AB", record.group, strict=True))
        assert record.seats == tuple(letters[letter] for letter in record.seating)
    assert tournament.sees_all == ("open-uniform",)


def test_records_replay() -> None:
    for record in Tournament([Uniform(), Lowest()], DEALS[:3]).run().records:
        game = record.replay()
        result = game.result
        assert result is not None
        assert game.deal == DEALS[record.deal]
        assert result.list_points == record.list_points
        assert (result.declarer, result.score, result.won) == (record.declarer, record.score, record.won)
        assert str(game) == record.line


@pytest.fixture(scope="module")
def expected() -> list[object]:
    return _games(Tournament([Uniform(), Lowest()], DEALS, seed=9).run().records)


@pytest.mark.parametrize(
    ("backend", "workers", "tables"),
    [("serial", 1, 1), ("serial", 1, 7), ("serial", 1, 1000), ("threads", 3, 5), ("processes", 2, 13), ("ray", 2, 13)],
)
def test_nothing_depends_on_how_it_is_run(backend: str, workers: int, tables: int, expected: list[object]) -> None:
    tournament = Tournament([Uniform(), Lowest()], DEALS, seed=9)
    result = tournament.run(backend=backend, workers=workers, tables=tables)
    assert _games(result.records) == expected


def test_the_seed_matters(expected: list[object]) -> None:
    assert _games(Tournament([Uniform(), Lowest()], DEALS, seed=10).run().records) != expected


def test_one_game_equals_the_same_game_in_a_tournament() -> None:
    records = Tournament([Uniform(), Lowest()], DEALS, seed=9).run().records
    single = play_game([Uniform(), Lowest(), Lowest()], DEALS[4], seed=9, deal_index=4)
    (twin,) = [record for record in records if record.deal == 4 and record.seating == "ABB"]
    assert single.line == twin.line
    assert single.seats == ("uniform", "lowest", "lowest#2")


def test_one_batch_serves_many_tables() -> None:
    agent = Batching()
    Tournament([agent, Lowest()], DEALS).run(tables=72)
    assert max(agent.sizes) > 30


def test_an_open_agent_gets_the_game() -> None:
    """It acts like its blind twin, so that the games are the same."""
    open_games = play_game([OpenUniform()] * 3, DEALS[0], seed=1)
    blind_games = play_game([Uniform()] * 3, DEALS[0], seed=1)
    assert open_games.line == blind_games.line


def test_rules_reach_the_table() -> None:
    rules = Rules.table()
    record = play_game([Uniform()] * 3, DEALS[1], seed=2, rules=rules)
    assert Game.parse(record.line).rules == rules


def test_forced_moves_are_not_asked() -> None:
    record = play_game([Lowest()] * 3, DEALS[0])
    moves = len(record.replay().history)
    assert 0 < sum(record.decisions) < moves


def test_an_illegal_action_names_everything() -> None:
    with pytest.raises(AgentError) as caught:
        Tournament([Uniform(), Illegal()], DEALS).run()
    text = str(caught.value)
    assert "agent 'illegal', deal " in text
    assert "hand in play: 'play " in text
    assert "is not legal; position: " in text
    assert "\n" not in text
    Game.parse(text.split("position: ")[1])  # the position can be looked at


def test_an_action_beyond_every_id_is_refused_like_any_other() -> None:
    class Huge(Uniform):
        name = "huge"

        def act(self, view: PlayerView, rng: Rng) -> int:
            return 10**30

    with pytest.raises(AgentError, match=f"action {10**30} is not legal"):
        play_game([Uniform(), Huge(), Uniform()], DEALS[0])


def test_an_exception_is_an_agents_error() -> None:
    with pytest.raises(AgentError, match=r"agent 'failing', deal \d+, \w+hand in play: RuntimeError: no idea at all"):
        Tournament([Failing(), Uniform()], DEALS).run()


@pytest.mark.parametrize("answer", [None, "play CJ", 31.0, 136, -1])
def test_what_is_no_action(answer: object) -> None:
    class Odd(Uniform):
        def act_batch(self, views, rngs):  # type: ignore[no-untyped-def]
            return [answer] * len(views)

    with pytest.raises(AgentError, match="agent 'uniform#2', deal 0, middlehand in auction"):
        play_game([Odd()] * 3, DEALS[0])


def test_too_few_answers() -> None:
    class Lazy(Uniform):
        def act_batch(self, views, rngs):  # type: ignore[no-untyped-def]
            return []

    with pytest.raises(AgentError, match="0 actions for a batch of 1 views"):
        play_game([Lazy()] * 3, DEALS[0])


@pytest.mark.parametrize(
    ("agents", "deals", "message"),
    [
        ([Uniform()], DEALS, "1 agents"),
        ([Uniform(), Lowest()], [], "without deals"),
        (["no-such-agent", "random"], DEALS, "no-such-agent"),
    ],
)
def test_bad_tournaments(agents: list[object], deals: list[Deal], message: str) -> None:
    with pytest.raises(SkatError, match=message):
        Tournament(agents, deals)  # type: ignore[arg-type]


def test_bad_number_of_tables() -> None:
    with pytest.raises(SkatError, match="0 tables"):
        Tournament([Uniform(), Lowest()], DEALS).run(tables=0)


def test_play_game_needs_three() -> None:
    with pytest.raises(SkatError, match="expected 3"):
        play_game([Uniform()], DEALS[0])


def test_names_stay_apart() -> None:
    assert unique_names(["a", "a", "b", "a"]) == ("a", "a#2", "b", "a#3")
    assert unique_names(["a", "a", "a#2"]) == ("a", "a#2", "a#2#2")
    assert unique_names(["a#2", "a", "a"]) == ("a#2", "a", "a#3")


def test_warm_up_asks_in_every_phase_and_swallows_faults() -> None:
    phases = []

    class Watching(Uniform):
        def act(self, view, rng):  # type: ignore[no-untyped-def]
            phases.append(view.phase)
            return super().act(view, rng)

    warm_up(Watching())
    assert set(phases) == {"auction", "discard", "declare", "play"}
    warm_up(Failing())


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_identical_agents_give_exactly_zero_under_every_design(design: SeatDesign, compiled: bool) -> None:
    agents = ["random"] * 4 if compiled else [Uniform() for _ in range(4)]
    summary = Tournament(agents, DEALS[:3], seed=4, design=design).run().summary()
    assert len(summary.pairs) == (3 if design.reference else 6)
    for pair in summary.pairs:
        assert set(pair.by_deal.values()) == {0.0}
        assert pair.robust == pair.bootstrap == pair.difference == Interval(0.0, 0.0, 0.0, 3)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_every_design_counts_its_games(design: SeatDesign) -> None:
    tournament = Tournament([Uniform(), Lowest(), OpenUniform()], DEALS[:2], design=design)
    result = tournament.run()
    assert len(result.records) == tournament.games
    summary = result.summary()
    assert summary.games == tournament.games
    for pair in summary.pairs:
        alike = {pair.first, pair.second} == {"uniform", "open-uniform"}  # they act alike
        if alike and design.name != "three-cyclic":  # where they have different neighbours
            assert set(pair.by_deal.values()) == {0.0}
        else:
            assert pair.difference.mean != 0
        assert set(pair.by_deal) == {0, 1}


def test_three_at_a_table_by_hand() -> None:
    records = Tournament([Uniform(), Lowest(), OpenUniform()], DEALS[:1], design=DESIGNS["three-cyclic"]).run()
    sums = Counter[str]()
    for record in records.records:
        sums.update(dict(zip(record.seats, record.list_points, strict=True)))
    for pair in records.summary().pairs:
        assert pair.by_deal[0] == pytest.approx((sums[pair.first] - sums[pair.second]) / 3)


def test_a_stopping_rule_ends_at_the_same_deal_however_it_is_run(tmp_path: Path) -> None:
    deals = deals_from_seed(6, 160)
    tournament = Tournament(["random", "rule"], deals, seed=2, drawn=True)
    whole = tournament.run().summary().pairs[0]
    rule = Until(mean_interval(list(whole.by_deal.values())[:110]).half + 1e-9)
    expected = tournament.run(stop=rule)
    assert expected.stopped is not None
    assert 100 <= expected.games // 6 <= 110
    assert len(expected.records) == expected.games
    for tables, workers in ((5, 1), (50, 3)):
        found = tournament.run(tmp_path / str(tables), stop=rule, tables=tables, workers=workers, backend="threads")
        assert _games(found.records) == _games(expected.records)
        again = tournament.run(tmp_path / str(tables), stop=rule)
        assert (_games(again.records), again.stopped) == (_games(expected.records), expected.stopped)
    assert expected.summary().pairs[0].adjusted is not None


def test_a_stopping_rule_may_never_stop() -> None:
    result = Tournament([Uniform(), Lowest()], DEALS).run(stop=SPRT(1.0))
    assert (result.stopped, len(result.records)) == (None, result.games)


def test_the_same_cards_twice_are_one_cluster() -> None:
    once = Tournament([Uniform(), Lowest()], DEALS).run().summary().pairs[0]
    twice = Tournament([Uniform(), Lowest()], [*DEALS, *DEALS]).run().summary().pairs[0]
    assert (once.robust.n, twice.robust.n, twice.difference.n) == (12, 12, 24)
