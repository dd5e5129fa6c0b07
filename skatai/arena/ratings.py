"""Ratings of many agents by openskill. Needs ``pip install 'skatai[rating]'``.

Each deal of a group is one match: the members that are compared are ranked by their list points over their seats on it, equal
points are a draw. So every match is a fair one, and luck of the cards does not count. Agents do not learn while they play, so
their skill is taken as constant (``tau`` 0): the uncertainty only shrinks. Ratings depend a little on the order of the matches;
it is drawn from a seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skatai.arena.designs import PAIR_SIX, SeatDesign
from skatai.arena.records import GameRecord
from skatai.arena.stats import complete_records
from skatai.errors import SkatError
from skatai.rng import Rng

__all__ = ["Rating", "matches_of", "rate", "rating_missing"]

_CURVE_POINTS: Final = 60


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating by the model of Plackett and Luce (Weng and Lin, JMLR 12, 2011).

    Attributes:
        agent: the name.
        mu: skill; everybody begins with 25.
        sigma: its uncertainty; everybody begins with 25/3.
        matches: how many it has played.
        curve: (matches rated in all, mu, sigma), evenly spaced.
    """

    agent: str
    mu: float
    sigma: float
    matches: int
    curve: tuple[tuple[int, float, float], ...]

    @property
    def ordinal(self) -> float:
        """mu - 3 sigma: a skill that is almost certainly there."""
        return self.mu - 3.0 * self.sigma

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {1.96 * self.sigma:.2f}"


def rating_missing() -> str | None:
    """Why there can be no ratings, or ``None``."""
    try:
        import openskill.models  # noqa: F401
    except ImportError:
        return "ratings need openskill: pip install 'skatai[rating]'"
    return None


def matches_of(records: Iterable[GameRecord], design: SeatDesign = PAIR_SIX) -> list[dict[str, float]]:
    """One match for each complete deal of a group: the mean list points of the members that are compared."""
    points: dict[tuple[int, tuple[str, ...]], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for record in complete_records(records, design):
        compared = {name for pair in design.pairs(record.group) for name in pair}
        for name, value in zip(record.seats, record.list_points, strict=True):
            if name in compared:
                points[record.deal, record.group][name].append(value)
    # All members hold equally many seats: sums of integers rank them without rounding.
    return [{name: float(sum(values)) for name, values in sorted(points[key].items())} for key in sorted(points)]


def rate(
    records: Iterable[GameRecord], agents: Sequence[str], design: SeatDesign = PAIR_SIX, seed: int = 0
) -> list[Rating]:
    """Rate the agents, best first; those that are not compared (the reference of a design) have no rating.

    Args:
        records: games of a tournament; incomplete deals do not count.
        agents: names.
        design: by which they were seated.
        seed: of the order of the matches.

    Raises:
        SkatError: openskill is not installed.
    """
    missing = rating_missing()
    if missing:
        raise SkatError(missing)
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    matches = matches_of(records, design)
    Rng(seed).shuffle(matches)
    names = [name for name in agents if any(name in match for match in matches)]
    ratings: dict[str, Any] = {name: model.rating(name=name) for name in names}
    played = dict.fromkeys(names, 0)
    curves: dict[str, list[tuple[int, float, float]]] = {name: [] for name in names}
    step = max(1, len(matches) // _CURVE_POINTS)
    for number, match in enumerate(matches, 1):
        best = sorted(match.values(), reverse=True)
        teams = model.rate(
            [[ratings[name]] for name in match], ranks=[float(best.index(points)) for points in match.values()]
        )
        for name, team in zip(match, teams, strict=True):
            ratings[name] = team[0]
            played[name] += 1
        if number % step == 0 or number == len(matches):
            for name in names:
                curves[name].append((number, float(ratings[name].mu), float(ratings[name].sigma)))
    found = [
        Rating(name, float(ratings[name].mu), float(ratings[name].sigma), played[name], tuple(curves[name]))
        for name in names
    ]
    return sorted(found, key=lambda rating: -rating.mu)
