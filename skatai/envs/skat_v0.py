"""Skat for PettingZoo: three agents, one deal an episode.

::

    from skatai.envs import skat_v0

    env = skat_v0.env()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination else env.action_space(agent).sample(mask))

``player_0``, ``player_1``, ``player_2`` sit forehand, middlehand, rearhand. ``raw_env`` raises an error on an illegal action;
``env`` ends the episode with ``ILLEGAL_REWARD`` for the agent that took it. ``parallel_env`` is PettingZoo's conversion: one agent
acts at a time.

Deals, observations, masks and rewards are those of table 0 of :class:`skatai.envs.SkatVectorEnv` in self-play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from skatai.actions import ACTION_NAMES
from skatai.envs.observations import observation_form, observation_space, write_observations
from skatai.envs.positions import game_of
from skatai.envs.raster import render_table
from skatai.envs.setup import RENDER_MODES, Setup, deal_masks
from skatai.errors import IllegalActionError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batch_policies import run_policies
from skatai.kernels.batches import TABLE, start_tables, take_actions, write_masks
from skatai.kernels.moves import is_legal
from skatai.kernels.state import NOBODY, OVER, new_states
from skatai.rng import derive_seed
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES
from skatai.view import PlayerView

__all__ = ["ILLEGAL_REWARD", "env", "parallel_env", "raw_env"]

ILLEGAL_REWARD = -200.0
AGENTS = ("player_0", "player_1", "player_2")


def env(**kwargs: Any) -> Any:
    """The environment with PettingZoo's usual wrappers; arguments: :class:`raw_env`."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**kwargs), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def parallel_env(**kwargs: Any) -> Any:
    """The parallel form: every agent gives an action, that of the agent to move counts."""
    return turn_based_aec_to_parallel(env(**kwargs))


class raw_env(AECEnv):
    """Three agents at a table; observations are dicts of ``observation`` and ``action_mask`` (int8 (136,)).

    Args (as in :class:`skatai.envs.SkatEnv`): phase, contract, bidder, deals, reward, observation, rules, render_mode, open_cards.

    Raises:
        SkatError: an argument that does not fit, ``step`` before ``reset``.
        IllegalActionError: an action that is not legal now.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "name": "skat_v0",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        *,
        phase: str = "full",
        contract: Any = None,
        bidder: str = "rule",
        deals: Any = None,
        reward: str = "list_points",
        observation: str = "int8",
        rules: Rules | None = None,
        open_cards: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._setup = Setup(
            phase=phase,
            contract=contract,
            bidder=bidder,
            deals=deals,
            reward=reward,
            observation=observation,
            rules=rules,
            render_mode=render_mode,
        )
        self.render_mode, self.open_cards = render_mode, open_cards
        self._observation = observation
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        mask = spaces.Box(0, 1, (N_ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_space(observation), "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self._seed: int | None = None
        self._states, self._tables, self._scratch = new_states(1), np.zeros(1, dtype=TABLE), new_states(1)
        self._rewards, self._terminated = np.zeros((1, 3), dtype=np.float32), np.zeros(1, dtype=np.bool_)
        self._actions, self._all = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.bool_)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal; ``options["deal"]``: a ``Deal`` or its text. Other options are ignored, as PettingZoo's checks ask for."""
        deal = (options or {}).get("deal")
        table = self._tables[0]
        if seed is not None or self._seed is None:
            self._seed = int(seeding.np_random()[0].integers(2**62)) if seed is None else int(seed)
            table["stream"], table["episode"] = derive_seed(self._seed, 0), 0
        else:
            table["episode"] += 1
        table["learner"] = NOBODY
        given, pool = self._setup.options, self._setup.pool
        if deal is not None:
            given, pool = self._setup.given(any_contract=True), np.array([deal_masks(deal)], dtype=np.int64)
        elif self._setup.predicate is not None:
            masks = self._setup.find_deal(self._seed, 0, int(table["episode"]))
            given, pool = self._setup.given(any_contract=False), np.array([masks], dtype=np.int64)
        self._rewards[:] = 0
        self._terminated[:] = False
        start_tables(self._states, self._tables, self._all, given, pool)
        self._run_policies(given, pool)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[int(self._states[0]["to_move"])]
        if self.render_mode == "human":
            self.render()

    def _run_policies(self, options: NDArray[np.int64], pool: NDArray[np.int64]) -> None:
        if not self._setup.needs_policies:
            return
        if run_policies(self._states, self._tables, options, pool, self._rewards, self._terminated, self._scratch) >= 0:
            raise SkatError("no deal found: the contract is too rare for this bidder, or the deal given is passed in")

    def step(self, action: int | None) -> None:
        """The agent of ``agent_selection`` acts (``None`` once it is terminated)."""
        if not hasattr(self, "agent_selection"):
            raise SkatError("step() before reset()")
        if not self.agents:
            raise SkatError("step() after the deal is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._actions[0] = self._check(action)
        self._cumulative_rewards[agent] = 0.0
        take_actions(
            self._states,
            self._tables,
            self._actions,
            self._setup.options,
            self._setup.pool,
            self._rewards,
            self._terminated,
        )
        self._run_policies(self._setup.options, self._setup.pool)
        self.rewards = {name: float(self._rewards[0, seat]) for seat, name in enumerate(AGENTS)}
        if self._states[0]["phase"] == OVER:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[0]
        else:
            self.agent_selection = AGENTS[int(self._states[0]["to_move"])]
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _check(self, action: Any) -> int:
        seat = int(self._states[0]["to_move"])
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)) or not 0 <= action < N_ACTIONS:
            raise IllegalActionError(f"action {action!r} of {AGENTS[seat]}: expected an id, 0 … {N_ACTIONS - 1}")
        if not is_legal(self._states[0], int(action)):
            view = PlayerView(self._states[0], seat)
            raise IllegalActionError(
                f"'{ACTION_NAMES[action]}' ({action}) is not legal for {AGENTS[seat]} ({SEAT_NAMES[seat]}) in {view.phase}; "
                f"legal: {', '.join(view.legal_action_names[:14])}"
            )
        return int(action)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent knows, and what it may do: the mask is all 0 unless it is to move."""
        if agent not in AGENTS:
            raise SkatError(f"observe({agent!r}): the agents are {', '.join(AGENTS)}")
        seat = AGENTS.index(agent)
        dtype, shape = observation_form(self._observation)
        out, mask = np.empty((1, *shape), dtype=dtype), np.zeros((1, N_ACTIONS), dtype=np.int8)
        write_observations(self._observation, self._states, np.array([seat], dtype=np.int64), out)
        if int(self._states[0]["to_move"]) == seat:
            write_masks(self._tables, mask)
        return {"observation": out[0], "action_mask": mask[0]}

    @property
    def game(self) -> Game:
        """The whole game, open, as a :class:`~skatai.game.Game` (a copy)."""
        return game_of(self._states[0])

    def render(self) -> Any:
        """The table as text (``ansi``), printed (``human``) or as an image (``rgb_array``)."""
        if self.render_mode is None or not hasattr(self, "agent_selection"):
            return None
        reader: Game | PlayerView = self.game
        if not self.open_cards:
            reader = PlayerView(self._states[0], AGENTS.index(self.agent_selection))
        return render_table(reader, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
