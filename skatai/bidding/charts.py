"""The charts of an evaluation, each with a sentence that says what it shows. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from skatai.arena.charts import reliability_chart
from skatai.arena.figures import COLOURS, draw_declared, figure
from skatai.bidding.judging import RegretSummary
from skatai.bidding.metrics import BiddingMetrics
from skatai.bidding.results import BidderResult, BiddingReport, Difference
from skatai.bidding.sweep import Sweep
from skatai.seats import SEAT_NAMES

__all__ = ["Chart", "charts"]

_LEVELS: Final = ("pass", "18", "20–23", "24–35", "36–59", "60 +")


@dataclass(frozen=True, slots=True)
class Chart:
    """Pictures with one heading.

    Attributes:
        title: the heading.
        text: what they show, in words.
        pictures: name and ``data:`` URI of each.
    """

    title: str
    text: str
    pictures: tuple[tuple[str, str], ...]


def _short(name: str) -> str:
    """A name that fits beside an axis."""
    return name if len(name) <= 24 else f"{name[:11]}…{name[-12:]}"


def _draw_differences(axes: Any, found: Sequence[tuple[Difference, str]]) -> None:
    for y, (difference, colour) in enumerate(reversed(found)):
        i = difference.points
        half = None if math.isinf(i.half) else i.half
        axes.errorbar(i.mean, y, xerr=half, fmt="o", color=colour, capsize=4, markersize=6)
    axes.axvline(0, color="#444", linewidth=1)
    axes.set_yticks(range(len(found)), [f"{_short(d.first)} − {_short(d.second)}" for d, _ in reversed(found)])
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.set_xlabel("list points per deal and seat, 95 % interval over deals")
    axes.grid(axis="x", alpha=0.3)


def _differences(report: BiddingReport) -> Chart | None:
    found = [(d, COLOURS[0]) for d in report.field] + [(d, COLOURS[1]) for d in report.meetings]
    if not found:
        return None
    sure = [d for d, _ in found if d.points.low > 0 or d.points.high < 0]
    text = (
        f"What one bidder gains on another: blue, each alone against two of {report.settings['field']}; orange, both at one table. "
        + (f"{len(sure)} of {len(found)} intervals leave out 0." if sure else "No interval leaves out 0.")
    )
    picture = figure(0.9 + 0.33 * len(found), lambda axes: _draw_differences(axes, found))
    return Chart("Differences", text, (("differences", picture),))


def _draw_mix(axes: Any, played: Sequence[BiddingMetrics]) -> None:
    rows = [
        (_short(m.name), {kind: share.hits for kind, share in m.kinds.items()}, m.won.hits, m.hands) for m in played
    ]
    draw_declared(axes, rows)


def _mix(played: Sequence[BiddingMetrics]) -> Chart | None:
    if not played:
        return None
    most = max(played, key=lambda m: m.declared.interval.mean)
    least = min(played, key=lambda m: m.declared.interval.mean)
    text = f"{most.name} declares on {most.declared.interval.mean:.1f} % of its hands"
    if most is not least:
        text += f", {least.name} on {least.declared.interval.mean:.1f} %"
    best = max((m for m in played if m.won.n), key=lambda m: m.won.interval.mean, default=None)
    if best is not None:
        text += f"; {best.name} wins the largest share of its games, {best.won.interval.mean:.1f} %"
    picture = figure(1.0 + 0.4 * len(played), lambda axes: _draw_mix(axes, played))
    return Chart(
        "Games declared and won", f"{text}. People declare on about 32 % and win 81–82 %.", (("contracts", picture),)
    )


def _draw_limits(axes: Any, bidder: BidderResult, first: bool) -> None:
    assert bidder.limits is not None
    width = 0.26
    for seat, counts in enumerate(bidder.limits.levels):
        n = max(1, sum(counts))
        places = [level + width * (seat - 1) for level in range(len(counts))]
        axes.bar(places, [100 * count / n for count in counts], width, color=COLOURS[seat], label=SEAT_NAMES[seat])
    axes.set_xticks(range(len(_LEVELS)), _LEVELS, fontsize=8)
    axes.set_title(_short(bidder.name), fontsize=9)
    axes.set_xlabel("limit")
    if first:
        axes.set_ylabel("% of all hands of the seat")
        axes.legend(loc="upper right", frameon=False)


def _limits(bidders: Sequence[BidderResult]) -> Chart | None:
    known = [bidder for bidder in bidders if bidder.limits is not None]
    if not known:
        return None
    pictures = []
    for start in range(0, len(known), 3):
        row = known[start : start + 3]

        def draw(*axes: Any, row: Sequence[BidderResult] = row) -> None:
            for i, (one, bidder) in enumerate(zip(axes, row, strict=True)):
                _draw_limits(one, bidder, i == 0)

        picture = figure(2.6, draw, width=3.6 * len(row), columns=len(row), share=True)
        pictures.append(("limits by seat", picture))
    said = []
    for bidder in known:
        assert bidder.limits is not None
        said.append(f"{bidder.name} bids on {bidder.limits.bids.interval.mean:.1f} %")
    text = f"How high each seat would go with the hands dealt, whatever the others do: {', '.join(said)} of all hands."
    return Chart("Limits by seat", text, tuple(pictures))


def _reliability(bidders: Sequence[BidderResult]) -> Chart | None:
    found = [(bidder.name, bidder.claims) for bidder in bidders if bidder.claims is not None]
    if not found:
        return None
    pictures, said = [], []
    for name, claims in found:
        pictures.append((f"claims of {name}", reliability_chart(_short(name), claims.everything)))
        if claims.passed is not None:
            bins = [b for b in claims.passed.bins if b.n]
            gap = sum(b.n * (b.claim - b.observed.mean) for b in bins) / claims.passed.n
            said.append(f"{name} by {100 * gap:+.1f} points")
    text = (
        "All hands, each made declarer at 18: points on the diagonal keep what they claim, points below it promise too much, grey "
        "bars show how often each chance is claimed."
    )
    if said:
        text += f" On the hands they would pass, claims differ from the games won: {', '.join(said)} of 100."
    return Chart("Reliability", text, tuple(pictures))


_REGRET_PARTS: Final = (
    ("total", "in all"),
    ("passed", "passes games worth it"),
    ("lost", "plays where no game is worth it"),
    ("contract", "declares another game than the best"),
    ("most", "at most, in all"),
)


def _draw_regret(axes: Any, found: Sequence[tuple[str, RegretSummary]]) -> None:
    for k, ((part, label), colour) in enumerate(zip(_REGRET_PARTS, ("black", *COLOURS), strict=False)):
        intervals = [getattr(regret, part) for _, regret in reversed(found)]
        places = [y + 0.24 - 0.16 * k for y in range(len(found))]
        halves = [0.0 if math.isinf(i.half) else i.half for i in intervals]
        means = [i.mean for i in intervals]
        axes.errorbar(means, places, xerr=halves, fmt="o", color=colour, capsize=2, markersize=4, label=label)
    axes.axvline(0, color="#444", linewidth=0.8)
    axes.set_yticks(range(len(found)), [_short(name) for name, _ in reversed(found)])
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.set_xlabel("list points per hand, 95 % interval over deals")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _regret(bidders: Sequence[BidderResult]) -> Chart | None:
    found = [(bidder.name, bidder.regret) for bidder in bidders if bidder.regret is not None]
    if not found:
        return None
    said, vague = [], []
    for name, regret in found:
        part, label = max(_REGRET_PARTS[1:-1], key=lambda item: float(getattr(regret, item[0]).mean))
        most = f"{getattr(regret, part).mean:.1f} of {regret.total.mean:.1f}"
        if regret.total.low > 0:
            said.append(f"{name} loses most where it {label} ({most} list points per hand)")
        else:
            vague.append(name)
    if vague:
        said.append(f"on these deals the regret of {', '.join(vague)} cannot be told from 0")
    picture = figure(1.0 + 0.6 * len(found), lambda axes: _draw_regret(axes, found), width=9.0)
    return Chart(
        "Regret by kind",
        f"What is lost against the best choice, by what went wrong: {'; '.join(said)}.",
        (("regret", picture),),
    )


def _draw_sweep(axes: Any, found: Sweep) -> None:
    settings = [row.setting for row in found.rows]
    mean, low, high = ([getattr(row.difference, end) for row in found.rows] for end in ("mean", "low", "high"))
    axes.fill_between(settings, low, high, color=COLOURS[0], alpha=0.15, linewidth=0)
    axes.plot(settings, mean, "o-", color=COLOURS[0], markersize=4)
    axes.axhline(0, color="#444", linewidth=0.8)
    if found.optimum is not None:
        axes.axvspan(found.optimum.low, found.optimum.high, color=COLOURS[1], alpha=0.15, linewidth=0)
        axes.axvline(found.optimum.setting, color=COLOURS[1], linewidth=1.4)
    if found.what != "steps":
        axes.invert_xaxis()
    axes.set_title(_short(found.name), fontsize=9)
    axes.set_xlabel(f"{found.what}, bolder to the right")
    axes.set_ylabel("list points gained on itself")


def _swept(bidders: Sequence[BidderResult]) -> Chart | None:
    found = [bidder.sweep for bidder in bidders if bidder.sweep is not None]
    if not found:
        return None
    said, pictures = [], []
    for one in found:
        if one.optimum is not None and math.isfinite(one.optimum.gain.half):
            top, gain = one.optimum, one.optimum.gain
            best = f"the best one tried gains {gain.mean:+.1f} ± {gain.half:.1f}"
            said.append(f"{one.name} at {one.what} {top.setting:.2g} ({top.low:.2g} to {top.high:.2g}; {best})")
        picture = figure(2.6, lambda axes, one=one: _draw_sweep(axes, one), width=3.3)
        pictures.append((f"sweep of {one.name}", picture))
    text = (
        "List points per deal and seat that a bolder or shyer bidder gains on the bidder as it is (blue, 95 % interval over "
        f"deals), and where they are highest (orange, 95 % interval): {', '.join(said) or 'one deal does not tell'}."
    )
    return Chart("Bolder or shyer", text, tuple(pictures))


def charts(report: BiddingReport) -> list[Chart]:
    """All charts for which there are results."""
    played = [bidder.metrics for bidder in report.bidders if bidder.metrics is not None]
    bidders = report.bidders
    found = [
        _differences(report),
        _mix(played),
        _limits(bidders),
        _reliability(bidders),
        _regret(bidders),
        _swept(bidders),
    ]
    return [chart for chart in found if chart is not None]
