"""``skatai/Skat-v0``: one learner at a table of Skat, for Gymnasium."""

from __future__ import annotations

from typing import Any, SupportsFloat, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from skatai.actions import ACTION_NAMES
from skatai.agent import decision_rng
from skatai.envs.observations import integer, observation_form, observation_space, write_observations
from skatai.envs.opponents import ask_opponent
from skatai.envs.positions import game_of
from skatai.envs.raster import render_table
from skatai.envs.setup import RENDER_MODES, Setup, deal_masks
from skatai.errors import IllegalActionError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import N_ACTIONS
from skatai.kernels.batch_policies import run_policies
from skatai.kernels.batches import (
    AS_DECLARER,
    AS_DEFENDER,
    OPTION_LEARNER,
    ROTATE,
    TABLE,
    first_illegal,
    refresh,
    start_tables,
    take_actions,
    write_masks,
)
from skatai.kernels.observe import copy_state
from skatai.kernels.state import END_ABORTED, NOBODY, OVER, new_states
from skatai.rng import derive_seed
from skatai.rules import Rules
from skatai.scoring import list_points
from skatai.seats import SEAT_NAMES
from skatai.view import PlayerView

__all__ = ["SkatEnv"]


class SkatEnv(gymnasium.Env[NDArray[Any], int]):
    """One seat at a table of Skat; an episode is one deal.

    ## Description
    The learner bids, picks up, discards, declares and plays cards in one of the three seats; the other two are taken by compiled
    players or any agents. The rules are the official ones (``rules=`` for others).

    ## Action Space
    ``Discrete(136)``, the one space of all phases: names in ``skatai.actions.ACTION_NAMES``, table in
    :mod:`skatai.kernels.action_ids`. What is legal: int8 ``info["action_mask"]`` (for ``Discrete.sample(mask=…)``), or bool
    ``env.action_masks()`` (for sb3-contrib).

    ## Observation Space
    ``observation="int8"`` (default): 399 small integers (table in :mod:`skatai.kernels.encodings`); ``"float32"``: the same, scaled
    to 0…1; ``"history"``: (208, 2) tokens and actors (:mod:`skatai.kernels.encodings_history`); ``"perfect"``: all cards, for
    oracles. Never anything, ``"perfect"`` apart, that the seat cannot know.

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
    reward, observation, illegal_action (``"terminate"`` or ``"raise"``), rules: see above.
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
            illegal_action=illegal_action,
            rules=rules,
            render_mode=render_mode,
        )
        if self._setup.self_play:
            raise SkatError("opponents='self': use the vector environment, or skatai.envs.skat_v0")
        self.observation_space = observation_space(observation)
        self.action_space = cast("spaces.Space[int]", spaces.Discrete(N_ACTIONS))
        self.render_mode = render_mode
        self.illegal_action = illegal_action
        self.open_cards = open_cards
        self._observation = observation
        self._number = integer("table", table, 0)
        self._seed: int | None = None
        self._states, self._tables, self._scratch = new_states(1), np.zeros(1, dtype=TABLE), new_states(1)
        self._rewards, self._terminated = np.zeros((1, 3), dtype=np.float32), np.zeros(1, dtype=np.bool_)
        self._actions, self._all = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.bool_)
        self._options, self._pool = self._setup.options, self._setup.pool

    # -- the Gymnasium interface ---------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal. See the class for ``seed`` and ``options``."""
        super().reset(seed=seed)
        options = dict(options or {})
        table = self._tables[0]
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(2**62)) if seed is None else seed
            table["episode"] = 0
            table["stream"] = derive_seed(self._seed, self._number)
            table["table"] = self._number
        else:
            table["episode"] += 1
        self._options, self._pool = self._setup.options, self._setup.pool
        seat = options.pop("seat", None)
        deal, game = options.pop("deal", None), options.pop("game", None)
        if options:
            raise SkatError(f"reset: no option {next(iter(options))!r}; there are 'deal', 'game' and 'seat'")
        if seat is not None and (isinstance(seat, bool) or seat not in (0, 1, 2)):
            raise SkatError(f"reset: seat {seat!r}, expected 0, 1 or 2")
        if game is not None:
            self._set_game(game)
        else:
            self._deal(deal)
        if seat is not None:
            self._options = self._options.copy()
            self._options[OPTION_LEARNER] = seat
            table["learner"] = table["seat"] = seat
        self._terminated[0] = False
        self._advance()
        if self._states[0]["phase"] == OVER:
            raise SkatError("reset: the deal ends before the learner has a decision")
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def _deal(self, deal: Any) -> None:
        if deal is not None:
            self._options = self._setup.given(any_contract=True)
            self._pool = np.array([deal_masks(deal)], dtype=np.int64)
        elif self._setup.predicate is not None:
            assert self._seed is not None
            masks = self._setup.find_deal(self._seed, self._number, int(self._tables[0]["episode"]))
            self._options = self._setup.given(any_contract=False)
            self._pool = np.array([masks], dtype=np.int64)
        start_tables(self._states, self._tables, self._all, self._options, self._pool)

    def _set_game(self, game: Any) -> None:
        """Go on from a position."""
        if isinstance(game, str):
            game = Game.parse(game)
        if not isinstance(game, Game):
            raise SkatError(f"reset: game of type {type(game).__name__}, expected a Game or its text")
        if game.is_over:
            raise SkatError(f"reset: the game is over: {game}")
        mode = int(self._options[OPTION_LEARNER])
        if mode in (AS_DECLARER, AS_DEFENDER) and game.declarer is None:
            raise SkatError(f"reset: the game has no declarer yet, so the learner needs a seat: {game}")
        table = self._tables[0]
        turn = (self._number + int(table["episode"])) % 6
        declarer = game.declarer or 0
        learner = {ROTATE: turn % 3, AS_DECLARER: declarer, AS_DEFENDER: (declarer + 1 + turn % 2) % 3}.get(mode, mode)
        copy_state(game.state, self._states[0])
        table["learner"] = table["seat"] = learner
        table["fresh"] = table["illegal"] = 0
        table["decisions"] = len(game.actions)
        refresh(self._states[0], table)

    def step(self, action: int) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Act, and let the others act until the learner is to move again or the deal is over.

        Raises:
            IllegalActionError: an id outside the action space, or (``illegal_action="raise"``) one that is not legal now.
            AgentError: an opponent failed; the message names it and the position.
            SkatError: not reset, or the deal is over.
        """
        self._actions[0] = self._check(action)
        self._take()
        if not self._terminated[0]:
            self._advance()
        terminated = bool(self._terminated[0])
        if self.render_mode == "human":
            self.render()
        return self._observe(), float(self._rewards[0, self.seat]), terminated, False, self._info()

    def _check(self, action: Any) -> int:
        if self._seed is None:
            raise SkatError("step() before reset()")
        if self._states[0]["phase"] == OVER:
            raise SkatError("step() after the deal is over: call reset()")
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action[()]
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalActionError(
                f"action {action!r} of type {type(action).__name__}: expected an id, 0 … {N_ACTIONS - 1}"
            )
        if not 0 <= action < N_ACTIONS:
            raise IllegalActionError(f"action {action}: expected an id, 0 … {N_ACTIONS - 1}")
        self._actions[0] = action
        if self.illegal_action == "raise" and first_illegal(self._states, self._tables, self._actions) == 0:
            view = PlayerView(self._states[0], self.seat)
            raise IllegalActionError(
                f"'{ACTION_NAMES[action]}' ({action}) is not legal for {SEAT_NAMES[self.seat]} in {view.phase}; legal: "
                f"{', '.join(view.legal_action_names[:14])}"
            )
        return int(action)

    def _take(self) -> None:
        take_actions(
            self._states, self._tables, self._actions, self._options, self._pool, self._rewards, self._terminated
        )

    def _advance(self) -> None:
        """Play on to the learner's next decision or the end."""
        state, table = self._states[0], self._tables[0]
        while True:
            failed = run_policies(
                self._states,
                self._tables,
                self._options,
                self._pool,
                self._rewards,
                self._terminated,
                self._scratch,
            )
            if failed >= 0:
                raise SkatError(
                    "no deal found: the contract is too rare for this bidder, or the deal given is passed in (bidder='forced' "
                    "gives a contract to any deal)"
                )
            if state["phase"] == OVER or state["to_move"] == table["learner"]:
                return
            assert self._seed is not None
            seat = int(state["to_move"])
            agent = self._setup.agents[(seat - self.seat - 1) % 3]
            key = derive_seed(self._seed, self._number, int(table["episode"]))
            rng = decision_rng(key, 0, seat, int(table["decisions"]))
            self._actions[0] = ask_opponent(agent, state, seat, rng, lambda: game_of(state))
            self._take()
            if self._terminated[0]:
                return

    def render(self) -> Any:
        """The table as text (``ansi``), printed (``human``) or as an image (``rgb_array``: uint8, (height, width, 3))."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without render_mode: nothing is shown")
            return None
        if self._seed is None:
            raise SkatError("render() before reset()")
        reader: Game | PlayerView = self.view if not self.open_cards else self.game
        return render_table(reader, self.render_mode)

    # -- beyond Gymnasium ----------------------------------------------------------------------------------------------

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool, (136,); the convention of sb3-contrib."""
        return self._mask().astype(np.bool_)

    def observe_as(self, observation: str) -> NDArray[Any]:
        """What the learner knows now in another form; ``"perfect"``: all cards, for an oracle critic."""
        dtype, shape = observation_form(observation)
        out = np.empty(shape, dtype=dtype)
        write_observations(observation, self._states, self._tables["seat"].astype(np.int64), out[np.newaxis])
        return out

    @property
    def seat(self) -> int:
        """The learner's seat in this deal."""
        return int(self._tables[0]["learner"])

    @property
    def view(self) -> PlayerView:
        """What the learner may know."""
        return PlayerView(self._states[0], self.seat)

    @property
    def game(self) -> Game:
        """The whole game, open, as a :class:`~skatai.game.Game` (a copy)."""
        return game_of(self._states[0])

    def _mask(self) -> NDArray[np.int8]:
        out = np.empty(N_ACTIONS, dtype=np.int8)
        write_masks(self._tables, out[np.newaxis])
        return out

    def _observe(self) -> NDArray[Any]:
        return self.observe_as(self._observation)

    def _info(self) -> dict[str, Any]:
        state = self._states[0]
        declarer = int(state["declarer"])
        info: dict[str, Any] = {
            "action_mask": self._mask(),
            "seat": self.seat,
            "declarer": -1 if declarer == NOBODY else declarer,
        }
        if state["phase"] == OVER:
            played = declarer != NOBODY and int(state["end"]) != END_ABORTED
            points = list_points(int(state["score"]), declarer if played else None)
            info["score"] = int(state["score"])
            info["declarer_won"] = bool(state["won"])
            info["list_points"] = np.array(points, dtype=np.int64)
            info["illegal_action"] = bool(self._tables[0]["illegal"])
        return info
