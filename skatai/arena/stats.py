"""Statistics of a tournament; the deal is the unit.

**Difference of two agents.** In the games on one deal each of the two holds every seat equally often (with six games: nine
seat-deals each, three in every seat). The difference of a deal is the mean of A's list points over its seat-deals minus the mean of
B's; list points are Seeger and Fabian's at a table of three (±50 and 40 for each defender of a lost game). The mean over deals
with Student's interval is the difference of the pair: list points per deal and seat that A gains on B at a table they share.
Deals, not games, are independent, so the interval counts deals. Agents that act alike get exactly 0 on every deal. Where a pair
meets in several groups (designs for three players), the difference of a deal is the mean over its groups. An agent that plays only
the first deals is compared on these; groups with it exist there only.

**Shares** of hands or games have Wilson's interval with the effective sample size (:mod:`skatai.arena.shares`), since the games on
one deal resemble each other.

Beside Student's there are the cluster-robust interval, whose unit is the cards (a deal that occurs twice in a file counts once),
the bootstrap's, and the mean adjusted by a control variate (:mod:`skatai.arena.controls`).

**List points of one agent** are the mean over its seat-deals of a deal, then over deals, in all its pairs. They depend on who else
sits at the table and compare only within one tournament, and only with agents that play as many deals.

Only deals that are complete in all groups of a pair count for that pair, so that a run that was stopped gives no crooked figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from skatai.arena.bands import HUMAN_BANDS, Band, Flag, flags_of
from skatai.arena.calibration import Calibration, calibration
from skatai.arena.controls import Adjusted
from skatai.arena.designs import PAIR_SIX, SeatDesign
from skatai.arena.facts import DealFacts
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.records import GameRecord
from skatai.arena.resampling import bootstrap_interval, cluster_interval
from skatai.arena.shares import Proportion, proportion

__all__ = [
    "HUMAN_BANDS",
    "AgentStats",
    "Band",
    "Flag",
    "PairStats",
    "Summary",
    "common_points",
    "compared_pairs",
    "complete_records",
    "deal_differences",
    "deals_of",
    "is_hand",
    "summarise",
]


@dataclass(frozen=True, slots=True)
class AgentStats:
    """One agent over all its games.

    Attributes:
        name: the agent.
        seat_deals: how many hands it held.
        points: list points per deal and seat, with the interval over deals.
        declared: games it declared, of its seat-deals.
        won: of the games it declared.
        overbid: of the games it declared.
        hand: hand games of the games it declared.
        schneider: of the games it declared, schneider of either side.
        kinds: suit, grand and null of the games it declared.
        contracts: how often it declared what.
        by_seat: games declared in forehand, middlehand, rearhand.
        decisions: how often it was asked.
        ms: milliseconds a decision.
        adjusted: list points by the control variate; only for deals drawn at random.
        calibration: of its claims to win as declarer, where it makes any.
    """

    name: str
    seat_deals: int
    points: Interval
    declared: Proportion
    won: Proportion
    overbid: Proportion
    hand: Proportion
    schneider: Proportion
    kinds: dict[str, Proportion]
    contracts: dict[str, int]
    by_seat: tuple[int, int, int]
    decisions: int
    ms: float
    adjusted: Adjusted | None = None
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True)
class PairStats:
    """Two agents against each other.

    Attributes:
        first: A.
        second: B.
        difference: A minus B, list points per deal and seat, Student's interval.
        by_deal: the difference of each complete deal.
        robust: the same with the cluster-robust interval over different cards.
        bootstrap: the same with the bootstrap's interval.
        adjusted: by the control variate; only for deals drawn at random.
    """

    first: str
    second: str
    difference: Interval
    by_deal: dict[int, float]
    robust: Interval
    bootstrap: Interval
    adjusted: Adjusted | None = None


_FOUR_TABLE: Final = (
    "agents' list points per deal and seat are those of a table of three, over the deals on which they hold cards: a lost game "
    "gives either defender 40; the series counts 30 for each of the three others, the dealer among them"
)


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of a tournament.

    Attributes:
        agents: best list points first.
        pairs: those that are compared, in the order of the tournament.
        passed_in: of all games.
        games: games that count.
        left_out: finished games of deals that are not complete.
        flags: shares far from those of human players.
        first: agents that play only the first so many deals.
        table: players of a list series.
    """

    agents: tuple[AgentStats, ...]
    pairs: tuple[PairStats, ...]
    passed_in: Proportion
    games: int
    left_out: int
    flags: tuple[Flag, ...]
    first: Mapping[str, int] = field(default_factory=dict)
    table: int = 3

    @property
    def notes(self) -> list[str]:
        """What must be said of the figures."""
        found = [
            f"{name} plays the first {n} deals only: compare it by the pairs, not by its list points"
            for name, n in self.first.items()
        ]
        return found if self.table == 3 else [*found, _FOUR_TABLE]


