"""Charts of a tournament as ``data:`` URIs for a report. Needs matplotlib (``pip install 'skatai[plot]'``)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from skatai.arena.calibration import Calibration
from skatai.arena.figures import COLOURS, draw_declared, figure, matplotlib_missing
from skatai.arena.intervals import Interval
from skatai.arena.ratings import Rating
from skatai.arena.records import GameRecord
from skatai.arena.stats import Summary, common_points
from skatai.seats import SEAT_NAMES

__all__ = ["charts", "matplotlib_missing", "reliability_chart", "reliability_charts"]


def _differences(axes: Any, summary: Summary) -> None:
    pairs = summary.pairs[::-1]
    for y, pair in enumerate(pairs):
        mean, half = pair.difference.mean, pair.difference.half
        axes.errorbar(
            mean, y, xerr=None if math.isinf(half) else half, fmt="o", color=COLOURS[0], capsize=4, markersize=6
        )
    axes.axvline(0, color="#444", linewidth=1)
    axes.set_yticks(range(len(pairs)), [f"{pair.first} − {pair.second}" for pair in pairs])
    axes.set_ylim(-0.6, len(pairs) - 0.4)
    axes.set_xlabel("difference in list points per deal and seat, 95 % interval over deals")
    axes.grid(axis="x", alpha=0.3)


def _contracts(axes: Any, summary: Summary) -> None:
    rows = [
        (agent.name, {kind: share.hits for kind, share in agent.kinds.items()}, agent.won.hits, agent.seat_deals)
        for agent in summary.agents
    ]
    draw_declared(axes, rows)


def _by_seat(axes: Any, summary: Summary) -> None:
    width = 0.8 / max(1, len(summary.agents))
    for i, agent in enumerate(summary.agents):
        held = max(1, agent.seat_deals // 3)
        heights = [100 * games / held for games in agent.by_seat]
        places = [seat + width * (i - (len(summary.agents) - 1) / 2) for seat in range(3)]
        axes.bar(places, heights, width, label=agent.name, color=COLOURS[i % len(COLOURS)])
    axes.set_xticks(range(3), SEAT_NAMES)
    axes.set_ylabel("declared, % of hands there")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _scores(axes: Any, summary: Summary, records: Sequence[GameRecord]) -> None:
    edges = list(range(-300, 301, 25))
    for i, agent in enumerate(summary.agents):
        scores = [
            min(299, max(-300, record.score))
            for record in records
            if record.declarer is not None and record.seats[record.declarer] == agent.name
        ]
        counts = [0] * (len(edges) - 1)
        for score in scores:
            counts[(score + 300) // 25] += 1
        shares = [100 * count / max(1, len(scores)) for count in counts]
        axes.stairs(shares, edges, label=agent.name, color=COLOURS[i % len(COLOURS)], linewidth=1.4)
    axes.axvline(0, color="#444", linewidth=0.8)
    axes.set_xlabel("declarer's score (beyond ±300 in the outermost bins)")
    axes.set_ylabel("% of its games")
    axes.legend(loc="upper left", frameon=False)


def _ratings(axes: Any, ratings: Sequence[Rating]) -> None:
    for i, rating in enumerate(ratings):
        colour = COLOURS[i % len(COLOURS)]
        matches = [number for number, _, _ in rating.curve]
        low = [mu - 1.96 * sigma for _, mu, sigma in rating.curve]
        high = [mu + 1.96 * sigma for _, mu, sigma in rating.curve]
        axes.plot(matches, [mu for _, mu, _ in rating.curve], color=colour, label=rating.agent, linewidth=1.4)
        axes.fill_between(matches, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel("matches rated (a deal of a group each)")
    axes.set_ylabel("skill")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _times(axes: Any, summary: Summary, points: Mapping[str, Interval]) -> None:
    for i, agent in enumerate(summary.agents):
        ms, mean, half = max(agent.ms, 1e-3), points[agent.name].mean, points[agent.name].half
        colour = COLOURS[i % len(COLOURS)]
        error = None if math.isinf(half) else half
        axes.errorbar(ms, mean, yerr=error, fmt="o", color=colour, capsize=3, label=agent.name)
        axes.annotate(f" {ms:.3g} ms", (ms, mean), va="bottom", color=colour)
    axes.set_xscale("log")
    axes.set_xlim(min(max(a.ms, 1e-3) for a in summary.agents) / 2, 4 * max(max(a.ms, 1e-3) for a in summary.agents))
    axes.set_xlabel("milliseconds a decision, in a batch (logarithmic)")
    axes.set_ylabel("list points / deal")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _strength(summary: Summary, records: Sequence[GameRecord]) -> list[tuple[str, str]]:
    """List points against time, over the same deals for all; nothing where agents have no deal in common."""
    points = {agent.name: agent.points for agent in summary.agents}
    title = "Strength and time"
    if summary.first:
        deals, points = common_points(records)
        title += f", on the {deals} deals that all agents play"
    return [(title, figure(2.8, lambda axes: _times(axes, summary, points)))] if points else []


def _reliability(axes: Any, name: str, found: Calibration) -> None:
    bins = [b for b in found.bins if b.n]
    claims, shares = [b.claim for b in bins], [b.observed.mean for b in bins]
    below = [max(0.0, b.observed.mean - b.observed.low) for b in bins]  # never negative by rounding
    above = [max(0.0, b.observed.high - b.observed.mean) for b in bins]
    axes.plot((0, 1), (0, 1), color="#999", linewidth=1)
    axes.bar(
        [(b.lower + b.upper) / 2 for b in bins],
        [0.25 * b.n / max(b.n for b in bins) for b in bins],
        [b.upper - b.lower for b in bins],
        color="#ddd",
    )
    axes.errorbar(
        claims, shares, yerr=(below, above), fmt="o", color=COLOURS[0], capsize=3, markersize=4, clip_on=False
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set(xlabel="chance claimed (grey: how often)", ylabel="games won, 95 %")
    axes.set_title(f"{name}: Brier {found.brier:.3f}, ECE {found.ece:.3f}, n = {found.n}", fontsize=9)


def reliability_chart(name: str, found: Calibration) -> str:
    """A reliability diagram as a data URI: claims against the share of games won, with the number of claims in each bin."""
    return figure(3.6, lambda axes: _reliability(axes, name, found), width=3.4)


def reliability_charts(summary: Summary) -> list[tuple[str, str]]:
    """Name and reliability diagram of every agent that makes claims."""
    found = [(agent.name, agent.calibration) for agent in summary.agents if agent.calibration is not None]
    return [(name, reliability_chart(name, calibration)) for name, calibration in found]


def charts(summary: Summary, records: Sequence[GameRecord], ratings: Sequence[Rating] = ()) -> list[tuple[str, str]]:
    """Title and data URI of each chart.

    Args:
        summary: the statistics.
        records: the games they come from.
        ratings: where there are any.
    """
    n = len(summary.agents)
    pictures = [
        ("Differences", figure(1.0 + 0.35 * len(summary.pairs), lambda axes: _differences(axes, summary))),
        ("Games declared and won", figure(1.0 + 0.4 * n, lambda axes: _contracts(axes, summary))),
        ("Declarer's seat", figure(2.4, lambda axes: _by_seat(axes, summary))),
        ("Scores", figure(2.8, lambda axes: _scores(axes, summary, records))),
        *_strength(summary, records),
    ]
    if ratings:
        pictures.insert(1, ("Ratings", figure(2.8, lambda axes: _ratings(axes, ratings))))
    return pictures if summary.pairs else pictures[1:]
