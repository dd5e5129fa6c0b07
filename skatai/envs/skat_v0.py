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
``env`` ends the episode, at the cost that :class:`skatai.envs.SkatEnv` names, for the agent that took it. ``parallel_env`` is
PettingZoo's conversion: one agent acts at a time.

The mask lies beside the observation, ``{"observation": …, "action_mask": int8 (136,)}``, as in PettingZoo's card games. Its
``api_test`` warns of every such environment but its own that the observation "is not a NumPy array" and that its space "probably
should be" a ``Box``. With ``mask="info"`` the observation is an array, the mask of each agent is ``info["action_mask"]``, and
``api_test`` has nothing to say. Masks are all 0 unless the agent is to move.

Deals, observations, masks and rewards are those of table 0 of :class:`skatai.envs.SkatVectorEnv` in self-play.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from skatai.envs.observations import observation_space
from skatai.envs.raster import render_table
from skatai.envs.setup import RENDER_MODES, Setup, reset_options
from skatai.envs.table import Table
from skatai.errors import SkatError, whole_number
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.single import ENDED
from skatai.rules import Rules
from skatai.seats import SEAT_NAMES
from skatai.view import PlayerView

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(f"skatai.envs.skat_v0 needs PettingZoo: pip install 'skatai[envs]' ({error})") from None

__all__ = ["env", "parallel_env", "raw_env"]

AGENTS = ("player_0", "player_1", "player_2")
_NOTHING_LEGAL = np.zeros(N_ACTIONS, dtype=np.int8)
_SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}


class _OrderEnforcingWrapper(OrderEnforcingWrapper):
    """PettingZoo's wrapper; ``last`` asks the environment once, not attribute by attribute, which halves the time of a decision."""

    def last(self, observe: bool = True) -> Any:
        """Observation, reward, termination, truncation and info of the agent to move."""
        if not self._has_reset:
            return super().last(observe)  # says so
        return self.env.last(observe)

    def __str__(self) -> str:
        return str(self.env)


def env(illegal_action: str = "terminate", **kwargs: Any) -> Any:
    """The environment in PettingZoo's wrapper that checks the order of calls; arguments: :class:`raw_env`."""
    return _OrderEnforcingWrapper(raw_env(illegal_action=illegal_action, **kwargs))


def parallel_env(**kwargs: Any) -> Any:
    """The parallel form: every agent gives an action, that of the agent to move counts."""
    return turn_based_aec_to_parallel(env(**kwargs))


class raw_env(AECEnv):
    """Three agents at a table.

    Args:
        mask: ``"observation"`` (default): observations are dicts of ``observation`` and ``action_mask``; ``"info"``: see above.
        illegal_action: ``"raise"`` (default here) or ``"terminate"``.
        open_cards: rendering shows all hands (default), or what the agent to move may know.
        phase, contract, bidder, deals, reward, observation, rules, render_mode: as in :class:`skatai.envs.SkatEnv`.

    Raises:
        SkatError: an argument that does not fit, ``step`` before ``reset``.
        IllegalActionError: an id outside the action space, or (``illegal_action="raise"``) one that is not legal now.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "name": "skat_v0",
        "is_parallelizable": True,
        "render_fps": 2,
    }
    agent_selection: str

    def __init__(
        self,
        *,
        phase: str = "full",
        contract: Any = None,
        bidder: str = "rule",
        deals: Any = None,
        reward: str = "list_points",
        observation: str = "int8",
        mask: str = "observation",
        illegal_action: str = "raise",
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
            mask=mask,
            illegal_action=illegal_action,
            rules=rules,
            render_mode=render_mode,
        )
        self._table = Table(self._setup, names=[f"{a} ({seat})" for a, seat in zip(AGENTS, SEAT_NAMES, strict=True)])
        self.render_mode, self.open_cards = render_mode, open_cards
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._with_mask = mask == "observation"
        space = observation_space(observation, self._with_mask)
        self.observation_spaces = {agent: copy.deepcopy(space) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal; ``options["deal"]``: a ``Deal`` or its text.

        Raises:
            SkatError: an option or a seed that does not exist. ``options["options"]`` is ignored: PettingZoo's checks give it.
        """
        deal, _ = reset_options(options, "deal", "options")
        if seed is not None:
            seed = whole_number(seed, "reset: seed", 0, 2**64 - 1)
        elif self._table.seed is None:
            seed = int(seeding.np_random()[0].integers(2**62))
        self._table.reset(seed, deal)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]]
        self._select(self._table.to_move)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """The agent of ``agent_selection`` acts (``None`` once it is terminated)."""
        if not self.agents:
            begun = self._table.seed is not None
            raise SkatError("step() after the deal is over: call reset()" if begun else "step() before reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        table.act(action)
        if table.to_move == ENDED:  # no rewards before
            self.rewards = dict(zip(AGENTS, table.rewards, strict=True))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[0]
            self._write_infos(None)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self._select(table.to_move)
        if self.render_mode == "human":
            self.render()

    def _select(self, seat: int) -> None:
        """``seat`` is to move."""
        self.agent_selection = AGENTS[seat]
        self._write_infos(self.agent_selection)

    def _write_infos(self, to_move: str | None) -> None:
        """Empty, or the masks: PettingZoo's ``TerminateIllegalWrapper`` looks for one even once an agent is terminated."""
        if self._with_mask:
            self.infos = {name: {} for name in AGENTS}
            return
        nothing, mask = _NOTHING_LEGAL.copy(), self._table.mask
        self.infos = {name: {"action_mask": mask if name == to_move else nothing} for name in AGENTS}

    def observe(self, agent: str) -> NDArray[Any] | dict[str, NDArray[Any]]:
        """What an agent knows, and what it may do: the mask is all 0 unless it is to move."""
        seat = _SEATS.get(agent)
        if seat is None:
            raise SkatError(f"observe({agent!r}): the agents are {', '.join(AGENTS)}")
        table = self._table
        seen, mask = (
            (table.seen, table.mask) if seat == table.to_move else (table.observe(seat)[0], _NOTHING_LEGAL.copy())
        )
        return {"observation": seen, "action_mask": mask} if self._with_mask else seen

    @property
    def game(self) -> Game:
        """The whole game, open, as a :class:`~skatai.game.Game` (a copy)."""
        return self._table.game

    def render(self) -> Any:
        """The table as text (``ansi``), printed (``human``) or as an image (``rgb_array``)."""
        if self.render_mode is None or self._table.seed is None:
            return None
        reader: Game | PlayerView = self.game
        if not self.open_cards:
            reader = PlayerView(self._table.state, _SEATS[self.agent_selection])
        return render_table(reader, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
