"""XSkat's log of games, in English and unformatted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skatai.cards import Card, CardSet, parse_card
from skatai.contract import Contract
from skatai.errors import NotationError, RecordError

__all__ = ["LoggedGame", "parse_log"]

_END: Final = "=" * 40
_CARD: Final = re.compile(r"(Diamond|Heart|Spade|Club)([ _])(10|[AKQJ987])(?!\w)", re.IGNORECASE)
_PASSED: Final = re.compile(r"_?Pass_?")
_FIGURES: Final = {
    "skat": re.compile(r"^Skat was: (.+)$", re.MULTILINE),
    "away": re.compile(r"^Skat is: (.+)$", re.MULTILINE),
    "bid": re.compile(r"^Last bid: (\d+)$", re.MULTILINE),
    "played": re.compile(r"^Computer([123]) played (Null|Grand|Diamond|Heart|Spade|Club)$", re.MULTILINE),
    "extras": re.compile(r"^Played (.+)$", re.MULTILINE),
    "end": re.compile(r"^(Won|Lost)(?: with: (\d+) points?)?$", re.MULTILINE),
}
_NO_CARDS: Final = CardSet()
_EXTRAS: Final = {"Hand": "H", "ouvert": "O"}


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """One game of a log; players are 0, 1, 2 for ``Computer1`` and so on.

    Attributes:
        forehand: who led to the first trick.
        skat: as dealt.
        declarer: player, ``None`` if all passed; then there is no more to tell.
        bid: the last one.
        contract: what was played.
        away: the skat at the end: the declarer's discards, or as dealt in a hand game.
        plays: player and card, in order.
        won: whether the declarer won.
        points: the declarer's card points; ``None`` in null.
    """

    forehand: int
    skat: CardSet
    declarer: int | None = None
    bid: int = 0
    contract: Contract | None = None
    away: CardSet = _NO_CARDS
    plays: tuple[tuple[int, Card], ...] = ()
    won: bool = False
    points: int | None = None


def _card(suit: str, rank: str) -> Card:
    return parse_card(suit[0].upper() + ("T" if rank == "10" else rank.upper()))


def _cards(text: str) -> CardSet:
    return CardSet.of(_card(suit, rank) for suit, _, rank in _CARD.findall(text))


def _plays(rows: list[str]) -> tuple[tuple[int, Card], ...]:
    """The cards of the tricks: in capitals who won it, with an underscore who led (unless he won it, too)."""
    plays: list[tuple[int, Card]] = []
    for row in rows:
        words = _CARD.findall(row)
        if len(words) != 3:
            raise RecordError(f"trick {row.strip()!r}: expected three cards")
        won = [player for player, (suit, _, _) in enumerate(words) if suit.isupper()]
        led = [player for player, (_, mark, _) in enumerate(words) if mark == "_"] or won
        if len(won) != 1 or len(led) != 1:
            raise RecordError(f"trick {row.strip()!r}: expected one winner and one leader")
        for i in range(3):
            player = (led[0] + i) % 3
            plays.append((player, _card(words[player][0], words[player][2])))
    return tuple(plays)


def _contract(game: str, extras: str) -> Contract:
    unknown = set(extras.split()) - set(_EXTRAS)
    if unknown:
        raise RecordError(f"played {extras!r}: expected words of {' '.join(_EXTRAS)}")
    modifiers = "".join(letter for word, letter in _EXTRAS.items() if word in extras.split())
    return Contract.parse(game[0] + modifiers)


def _parse_game(text: str) -> LoggedGame:
    found = {name: pattern.search(text) for name, pattern in _FIGURES.items()}
    parts = text.split("-" * 40 + "\n")
    rows = [row for row in parts[1].splitlines() if row.strip()] if len(parts) > 1 else []
    skat = found["away"] if found["skat"] is None else found["skat"]
    if not rows or skat is None:
        raise RecordError("expected the tricks and the skat")
    passed = _PASSED.findall(rows[0])
    if len(passed) == 3:
        return LoggedGame([word.startswith("_") for word in passed].index(True), _cards(skat[1]))
    away, bid, played, end = (found[name] for name in ("away", "bid", "played", "end"))
    if away is None or bid is None or played is None or end is None:
        raise RecordError("expected the skat, the last bid, the contract and the result")
    plays, extras = _plays(rows), found["extras"]
    return LoggedGame(
        forehand=plays[0][0],
        skat=_cards(skat[1]),
        declarer=int(played[1]) - 1,
        bid=int(bid[1]),
        contract=_contract(played[2], "" if extras is None else extras[1]),
        away=_cards(away[1]),
        plays=plays,
        won=end[1] == "Won",
        points=None if end[2] is None else int(end[2]),
    )


def parse_log(text: str) -> Iterator[LoggedGame]:
    """The games of a log, in order.

    Raises:
        RecordError: a game that does not look like one, with its number.
    """
    games = text.split(_END + "\n")
    if games[-1].strip():
        raise RecordError(f"XSkat's log, game {len(games)}: expected a line of = at its end")
    for number, game in enumerate(games[:-1], start=1):
        try:
            yield _parse_game(game)
        except (RecordError, NotationError, ValueError) as error:
            raise RecordError(f"XSkat's log, game {number}: {error}") from None
