"""One agent bids, another one plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatai.actions import parse_action
from skatai.agent import BaseAgent
from skatai.arena import Tournament, play_game
from skatai.arena.designs import DESIGNS
from skatai.arena.phases import PhaseAgent, RecordedBidder, crossed, join, make_player, splits
from skatai.cards import Card
from skatai.deal import deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.kernels.state import PLAY
from skatai.records.iss import generate_lines
from skatai.rng import Rng
from skatai.view import PlayerView
from tests.arena.toys import Batching, Lowest, OpenUniform, Uniform

DEALS = deals_from_seed(12, 6)


def _phases(record: object) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    game = record.replay()  # type: ignore[attr-defined]
    history = list(game.history)
    n = len(history) - len(game.plays)
    return history[:n], history[n:]


def test_bids_as_one_and_plays_as_the_other() -> None:
    mixed = play_game([PhaseAgent(Lowest(), Uniform())] * 3, DEALS[1], seed=3)
    bidding, cards = _phases(mixed)
    assert bidding == _phases(play_game([Lowest()] * 3, DEALS[1], seed=3))[0]
    other = play_game([Lowest()] * 3, DEALS[1], seed=3)
    assert cards != _phases(other)[1]


def test_the_same_agent_joined_with_itself_changes_nothing() -> None:
    for deal in DEALS:
        plain = play_game([Uniform()] * 3, deal, seed=3)
        assert play_game([PhaseAgent(Uniform(), Uniform())] * 3, deal, seed=3).line == plain.line
        assert play_game([PhaseAgent(OpenUniform(), Uniform())] * 3, deal, seed=3).line == plain.line
        one = Uniform()
        assert play_game([PhaseAgent(one, one)] * 3, deal, seed=3).line == plain.line


def test_parts_get_their_batches_and_an_honest_part_sees_no_game() -> None:
    bidder, player = Batching(), Batching()
    Tournament([PhaseAgent(bidder, player), Lowest()], DEALS).run(tables=36)
    assert max(bidder.sizes) > 10 and max(player.sizes) > 3

    class Honest(Uniform):
        def act(self, view: PlayerView, rng: Rng) -> int:
            assert isinstance(view, PlayerView)
            return super().act(view, rng)

    assert play_game([PhaseAgent(OpenUniform(), Honest())] * 3, DEALS[0])


def test_texts() -> None:
    agent = make_player("rule+random")
    assert (agent.name, [part.name for part in agent.parts]) == ("rule+random", ["rule", "random"])
    assert make_player("random").name == "random"
    with pytest.raises(AgentError, match="no agent 'no'"):
        make_player("no+random")
    with pytest.raises(AgentError, match="a\\+b"):
        make_player("random:weights=a+b")  # a + in a path joins nothing
    assert join("rule+random", "random+rule") == "rule+rule"
    joined = join(Lowest(), "random")
    assert isinstance(joined, PhaseAgent) and joined.name == "lowest+random"
    assert [part.name for part in join(joined, joined).parts] == ["lowest", "random"]  # type: ignore[union-attr]


def test_card_play_only() -> None:
    """Everybody plays the same contracts on a deal."""
    records = Tournament([Uniform(), Lowest()], DEALS, mode="cards", fixed=Lowest()).run().records
    for deal in range(len(DEALS)):
        found = {(r.declarer, r.contract, r.bid, tuple(_phases(r)[0])) for r in records if r.deal == deal}
        assert len(found) == 1
    assert len({record.line for record in records}) > len(DEALS)


def test_bidding_only() -> None:
    tournament = Tournament([Uniform(), Lowest()], DEALS, mode="bidding", fixed=Lowest())
    records = tournament.run().records
    assert tournament.settings["mode"] == "bidding" and tournament.settings["fixed"] == "lowest"
    for record in records:
        _, cards = _phases(record)
        game = record.replay()
        while game.state["n_plays"] > 0:
            game.undo()
        for _, card in cards:
            assert card == f"play {Card(game.legal_actions[0])}"
            game.play(card)


@pytest.mark.parametrize("mode", ["cards", "bidding"])
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_identical_agents_are_exactly_equal_in_every_mode(mode: str, design: object) -> None:
    agents = [Uniform(), Uniform(), Uniform()]
    tournament = Tournament(agents, DEALS[:2], mode=mode, fixed=Lowest(), design=design)  # type: ignore[arg-type]
    for pair in tournament.run().summary().pairs:
        assert set(pair.by_deal.values()) == {0.0}


def test_agents_that_differ_only_in_bidding_are_equal_at_cards() -> None:
    agents = [PhaseAgent(Uniform(), Lowest()), PhaseAgent(Lowest(), Lowest())]
    (pair,) = Tournament(agents, DEALS, mode="cards", fixed=Uniform()).run().summary().pairs
    assert set(pair.by_deal.values()) == {0.0}


def test_what_if() -> None:
    a, b = Uniform(), Lowest()
    result = Tournament(crossed(a, b), DEALS).run()
    (split,) = splits(result.summary())
    assert (split.first, split.second, split.total.n) == ("uniform", "lowest", len(DEALS))
    parts = split.bidding.mean + split.cards.mean + split.rest.mean
    assert split.total.mean == pytest.approx(parts)
    by_pair = {(p.first, p.second): p.difference.mean for p in result.summary().pairs}
    bidding = (by_pair["uniform", "lowest+uniform"] - by_pair["lowest", "uniform+lowest"]) / 2
    assert split.bidding.mean == pytest.approx(bidding)
    assert "card play" in str(split)


def test_what_if_of_equal_card_play() -> None:
    """B is A with another bidding: card play explains exactly nothing."""

    class Shy(Uniform):
        name = "shy"

        def act(self, view: PlayerView, rng: Rng) -> int:
            shy = view.state["phase"] < PLAY
            return Lowest().act(view, rng) if shy else super().act(view, rng)

    (split,) = splits(Tournament(crossed(Uniform(), Shy()), DEALS).run().summary())
    assert (split.cards.mean, split.cards.half) == (0.0, 0.0)
    assert split.bidding.mean == split.total.mean != 0
    assert split.rest.mean == 0.0


def test_no_what_if_without_the_crossed_agents() -> None:
    assert splits(Tournament([Uniform(), Lowest()], DEALS[:1]).run().summary()) == []


def test_contracts_from_records(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("".join(generate_lines(3, 60)), encoding="utf-8")
    bidder = RecordedBidder.read(path)
    deals = list(bidder.games)[:8]
    assert len(deals) == 8
    records = Tournament([Uniform(), Lowest()], deals, mode="cards", fixed=bidder).run().records
    for record in records:
        game = record.replay()
        names = [name for _, name in game.history]
        taken = [parse_action(name) for name in names][: len(bidder.games[game.deal])]
        assert taken == list(bidder.games[game.deal])
    with pytest.raises(AgentError, match="no recorded bidding"):
        play_game([bidder] * 3, DEALS[0])


def test_records_without_contracts(tmp_path: Path) -> None:
    path = tmp_path / "none.sgf"
    path.write_text("", encoding="utf-8")
    with pytest.raises(SkatError, match="no recorded game"):
        RecordedBidder.read(path)


def test_unknown_mode() -> None:
    with pytest.raises(SkatError, match="mode 'tricks': expected one of full, cards, bidding"):
        Tournament([Uniform(), BaseAgent()], DEALS, mode="tricks")
