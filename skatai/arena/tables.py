"""The tables of a batch: who sits there, how far the games are, and what is recorded of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from skatai.arena.records import GameRecord
from skatai.deal import Deal
from skatai.game import Game, game_line, result_of
from skatai.kernels.arena import HOLDS, MAX_MOVES, N_COUNTS, play_on
from skatai.kernels.batch_policies import EXTERNAL
from skatai.kernels.entry import start_deal, take_action
from skatai.kernels.rng import new_rng
from skatai.kernels.state import OVER, PLAY, StateRecord, new_states
from skatai.rng import Rng, derive_seed
from skatai.rules import Rules
from skatai.view import PlayerView

__all__ = ["Fixture", "Policies", "Table", "Tables"]

#: compiled players by name: before the first lead, and from it on (:data:`skatai.kernels.batch_policies.POLICIES`)
Policies = Mapping[str, tuple[int, int]]

_NOT_COMPILED = (EXTERNAL, EXTERNAL)
_DEALER = 2


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played.

    Attributes:
        game: its number.
        deal_index: the number of the deal, from which the decisions' randomness is taken.
        deal: the cards.
        seats: names of the players in forehand, middlehand, rearhand.
        group: names of the players who meet.
        seating: the seating in letters of the group.
    """

    game: int
    deal_index: int
    deal: Deal
    seats: tuple[str, str, str]
    group: tuple[str, ...]
    seating: str


class Tables:
    """The arrays of :mod:`skatai.kernels.arena`, a row for each fixture.

    Args:
        fixtures: the games.
        seed: of the decisions.
        rules: official by default.
        policies: which players are compiled.
        claiming: players who are asked for a claim as declarers.
    """

    def __init__(
        self,
        fixtures: Sequence[Fixture],
        seed: int,
        rules: Rules | None = None,
        policies: Policies | None = None,
        claiming: Iterable[str] = (),
    ) -> None:
        self.rules = rules or Rules()
        self.seed = seed
        n, packed, claiming = len(fixtures), self.rules.to_int(), set(claiming)
        self.states = new_states(n)
        seated = [[(policies or {}).get(name, _NOT_COMPILED) for name in fixture.seats] for fixture in fixtures]
        self.policies = np.array(seated, dtype=np.int64).reshape(n, 3, 2)
        self.rules_text = str(self.rules)
        self.deal_texts = {deal: str(deal) for deal in {fixture.deal for fixture in fixtures}}
        streams = {number: derive_seed(seed, number) for number in {fixture.deal_index for fixture in fixtures}}
        self.streams = np.array([streams[fixture.deal_index] for fixture in fixtures], dtype=np.uint64)
        self.moves = np.zeros((n, MAX_MOVES), dtype=np.int16)
        self.counts = np.zeros((n, N_COUNTS), dtype=np.int64)
        self.counts[:, HOLDS] = [not claiming.isdisjoint(fixture.seats) for fixture in fixtures]
        self.seeds = np.zeros(n, dtype=np.uint64)
        self.ms = np.zeros((n, 3))
        self._rng = new_rng(0)
        for i, fixture in enumerate(fixtures):
            start_deal(self.states[i : i + 1], *fixture.deal.masks, packed)
        self.running = [Table(self, i, fixture) for i, fixture in enumerate(fixtures)]

    def play_on(self) -> list[Table]:
        """Let every table make its compiled moves and those without a choice; the tables that have finished by that."""
        before = self.counts[:, 1:4].copy()
        start = perf_counter()
        play_on(self.states, self.policies, self.streams, self.moves, self.counts, self.seeds, self._rng)
        made = self.counts[:, 1:4] - before
        total = int(made.sum())
        if total:
            self.ms += made * (1000.0 * (perf_counter() - start) / total)
        over, to_move = (self.states["phase"] == OVER).tolist(), self.states["to_move"].tolist()
        finished: list[Table] = []
        playing, self.running = self.running, []
        for table in playing:
            table.to_move = to_move[table.index]
            (finished if over[table.index] else self.running).append(table)
        return finished


