"""Loads a script of ``experiments/``, which nothing imports, as a module."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

__all__ = ["EXPERIMENTS", "loaded_script"]

EXPERIMENTS = Path(__file__).parents[1] / "experiments"


@contextmanager
def loaded_script(name: str) -> Iterator[Any]:
    """The module of ``experiments/NAME.py``; afterwards it is gone, and torch has the threads it had before."""
    spec = importlib.util.spec_from_file_location(name, EXPERIMENTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    threads = torch.get_num_threads()
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        torch.set_num_threads(threads)
        del sys.modules[name]
