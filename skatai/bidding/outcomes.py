"""What comes of it when a seat becomes declarer, for all hands of given deals: those that would bid and those that would not.

A *venture* is a deal whose auction is over: a seat got the game at a value, by the shortest auction (:mod:`skatai.kernels.staged`).
One agent decides on pick-up, discards and declaration, and one agent plays all three seats' cards. Where both are the rule player
the games run compiled; other agents play many games in lock-step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.agent import Agent, choose, decision_rng
from skatai.arena.phases import PhaseAgent
from skatai.bidding.protocol import Hands, Seats, Values, bid_indices
from skatai.deal import Deal
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, HOLD, PASS
from skatai.kernels.rng import new_rng
from skatai.kernels.staged import rule_declarations, rule_games, stage_games
from skatai.kernels.state import STATE, new_states
from skatai.parallel import one_torch_thread, pmap
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES

__all__ = ["Outcomes", "Ventures", "all_hands", "declarations", "outcomes"]

#: games in one piece of work
_COMPILED: Final = 512
_IN_LOCK_STEP: Final = 48


def all_hands(deals: Sequence[Deal]) -> tuple[Hands, Seats]:
    """Every hand of every deal: uint32 and int64, (3 · deals,); forehand, middlehand, rearhand of the first deal come first."""
    hands = np.array([hand.mask for deal in deals for hand in deal.hands], dtype=np.uint32)
    return hands, np.tile(np.arange(3, dtype=np.int64), len(deals))


@dataclass(frozen=True)
class Ventures:
    """Who gets the game, in which deal, and at which value.

    Attributes:
        deals: the deals.
        numbers: int64 (n,), which deal; also part of every decision's seed.
        seats: int64 (n,), the declarer's seat.
        bids: int64 (n,), the value.

    Raises:
        SkatError: arrays of different lengths, or a deal, seat or value that does not exist.
    """

    deals: tuple[Deal, ...]
    numbers: NDArray[np.int64]
    seats: Seats
    bids: Values

    def __post_init__(self) -> None:
        shapes = {array.shape for array in (self.numbers, self.seats, self.bids)}
        if shapes != {(len(self.numbers),)}:
            raise SkatError(f"ventures: arrays of shapes {shapes}, expected (n,) each")
        for name, array, end in (("deal", self.numbers, len(self.deals)), ("seat", self.seats, 3)):
            if len(array) and not 0 <= array.min() <= array.max() < end:
                raise SkatError(f"ventures: {name} {array.min()} to {array.max()}, expected 0 … {end - 1}")
        bid_indices(self.bids)

    @classmethod
    def of_all(cls, deals: Sequence[Deal], bids: int | Values = 18) -> Ventures:
        """Every seat of every deal.

        Args:
            deals: the deals.
            bids: one value for all, or int64 (3 · deals,), such as a bidder's limits for :func:`all_hands`; a hand with the limit 0
                is made declarer at 18.
        """
        n = len(deals)
        values = np.broadcast_to(np.asarray(bids, dtype=np.int64), (3 * n,))
        numbers, seats = np.repeat(np.arange(n, dtype=np.int64), 3), np.tile(np.arange(3, dtype=np.int64), n)
        return cls(tuple(deals), numbers, seats, np.maximum(values, BID_VALUES[0]))

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Outcomes:
    """How ventures ended; arrays of length n.

    Attributes:
        ventures: what was played.
        won: bool.
        overbid: bool, the value did not cover the bid.
        games: int64, game type 0 … 5.
        flags: int64, contract flags.
        scores: int64, the declarer's score.
    """

    ventures: Ventures
    won: NDArray[np.bool_]
    overbid: NDArray[np.bool_]
    games: NDArray[np.int64]
    flags: NDArray[np.int64]
    scores: NDArray[np.int64]

    @classmethod
    def of_states(cls, ventures: Ventures, states: NDArray[np.void]) -> Outcomes:
        """From finished states."""
        won, overbid = states["won"].astype(bool), states["overbid"].astype(bool)
        games, flags, scores = (states[name].astype(np.int64) for name in ("game", "flags", "score"))
        return cls(ventures, won, overbid, games, flags, scores)

    @property
    def list_points(self) -> NDArray[np.int64]:
        """The declarer's list points: score and 50, or score and -50 (rules 5.4)."""
        return self.scores + np.where(self.scores > 0, 50, -50)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Work for one worker: ventures with the deal of each, so that not every worker gets all deals."""

    deals: tuple[Deal, ...]
    numbers: NDArray[np.int64]
    seats: Seats
    bids: Values
    declarer: str | Agent
    player: str | Agent
    seed: int
    rules: Rules
    to_the_end: bool


def _is_compiled(declarer: str | Agent, player: str | Agent) -> bool:
    return declarer == "rule" and player == "rule"


def _compiled(piece: _Piece) -> NDArray[np.void]:
    cards = np.array([deal.masks for deal in piece.deals], dtype=np.int64)
    states = new_states(len(cards))
    stage_games(cards, piece.seats, bid_indices(piece.bids), piece.rules.to_int(), states)
    (rule_games if piece.to_the_end else rule_declarations)(states, new_rng(piece.seed))
    return states


def _staged(deal: Deal, seat: int, bid: int, rules: Rules) -> Game:
    """The same as :func:`skatai.kernels.staged.make_declarer`."""
    game = Game(deal, rules=rules)
    call = FIRST_BID + int(bid_indices(bid))
    for action in ((call, HOLD, PASS, PASS), (call, PASS, PASS), (PASS, call, PASS))[seat]:
        game.play(action)
    return game


def _answers(agent: PhaseAgent, games: Sequence[Game], numbers: Sequence[int], seed: int) -> list[int]:
    rngs = [
        decision_rng(seed, number, game.to_move or 0, len(game.history))
        for game, number in zip(games, numbers, strict=True)
    ]
    if agent.sees_all:
        return [choose(agent, game.copy(), rng) for game, rng in zip(games, rngs, strict=True)]
    return agent.act_batch([game.view(game.to_move or 0) for game in games], rngs)


def _in_lock_step(piece: _Piece) -> NDArray[np.void]:
    agent = PhaseAgent(piece.declarer, piece.player)
    games = [
        _staged(deal, int(seat), int(bid), piece.rules)
        for deal, seat, bid in zip(piece.deals, piece.seats, piece.bids, strict=True)
    ]
    running = list(range(len(games)))
    while running:
        running = [i for i in running if _has_choice(games[i], piece.to_the_end)]
        numbers = [int(piece.numbers[i]) for i in running]
        answers = _answers(agent, [games[i] for i in running], numbers, piece.seed)
        for i, number, action in zip(running, numbers, answers, strict=True):
            try:
                games[i].play(action)
            except SkatError as error:
                seat = SEAT_NAMES[games[i].to_move or 0]
                raise AgentError(f"agent {agent.name!r}, deal {number}, {seat}: {error}") from None
    return np.array([game.state for game in games], dtype=STATE)


def _has_choice(game: Game, to_the_end: bool) -> bool:
    """Make the moves that leave no choice; whether the game goes on."""
    while not game.is_over and (to_the_end or game.phase != "play"):
        legal = game.legal_actions
        if len(legal) > 1:
            return True
        game.play(legal[0])
    return False


def _play(piece: _Piece) -> NDArray[np.void]:
    if _is_compiled(piece.declarer, piece.player):
        return _compiled(piece)
    with one_torch_thread():
        return _in_lock_step(piece)


def _pieces(ventures: Ventures, size: int, *rest: Any) -> Iterator[_Piece]:
    for start in range(0, len(ventures), size):
        part = slice(start, start + size)
        numbers, seats, bids = ventures.numbers[part], ventures.seats[part], ventures.bids[part]
        yield _Piece(tuple(ventures.deals[i] for i in numbers), numbers, seats, bids, *rest)


def _run(
    ventures: Ventures,
    declarer: str | Agent,
    player: str | Agent,
    seed: int,
    rules: Rules | None,
    end: bool,
    **how: Any,
) -> NDArray[np.void]:
    compiled = _is_compiled(declarer, player)
    size = _COMPILED if compiled else _IN_LOCK_STEP
    workers, backend = how["workers"], how["backend"]
    if backend is None:
        backend = "serial" if workers == 1 else "threads" if compiled else "processes"
    pieces = list(_pieces(ventures, size, declarer, player, seed, rules or Rules(), end))
    found = list(pmap(_play, pieces, backend, workers, desc=how["desc"], unit=f"{size} games"))
    return np.concatenate(found) if found else new_states(0)


def outcomes(
    ventures: Ventures,
    declarer: str | Agent = "rule",
    player: str | Agent = "rule",
    *,
    seed: int = 0,
    rules: Rules | None = None,
    workers: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Outcomes:
    """Play ventures to their ends.

    Args:
        ventures: what to play; :meth:`Ventures.of_all` makes every seat of every deal declarer.
        declarer: decides on pick-up, discards and declaration.
        player: plays all cards.
        seed: of the decisions; workers do not matter.
        rules: official by default.
        workers: how many.
        backend: as for :func:`~skatai.parallel.pmap`; threads for compiled games, else processes.
        progress: a bar on stderr.

    Raises:
        AgentError: an agent that does not exist, fails or acts illegally.

    >>> from skatai.deal import deals_from_seed
    >>> found = outcomes(Ventures.of_all(deals_from_seed(seed=1, n=100)))
    >>> len(found.won), bool((found.scores > 0).sum() == found.won.sum())
    (300, True)
    """
    how = {"workers": workers, "backend": backend, "desc": "ventures" if progress else None}
    return Outcomes.of_states(ventures, _run(ventures, declarer, player, seed, rules, True, **how))


def declarations(
    ventures: Ventures,
    declarer: str | Agent = "rule",
    *,
    seed: int = 0,
    rules: Rules | None = None,
    workers: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> NDArray[np.void]:
    """The ventures' full states before the first card: shape (n,), dtype ``STATE``. Arguments as for :func:`outcomes`."""
    how = {"workers": workers, "backend": backend, "desc": "declarations" if progress else None}
    return _run(ventures, declarer, "rule", seed, rules, False, **how)