def complete_records(records: Iterable[GameRecord], design: SeatDesign = PAIR_SIX) -> list[GameRecord]:
    """The games of those deals that are complete in their group, in the order given."""
    records = list(records)
    found = Counter((record.group, record.deal) for record in records)
    return [record for record in records if found[record.group, record.deal] == len(design.seatings)]


def _seat_points(records: Iterable[GameRecord], by_group: bool) -> dict[tuple[tuple[str, ...], int, str], list[int]]:
    """List points of every (group or all, deal, agent)."""
    points: dict[tuple[tuple[str, ...], int, str], list[int]] = defaultdict(list)
    for record in records:
        group = record.group if by_group else ()
        for name, value in zip(record.seats, record.list_points, strict=True):
            points[group, record.deal, name].append(value)
    return points


def common_points(records: Iterable[GameRecord]) -> tuple[int, dict[str, Interval]]:
    """How many deals all agents have played, and each agent's list points per deal and seat on these."""
    by_agent: dict[str, dict[int, float]] = defaultdict(dict)
    for (_, deal, name), values in _seat_points(records, by_group=False).items():
        by_agent[name][deal] = fmean(values)
    deals = sorted(set.intersection(*map(set, by_agent.values()))) if by_agent else []
    points = {name: mean_interval([found[deal] for deal in deals]) for name, found in by_agent.items() if deals}
    return len(deals), points


def deals_of(group: Iterable[str], first: Mapping[str, int], deals: int) -> int:
    """How many of ``deals`` deals these agents play together, where those in ``first`` play only the first so many."""
    return min([deals, *(first[name] for name in group if name in first)])


def deal_differences(
    records: Iterable[GameRecord],
    a: str,
    b: str,
    groups: Iterable[tuple[str, ...]] | None = None,
    first: Mapping[str, int] | None = None,
) -> dict[int, float]:
    """A's mean list points over its seat-deals minus B's, for every deal of the pair on which all its groups have played.

    Args:
        records: games; those of a group on a deal must be complete.
        a: A's name.
        b: B's name.
        groups: all groups of the tournament; by default those of the records.
        first: agents that play only the first so many deals.
    """
    points = _seat_points((r for r in records if a in r.group and b in r.group), by_group=True)
    found: dict[int, list[float]] = defaultdict(list)
    for group, deal in sorted({(group, deal) for group, deal, _ in points}):
        mine, theirs = points[group, deal, a], points[group, deal, b]
        # One division of integers: agents that act alike get exactly 0.
        difference = sum(mine) * len(theirs) - sum(theirs) * len(mine)
        found[deal].append(difference / (len(mine) * len(theirs)))
    all_groups = {group for group, _, _ in points} if groups is None else {g for g in groups if a in g and b in g}
    wanted = {deal: sum(deals_of(group, first or {}, deal + 1) > deal for group in all_groups) for deal in found}
    return {deal: fmean(values) for deal, values in sorted(found.items()) if len(values) == wanted[deal]}


def compared_pairs(
    groups: Iterable[tuple[str, ...]], design: SeatDesign, agents: Sequence[str]
) -> list[tuple[str, str]]:
    """The pairs of agents that the design compares in these groups, in the order of ``agents``."""
    pairs = {pair for group in groups for pair in design.pairs(group)}
    return sorted(pairs, key=lambda pair: [agents.index(name) for name in pair])


_KINDS: Final = ("suit", "grand", "null")


def _kind(contract: str) -> str:
    return {"G": "grand", "N": "null"}.get(contract[0], "suit")


