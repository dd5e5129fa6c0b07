"""An agent beside XSkat on the same deals: each holds all three seats at its own table.

The two never meet, since XSkat only plays with itself. Differences in list points therefore mix bidding, play and defence (bad
defenders make good declarers) and do not say who is stronger; shares, contracts and calls say how the two differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from skatai.agent import Agent
from skatai.arena.designs import SeatDesign
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.phases import join, make_player
from skatai.arena.records import GameRecord
from skatai.arena.shares import Proportion, proportion
from skatai.arena.stats import is_hand
from skatai.arena.tournament import Tournament
from skatai.bidding.agreement import agreement
from skatai.errors import SkatError
from skatai.game import Game
from skatai_agents.xskat_lines.games import lines_bidder, write_games

__all__ = ["MODES", "OWN_TABLE", "Comparison", "Side", "compare"]

#: each of two players at a table with itself
OWN_TABLE: Final = SeatDesign("own-table", ("AAA", "BBB"))
MODES: Final = ("full", "cards")


@dataclass(frozen=True, slots=True)
class Side:
    """What came of the deals at one table; shares with Wilson's, means with Student's 95 % intervals over deals.

    Attributes:
        declared: deals that were not passed in.
        won: of the games played.
        overbid: of the games played.
        grand: of the games played.
        null: of the games played.
        hand: of the games played.
        declarer: the declarer's list points per deal, 0 where it was passed in.
        points: list points per deal and seat.
    """

    declared: Proportion
    won: Proportion
    overbid: Proportion
    grand: Proportion
    null: Proportion
    hand: Proportion
    declarer: Interval
    points: Interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """An agent and XSkat on the same deals.

    Attributes:
        agent: its name.
        xskat: XSkat's games.
        own: the agent's games.
        declared: difference of the deals not passed in, in percent; as all differences the agent's minus XSkat's, paired by deal.
        declarer: difference of the declarer's list points per deal.
        points: difference of the list points per deal and seat.
        same_declarer: deals on which the same seat plays, or nobody.
        same_game: of the games that the same seat plays: the same trump (or grand, or null).
        same_contract: and with the same announcements.
        calls: of XSkat's calls (without those that leave no choice) those which the agent, in the same place, would make, too;
            ``None`` where XSkat's contracts are played, and for agents that see all cards.
    """

    agent: str
    xskat: Side
    own: Side
    declared: Interval
    declarer: Interval
    points: Interval
    same_declarer: Proportion
    same_game: Proportion
    same_contract: Proportion
    calls: Proportion | None


def _declarer_points(record: GameRecord) -> float:
    return 0.0 if record.declarer is None else float(record.list_points[record.declarer])


def _seat_points(record: GameRecord) -> float:
    return sum(record.list_points) / 3


def _share(hits: Sequence[bool]) -> Proportion:
    return proportion(hits, range(len(hits)))


def _side(records: Sequence[GameRecord]) -> Side:
    played = [(record, record.contract) for record in records if record.contract is not None]
    return Side(
        declared=_share([record.declarer is not None for record in records]),
        won=_share([record.won for record, _ in played]),
        overbid=_share([record.overbid for record, _ in played]),
        grand=_share([contract.startswith("G") for _, contract in played]),
        null=_share([contract.startswith("N") for _, contract in played]),
        hand=_share([is_hand(contract) for _, contract in played]),
        declarer=mean_interval([_declarer_points(record) for record in records]),
        points=mean_interval([_seat_points(record) for record in records]),
    )


def _calls(games: Sequence[Game], agent: Any, seed: int) -> Proportion:
    """How often the agent calls as XSkat did, asked at each of XSkat's calls."""
    with TemporaryDirectory(prefix="xskat-") as folder:
        file = write_games(
            Path(folder) / "games.sgf", games, ("a", "b", "c")
        )  # decisions of programs are left out there
        found = agreement([file], agent, agent, seed=seed)
    return found.calls[0].agreement


def _compared(name: str, pairs: Sequence[tuple[GameRecord, GameRecord]], calls: Proportion | None) -> Comparison:
    """The figures; ``pairs``: XSkat's game and the agent's on each deal."""

    def difference(figure: Callable[[GameRecord], float]) -> Interval:
        return mean_interval([figure(own) - figure(theirs) for theirs, own in pairs])

    both = [(t.contract, o.contract) for t, o in pairs if t.contract and o.contract and t.declarer == o.declarer]
    return Comparison(
        agent=name,
        xskat=_side([theirs for theirs, _ in pairs]),
        own=_side([own for _, own in pairs]),
        declared=difference(lambda record: 100.0 * (record.declarer is not None)),
        declarer=difference(_declarer_points),
        points=difference(_seat_points),
        same_declarer=_share([theirs.declarer == own.declarer for theirs, own in pairs]),
        same_game=_share([theirs[0] == own[0] for theirs, own in both]),
        same_contract=_share([theirs == own for theirs, own in both]),
        calls=calls,
    )


def compare(
    games: Sequence[Game],
    agent: str | Agent,
    *,
    seed: int = 0,
    mode: str = "full",
    workers: int = 1,
    out: str | Path | None = None,
    progress: bool = False,
) -> Comparison:
    """Play the deals of XSkat's games with an agent in all three seats, and compare.

    Args:
        games: XSkat's; of several games on the same deal the first one counts.
        agent: text or agent.
        seed: of its decisions.
        mode: ``"full"`` games; ``"cards"``: the agent plays XSkat's contracts with XSkat's discards.
        workers: how many processes.
        out: folder for the log, in which an earlier run is continued.
        progress: a bar on stderr.

    Raises:
        AgentError: no such agent, or it fails.
        SkatError: an unknown mode, or no games.
    """
    if mode not in MODES:
        raise SkatError(f"mode {mode!r}: expected one of {', '.join(MODES)}")
    games = list({game.deal: game for game in reversed(games)}.values())[::-1]
    lines, made = lines_bidder(games), make_player(agent)
    own = agent if mode == "full" else join(lines, agent)
    tournament = Tournament([lines, own], [game.deal for game in games], seed, design=OWN_TABLE)
    result = tournament.run(out, workers=workers, progress=progress)
    by_deal = {(record.deal, record.seating): record for record in result.records}
    pairs = [
        (by_deal[deal, "AAA"], by_deal[deal, "BBB"])
        for deal in range(len(games))
        if (deal, "AAA") in by_deal and (deal, "BBB") in by_deal
    ]
    if not pairs:
        raise SkatError("no deal was finished")
    calls = _calls(games, made, seed) if mode == "full" and not made.sees_all else None
    return _compared(tournament.names[1] if mode == "full" else str(made.name), pairs, calls)
