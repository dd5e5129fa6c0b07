"""Weight files: safetensors with 16-bit numbers and a header that says what they belong to and how they were made."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from skatai.errors import SkatError
from skatai.kernels.action_ids import ACTION_SPACE_VERSION
from skatai.kernels.encodings import ENCODING_VERSION
from skatai.learn.network import NetworkConfig, SkatNetwork

__all__ = ["load_network", "read_metadata", "save_network"]

#: the one key of the file's own header, with ours as JSON (safetensors writes several keys in no fixed order)
_HEADER = "skatai"
_VERSIONS = {"encoding_version": str(ENCODING_VERSION), "action_space_version": str(ACTION_SPACE_VERSION)}


def save_network(path: str | Path, network: SkatNetwork, metadata: Mapping[str, str] | None = None) -> None:
    """Write the network to ``path``, in float16, replacing the file in one step.

    Args:
        path: where to; its folder is made.
        network: what to save; it is not changed.
        metadata: further text entries of the header, such as ``command`` and accuracies.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    sizes = {name: str(size) for name, size in asdict(network.config).items()}
    header = json.dumps({**(metadata or {}), **_VERSIONS, **sizes}, sort_keys=True)
    tensors = {name: tensor.to("cpu", torch.float16).contiguous() for name, tensor in network.state_dict().items()}
    part = path.with_name(path.name + ".part")
    part.write_bytes(save(tensors, metadata={_HEADER: header}))
    os.replace(part, path)


def read_metadata(path: str | Path) -> dict[str, str]:
    """The header of a weight file.

    Raises:
        SkatError: no such file, not a weight file, or one for another encoding or action space.
    """
    return _read(Path(path))[0]


def load_network(path: str | Path) -> tuple[SkatNetwork, dict[str, str]]:
    """The network in ``path``, in float32 and evaluation mode, and the file's header.

    Raises:
        SkatError: as :func:`read_metadata`, or tensors that do not fit the network's size.
    """
    path = Path(path)
    metadata, tensors = _read(path)
    try:
        # Files from before there was a hidden layer do not name its size.
        sizes = int(metadata["width"]), int(metadata["blocks"]), int(metadata.get("win_units", "0"))
        network = SkatNetwork(NetworkConfig(*sizes))
        network.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    except (KeyError, ValueError, RuntimeError) as error:
        raise SkatError(f"weights {path}: the tensors do not fit the header: {str(error).splitlines()[0]}") from None
    if not all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values()):
        raise SkatError(f"weights {path}: a number is infinite or not a number")
    return network.eval(), metadata


def _read(path: Path) -> tuple[dict[str, str], dict[str, torch.Tensor]]:
    if not path.is_file():
        raise SkatError(f"weights {path}: no such file")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = json.loads((file.metadata() or {}).get(_HEADER, "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
    except (SafetensorError, OSError, ValueError) as error:
        raise SkatError(f"weights {path}: not a safetensors file: {str(error).splitlines()[0]}") from None
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise SkatError(f"weights {path}: the header is not a JSON object of texts")
    for name, expected in _VERSIONS.items():
        if metadata.get(name) != expected:
            raise SkatError(f"weights {path}: {name} is {metadata.get(name, 'missing')}, expected {expected}")
    return metadata, tensors
