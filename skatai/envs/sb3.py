"""The vector environment as a ``VecEnv`` of Stable-Baselines3, with masks for sb3-contrib's ``MaskablePPO``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.envs.vector import SkatVectorEnv
from skatai.errors import SkatError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(f"skatai.envs.sb3 needs Stable-Baselines3: pip install 'skatai[envs]' ({error})") from None

__all__ = ["SkatVecEnv"]


class SkatVecEnv(VecEnv):
    """``num_envs`` tables with one learner each; keyword arguments: :class:`skatai.envs.SkatVectorEnv`.

    Finished tables get their next deal in the same step (as Stable-Baselines3 wants it), with the last observation in
    ``info["terminal_observation"]`` and the deal's reward and length in ``info["episode"]``, so that no monitor is needed.

    Raises:
        SkatError: ``opponents="self"``, another autoreset, or ``copy=False``: what Stable-Baselines3 does not know.
    """

    def __init__(self, num_envs: int, seed: int | None = None, **kwargs: Any) -> None:
        if kwargs.get("opponents") == "self":
            raise SkatError("opponents='self': Stable-Baselines3 trains one learner; use SkatVectorEnv for self-play")
        if "autoreset" in kwargs:
            raise SkatError("autoreset: Stable-Baselines3 needs the same-step mode, which is set")
        if not kwargs.get("copy", True):
            raise SkatError("copy=False: Stable-Baselines3 keeps the last observations while the next ones are written")
        self.envs = SkatVectorEnv(num_envs, autoreset="SameStep", **kwargs)
        self.render_mode: str | None = None
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._first_seed = seed
        self._given: NDArray[Any] | None = None
        self._started = time.time()
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, dtype=np.int64)

    def reset(self) -> NDArray[Any]:
        """Deal at all tables. ``seed()`` before it starts the deals of that seed.

        Raises:
            SkatError: ``set_options()`` was called before it.
        """
        if any(self._options):
            self._reset_options()
            raise SkatError("set_options(): the tables take no options; make the environment with deals=")
        seed = self._seeds[0] if self._seeds[0] is not None else self._first_seed
        self._first_seed = None
        observations, _ = self.envs.reset(seed=seed)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions, int (n,)."""
        self._given = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Observations, rewards, dones and infos."""
        if self._given is None:
            raise SkatError("step_wait() before step_async()")
        actions, self._given = self._given, None
        observations, rewards, terminated, _, found = self.envs.step(actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(terminated):
            infos[i]["terminal_observation"] = found["final_obs"][i]
            infos[i]["TimeLimit.truncated"] = False
            infos[i]["episode"] = {
                "r": float(self._returns[i]),
                "l": int(self._lengths[i]),
                "t": round(time.time() - self._started, 6),
            }
            self._returns[i] = self._lengths[i] = 0
        return observations, rewards, terminated.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool, (n, 136)."""
        return self.envs.action_masks()

    def close(self) -> None:
        """Nothing to release."""
        self.envs.close()

    def _indices(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the tables: the same for all."""
        source = self if attr_name in ("action_masks", "render_mode") else self.envs
        return [getattr(source, attr_name) for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible table by table."""
        raise SkatError(f"set_attr({attr_name!r}): the tables are one environment; make a new one")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """``action_masks`` table by table; nothing else can be called so."""
        if method_name != "action_masks":
            raise SkatError(f"env_method({method_name!r}): only 'action_masks' can be asked of single tables")
        masks = self.action_masks()
        return [masks[i] for i in self._indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False for _ in self._indices(indices)]
