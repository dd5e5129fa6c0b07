"""The deals that decided a tournament, as sections of its report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from skatai.arena.hindsight import at_first_lead, hindsight
from skatai.arena.markup import html_table
from skatai.arena.records import GameRecord
from skatai.arena.stats import PairStats, Summary
from skatai.contract import NULL
from skatai.game import Game
from skatai.render import hand_svg, table_svg, tricks_text
from skatai.seats import SEAT_NAMES

__all__ = ["costly_deals", "deal_section"]


def costly_deals(summary: Summary, n: int = 10) -> list[tuple[PairStats, int, float]]:
    """The deals that decided most: pair, deal and difference, at most ``n``.

    The pairs take turns, those of the best agents first, each with its largest differences, so that one weak agent does not fill
    the list.
    """
    rank = {agent.name: place for place, agent in enumerate(summary.agents)}
    found = []
    for pair in summary.pairs:
        together = rank[pair.first] + rank[pair.second]
        deals = sorted((-abs(difference), deal) for deal, difference in pair.by_deal.items() if difference)
        found += [(turn, together, pair.first, pair, deal) for turn, (_, deal) in enumerate(deals)]
    found.sort(key=lambda item: item[:3])
    return [(pair, deal, pair.by_deal[deal]) for *_, pair, deal in found[:n]]


def _inline(svg: str) -> str:
    """An SVG inside HTML needs no namespace."""
    return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


#: edges of cards that cost points with all cards seen
_SLIP_COLOUR: Final = "#e00000"


def _looking_back(game: Game) -> tuple[str, dict[int, str]]:
    """What perfect play would have given, in words, and the cards to mark."""
    seen = hindsight(game)
    if seen is None or game.contract is None:
        return "", {}
    null = game.contract.game == NULL
    if null:
        text = f"With all cards seen the null was {'won' if seen.value else 'lost'} at the first lead."
    else:
        text = f"With all cards seen the declarer gets {seen.value} card points from the first lead on, skat included."
    for slip in seen.worst[:3]:
        better = ", ".join(map(str, slip.better[:4])) + (", …" if len(slip.better) > 4 else "")
        cost = "the game" if null else f"{slip.cost} points"
        text += f" Trick {slip.play // 3 + 1}: {SEAT_NAMES[slip.seat]}’s {slip.card} cost {cost} (better {better})."
    return text, {int(slip.card): _SLIP_COLOUR for slip in seen.worst[:3]}


def _deal_pictures(game: Game) -> str:
    if game.declarer is None or game.contract is None:
        hands = (f"<h4>{SEAT_NAMES[seat]}</h4>{_inline(hand_svg(game.deal.hands[seat]))}" for seat in range(3))
        return "".join(hands)
    text, marks = _looking_back(game)
    lines = [*tricks_text(game), "", str(game.result)]
    picture = _inline(table_svg(at_first_lead(game), marks=marks))
    return f"{picture}<pre>{escape(chr(10).join(lines))}</pre><p>{escape(text)}</p>"


def _outcome(record: GameRecord) -> tuple[str, ...]:
    points = " / ".join(f"{value:+d}" if value else "0" for value in record.list_points)
    if record.declarer is None:
        return (*record.seats, record.end.replace("_", " "), "", "", "", points)
    who = f"{record.seats[record.declarer]} ({SEAT_NAMES[record.declarer]})"
    verb = "won" if record.won else "overbid" if record.overbid else "lost"
    return (
        *record.seats,
        who,
        f"{record.contract} at {record.bid}",
        f"{verb}, {record.points}",
        f"{record.score:+d}",
        points,
    )


_OUTCOME_HEAD: Final = (*SEAT_NAMES, "declarer", "contract", "card points", "score", "list points F / M / R")


def deal_section(pair: PairStats, deal: int, difference: float, records: Sequence[GameRecord]) -> str:
    """A deal of a pair: what came of all its games, and two of them card by card."""
    games = [r for r in records if r.deal == deal and pair.first in r.group and pair.second in r.group]
    better, worse = (pair.first, pair.second) if difference > 0 else (pair.second, pair.first)
    theirs = [game for game in games if worse in game.seats]  # not all, where the pair never meets
    cost = min(theirs, key=lambda r: min(p for name, p in zip(r.seats, r.list_points, strict=True) if name == worse))
    parts = [
        f"<h3>Deal {deal}: {escape(better)} gains {abs(difference):.1f} a seat</h3>"
        f"<p class='small'>{escape(pair.first)} against {escape(pair.second)}</p>"
        + html_table(_OUTCOME_HEAD, map(_outcome, games)),
        _line_of_play(cost, f"Game {cost.game}: the most costly one for {escape(worse)}", True),
    ]
    twin = _twin(cost, games)
    if twin is not None:
        text = f"Game {twin.game}: the same cards with {escape(pair.first)} and {escape(pair.second)} exchanged"
        parts.append(_line_of_play(twin, text, False))
    return "".join(parts)


def _twin(record: GameRecord, games: Sequence[GameRecord]) -> GameRecord | None:
    """The game in which the first two members of the group have changed places."""
    seating = record.seating.translate(str.maketrans("AB", "BA"))
    return next((game for game in games if game.seating == seating and game.group == record.group), None)


def _line_of_play(record: GameRecord, heading: str, unfold: bool) -> str:
    return (
        f"<details{' open' if unfold else ''}><summary>{heading}</summary>{_deal_pictures(record.replay())}"
        f"<p class='small'>To replay: <code>Game.parse(&quot;{escape(record.line)}&quot;)</code></p></details>"
    )
