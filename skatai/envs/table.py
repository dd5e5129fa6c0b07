"""One table: the deals of a seed, the state and its compiled players; what the single and the PettingZoo environment share."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.envs.observations import observation_form, write_observations
from skatai.envs.positions import game_of, refusal
from skatai.envs.setup import NO_DEAL, Setup, deal_masks
from skatai.errors import IllegalActionError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batches import (
    AS_DECLARER,
    AS_DEFENDER,
    OPTION_LEARNER,
    ROTATE,
    TABLE,
    refresh,
    take_actions,
)
from skatai.kernels.encodings import ENCODING_SIZE
from skatai.kernels.observe import copy_state
from skatai.kernels.single import ENDED, ILLEGAL, observe_table, start_table, step_table
from skatai.kernels.state import NOBODY, StateRecord, new_states
from skatai.rng import derive_seed
from skatai.seats import SEAT_NAMES

__all__ = ["Table"]


class Table:
    """A table as arrays of one row, and what Python asks of it after each action.

    Args:
        setup: the checked arguments of the environment.
        number: deals are those of table ``number`` of the vector environment.
        names: of the three seats, for messages.

    Attributes:
        seed: of the deals; ``None`` before the first reset.
        learner: seat of the learner; ``NOBODY`` when all seats are exposed.
        to_move: seat to move; ``ENDED`` before the first deal and when a deal is over.
        declarer: -1 when there is none.
        rewards: of the three seats, 0 until the deal is over.
        seen: what the learner knows, or the seat to move when all seats are exposed; a new array after each action.
        mask: what the seat to move may do: int8 (136,), all 0 when the deal is over; a new array after each action.
        episode: number of the deal.
    """

    def __init__(self, setup: Setup, number: int = 0, names: Sequence[str] = SEAT_NAMES) -> None:
        self.setup, self.number, self.names = setup, number, names
        self.seed: int | None = None
        self._key: int | None = None
        self._begun = False  # there is a deal, and what is seen of it
        self.episode = 0
        self.learner, self.to_move, self.declarer = NOBODY, ENDED, -1
        self.rewards: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self._states, self._tables, self._scratch = new_states(1), np.zeros(1, dtype=TABLE), new_states(1)
        self._tables["table"] = number
        self._options, self._pool = setup.options, setup.pool
        self._dtype, shape = observation_form(setup.observation)
        # 0: a form that the compiled step does not write
        self._size = ENCODING_SIZE if shape == (ENCODING_SIZE,) else 0
        self._scaled = self._dtype is np.float32

    # -- deals -----------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None, deal: Any = None, game: Any = None, seat: int | None = None) -> None:
        """The first deal of ``seed`` or, with ``None``, the next one; play on to the first decision outside the compiled players.

        Args:
            seed: needed the first time.
            deal: play this one instead: a ``Deal`` or its text.
            game: go on from this position: a ``Game`` or its text.
            seat: where the learner sits.

        Raises:
            SkatError: a deal or game that does not fit, or none that the restrictions allow.
        """
        first, episode = (self.seed, self.episode + 1) if seed is None else (seed, 0)
        assert first is not None
        if deal is not None and game is not None:
            raise SkatError("reset: a deal and a game are given, expected one of them")
        options, pool = self._source(deal, None if game is not None else (first, episode))
        if seat is not None:
            options = options.copy()
            options[OPTION_LEARNER] = seat
        if game is not None:
            game = self._game_of(game, int(options[OPTION_LEARNER]))
        # nothing has changed so far: after an error the deal goes on as it was
        self._begun = False
        self.seed, self.episode, self._key = first, episode, None
        self._options, self._pool = options, pool
        if seed is not None:
            self._tables["stream"] = derive_seed(seed, self.number)
        if game is not None:
            self._set_game(game)
        self.rewards = (0.0, 0.0, 0.0)
        self.to_move, self.declarer, self.learner = start_table(
            self._states, self._tables, self._options, self._pool, self._scratch, self.episode if game is None else -1
        )
        if self.to_move == ILLEGAL:
            self.to_move = ENDED
            raise SkatError(NO_DEAL)
        self._begun = True
        self.seen, self.mask = self.observe(self._seat)

    def _source(self, deal: Any, number: tuple[int, int] | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Options and pool for a given deal, or for the one that seed and episode (``number``) lead to."""
        if deal is not None:
            return self.setup.given(any_contract=True), np.array([deal_masks(deal)], dtype=np.int64)
        if number is not None and self.setup.predicate is not None:
            found = self.setup.find_deal(number[0], self.number, number[1])
            return self.setup.given(any_contract=False), np.array([found], dtype=np.int64)
        return self.setup.options, self.setup.pool

    def _game_of(self, game: Any, mode: int) -> Game:
        """The position to go on from, checked."""
        if isinstance(game, str):
            game = Game.parse(game)
        if not isinstance(game, Game):
            raise SkatError(f"reset: game of type {type(game).__name__}, expected a Game or its text")
        if game.is_over:
            raise SkatError(f"reset: the game is over: {game}")
        if mode in (AS_DECLARER, AS_DEFENDER) and game.declarer is None:
            raise SkatError(f"reset: the game has no declarer yet, so the learner needs a seat: {game}")
        return game

    def _set_game(self, game: Game) -> None:
        """Go on from a position."""
        mode = int(self._options[OPTION_LEARNER])
        table = self._tables[0]
        turn = (self.number + self.episode) % 6
        declarer = game.declarer or 0
        learner = {ROTATE: turn % 3, AS_DECLARER: declarer, AS_DEFENDER: (declarer + 1 + turn % 2) % 3}.get(mode, mode)
        copy_state(game.state, self._states[0])
        table["episode"] = self.episode
        table["learner"] = table["seat"] = learner
        table["fresh"] = table["illegal"] = 0
        table["decisions"] = len(game.actions)
        refresh(self._states[0], table)

    # -- decisions -------------------------------------------------------------------------------------------------------

    def act(self, action: Any) -> None:
        """The seat to move takes ``action``; then the compiled players act.

        Raises:
            IllegalActionError: no id of the action space, or (``illegal_action="raise"``) not legal now.
            SkatError: not reset, or the deal is over.
        """
        if type(action) is not int:
            action = self._whole(action)
        if not 0 <= action < N_ACTIONS:
            raise IllegalActionError(f"action {action}: expected an id, 0 … {N_ACTIONS - 1}")
        if self.to_move == ENDED:
            raise SkatError(
                "step() before reset()" if self.seed is None else "step() after the deal is over: call reset()"
            )
        seen, mask = np.empty(self._size, self._dtype), np.empty(N_ACTIONS, np.int8)
        found = step_table(self._states, self._tables, self._options, action, seen, mask, self._scaled)
        if found[0] == ILLEGAL:
            self._end_or_raise(action)
            return
        if not self._size:
            seen = self.observe_as(self.setup.observation, self._seat)
        self.to_move, self.declarer, self.rewards = found
        self.seen, self.mask = seen, mask

    def _whole(self, action: Any) -> int:
        """The integers of NumPy, PyTorch and so on as Python's."""
        try:
            if not isinstance(action, bool):
                return index(action)
        except TypeError:
            pass
        raise IllegalActionError(
            f"action {action!r} of type {type(action).__name__}: expected an id, 0 … {N_ACTIONS - 1}"
        )

    def _end_or_raise(self, action: int) -> None:
        """What an illegal action leads to: the end of the deal, or an error."""
        if self.setup.illegal_action == "raise":
            raise refusal(self.state, self.to_move, action, self.names[self.to_move])
        rewards, ended = np.zeros((1, 3), dtype=np.float32), np.zeros((2, 1), dtype=np.bool_)
        actions, seats = np.array([action], dtype=np.int64), np.zeros(1, dtype=np.int64)
        take_actions(self._states, self._tables, actions, self._options, self._pool, rewards, ended, seats)
        self.to_move = ENDED
        self.rewards = float(rewards[0, 0]), float(rewards[0, 1]), float(rewards[0, 2])
        self.seen, self.mask = self.observe(self._seat)

    # -- what can be seen ------------------------------------------------------------------------------------------------

    def observe(self, seat: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What ``seat`` knows, in the environment's form, and what the seat to move may do: new arrays."""
        self.check_begun("observe()")
        seen, mask = np.empty(self._size, self._dtype), np.empty(N_ACTIONS, np.int8)
        observe_table(self._states, seat, seen, mask, self._scaled)
        return seen if self._size else self.observe_as(self.setup.observation, seat), mask

    def observe_as(self, observation: str, seat: int) -> NDArray[Any]:
        """What ``seat`` knows in any form."""
        self.check_begun("observe_as()")
        dtype, shape = observation_form(observation)
        out = np.empty((1, *shape), dtype=dtype)
        write_observations(observation, self._states, np.array([seat], dtype=np.int64), out)
        seen: NDArray[Any] = out[0]
        return seen

    def check_begun(self, what: str) -> None:
        """Refuse ``what`` (for the message) where there is no deal yet.

        Raises:
            SkatError: not reset, or the reset has failed.
        """
        if not self._begun:
            raise SkatError(f"{what} before reset()")

    @property
    def _seat(self) -> int:
        """Whose observation it is."""
        return int(self._tables["seat"][0])

    @property
    def state(self) -> StateRecord:
        """The full state."""
        self.check_begun("looking at the game")
        return self._states[0]

    @property
    def key(self) -> int:
        """The seed of this deal, from which the random streams of its decisions are derived."""
        if self._key is None:
            assert self.seed is not None
            self._key = derive_seed(self.seed, self.number, self.episode)
        return self._key

    @property
    def decisions(self) -> int:
        """Actions taken in this deal."""
        return int(self._tables[0]["decisions"])

    @property
    def ended_illegally(self) -> bool:
        """An illegal action ended the deal."""
        return bool(self._tables[0]["illegal"])

    @property
    def game(self) -> Game:
        """The whole game, open, as a :class:`~skatai.game.Game` (a copy)."""
        return game_of(self.state)
