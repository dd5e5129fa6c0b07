"""The command line ``skatai``: one module a command, imported only when it runs."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import FrameType
from typing import cast

from skatai.errors import SkatError

__all__ = ["COMMANDS", "main"]

#: command → what it does; kept here so that ``skatai --help`` imports nothing else
COMMANDS: dict[str, str] = {
    "demo": "play a duplicate tournament on real deals and write a report (a few minutes)",
    "tournament": "let agents play duplicate deals against each other",
    "bidding": "evaluate bidders: agents, functions from hand to limit, ONNX files",
    "play": "play at the terminal against agents",
    "solve": "open-card values of positions, deals and every card of game records",
    "check": "run conformance files against the engine",
    "records": "read game records: summary table, conversion to columns",
    "warmup": "compile all kernels ahead of use",
}


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    head = ["usage: skatai COMMAND …", "", "A toolkit for AI research on Skat.", "", "commands:"]
    return "\n".join([*head, *lines, "", "skatai COMMAND --help tells more."])


@contextmanager
def _noting_interrupts() -> Iterator[list[int]]:
    """The interrupts (Ctrl-C) so far.

    One that comes while Numba compiles may be swallowed by a callback from C and show up as a RuntimeError of the compiler.
    """
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, or somebody else's
        yield noted
        return
    try:
        signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread, which alone gets signals
        yield noted
        return
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _allow_any_text() -> None:
    """An output without ± or κ (an ASCII locale, some pipes on Windows) shows ? there, instead of failing after a long run."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def main(argv: list[str] | None = None) -> int:
    """Run a command; errors of the user's making are one line on stderr and exit code 2."""
    _allow_any_text()
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0
    if arguments[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(f"skatai {version('skatai')}")
        return 0
    name = arguments[0]
    if name not in COMMANDS or find_spec(f"skatai.cli.{name}") is None:
        print(f"skatai: no command {name!r}; there are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    run = cast(Callable[[list[str]], int], import_module(f"skatai.cli.{name}").run)
    with _noting_interrupts() as interrupts:
        try:
            return run(arguments[1:])
        except SkatError as error:
            print(f"skatai {name}: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print(f"skatai {name}: interrupted", file=sys.stderr)
            return 130
        except RuntimeError:
            if not interrupts:
                raise
            print(f"skatai {name}: interrupted", file=sys.stderr)
            return 130
        except BrokenPipeError:  # the reader of our output has gone
            sys.stderr.close()
            return 1
        except OSError as error:  # such as a full disk under the output
            name_of = f"{error.filename}: " if error.filename else ""
            print(f"skatai {name}: {name_of}{error.strerror or error}", file=sys.stderr)
            return 2
