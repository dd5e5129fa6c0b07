"""Thousands of tables of Skat in one compiled step, for Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from skatai.envs.observations import choice, integer, observation_form, observation_space, write_observations
from skatai.envs.opponents import COMPILED
from skatai.envs.positions import game_of, refusal
from skatai.envs.setup import NO_DEAL, Setup, one_action_each, one_deal_each, reset_options, which_tables
from skatai.errors import SkatError, whole_number
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batch_policies import run_policies
from skatai.kernels.batch_views import observe_tables, sample_actions, write_masks
from skatai.kernels.batches import TABLE, start_tables, take_actions
from skatai.kernels.state import NOBODY, OVER, new_states
from skatai.rng import derive_seed
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES

__all__ = ["SkatVectorEnv"]

_NOTHING: NDArray[np.int8] = np.empty((0, 0), dtype=np.int8)
_AUTORESET = {mode.value: mode for mode in AutoresetMode}
Arrays = tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SkatVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """``num_envs`` tables of Skat in one compiled step.

    **One learner** (``opponents="rule"``, ``"random"`` or a list of two of them): the opponents are compiled; ``rewards`` is
    float32 (n,).

    **Self-play** (``opponents="self"``): all seats are exposed; every action is that of the seat to move, whose observation
    and mask are given. ``rewards`` is float32 (n, 3), per seat (Gymnasium's wrappers that add up rewards want one learner).

    ``infos`` has arrays over all tables:

    ==================  =============  ============================================================================
    ``action_mask``     int8 (n, 136)  legal actions (``masks=True``); all 0 when the deal is over
    ``current_player``  int64 (n,)     seat whose observation and mask these are: the learner's, in self-play the
                                       seat to move (when the deal is over: the seat that moved last)
    ``illegal_action``  bool (n,)      an illegal action ended the deal
    ==================  =============  ============================================================================

    **Autoreset** is Gymnasium's next-step mode: in the step after ``terminations[i]``, table *i* gets its next deal, whatever its
    action, with reward 0. The mask before that step is empty: fill logits with -1e8, not with -inf. ``autoreset="SameStep"`` deals
    in the same step and leaves the last observations in ``infos["final_obs"]`` (n, …), valid where ``infos["_final_obs"]``;
    ``"Disabled"`` waits for ``reset(options={"reset_mask": …})``.

    **Determinism**: deal *e* of table *i* after ``reset(seed=s)`` is ``Deal.random(derive_seed(s, i, e))``, whatever the number of
    tables.

    Args:
        num_envs: tables.
        opponents: see above.
        masks: give ``infos["action_mask"]`` in each step; :meth:`action_masks` gives it on demand.
        copy: give new arrays in each step. With ``False`` the same arrays are filled again, which saves time.
        illegal_action: ``"raise"`` (default here: no table moves when one action is illegal) or ``"terminate"``.
        autoreset: see above; the name or the member of :class:`gymnasium.vector.AutoresetMode`.
        seat, phase, contract, bidder, deals, reward, observation, rules: as in :class:`skatai.envs.SkatEnv`; ``observation="none"``
            leaves the observations out.

    Raises:
        SkatError: an argument that does not fit.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = "rule",
        *,
        seat: int | str = "rotate",
        phase: str = "full",
        contract: Any = None,
        bidder: str = "rule",
        deals: Any = None,
        reward: str = "list_points",
        observation: str = "int8",
        illegal_action: str = "raise",
        rules: Rules | None = None,
        masks: bool = True,
        copy: bool = True,
        autoreset: str | AutoresetMode = "NextStep",
        render_mode: str | None = None,
    ) -> None:
        n = self.num_envs = integer("num_envs", num_envs, 1)
        if render_mode is not None:
            raise SkatError(f"render_mode={render_mode!r}: the vector environment draws nothing; look at env.game(i)")
        name = autoreset.value if isinstance(autoreset, AutoresetMode) else autoreset
        self._autoreset = _AUTORESET[choice("autoreset", name, _AUTORESET)]
        self._setup = Setup(
            opponents=opponents,
            seat=seat,
            phase=phase,
            contract=contract,
            bidder=bidder,
            deals=deals,
            reward=reward,
            observation=observation,
            illegal_action=illegal_action,
            rules=rules,
        )
        if any(agent is not None for agent in self._setup.agents):
            raise SkatError(
                f"opponents={opponents!r}: in the vector environment 'self', or of {', '.join(map(repr, COMPILED))}; other "
                "agents play in SkatEnv, or beside the learner in self-play"
            )
        self.self_play = self._setup.self_play
        self.metadata = {"render_modes": [], "autoreset_mode": self._autoreset}
        self.illegal_action = illegal_action
        self._masks, self._copy, self._observation = masks, copy, observation
        dtype, shape = observation_form(observation)
        self._forms = (
            ((n, *shape), np.dtype(dtype)),
            ((n, N_ACTIONS if masks else 0), np.dtype(np.int8)),
            ((n,), np.dtype(np.int64)),
            ((n, 3), np.dtype(np.float32)),
            ((2, n), np.dtype(np.bool_)),
        )
        self._flat = observation in ("int8", "float32")
        self.single_observation_space = observation_space(observation)
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._make_tables()
        self._make_arrays()

    def _make_tables(self) -> None:
        n = self.num_envs
        self._seed: int | None = None
        self._ready = False  # every table has its deal
        self._states, self._tables, self._scratch = new_states(n), np.zeros(n, dtype=TABLE), new_states(1)
        self._tables["table"] = np.arange(n)
        self._tables["learner"] = NOBODY
        self._actions = np.zeros(n, dtype=np.int64)
        self._firsts = 3 * np.arange(n)  # where each table's rewards begin

    def _make_arrays(self) -> None:
        """New arrays for what a step gives. (With few tables this takes longer than the game: hence shapes and types at hand.)"""
        obs, mask, seats, rewards, ended = self._forms
        self._obs, self._mask = np.empty(*obs), np.empty(*mask)
        self._seats, self._rewards = np.empty(*seats), np.empty(*rewards)
        self._ended = np.empty(*ended)
        self._terminated, self._illegal = self._ended[0], self._ended[1]
        self._truncated = np.zeros(self.num_envs, dtype=np.bool_)

    # -- the Gymnasium interface ---------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal at all tables, or at those of ``options["reset_mask"]`` (bool (n,)).

        ``options["deals"]``: n deals (``Deal`` or text), one a table.

        Raises:
            SkatError: a seed or an option that does not exist or does not fit (nothing has changed then), or no deal found.
        """
        if seed is not None:
            seed = whole_number(seed, "reset: seed", 0, 2**64 - 1)
        mask, deals = reset_options(options, "reset_mask", "deals")
        which = which_tables(mask, self.num_envs)
        pool = None if deals is None else one_deal_each(deals, self.num_envs)
        if not which.all() and (seed is not None or not self._ready):
            raise SkatError(
                "reset: a reset_mask goes with no seed, nor with the first reset or the one after a failure"
            )
        super().reset(seed=seed)
        self._ready = False
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(2**62)) if seed is None else seed
            self._tables["episode"] = 0
            self._tables["stream"] = [derive_seed(self._seed, i) for i in range(self.num_envs)]
            self._tables["sampler"][:, 0] = [derive_seed(self._seed, i, 0, 0, 0) for i in range(self.num_envs)]
        else:
            self._tables["episode"][which] += 1
        if self._copy:
            self._make_arrays()
        self._terminated[:] = False
        self._rewards[:] = 0
        self._start(which, pool)
        self._ready = True
        self._illegal[:] = self._tables["illegal"]  # also of the tables left as they were
        self._observe()
        return self._obs, self._infos()

    def _start(self, which: NDArray[np.bool_], given: NDArray[np.int64] | None = None) -> None:
        """Deal at some tables and play on to the first decisions."""
        options, pool = self._setup.options, self._setup.pool
        if given is not None:
            options, pool = self._setup.given(any_contract=True), given
        elif self._setup.predicate is not None:
            options, pool = self._setup.given(any_contract=False), self._found_deals(which, 0)
        start_tables(self._states, self._tables, which, options, pool)
        self._seats[:] = self._tables["seat"]
        self._run_policies(options, pool)

    def _found_deals(self, which: NDArray[np.bool_], ahead: int) -> NDArray[np.int64]:
        """Deals that the predicate allows, for the tables ``which`` and the episode after ``ahead`` more."""
        assert self._seed is not None
        pool = np.zeros((self.num_envs, 4), dtype=np.int64)
        for i in np.flatnonzero(which):
            pool[i] = self._setup.find_deal(self._seed, int(i), int(self._tables[i]["episode"]) + ahead)
        return pool

    def _run_policies(self, options: NDArray[np.int64], pool: NDArray[np.int64]) -> None:
        if not self._setup.needs_policies:
            return
        failed = run_policies(self._states, self._tables, options, pool, self._rewards, self._terminated, self._scratch)
        if failed >= 0:
            raise SkatError(f"table {failed}: {NO_DEAL}")
        self._seats[:] = self._tables["seat"]

    def step(self, actions: NDArray[Any]) -> Arrays:
        """One action at every table: integers, shape (n,).

        Raises:
            IllegalActionError: an id outside the action space, or (``illegal_action="raise"``) one that is not legal; no table has
                moved then.
            SkatError: not reset, or actions of another shape or type.
        """
        actions = self._check(actions)
        options, pool = self._setup.options, self._setup.pool
        if self._autoreset is AutoresetMode.NEXT_STEP and self._setup.predicate is not None:
            over = self._states["phase"] == OVER
            if over.any():
                options, pool = self._setup.given(any_contract=False), self._found_deals(over, 1)
        if self._copy:
            self._make_arrays()
        refused = take_actions(
            self._states, self._tables, actions, options, pool, self._rewards, self._ended, self._seats
        )
        if refused >= 0:
            seat = int(self._tables[refused]["seat"])
            raise refusal(self._states[refused], seat, int(actions[refused]), SEAT_NAMES[seat], f"table {refused}: ")
        self._ready = False
        self._run_policies(options, pool)
        self._observe()
        rewards = self._learner_rewards()
        if self._autoreset is AutoresetMode.SAME_STEP and self._terminated.any():
            return self._restart(rewards)
        self._ready = True
        return self._obs, rewards, self._terminated, self._truncated, self._infos()

    def _restart(self, rewards: NDArray[Any]) -> Arrays:
        """Same-step autoreset: deal at the finished tables."""
        final, terminated = self._obs.copy(), self._terminated.copy()
        self._tables["episode"][terminated] += 1
        self._start(terminated)
        self._ready = True
        self._terminated[:] = terminated
        self._observe()
        infos = self._infos()
        infos["final_obs"], infos["_final_obs"] = final, terminated
        return self._obs, rewards, self._terminated, self._truncated, infos

    def _check(self, actions: Any) -> NDArray[np.int64]:
        if not self._ready:
            self._check_ready("step()")
        given = one_action_each(actions, self.num_envs)
        if self._autoreset is AutoresetMode.DISABLED:
            over = np.flatnonzero(self._states["phase"] == OVER)
            if len(over):
                raise SkatError(
                    f"table {over[0]}: step() after the deal is over; reset it (options={{'reset_mask': …}})"
                )
        return given

    def _check_ready(self, what: str) -> None:
        if not self._ready:
            when = "before reset()" if self._seed is None else "after a reset that failed: call reset()"
            raise SkatError(f"{what} {when}")

    # -- beyond Gymnasium ----------------------------------------------------------------------------------------------

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action for every table (int64, (n,)), compiled; 0 where the deal is over.

        In the auction the next value or hold with p = 1/2, else pass; all else uniform. Each table has its own stream.
        """
        if self._copy:
            self._actions = np.empty(self.num_envs, dtype=np.int64)
        sample_actions(self._tables, self._actions)
        return self._actions

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool, (n, 136)."""
        out = np.empty((self.num_envs, N_ACTIONS), dtype=np.int8)
        write_masks(self._tables, out)
        return out.view(np.bool_)

    def observe_as(self, observation: str) -> NDArray[Any]:
        """What the current seats know in another form; ``"perfect"``: all cards, for an oracle critic."""
        self._check_ready("observe_as()")
        dtype, shape = observation_form(observation)
        out = np.empty((self.num_envs, *shape), dtype=dtype)
        write_observations(observation, self._states, self.current_player, out)
        return out

    @property
    def current_player(self) -> NDArray[np.int64]:
        """Seats whose observations and masks are given: int64, (n,)."""
        return self._tables["seat"].astype(np.int64)

    @property
    def states(self) -> NDArray[np.void]:
        """The full state records: (n,), dtype ``STATE`` (:mod:`skatai.kernels.state`). Read only."""
        return self._states

    @property
    def episodes(self) -> NDArray[np.int64]:
        """Number of the deal at each table, from 0: int64, (n,)."""
        return self._tables["episode"].copy()

    def game(self, table: int) -> Game:
        """The whole game at one table, open, as a :class:`~skatai.game.Game` (a copy)."""
        if integer("table", table, 0) >= self.num_envs:
            raise SkatError(f"table={table}: there are {self.num_envs}, from 0")
        self._check_ready("game()")
        return game_of(self._states[table])

    def _observe(self) -> None:
        if self._flat or self._masks:
            flat = self._obs if self._flat else _NOTHING
            observe_tables(self._states, self._tables, self._mask, flat, self._observation == "float32")
        if not self._flat:
            write_observations(self._observation, self._states, self._seats, self._obs)

    def _learner_rewards(self) -> NDArray[np.float32]:
        if self.self_play:
            return self._rewards
        return self._rewards.reshape(-1).take(self._firsts + self._seats)

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"current_player": self._seats, "illegal_action": self._illegal}
        if self._masks:
            infos["action_mask"] = self._mask
        return infos
