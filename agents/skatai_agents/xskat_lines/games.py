"""XSkat's games as games of skatai."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from skatai.actions import PICK_UP
from skatai.arena.phases import RecordedBidder
from skatai.deal import Deal
from skatai.errors import RecordError, SkatError
from skatai.game import Game
from skatai.records.iss import format_record, game_of_replay, read_records, record_of_game
from skatai.records.outcomes import GameOutcome
from skatai_agents.xskat_lines.auction import NOBODY, Calls, Outcome, auctions_of
from skatai_agents.xskat_lines.log import LoggedGame, parse_log
from skatai_agents.xskat_lines.program import forehand_of, run_xskat

__all__ = ["PLAYERS", "games_of_logs", "lines_bidder", "read_games", "reference_games", "write_games"]


def _outcome(logged: LoggedGame, number: int) -> Outcome:
    if logged.declarer is None:
        return NOBODY
    return (logged.declarer - forehand_of(number)) % 3, logged.bid


def _calls(number: int, plain: LoggedGame, weakened: Sequence[LoggedGame]) -> Calls:
    """The auction; ``weakened``: the games in which player 0, 1 or 2 was weakened."""
    by_seat = [_outcome(weakened[(forehand_of(number) + seat) % 3], number) for seat in range(3)]
    found = auctions_of(_outcome(plain, number), (by_seat[0], by_seat[1], by_seat[2]))
    if len(found) != 1:
        raise RecordError(f"{len(found)} auctions explain what XSkat did, expected one")
    return next(iter(found))


def _replay(deal: Deal, number: int, logged: LoggedGame, calls: Calls) -> Game:
    """The game by the rules; everything the log says must come out."""
    game = Game(deal)
    for call in calls:
        game.play(call)
    if logged.skat != deal.skat:
        raise RecordError(f"skat {logged.skat}, dealt was {deal.skat}")
    if logged.contract is not None:
        if not logged.contract.hand:
            game.play(PICK_UP)
            for card in logged.away:
                game.play(card)
        game.play(f"declare {logged.contract}")
    for player, card in logged.plays:
        seat = (player - forehand_of(number)) % 3
        if game.to_move != seat:
            raise RecordError(f"seat {seat} plays {card}, the rules expect {game.to_move}")
        game.play(card)
    result = game.result
    if result is None:
        raise RecordError(f"the log ends after {len(game.plays)} cards, the game does not")
    told = (_outcome(logged, number), logged.won, logged.points)
    came = ((result.declarer, result.bid), result.won, result.points if logged.points is not None else None)
    if told != came:
        raise RecordError(f"(declarer, bid), won, points are {told} in the log, {came} by the rules")
    return game


def games_of_logs(deals: Sequence[Deal], plain: str, weakened: Sequence[str]) -> list[Game]:
    """The games of four logs of the same deals.

    Args:
        deals: what was dealt.
        plain: the log of the games.
        weakened: the logs with the first, second and third player weakened, for the auctions.

    Raises:
        RecordError: logs that do not fit the deals or the rules.
    """
    logs = [list(parse_log(text)) for text in (plain, *weakened)]
    for log in logs:
        if len(log) != len(deals):
            raise RecordError(f"XSkat's log: {len(log)} games on {len(deals)} deals")
    games = []
    for number, deal in enumerate(deals):
        logged, *others = (log[number] for log in logs)
        try:
            games.append(_replay(deal, number, logged, _calls(number, logged, others)))
        except SkatError as error:
            raise RecordError(f"XSkat's game {number + 1}: {error}") from None
    return games


def reference_games(deals: Iterable[Deal], program: str | Path | None = None) -> list[Game]:
    """XSkat's games on these deals, with the computer in all three seats.

    Args:
        deals: any.
        program: by default ``xskat`` on PATH or in ``/usr/games``.

    Raises:
        SkatError: XSkat is not installed or fails.
        RecordError: a game that does not fit the rules.
    """
    deals = list(deals)
    if not deals:
        return []
    plain, *weakened = (run_xskat(deals, weak, program) for weak in (None, 0, 1, 2))
    return games_of_logs(deals, plain, weakened)


def lines_bidder(games: Iterable[Game]) -> RecordedBidder:
    """An agent that plays its part of these games, all cards included: XSkat at a table with itself.

    Joined with a player (:func:`~skatai.arena.phases.join`) it supplies the contracts only. Its name tells games apart.
    """
    lines = {game.deal: list(game.actions) for game in games}
    digest = hashlib.sha256("\n".join(f"{deal} {line}" for deal, line in lines.items()).encode()).hexdigest()
    return RecordedBidder(lines, f"open-xskat-{digest[:6]}")


#: forehand, middlehand and rearhand; by these names they count as programs (:attr:`skatai.records.iss.IssRecord.bots`)
PLAYERS: Final = ("xskat", "xskat:2", "xskat:3")


def write_games(path: str | Path, games: Iterable[Game], players: tuple[str, str, str] = PLAYERS) -> Path:
    """Write games as ISS records; ``players`` are the names of forehand, middlehand and rearhand.

    Raises:
        SkatError: the file cannot be written.
    """
    path = Path(path)
    lines = [format_record(record_of_game(game, players=players, game_id=i)) for i, game in enumerate(games, start=1)]
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise SkatError(f"{path}: cannot write records: {error.strerror or error}") from None
    return path


def read_games(path: str | Path) -> list[Game]:
    """Games of a file of ISS records, replayed by the official rules.

    Raises:
        RecordError: the file cannot be opened, or a record is no such game.
    """
    games = []
    for number, outcome in enumerate(read_records(Path(path)), start=1):
        if not isinstance(outcome, GameOutcome):
            raise RecordError(f"{path}, record {number}: not a whole game")
        recorded = game_of_replay(outcome.replay)
        game = Game(recorded.deal)
        for action in recorded.actions:
            game.play(action)
        if not game.is_over:
            raise RecordError(f"{path}, record {number}: the game does not end by the official rules")
        games.append(game)
    if not games:
        raise RecordError(f"{path}: no games")
    return games
