"""Start-up: cold and warm time of ``import skatai``, ``skatai --help`` and the first game, each in a fresh process.

Cold means: no compiled code in the cache. ``python benchmarks/bench_startup.py``
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import tyro
from machine import machine_line
from rich.console import Console
from rich.table import Table

FIRST_GAME = """
import skatai
game = skatai.Game(skatai.Deal.random(seed=1))
while not game.is_over:
    game.play(game.legal_actions[0])
"""

CASES = {
    "python -c pass": ["-c", "pass"],
    "import skatai": ["-c", "import skatai"],
    "skatai --help": ["-m", "skatai", "--help"],
    "skatai play --help": ["-m", "skatai", "play", "--help"],
    "first game": ["-c", FIRST_GAME],
}


@dataclass
class Args:
    runs: int = 7
    """warm runs of each case; the median counts"""


def seconds(arguments: list[str], cache: str) -> float:
    """Wall time of a fresh interpreter."""
    environment = {**os.environ, "SKATAI_CACHE_DIR": cache}
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - begin


def main(args: Args) -> None:
    """Print the table."""
    console = Console(width=100)
    console.print(machine_line())
    table = Table("what", "cold, s", "warm, s (median)", "warm, min")
    for name, arguments in CASES.items():
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(arguments, cache)
            warm = [seconds(arguments, cache) for _ in range(args.runs)]
        table.add_row(name, f"{cold:.2f}", f"{statistics.median(warm):.3f}", f"{min(warm):.3f}")
    console.print(table)


if __name__ == "__main__":
    main(tyro.cli(Args, description=__doc__))