class Table:
    """One table of a batch.

    Attributes:
        index: its row.
        fixture: the game.
        state: the state record, a view into the batch.
        to_move: the seat that was to move when :meth:`Tables.play_on` returned.
        claim: the declarer's chance of winning, if it says so.
    """

    __slots__ = ("_array", "_game", "_shown", "_tables", "claim", "fixture", "index", "state", "to_move")

    def __init__(self, tables: Tables, index: int, fixture: Fixture) -> None:
        self._tables = tables
        self.index = index
        self.fixture = fixture
        self.state: StateRecord = tables.states[index]
        self._array = tables.states[index : index + 1]  # kernels take arrays faster than records
        self.to_move = int(self.state["to_move"])
        self.claim: float | None = None
        self._game: Game | None = None
        self._shown = 0

    @property
    def declarer(self) -> int:
        """The declarer's seat."""
        return int(self.state["declarer"])

    @property
    def holds(self) -> bool:
        """It waits for a claim before the first lead."""
        counts = self._tables.counts[self.index]
        return bool(counts[HOLDS]) and int(self.state["phase"]) == PLAY and int(self.state["n_plays"]) == 0

    def release(self) -> None:
        """The claim is made, or there is none: on with the game."""
        self._tables.counts[self.index, HOLDS] = 0

    def rng(self) -> Rng:
        """The random stream of the decision it waits for."""
        return Rng(int(self._tables.seeds[self.index]))

    def stream(self, *keys: int) -> Rng:
        """Another random stream of the deal."""
        return Rng(derive_seed(self._tables.seed, self.fixture.deal_index, *keys))

    def view(self, seat: int) -> PlayerView:
        """What ``seat`` may know."""
        return PlayerView(self._array, seat)

    def game(self) -> Game:
        """The game so far, for agents that see everything and for messages; not to be changed."""
        if self._game is None:
            self._game = Game(self.fixture.deal, _DEALER, self._tables.rules)
        for code in self._tables.moves[self.index, self._shown : self._tables.counts[self.index, 0]]:
            self._game.play(int(code) >> 2)
            self._shown += 1
        return self._game

    def decide(self, action: int, ms: float) -> bool:
        """The seat to move has decided for ``action`` after so many milliseconds; whether that is legal, else nothing happens."""
        seat = take_action(self._array, action)
        if seat < 0:
            return False
        tables, i = self._tables, self.index
        n = tables.counts[i, 0]
        tables.moves[i, n] = 4 * action + seat
        tables.counts[i, 0] = n + 1
        tables.counts[i, 1 + seat] += 1
        tables.ms[i, seat] += ms
        return True

    def record(self) -> GameRecord:
        """What came of a finished game."""
        fixture, tables, result = self.fixture, self._tables, result_of(self.state)
        counts = tables.counts[self.index].tolist()
        moves = [(-1, code & 3, code >> 2) for code in tables.moves[self.index, : counts[0]].tolist()]
        return GameRecord(
            game=fixture.game,
            deal=fixture.deal_index,
            group=fixture.group,
            seating=fixture.seating,
            seats=fixture.seats,
            declarer=result.declarer,
            contract=None if result.contract is None else str(result.contract),
            bid=result.bid,
            end=result.end_reason,
            won=result.won,
            overbid=result.overbid,
            matadors=result.matadors,
            value=result.value,
            score=result.score,
            points=result.points,
            schneider=result.schneider,
            schwarz=result.schwarz,
            list_points=result.list_points,
            decisions=tuple(counts[1:4]),
            ms=tuple(round(ms, 3) for ms in tables.ms[self.index].tolist()),
            line=game_line(tables.deal_texts[fixture.deal], _DEALER, moves, tables.rules_text),
            claim=self.claim,
        )
