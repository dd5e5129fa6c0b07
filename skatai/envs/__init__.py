"""Environments: Gymnasium (single and vector), PettingZoo, Stable-Baselines3.

Importing this package registers ``skatai/Skat-v0``::

    import gymnasium
    import skatai.envs

    env = gymnasium.make("skatai/Skat-v0")
    envs = gymnasium.make_vec("skatai/Skat-v0", num_envs=1024)

or, in one line, ``gymnasium.make("skatai.envs:skatai/Skat-v0")``. ``skat_v0`` is the PettingZoo environment; ``sb3`` adapts the
vector environment to Stable-Baselines3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from skatai.envs.opponents import PolicyOpponent
    from skatai.envs.shaping import CardPointShaping
    from skatai.envs.single import SkatEnv
    from skatai.envs.vector import SkatVectorEnv

__all__ = ["ENV_ID", "CardPointShaping", "PolicyOpponent", "SkatEnv", "SkatVectorEnv", "register"]

ENV_ID = "skatai/Skat-v0"
_HOMES = {
    "CardPointShaping": "skatai.envs.shaping",
    "PolicyOpponent": "skatai.envs.opponents",
    "SkatEnv": "skatai.envs.single",
    "SkatVectorEnv": "skatai.envs.vector",
}


def register() -> None:
    """Register the environments with Gymnasium (once)."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="skatai.envs.single:SkatEnv",
            vector_entry_point="skatai.envs.vector:SkatVectorEnv",
        )


def __getattr__(name: str) -> Any:
    """Load classes and modules only when asked for: registration stays quick."""
    from importlib import import_module

    if name in ("skat_v0", "sb3"):  # they need the optional packages
        return import_module(f"skatai.envs.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


register()
