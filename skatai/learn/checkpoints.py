"""Checkpoints: everything a training loop needs to go on as if it had never been stopped."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from skatai.errors import SkatError
from skatai.learn.network import NetworkConfig, SkatNetwork

__all__ = ["load_checkpoint", "save_checkpoint"]


def save_checkpoint(
    path: str | Path,
    network: SkatNetwork,
    optimizer: torch.optim.Optimizer,
    step: int,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write network, optimizer, step and ``extra`` (plain values and tensors) to ``path``.

    The file is replaced in one step: a run killed meanwhile leaves the previous checkpoint.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    torch.save(
        {
            **asdict(network.config),
            "network": network.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
            "extra": dict(extra or {}),
        },
        part,
    )
    os.replace(part, path)


def load_checkpoint(
    path: str | Path, network: SkatNetwork, optimizer: torch.optim.Optimizer | None = None
) -> tuple[int, dict[str, Any]]:
    """Put a checkpoint into ``network`` (and ``optimizer``); the step it was taken at, and its ``extra``.

    Raises:
        SkatError: no such file, not a checkpoint, or one of a network of another size.
    """
    path = Path(path)
    if not path.is_file():
        raise SkatError(f"checkpoint {path}: no such file")
    try:
        data = torch.load(path, map_location="cpu", weights_only=True)
        config = NetworkConfig(data["width"], data["blocks"], data.get("win_units", 0))
        if config != network.config:
            raise SkatError(f"checkpoint {path}: network {config}, expected {network.config}")
        network.load_state_dict(data["network"])
        if optimizer is not None:
            optimizer.load_state_dict(data["optimizer"])
        return int(data["step"]), dict(data["extra"])
    except SkatError:
        raise
    except (pickle.UnpicklingError, EOFError, OSError, RuntimeError, KeyError, TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0].partition(". ")[0] or "it is empty"
        raise SkatError(f"checkpoint {path}: not a checkpoint of skatai.learn: {reason}") from None
