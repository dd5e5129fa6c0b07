"""Pictures of cards, hands and tables: plain text, SVG and HTML. No fonts or files from outside are needed.

``pack`` chooses letters and colours (rules 1.1): ``iss`` and ``french_de`` in two colours, ``tournament`` with green spades
and orange diamonds, ``german`` with acorns, leaves, hearts and bells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from textwrap import wrap

from skatai.cards import PACKS, Card, CardSet, format_card
from skatai.contract import NULL
from skatai.errors import NotationError
from skatai.game import Game
from skatai.kernels.tables import BEATS, FOLLOW, TRUMPS
from skatai.seats import SEAT_NAMES
from skatai.view import PlayerView, StateReader

__all__ = ["card_svg", "hand_svg", "sort_hand", "suit_symbol", "table_html", "table_svg", "table_text", "tricks_text"]

_SYMBOLS = "♦♥♠♣"
_BLACK, _RED, _GREEN, _ORANGE, _BROWN, _GOLD = "#1b1b1b", "#c4161c", "#117733", "#dd7a00", "#7a4a12", "#c79a00"
_COLOURS = {
    "iss": (_RED, _RED, _BLACK, _BLACK),
    "french_de": (_RED, _RED, _BLACK, _BLACK),
    "tournament": (_ORANGE, _RED, _GREEN, _BLACK),
    "german": (_GOLD, _RED, _GREEN, _BROWN),
}
#: suit pips in a box of 20 × 20, drawn for this project
_PIPS = {
    "♦": "M10 1 L17 10 L10 19 L3 10 Z",
    "♥": "M10 18 C1 11 1 3 6 3 C8.5 3 10 5.5 10 6.5 C10 5.5 11.5 3 14 3 C19 3 19 11 10 18 Z",
    "♠": "M10 1 C13 6 18 8.5 18 12 C18 15 14 16 11 14 L12.5 19 L7.5 19 L9 14 C6 16 2 15 2 12 C2 8.5 7 6 10 1 Z",
    "♣": (
        "M10 1.5 A4 4 0 0 1 13.2 7.8 A4 4 0 1 1 11 13.6 L12.5 19 L7.5 19 L9 13.6 A4 4 0 1 1 6.8 7.8 A4 4 0 0 1 10 1.5 Z"
    ),
    "acorn": "M4 9 L16 9 C16 14 13 16 10 19 C7 16 4 14 4 9 Z M3.5 8 C3.5 4 7 3 9 3 L9 1 L11 1 L11 3 C13 3 16.5 4 16.5 8 Z",
    "leaf": "M10 1 C15 4 18 9 10 16 C2 9 5 4 10 1 Z M9.3 15 L10.7 15 L10.7 19 L9.3 19 Z",
    "bell": "M10 2 A7 7 0 1 1 9.9 2 Z M3.5 10 L16.5 10 L16.5 11.2 L3.5 11.2 Z",
}
_PIP_NAMES = {"german": ("bell", "♥", "leaf", "acorn")}

CARD_WIDTH, CARD_HEIGHT = 44, 64
_STEP = 34


def _check_pack(pack: str) -> None:
    if pack not in PACKS:
        raise NotationError(f"no pack {pack!r}; there are {', '.join(PACKS)}")


def suit_symbol(suit: int) -> str:
    """♦ ♥ ♠ ♣ for suits 0…3."""
    return _SYMBOLS[suit]


def sort_hand(cards: Iterable[int], game: int | None = None) -> list[Card]:
    """Cards as a player sorts them: trumps first, each suit from the strongest down; by suits before a game is named.

    >>> [str(card) for card in sort_hand(CardSet.parse("H7 CJ SA HT"), game=1)]
    ['CJ', 'HT', 'H7', 'SA']
    """
    if game is None:
        return CardSet.of(cards).printed_order()
    trumps = int(TRUMPS[game])
    suits = [3, 2, 1, 0]

    def key(card: int) -> tuple[int, int, int]:
        trump = trumps >> card & 1
        stronger = (int(BEATS[game, card]) & int(FOLLOW[game, card])).bit_count()
        return (0 if trump else 1, 0 if trump else suits.index(card >> 3), stronger)

    return [Card(card) for card in sorted(cards, key=key)]


def _pip(suit: int, x: float, y: float, size: float, pack: str) -> str:
    name = _PIP_NAMES.get(pack, _SYMBOLS)[suit]
    scale = size / 20
    return (
        f'<path transform="translate({x:g} {y:g}) scale({scale:g})" d="{_PIPS[name]}" fill="{_COLOURS[pack][suit]}"/>'
    )


def _card(card: int, x: float, y: float, pack: str, mark: str = "", note: str = "") -> str:
    rank = format_card(card, "iss")[1:].replace("T", "10") if pack == "iss" else _rank_letters(card, pack)
    suit = card >> 3
    edge = f'stroke="{mark}" stroke-width="2.5"' if mark else 'stroke="#8a8a8a" stroke-width="1"'
    parts = [
        f"<g><title>{format_card(card)}</title>",
        f'<rect x="{x:g}" y="{y:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="#fffefa" {edge}/>',
        f'<text x="{x + 5:g}" y="{y + 18:g}" font-size="16" font-weight="bold" fill="{_COLOURS[pack][suit]}">{rank}</text>',
        _pip(suit, x + 4, y + 22, 11, pack),
        _pip(suit, x + 17, y + 34, 22, pack),
    ]
    if note:
        parts.append(
            f'<text x="{x + CARD_WIDTH / 2:g}" y="{y + CARD_HEIGHT + 13:g}" font-size="11" text-anchor="middle">'
        )
        parts.append(f"{escape(note)}</text>")
    return "".join(parts) + "</g>"


def _rank_letters(card: int, pack: str) -> str:
    suit_only = {"french_de": ("Ka", "H", "P", "Kr"), "german": ("S", "R", "G", "E")}[
        "german" if pack == "german" else "french_de"
    ]
    return format_card(card, pack)[len(suit_only[card >> 3]) :]


def _back(x: float, y: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="#46628a" stroke="#2c3e57"/>'
        f'<rect x="{x + 5:g}" y="{y + 5:g}" width="{CARD_WIDTH - 10}" height="{CARD_HEIGHT - 10}" rx="3" '
        'fill="none" stroke="#b9c7dc"/>'
    )


def _row(
    cards: Sequence[int], x: float, y: float, pack: str, marks: Mapping[int, str], notes: Mapping[int, str]
) -> str:
    step = CARD_WIDTH + 4 if notes else _STEP
    return "".join(
        _card(card, x + step * i, y, pack, marks.get(card, ""), notes.get(card, "")) for i, card in enumerate(cards)
    )


def _svg(body: str, width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif" fill="#222">{body}</svg>'
    )


def card_svg(card: int, pack: str = "iss") -> str:
    """One card as a stand-alone SVG."""
    _check_pack(pack)
    return _svg(_card(card, 1, 1, pack), CARD_WIDTH + 2, CARD_HEIGHT + 2)


def hand_svg(
    cards: Iterable[int],
    game: int | None = None,
    pack: str = "iss",
    marks: Mapping[int, str] | None = None,
    notes: Mapping[int, str] | None = None,
) -> str:
    """A hand as a stand-alone SVG, sorted for ``game``.

    Args:
        cards: the hand.
        game: game type 0…5, or ``None`` before one is named.
        pack: letters and colours.
        marks: card → colour of its edge.
        notes: card → a short text under it (a value, a probability).
    """
    _check_pack(pack)
    order = sort_hand(cards, game)
    step = CARD_WIDTH + 4 if notes else _STEP
    width = max(1, len(order) - 1) * step + CARD_WIDTH + 4
    return _svg(_row(order, 2, 2, pack, marks or {}, notes or {}), width, CARD_HEIGHT + (20 if notes else 4))


def _headline(reader: StateReader) -> str:
    contract = reader.contract
    if contract is not None and reader.declarer is not None:
        return f"{SEAT_NAMES[reader.declarer]} plays {contract.name}, bid {reader.bid}"
    if reader.declarer is not None:
        return f"{SEAT_NAMES[reader.declarer]} is declarer at {reader.bid}"
    return f"auction at {reader.bid}" if reader.bid else "auction"


def _calls(reader: StateReader) -> str:
    return " ".join(f"{SEAT_NAMES[seat][0].upper()}:{call}" for seat, call in reader.calls)


def tricks_text(reader: StateReader) -> list[str]:
    """One line a trick: who led, the cards, who took it and for how many points."""
    lines = []
    tricks = reader.tricks
    leaders = [trick[0][0] for trick in tricks[1:]]
    contract = reader.contract
    for number, trick in enumerate(tricks):
        if number < len(leaders):
            winner = leaders[number]
        else:
            winner = _winner(trick, contract.game if contract else NULL)
        points = sum(card.points for _, card in trick)
        cards = " ".join(str(card) for _, card in trick)
        lines.append(f"{number + 1:2d}  {SEAT_NAMES[trick[0][0]][0].upper()}  {cards}  {SEAT_NAMES[winner]} {points}")
    return lines


def _winner(trick: Sequence[tuple[int, Card]], game: int) -> int:
    seat, best = trick[0]
    for other, card in trick[1:]:
        if int(BEATS[game, best]) >> card & 1:
            seat, best = other, card
    return seat


def _shown(reader: Game | PlayerView) -> list[tuple[str, list[Card], int]]:
    """Per seat: label, the cards that may be shown, and how many are hidden."""
    contract = reader.contract
    game = contract.game if contract else None
    rows = []
    plays = reader.plays
    for seat in range(3):
        cards = CardSet(int(reader.state["hands"][seat]))
        role = " (declarer)" if reader.declarer == seat else ""
        move = " – to move" if reader.to_move == seat else ""
        hidden = 0
        if isinstance(reader, PlayerView) and not cards and not reader.is_over:
            # While the declarer puts away, the others see him hold twelve.
            held = 12 if reader.phase == "discard" and seat == reader.declarer else 10
            hidden = held - sum(1 for player, _ in plays if player == seat)
        rows.append((f"{SEAT_NAMES[seat]}{role}{move}", sort_hand(cards, game), hidden))
    return rows


def table_text(reader: Game | PlayerView) -> str:
    """The table as lines of text: a whole game, or what a seat may know."""
    lines = [_headline(reader)]
    if reader.calls:
        lines.append(f"calls: {_calls(reader)}")
    for label, cards, hidden in _shown(reader):
        lines.append(f"{label:<26} {' '.join(map(str, cards)) or '?? ' * hidden}".rstrip())
    away = CardSet(int(reader.state["discards"]))
    skat = CardSet(int(reader.state["skat"]))
    if away or skat:
        lines.append(f"{'put away' if away else 'skat':<26} {away or skat}")
    if reader.trick:
        lines.append("trick: " + ", ".join(f"{SEAT_NAMES[seat]} {card}" for seat, card in reader.trick))
    return "\n".join(lines)


def table_svg(
    reader: Game | PlayerView,
    pack: str = "iss",
    marks: Mapping[int, str] | None = None,
    notes: Mapping[int, str] | None = None,
) -> str:
    """The table as a stand-alone SVG: three hands, the trick on the table, the skat, calls and tricks.

    Args:
        reader: a :class:`Game` (all cards) or a :class:`PlayerView` (what the seat may know).
        pack: letters and colours.
        marks: card → colour of its edge.
        notes: card → a short text under it.
    """
    _check_pack(pack)
    marks, notes = marks or {}, notes or {}
    row_height = CARD_HEIGHT + (40 if notes else 30)
    parts = [f'<text x="8" y="20" font-size="15" font-weight="bold">{escape(_headline(reader))}</text>']
    calls = _calls(reader)
    if calls:
        parts.append(
            f'<text x="8" y="38" font-size="12">{escape(calls if len(calls) < 100 else calls[:97] + "…")}</text>'
        )
    y = 62.0
    for label, cards, hidden in _shown(reader):
        parts.append(f'<text x="8" y="{y - 5:g}" font-size="12">{escape(label)}</text>')
        parts.append(_row(cards, 8, y, pack, marks, notes))
        parts += [_back(8 + _STEP * i, y) for i in range(hidden)]
        y += row_height
    side = 8 + 12 * (CARD_WIDTH + 4 if notes else _STEP) + 30
    parts.append(_side(reader, side, pack, marks))
    width, height = side + 330, max(y, 66 + 14 * 11 + 2 * (CARD_HEIGHT + 26))
    background = f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#eef3ea"/>'
    return _svg(background + "".join(parts), width, height)


def _side(reader: Game | PlayerView, x: float, pack: str, marks: Mapping[int, str]) -> str:
    away = CardSet(int(reader.state["discards"]))
    skat = CardSet(int(reader.state["skat"]))
    parts = [f'<text x="{x:g}" y="57" font-size="12">{"put away" if away else "skat"}</text>']
    pair = (away or skat).printed_order()
    parts += [_card(card, x + _STEP * i, 62, pack, marks.get(card, "")) for i, card in enumerate(pair)]
    if not pair:
        parts += [_back(x, 62), _back(x + _STEP, 62)]
    if reader.trick:
        parts.append(f'<text x="{x + 110:g}" y="57" font-size="12">on the table</text>')
        for i, (seat, card) in enumerate(reader.trick):
            parts.append(_card(card, x + 110 + _STEP * i, 62, pack, marks.get(card, "")))
            parts.append(f'<text x="{x + 112 + _STEP * i:g}" y="{62 + CARD_HEIGHT + 12}" font-size="10">')
            parts.append(f"{SEAT_NAMES[seat][0].upper()}</text>")
    y = 62 + CARD_HEIGHT + 32
    for line in tricks_text(reader):
        parts.append(f'<text x="{x:g}" y="{y:g}" font-size="11" font-family="monospace" xml:space="preserve">')
        parts.append(f"{escape(line)}</text>")
        y += 14
    if isinstance(reader, Game) and reader.result is not None:
        for line in wrap(str(reader.result), 56):
            parts.append(f'<text x="{x:g}" y="{y + 6:g}" font-size="11">{escape(line)}</text>')
            y += 14
    return "".join(parts)


def table_html(reader: Game | PlayerView, pack: str = "iss") -> str:
    """The table as an HTML fragment (an inline SVG)."""
    return f'<div class="skatai-table">{table_svg(reader, pack)}</div>'
