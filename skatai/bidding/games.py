"""The games of an evaluation: who sits where, and what the games say of the bidders.

Everybody bids for itself; a bidder that is no agent leaves pick-up, discard and declaration to the fixed player, who plays all
cards. Each bidder sits alone in every seat against two of the fixed field (three games a deal), and every pair of bidders meets in
six games a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from skatai.agent import Agent
from skatai.arena.designs import SeatDesign
from skatai.arena.phases import PhaseAgent, make_player
from skatai.arena.stats import complete_records
from skatai.arena.tournament import Tournament, TournamentResult
from skatai.bidding.bidders import AgentBidder, BiddingAgent, RuleBidder, make_bidder
from skatai.bidding.hands import hands_of, points_by_deal
from skatai.bidding.metrics import bidding_metrics, paired_difference
from skatai.bidding.results import Difference, FieldGames, Meetings
from skatai.bidding.sources import source_digest
from skatai.deal import Deal
from skatai.errors import SkatError
from skatai.kernels.policies.bidding import MARGIN
from skatai.rules import Rules

__all__ = ["ALONE", "BiddingGames"]

#: one bidder in every seat against two of the field
ALONE: Final = SeatDesign("alone-three", ("ABB", "BAB", "BBA"), "B")


def _agent(spec: Any, bidder: Any) -> Any:
    """The agent that bids, as a text where it was given as one; ``None`` where a bidder is none."""
    if isinstance(bidder, AgentBidder):
        agent = bidder.agent
        if isinstance(agent, PhaseAgent):  # "a+b" bids as a
            return str(agent.parts[0].name) if isinstance(spec, str) else agent.parts[0]
        return spec if isinstance(spec, str) else agent
    return "rule" if isinstance(bidder, RuleBidder) and bidder.margin == MARGIN else None


class BiddingGames:
    """Bidders, and the tournaments in which they play.

    Args:
        bidders: as for :func:`~skatai.bidding.bidders.make_bidder`.
        deals: the deals.
        seed: of all decisions.
        rules: of the game.
        field: agent that the bidders are measured against.
        play: agent that plays all cards, and declares for bidders that are no agents.
        meet: also let every pair of bidders meet.

    Attributes:
        bidders: made of the texts.
        agents: for each bidder the agent that it is, or ``None``.
        names: of the bidders, each one once.
        alone: each bidder against the field.
        meetings: the bidders among themselves, or ``None``.

    Raises:
        AgentError, SkatError: a bidder or agent that does not exist, no bidders or no deals.
    """

    def __init__(
        self,
        bidders: Sequence[Any],
        deals: Sequence[Deal],
        seed: int,
        rules: Rules,
        *,
        field: str | Agent = "rule",
        play: str | Agent = "rule",
        meet: bool = True,
    ) -> None:
        if isinstance(bidders, str) or not bidders:
            raise SkatError("evaluation without bidders: expected a list of them")
        for agent in (field, play):
            make_player(agent)  # a wrong one is named by itself
        self.bidders = [make_bidder(spec, seed) for spec in bidders]
        self._sources = [source_digest(spec, bidder) for spec, bidder in zip(bidders, self.bidders, strict=True)]
        self.agents = [_agent(spec, bidder) for spec, bidder in zip(bidders, self.bidders, strict=True)]
        seated = [a or BiddingAgent(b, play) for a, b in zip(self.agents, self.bidders, strict=True)]
        table: dict[str, Any] = {"mode": "bidding", "fixed": play}
        self.alone = Tournament([*seated, field], deals, seed, rules, ALONE, **table)
        self.meetings = Tournament(seated, deals, seed, rules, **table) if meet and len(bidders) > 1 else None
        self.names = self.alone.names[:-1]

    @property
    def n(self) -> int:
        """How many games are played."""
        return self.alone.games + (0 if self.meetings is None else self.meetings.games)

    @property
    def settings(self) -> dict[str, Any]:
        """What the results depend on."""
        found = self.alone.settings
        return {
            "bidders": list(self.names),
            "field": self.alone.names[-1].partition("#")[0],
            "play": found["fixed"],
            **{key: found[key] for key in ("deals", "deals_sha256", "seed", "rules", "skatai")},
            "sources": {name: digest for name, digest in zip(self.names, self._sources, strict=True) if digest},
        }

    def against_field(self, result: TournamentResult | None) -> FieldGames:
        """Figures of the deals that are complete for a bidder, of ``alone``."""
        records = [] if result is None else complete_records(result.records, result.design)
        hands = {name: hands_of(records, name) for name in self.names}
        metrics = [bidding_metrics(name, hands[name]) for name in self.names]
        points = {name: points_by_deal(hands[name]) for name in self.names}
        differences = [(a, b, paired_difference(points[a], points[b])) for a, b in combinations(self.names, 2)]
        return FieldGames(
            tuple(found for found in metrics if found.hands),
            tuple(Difference(a, b, points) for a, b, points in differences if points is not None),
        )

    @staticmethod
    def among_themselves(result: TournamentResult | None) -> Meetings:
        """Differences of the deals that are complete for a pair, of ``meetings``."""
        pairs = () if result is None else result.summary().pairs
        return Meetings(tuple(Difference(pair.first, pair.second, pair.difference) for pair in pairs))