def is_hand(contract: str) -> bool:
    """Whether a contract as in ISS records is a hand game; ouvert implies it except in null."""
    return "H" in contract[1:] or (contract[0] != "N" and "O" in contract)


def _agent_stats(name: str, records: Sequence[GameRecord], points: Mapping[int, float], facts: DealFacts) -> AgentStats:
    mine = [(record, seat) for record in records for seat in range(3) if record.seats[seat] == name]
    declared = [record.declarer == seat and record.contract is not None for record, seat in mine]
    games = [record for (record, _), is_declarer in zip(mine, declared, strict=True) if is_declarer]
    contracts = [record.contract or "" for record in games]
    clusters = facts.clusters_of(games)
    decisions = sum(record.decisions[seat] for record, seat in mine)
    seats = Counter(record.declarer for record in games)

    def share(hits: Sequence[bool]) -> Proportion:
        return proportion(hits, clusters)

    return AgentStats(
        name=name,
        seat_deals=len(mine),
        points=mean_interval(list(points.values())),
        declared=proportion(declared, facts.clusters_of(record for record, _ in mine)),
        won=share([record.won for record in games]),
        overbid=share([record.overbid for record in games]),
        hand=share([is_hand(contract) for contract in contracts]),
        schneider=share([record.schneider for record in games]),
        kinds={kind: share([_kind(contract) == kind for contract in contracts]) for kind in _KINDS},
        contracts=dict(sorted(Counter(contracts).items())),
        by_seat=(seats[0], seats[1], seats[2]),
        decisions=decisions,
        ms=sum(record.ms[seat] for record, seat in mine) / decisions if decisions else 0.0,
        adjusted=facts.adjust(points),
        calibration=_calibration(games, facts),
    )


def _calibration(games: Sequence[GameRecord], facts: DealFacts) -> Calibration | None:
    claimed = [game for game in games if game.claim is not None]
    claims = [game.claim for game in claimed if game.claim is not None]
    return calibration(claims, [game.won for game in claimed], clusters=facts.clusters_of(claimed)) if claims else None


def _pair_stats(pair: tuple[str, str], by_deal: dict[int, float], facts: DealFacts) -> PairStats:
    clusters = facts.clusters(by_deal)
    return PairStats(
        first=pair[0],
        second=pair[1],
        difference=mean_interval(list(by_deal.values())),
        by_deal=by_deal,
        robust=cluster_interval(*clusters),
        bootstrap=bootstrap_interval(*clusters),
        adjusted=facts.adjust(by_deal),
    )


def summarise(
    records: Iterable[GameRecord],
    agents: Sequence[str],
    design: SeatDesign = PAIR_SIX,
    facts: DealFacts | None = None,
) -> Summary:
    """The statistics of a tournament's games (module docstring: what the figures mean).

    Args:
        records: finished games, in any order.
        agents: their names in the order of the tournament.
        design: by which they were seated.
        facts: about the deals; without them all are taken to be different and nothing is adjusted.
    """
    facts = facts or DealFacts()
    records = sorted(records, key=lambda record: record.game)
    counted = complete_records(records, design)
    groups = [tuple(agents[player] for player in group) for group in design.groups(len(agents))]
    pairs = compared_pairs({record.group for record in counted}, design, agents)
    differences = {pair: deal_differences(counted, *pair, groups, facts.first) for pair in pairs}
    by_agent: dict[str, dict[int, float]] = defaultdict(dict)
    for (_, deal, name), values in _seat_points(counted, by_group=False).items():
        by_agent[name][deal] = fmean(values)
    stats = [_agent_stats(name, counted, by_agent[name], facts) for name in agents if by_agent[name]]
    stats.sort(key=lambda agent: -agent.points.mean)
    passed_in = proportion([record.declarer is None for record in counted], facts.clusters_of(counted))
    return Summary(
        agents=tuple(stats),
        pairs=tuple(_pair_stats(pair, by_deal, facts) for pair, by_deal in differences.items() if by_deal),
        passed_in=passed_in,
        games=len(counted),
        left_out=len(records) - len(counted),
        flags=flags_of(stats, passed_in),
        first=facts.first,
        table=facts.table,
    )
