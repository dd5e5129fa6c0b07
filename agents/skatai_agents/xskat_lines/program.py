"""Starting XSkat."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from skatai.cards import parse_card
from skatai.deal import Deal
from skatai.errors import SkatError

__all__ = ["find_xskat", "forehand_of", "game_file", "run_xskat"]

#: where Debian puts games, which is not on everybody's PATH
_FOLDERS: Final = "/usr/games:/usr/local/games"
#: the player (1, 2, 3) who deals first
_DEALER: Final = 2
#: the numbers of forehand, middlehand and rearhand in a file of games
_NUMBERS: Final = (3, 1, 2)
_RANKS: Final = "ATKQJ987"
#: seconds to start, and for a deal: a hundred times what it takes
_PATIENCE: Final = (30.0, 0.01)
_WEAKEST: Final = "-4"


def find_xskat() -> Path:
    """The program.

    Raises:
        SkatError: it is not installed.
    """
    found = shutil.which("xskat", path=f"{os.environ.get('PATH', '')}:{_FOLDERS}")
    if found is None:
        raise SkatError("no program xskat on PATH or in /usr/games: install it (Debian: apt-get install xskat)")
    return Path(found)


def forehand_of(number: int) -> int:
    """The player (0, 1, 2) who is forehand in game ``number`` (from 0)."""
    return (_DEALER + number) % 3


def game_file(deals: Sequence[Deal]) -> str:
    """The deals as XSkat reads them (``-game``): for every card, suit by suit, who holds it."""
    rows = []
    for deal in deals:
        holders = {card: number for number, hand in zip(_NUMBERS, deal.hands, strict=True) for card in hand}
        rows += [" ".join(str(holders.get(parse_card(suit + rank), 0)) for rank in _RANKS) for suit in "DHSC"]
    return "\n".join([*rows, ""])


def run_xskat(deals: Sequence[Deal], weak: int | None = None, program: str | Path | None = None) -> str:
    """Let XSkat play the deals in all seats; its log.

    It runs in a temporary folder that is also its home, so that nobody's settings are read or written.

    Args:
        deals: at least one.
        weak: a player (0, 1, 2) who bids weakly.
        program: by default :func:`find_xskat`.

    Raises:
        SkatError: the program is not there, fails, or takes too long.
    """
    program = find_xskat() if program is None else Path(program)
    with TemporaryDirectory(prefix="xskat-") as home:
        folder = Path(home)
        (folder / "games").write_text(game_file(deals), encoding="ascii")
        command = [str(program), "-auto", str(len(deals)), "-start", str(_DEALER), "-lang", "english", "-unfmt"]
        command += ["-game", "games", "-log", "log"]
        if weak is not None:
            command += [f"-s{weak + 1}", _WEAKEST]
        limit = _PATIENCE[0] + _PATIENCE[1] * len(deals)
        environment = {"HOME": home, "PATH": os.environ.get("PATH", "")}
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SkatError(f"{program}: not done with {len(deals)} deals after {limit:.0f} s") from None
        except OSError as error:
            raise SkatError(f"{program}: cannot be started: {error.strerror or error}") from None
        if done.returncode != 0 or not (folder / "log").is_file():
            said = " ".join(done.stderr.decode(errors="replace").split())[:200] or "nothing"
            raise SkatError(f"{program}: ended with code {done.returncode} and no log; it said: {said}")
        return (folder / "log").read_text(encoding="latin-1")
