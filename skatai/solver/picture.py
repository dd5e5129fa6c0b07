"""A picture of a solved position: three hands, the trick, and the value under each card that may be played."""

from __future__ import annotations

from html import escape
from typing import Any

from skatai.contract import GAME_NAMES, NULL
from skatai.render import hand_svg
from skatai.seats import SEAT_NAMES
from skatai.solver.position import as_position
from skatai.solver.solution import Solution
from skatai.solver.solving import solve_moves

__all__ = ["position_html", "position_svg"]

_BEST, _WORSE = "#117733", "#c4161c"
_WIDTH, _ROW, _TOP = 500, 112, 34


def _inner(svg: str, x: int, y: int) -> str:
    """A drawing placed inside another."""
    return svg.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1)


def position_svg(position: Any, solution: Solution | None = None, pack: str = "iss") -> str:
    """A position as a stand-alone SVG. Best cards have a green edge, the others a red one and what they are worth under it.

    Args:
        position: as for :func:`skatai.solver.solve`.
        solution: of :func:`skatai.solver.solve_moves`; solved here if missing.
        pack: letters and colours of the cards.
    """
    place = as_position(position)
    if solution is None:
        solution = solve_moves(place)
    best = set(solution.best_moves)
    notes = {int(card): str(value) for card, value in solution.moves.items()}
    marks = {int(card): _BEST if card in best else _WORSE for card in solution.moves}
    worth = (
        ("the declarer loses every trick" if solution.value else "the declarer takes a trick")
        if place.game == NULL
        else (f"the declarer gets {solution.value} of {place.points_left} points to come")
    )
    title = f"{SEAT_NAMES[place.declarer]} plays {GAME_NAMES[place.game]}: {worth}"
    parts = [f'<text x="8" y="22" font-size="15" font-weight="bold">{escape(title)}</text>']
    y = _TOP
    for seat, hand in enumerate(place.hands):
        label = (
            SEAT_NAMES[seat]
            + (" (declarer)" if seat == place.declarer else "")
            + (" – to move" if seat == place.to_move else "")
        )
        parts.append(f'<text x="8" y="{y + 14}" font-size="13">{escape(label)}</text>')
        own = seat == place.to_move
        parts.append(
            _inner(hand_svg(hand, place.game, pack, marks if own else None, notes if own else None), 6, y + 18)
        )
        y += _ROW
    if place.table:
        text = f"trick, led by {SEAT_NAMES[place.leader]}"
        parts.append(f'<text x="8" y="{y + 14}" font-size="13">{text}</text>')
        for i, card in enumerate(place.table):
            parts.append(_inner(hand_svg([card], place.game, pack), 6 + 50 * i, y + 18))
        y += _ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y}" width="{_WIDTH}" height="{y}" '
        f'font-family="sans-serif" fill="#222">{"".join(parts)}</svg>'
    )


def position_html(position: Any, solution: Solution | None = None, pack: str = "iss") -> str:
    """The picture as a page of its own."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>skatai: solved position</title></head>'
        f"<body>{position_svg(position, solution, pack)}</body></html>\n"
    )
