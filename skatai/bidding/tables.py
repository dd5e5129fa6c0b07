"""The figures of an evaluation as tables of texts, for the terminal and for the HTML report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from skatai.arena.calibration import Calibration
from skatai.arena.intervals import Interval
from skatai.arena.multiple import marks
from skatai.arena.shares import Proportion
from skatai.bidding.agreement import Agreement
from skatai.bidding.metrics import KINDS, BiddingMetrics, bidding_flags
from skatai.bidding.results import BiddingReport, Difference
from skatai.bidding.sweep import Sweep

__all__ = ["TextTable", "tables"]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table.

    Attributes:
        title: above it.
        head: names of the columns.
        rows: as many texts each.
        note: what it shows, in a sentence or two.
        marks: of each row: ``up`` where an interval lies above 0, ``down`` where it lies below, else empty.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str
    marks: tuple[str, ...] = ()


def _share(share: Proportion, wide: bool) -> str:
    """Percent, with the interval where there is room."""
    return str(share) if wide else f"{share.interval.mean:.1f}" if share.n else "–"


def _mean(mean: Interval | None, wide: bool = True, signed: bool = False) -> str:
    if mean is None:
        return "–"
    return str(mean).replace("+", "" if not signed else "+", 1) if wide else f"{mean.mean:.1f}"


def _played(report: BiddingReport) -> list[BiddingMetrics]:
    return [bidder.metrics for bidder in report.bidders if bidder.metrics is not None]


def _overview(report: BiddingReport, wide: bool) -> TextTable:
    rows = []
    for m in _played(report):
        shares = (m.declared, m.won, m.overbid, m.passed_in)
        points = (_mean(m.list_points, signed=True), _mean(m.score, wide, signed=True))
        rows.append((m.name, *points, *(_share(share, wide) for share in shares)))
    note = (
        f"Each bidder alone in every seat against two of {report.settings['field']}, cards played by {report.settings['play']}: "
        "list points and score per hand, % of hands declared, of these games won and overbid, and % of deals passed in."
    )
    return TextTable(
        "Bidders", ("bidder", "points", "score", "declared", "won", "overbid", "passed in"), tuple(rows), note
    )


def _differences(title: str, note: str, found: Sequence[Difference]) -> TextTable:
    rows = []
    for d in found:
        i = d.points
        rows.append((d.first, d.second, f"{i.mean:+.2f}", f"{i.low:+.2f}", f"{i.high:+.2f}", str(i.n)))
    colours = tuple(("", "up", "down")[mark] for mark in marks([d.points for d in found]))
    note += " Coloured: p at most 5 %, corrected for the number of rows (Holm)."
    return TextTable(title, ("A", "B", "A − B", "from", "to", "deals"), tuple(rows), note, colours)


def _calls(report: BiddingReport, wide: bool) -> TextTable:
    rows = []
    for bidder in report.bidders:
        m, limits = bidder.metrics, bidder.limits
        high = ("–", "–") if limits is None else (_share(limits.bids, wide), _mean(limits.mean))
        auction = ("–", "–") if m is None else (_share(m.uncontested, wide), _share(m.last_chance, wide))
        if m is not None or limits is not None:
            rows.append((bidder.name, *high, *auction))
    note = (
        "% of all hands dealt on which the bidder would say 18, and the mean limit of these; % declared of the hands on which "
        "nobody else bid or held, and of forehand’s last chances."
    )
    return TextTable("Calls", ("bidder", "bids", "mean limit", "uncontested", "last chance"), tuple(rows), note)


def _values(report: BiddingReport) -> TextTable:
    rows = [(m.name, _mean(m.bid), _mean(m.value), _mean(m.unused)) for m in _played(report)]
    note = "Games declared and not overbid: mean winning bid, mean game value, and what could still have been bid."
    return TextTable("Bid and value", ("bidder", "winning bid", "game value", "value − bid"), tuple(rows), note)


def _contracts(report: BiddingReport, wide: bool) -> TextTable:
    rows = []
    for m in _played(report):
        shares = [*(m.kinds[kind] for kind in KINDS), m.hand, m.ouvert]
        rows.append((m.name, *(_share(share, wide) for share in shares)))
    return TextTable("Contracts", ("bidder", *KINDS, "hand", "ouvert"), tuple(rows), "% of the games declared.")


def _kinds_won(report: BiddingReport, wide: bool) -> TextTable:
    rows = [(m.name, *(_share(m.kinds_won[kind], wide) for kind in KINDS)) for m in _played(report)]
    return TextTable("Contracts won", ("bidder", *KINDS), tuple(rows), "% of the games of each kind.")


def _seats(report: BiddingReport, wide: bool) -> TextTable:
    rows = []
    for m in _played(report):
        for seat in m.by_seat:
            shares = (seat.declared, seat.share, seat.won)
            name = m.name if seat is m.by_seat[0] else ""
            rows.append((name, seat.seat, *(_share(s, wide) for s in shares), _mean(seat.list_points, signed=True)))
    note = "% of the hands there declared, which % of its games that is, % of them won, list points per hand there."
    return TextTable("By seat", ("bidder", "seat", "declared", "of games", "won", "points"), tuple(rows), note)


def _claim_row(name: str, hands: str, found: Calibration | None) -> tuple[str, ...]:
    if found is None:
        return (name, hands, "0", "–", "–", "–", "–", "–", "–")
    n, bins = found.n, [b for b in found.bins if b.n]
    claim, won = sum(b.n * b.claim for b in bins) / n, sum(b.n * b.observed.mean for b in bins) / n
    figures = (found.brier, found.ece, found.reliability, found.resolution)
    return (name, hands, str(n), f"{100 * claim:.1f}", f"{100 * won:.1f}", *(f"{figure:.3f}" for figure in figures))


def _claims(report: BiddingReport) -> TextTable:
    rows = []
    for bidder in report.bidders:
        if bidder.claims is not None:
            found = bidder.claims
            rows.append(_claim_row(bidder.name, "all", found.everything))
            rows += [_claim_row("", "bid on", found.bid), _claim_row("", "passed", found.passed)]
    note = (
        "Every hand becomes declarer at 18, also those that would pass: mean claimed chance of winning and games won (%), Brier "
        "score (0 is perfect), expected calibration error, and the Brier score's reliability (less is better) and resolution "
        "(more is better)."
    )
    head = ("bidder", "hands", "n", "claim", "won", "Brier", "ECE", "reliab.", "resol.")
    return TextTable("Claims on all hands", head, tuple(rows), note)


def _regret(report: BiddingReport, wide: bool) -> TextTable:
    rows, measures = [], set()
    for bidder in report.bidders:
        found = bidder.regret
        if found is not None:
            kinds = [_mean(mean, wide) for mean in (found.passed, found.lost, found.contract)]
            rows.append(
                (bidder.name, f"{found.declared}/{found.hands}", _mean(found.total), f"{found.most.mean:.2f}", *kinds)
            )
            measures.add(_MEASURES[found.measure])
    note = (
        f"List points per hand that the best choice gains more, were the game to be had at 18 ({', '.join(measures)}): in all, by "
        "passing a game worth it, by playing where none was, and by declaring another one than the best."
    )
    return TextTable(
        "Regret", ("bidder", "plays", "regret", "at most", "passed", "played", "contract"), tuple(rows), note
    )


_MEASURES: Final = {
    "hindsight": "all cards seen by everybody: a bound that nobody reaches",
    "rollouts": "over worlds that the hand cannot tell apart: found in one half of them and valued in the other, which is rather "
    "too low; at most: found and valued in the same worlds",
}


def _swept(report: BiddingReport) -> TextTable:
    rows = []
    for bidder in report.bidders:
        found = bidder.sweep
        if found is None or found.optimum is None:
            continue
        top = found.optimum
        rows.append(
            (
                bidder.name,
                found.what,
                f"{top.setting:.3g}",
                f"{top.low:.3g}",
                f"{top.high:.3g}",
                f"{top.best:g}",
                str(top.gain),
            )
        )
    note = (
        "Where points against the field are highest: of the margin a game must promise, the claimed chance down to which it bids, "
        "or the steps its limit is moved; with the 95 % interval, the best one tried, and what that gains on the bidder as it is."
    )
    return TextTable("Bolder or shyer", ("bidder", "what", "best", "from", "to", "tried", "gain"), tuple(rows), note)


def _swept_in_detail(found: Sweep) -> TextTable:
    rows = [
        (f"{row.setting:g}", f"{100 * row.declared:.1f}", _percent(row.won), str(row.points), str(row.difference))
        for row in found.rows
    ]
    note = (
        f"% of hands declared, of these won, list points per deal and seat, and the difference to {found.name} as it is, paired on "
        f"the same {found.deals} deals. All bid by their limits alone, also where an agent itself decides otherwise at its last "
        "chance: points of the bidder as it is may differ from those of its games against the field."
    )
    head = (found.what, "declared", "won", "points", "difference")
    return TextTable(f"{found.name}: {found.what}, in detail", head, tuple(rows), note)


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f}"


def _people(report: BiddingReport, wide: bool) -> TextTable:
    rows, counts = [], ""
    for found in _compared(report):
        calls = {(row.dimension, row.value): row for row in found.calls}
        every, counts = calls["all", "calls"], _records(found)
        said = [calls[key].agreement if key in calls else None for key in (("recorded", "yes"), ("recorded", "pass"))]
        cells = ["–" if share is None else _share(share, wide) for share in (every.agreement, *said)]
        rows.append((found.name, str(every.agreement.n), *cells, "–" if every.kappa is None else f"{every.kappa:.2f}"))
    note = (
        f"{counts} % of the recorded players’ calls on which the bidder does the same: all, where they said yes (named a value or "
        "held), where they passed; and Cohen’s κ, the agreement beyond chance."
    )
    head = ("bidder", "calls", "agrees", "where yes", "where pass", "κ")
    return TextTable("Agreement with people", head, tuple(rows), note)


def _people_afterwards(report: BiddingReport, wide: bool) -> TextTable:
    rows = []
    for found in _compared(report):
        if found.after:
            cells = [_share(found.after[name], wide) if name in found.after else "–" for name in _AFTERWARDS]
            rows.append((found.name, *cells))
    note = "% of recorded declarers with whom the agent agrees: hand or skat, both cards put away, game type, whole contract."
    return TextTable("Agreement after the auction", ("bidder", *_AFTERWARDS), tuple(rows), note)


def _compared(report: BiddingReport) -> list[Agreement]:
    return [bidder.agreement for bidder in report.bidders if bidder.agreement is not None]


#: what :attr:`Agreement.after` holds of agents
_AFTERWARDS: Final = ("hand or skat", "discard", "game", "contract")


def _records(found: Agreement) -> str:
    """How many records there were, as a sentence."""
    words = {"game": "games", "view": "views", "quarantine": "in quarantine", "duplicate": "duplicates"}
    counts = ", ".join(f"{n} {words[kind]}" for kind, n in found.records.items())
    rated = "" if found.min_rating is None else f"; only players rated {found.min_rating:g} or more"
    return f"Records: {counts}{rated}."


def _people_in_detail(found: Agreement) -> TextTable:
    rows = []
    for row in found.calls:
        n = row.agreement.n
        said = [f"{100 * yes / n:.1f}" if n else "–" for yes in (row.recorded_yes, row.bidder_yes)]
        kappa = "–" if row.kappa is None else f"{row.kappa:.2f}"
        rows.append((row.dimension, row.value, str(n), str(row.agreement), *said, kappa))
    rows += [("afterwards", name, str(share.n), str(share), "", "", "") for name, share in found.after.items()]
    note = "How often the bidder does the same (95 % interval over games), and how often people and it say yes (%)."
    head = ("by", "which", "n", "agrees", "people yes", "bidder yes", "κ")
    return TextTable(f"{found.name} and people, in detail", head, tuple(rows), note)


def _flags(report: BiddingReport, wide: bool) -> TextTable:
    rows = [
        (
            flag.who,
            flag.band.name,
            str(flag.share) if wide else flag.share.percent,
            f"{flag.band.low:g}–{flag.band.high:g} %",
            str(flag.share.n),
        )
        for metrics in _played(report)
        for flag in bidding_flags(metrics)
    ]
    note = (
        "Shares whose 95 % interval lies outside what people do among themselves. The field and the fixed card play shift them, "
        "too: a hint, no verdict."
    )
    return TextTable("Unlike people", ("bidder", "share", "here", "people", "of"), tuple(rows), note)


def tables(report: BiddingReport, wide: bool = False) -> list[TextTable]:
    """All tables that have rows.

    Args:
        report: the results.
        wide: with intervals behind the shares; otherwise for 80 columns.
    """
    field, meet = report.settings["field"], "list points per deal and seat, 95 % interval over deals"
    alone = f"Each alone against two of {field} in the same seats on the same deals: {meet}."
    makers: Iterable[Callable[[], TextTable]] = (
        lambda: _overview(report, wide),
        lambda: _differences("Differences against the field", alone, report.field),
        lambda: _differences("Differences at one table", f"Six games a deal and pair: {meet}.", report.meetings),
        lambda: _calls(report, wide),
        lambda: _values(report),
        lambda: _contracts(report, wide),
        lambda: _kinds_won(report, wide),
        lambda: _seats(report, wide),
        lambda: _claims(report),
        lambda: _regret(report, wide),
        lambda: _swept(report),
        lambda: _flags(report, wide),
        lambda: _people(report, wide),
        lambda: _people_afterwards(report, wide),
    )
    found = [make() for make in makers]
    if wide:
        found += [_swept_in_detail(bidder.sweep) for bidder in report.bidders if bidder.sweep is not None]
        found += map(_people_in_detail, _compared(report))
    return [table for table in found if table.rows]
