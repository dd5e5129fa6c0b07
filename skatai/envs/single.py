"""``skatai/Skat-v0``: one learner at a table of Skat, for Gymnasium."""

from __future__ import annotations

from typing import Any, SupportsFloat, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from skatai.envs.observations import integer, observation_space
from skatai.envs.opponents import ask_opponent
from skatai.envs.raster import render_table
from skatai.envs.setup import RENDER_MODES, Setup, reset_options
from skatai.envs.table import Table
from skatai.errors import SkatError, whole_number
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.single import ENDED
from skatai.rules import Rules
from skatai.scoring import list_points
from skatai.view import PlayerView

__all__ = ["SkatEnv"]


class SkatEnv(gymnasium.Env[Any, int]):
    """One seat at a table of Skat; an episode is one deal.

    ## Description
    The learner bids, picks up, discards, declares and plays cards in one of the three seats; the other two are taken by compiled
    players or any agents. The rules are the official ones (``rules=`` for others).

    ## Action Space
    ``Discrete(136)``, the one space of all phases: names in ``skatai.actions.ACTION_NAMES``, table in
    :mod:`skatai.kernels.action_ids`. What is legal is the mask, all 0 when the deal is over: int8 ``info["action_mask"]`` of every
    ``reset`` and ``step`` (for ``env.action_space.sample(mask)``), bool ``env.unwrapped.action_masks()`` (sb3-contrib's
    ``MaskablePPO`` finds it by itself), or beside the observation (``mask="observation"``).

    ## Observation Space
    ``observation="int8"`` (default): 399 small integers (table in :mod:`skatai.kernels.encodings`); networks want floats;
    ``"float32"``: the same, scaled to 0…1; ``"history"``: (208, 2) tokens and actors (:mod:`skatai.kernels.encodings_history`);
    ``"perfect"``: all cards, for oracles. Never anything, ``"perfect"`` apart, that the seat cannot know.
    ``mask="observation"``: a dict of such an ``observation`` and the ``action_mask``, as TorchRL and RLlib want it.

    ## Rewards
    0 until the deal is over, then by ``reward``:

    ===============  =======================================  ==========================================
    reward           declarer                                 each defender
    ===============  =======================================  ==========================================
    ``list_points``  score + 50, or score - 50 when lost      0, or 40 when the game is lost
    ``score``        score (lost: minus twice the value)      minus half of it
    ``win``          1 or -1                                  the opposite
    ``points``       card points - 60 (null: 60 or -60)       the opposite
    ===============  =======================================  ==========================================

    A deal that is passed in gives 0. For rewards on the way, see :class:`skatai.envs.CardPointShaping`.

    ## Starting State
    A random deal, the same for ever for a seed: episode *e* after ``reset(seed=s)`` is ``Deal.random(derive_seed(s, table, e))``.
    ``reset()`` without a seed goes on to the next episode. ``reset(options={"deal": …})`` plays a given deal (a ``Deal`` or its
    text), ``{"game": …}`` goes on from a given position (a ``Game`` or its text); ``{"seat": 0…2}`` seats the learner.

    ## Episode End
    Terminated when the deal is over, or by an illegal action (``illegal_action="terminate"``, reward -200, -200, -1, -60 for
    ``list_points``, ``score``, ``win``, ``points``). Never truncated. ``info`` then has ``score``, ``declarer_won``,
    ``list_points`` (all seats) and ``illegal_action`` (whether that was the reason).

    ## Arguments
    opponents: ``"rule"`` (default), ``"random"``, any agent's name (``"pimc:worlds=10"``), an agent, a function ``f(view, rng)``, a
    :class:`~skatai.envs.PolicyOpponent`, or a list of two (next seat clockwise, then the other).
    seat: 0, 1, 2, ``"rotate"`` (default: (table + episode) % 3); in ``phase="play"`` also ``"declarer"`` or ``"defender"``.
    phase: ``"full"``; ``"bidding"``: up to the declaration, the rule player plays the cards for everybody; ``"play"``: the rule
    player bids, discards and declares for everybody (deals that are passed in are left out), the learner plays cards.
    contract: only deals in which the rule player in all seats would end in one of these contracts: ``"G"``, ``"CH|SH"``,
    ``"suit"``, ``"grand"``, ``"null"``, or a list of them.
    bidder: ``"rule"``; ``"forced"`` (``phase="play"``): declarer and contract are drawn at random, whatever the cards.
    deals: a list of deals or the path of a deal file, to choose from; or a function ``f(deal) -> bool``: only such deals.
    reward, observation, mask (``"info"`` or ``"observation"``), illegal_action (``"terminate"`` or ``"raise"``), rules: see above.
    table: number of the table; the same as table *i* of the vector environment.
    open_cards: rendering shows all hands.

    ## Version History
    v0: first version.

    Raises:
        SkatError: an argument that does not fit, ``step`` after the end.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponents: Any = "rule",
        *,
        seat: int | str = "rotate",
        phase: str = "full",
        contract: Any = None,
        bidder: str = "rule",
        deals: Any = None,
        reward: str = "list_points",
        observation: str = "int8",
        mask: str = "info",
        illegal_action: str = "terminate",
        rules: Rules | None = None,
        table: int = 0,
        open_cards: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._setup = Setup(
            opponents=opponents,
            seat=seat,
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
        if self._setup.self_play:
            raise SkatError("opponents='self': use the vector environment, or skatai.envs.skat_v0")
        self._table = Table(self._setup, integer("table", table, 0, 2**31 - 1))
        self._with_mask = mask == "observation"
        self.observation_space = observation_space(observation, self._with_mask)
        self.action_space = cast("spaces.Space[int]", spaces.Discrete(N_ACTIONS))
        self.render_mode = render_mode
        self.open_cards = open_cards

    # -- the Gymnasium interface ---------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal. See the class for ``seed`` and ``options``."""
        if seed is not None:
            seed = whole_number(seed, "reset: seed", 0, 2**64 - 1)
        deal, game, seat = reset_options(options, "deal", "game", "seat")
        if seat is not None:
            seat = integer("reset: seat", seat, 0, 2)
        super().reset(seed=seed)
        if seed is None and self._table.seed is None:
            seed = int(self.np_random.integers(2**62))
        self._table.reset(seed, deal, game, seat)
        self._ask_opponents()
        if self._table.to_move == ENDED:
            raise SkatError("reset: the deal ends before the learner has a decision")
        if self.render_mode == "human":
            self.render()
        return self._observe()

    def step(self, action: int) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act, and let the others act until the learner is to move again or the deal is over.

        Raises:
            IllegalActionError: an id outside the action space, or (``illegal_action="raise"``) one that is not legal now.
            AgentError: an opponent failed; the message names it and the position.
            SkatError: not reset, the deal is over, or an opponent failed in it.
        """
        table = self._table
        if table.to_move != table.learner and table.to_move != ENDED:
            raise SkatError("step() after an opponent failed: call reset()")
        table.act(action)
        if table.to_move != table.learner:
            self._ask_opponents()
        if self.render_mode == "human":
            self.render()
        observation, info = self._observe()
        return observation, table.rewards[table.learner], table.to_move == ENDED, False, info

    def _ask_opponents(self) -> None:
        """Let the agents act that are not compiled, until the learner or nobody is to move."""
        table = self._table
        while table.to_move not in (table.learner, ENDED):
            agent = self._setup.agents[(table.to_move - table.learner - 1) % 3]
            table.act(ask_opponent(agent, table))

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        """Observation and info."""
        table = self._table
        info: dict[str, Any] = {"action_mask": table.mask, "seat": table.learner, "declarer": table.declarer}
        if table.to_move == ENDED:
            state, illegal = table.state, table.ended_illegally
            info["score"] = int(state["score"])
            info["declarer_won"] = bool(state["won"])
            scored = None if table.declarer < 0 or illegal else table.declarer
            info["list_points"] = np.array(list_points(info["score"], scored), dtype=np.int64)
            info["illegal_action"] = illegal
        return {"observation": table.seen, "action_mask": table.mask} if self._with_mask else table.seen, info

    def render(self) -> Any:
        """The table as text (``ansi``), printed (``human``) or as an image (``rgb_array``: uint8, (height, width, 3))."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without render_mode: nothing is shown")
            return None
        if self._table.seed is None:
            raise SkatError("render() before reset()")
        reader: Game | PlayerView = self.view if not self.open_cards else self.game
        return render_table(reader, self.render_mode)

    # -- beyond Gymnasium ----------------------------------------------------------------------------------------------

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool, (136,); the convention of sb3-contrib."""
        table = self._table
        table.check_begun("action_masks()")
        return table.mask.astype(np.bool_) & (
            table.to_move == table.learner
        )  # an opponent that failed is still to move

    def observe_as(self, observation: str) -> NDArray[Any]:
        """What the learner knows now in another form; ``"perfect"``: all cards, for an oracle critic."""
        return self._table.observe_as(observation, self._table.learner)

    @property
    def seat(self) -> int:
        """The learner's seat in this deal."""
        self._table.check_begun("seat")
        return self._table.learner

    @property
    def view(self) -> PlayerView:
        """What the learner may know."""
        return PlayerView(self._table.state, self._table.learner)

    @property
    def game(self) -> Game:
        """The whole game, open, as a :class:`~skatai.game.Game` (a copy)."""
        return self._table.game
