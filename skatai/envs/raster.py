"""The table as a small picture (``render_mode="rgb_array"``), drawn with NumPy alone."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.cards import CardSet
from skatai.game import Game
from skatai.render import sort_hand, table_text
from skatai.view import PlayerView

__all__ = ["render_table", "table_raster"]

HEIGHT, WIDTH = 300, 400
_SCALE, _CARD_HEIGHT, _CARD_WIDTH, _STEP = 2, 46, 28, 31
_GREEN, _WHITE, _BACK, _RED, _BLACK, _GOLD = (
    np.array(colour, dtype=np.uint8)
    for colour in ((38, 92, 60), (250, 248, 240), (70, 98, 138), (196, 22, 28), (20, 20, 20), (230, 190, 60))
)
#: rows of five pixels, top to bottom, as binary numbers
_RANKS: Final = (
    (31, 1, 2, 4, 8, 8, 8),  # 7
    (14, 17, 17, 14, 17, 17, 14),  # 8
    (14, 17, 17, 15, 1, 2, 12),  # 9
    (14, 17, 17, 17, 21, 18, 13),  # Q
    (17, 18, 20, 24, 20, 18, 17),  # K
    (31, 4, 4, 4, 4, 4, 4),  # T
    (4, 10, 17, 17, 31, 17, 17),  # A
    (7, 2, 2, 2, 2, 18, 12),  # J
)
_SUITS: Final = (
    (4, 14, 31, 31, 31, 14, 4),  # diamonds
    (10, 31, 31, 31, 14, 14, 4),  # hearts
    (4, 14, 31, 31, 31, 4, 14),  # spades
    (14, 14, 31, 31, 21, 4, 14),  # clubs
)

Canvas = NDArray[np.uint8]


def _draw_glyph(canvas: Canvas, glyph: tuple[int, ...], x: int, y: int, colour: Any) -> None:
    for row, bits in enumerate(glyph):
        for column in range(5):
            if bits >> (4 - column) & 1:
                top, left = y + _SCALE * row, x + _SCALE * column
                canvas[top : top + _SCALE, left : left + _SCALE] = colour


def _draw_card(canvas: Canvas, card: int | None, x: int, y: int) -> None:
    """A card, or its back."""
    canvas[y : y + _CARD_HEIGHT, x : x + _CARD_WIDTH] = _WHITE
    if card is None:
        canvas[y + 3 : y + _CARD_HEIGHT - 3, x + 3 : x + _CARD_WIDTH - 3] = _BACK
        return
    colour = _RED if card >> 3 < 2 else _BLACK
    _draw_glyph(canvas, _RANKS[card & 7], x + 3, y + 4, colour)
    _draw_glyph(canvas, _SUITS[card >> 3], x + 14, y + 27, colour)


def table_raster(reader: Game | PlayerView) -> Canvas:
    """Hands of forehand, middlehand and rearhand from top to bottom, then the table: uint8, (300, 400, 3).

    A golden bar at the left marks the seat to move, one at the right the declarer. The lowest row has the present trick, and at the
    right the cards put away or the skat, as far as they may be seen.
    """
    canvas = np.empty((HEIGHT, WIDTH, 3), dtype=np.uint8)
    canvas[:] = _GREEN
    contract = reader.contract
    for seat in range(3):
        y = 10 + 60 * seat
        hand = CardSet(int(reader.state["hands"][seat]))
        cards: list[int | None] = list(sort_hand(hand, contract.game if contract else None))
        if isinstance(reader, PlayerView) and not hand and not reader.is_over:
            cards = [None] * (10 - sum(1 for player, _ in reader.plays if player == seat))
        for i, card in enumerate(cards):
            _draw_card(canvas, card, 14 + _STEP * i, y)
        if reader.to_move == seat:
            canvas[y : y + _CARD_HEIGHT, 3:8] = _GOLD
        if reader.declarer == seat:
            canvas[y : y + _CARD_HEIGHT, WIDTH - 8 : WIDTH - 3] = _GOLD
    for i, (_, card) in enumerate(reader.trick):
        _draw_card(canvas, card, 14 + _STEP * i, 220)
    for i, card in enumerate(CardSet(int(reader.state["discards"]) or int(reader.state["skat"]))):
        _draw_card(canvas, card, WIDTH - 80 + _STEP * i, 220)
    return canvas


def render_table(reader: Game | PlayerView, mode: str) -> Canvas | str | None:
    """What an environment's ``render`` gives: text (``ansi``), an image (``rgb_array``), or nothing after printing (``human``)."""
    if mode == "rgb_array":
        return table_raster(reader)
    text = table_text(reader)
    if mode == "human":
        print(text, end="\n\n")
        return None
    return text
