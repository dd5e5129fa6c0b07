"""Records of the International Skat Server (ISS): reader and writer.

One record is one line, ``(;GM[Skat]PC[…]…MV[…]R[…] ;)``. Reading a file gives one outcome per record, in order:

* :class:`GameOutcome`: replayed on the engine, and the recorded result is what the replay gives, token by token;
* :class:`ViewOutcome`: what one seat saw (``OW``, ``??``); it cannot be replayed;
* :class:`QuarantineOutcome`: unreadable, against the rules or at odds with its own result, with the line and the reason.

>>> [outcome.kind for outcome in read_records("(;GM[Skat]MV[w C7] ;)")]
['quarantine']
"""

from __future__ import annotations

from skatai.records.framing import SourceLike
from skatai.records.iss_games import game_of_replay, record_of_game
from skatai.records.iss_generate import generate, generate_lines
from skatai.records.iss_reader import read_records
from skatai.records.iss_replay import EVENT_NAMES, Replay, replay
from skatai.records.iss_text import (
    BOT_NAMES,
    IssRecord,
    IssResult,
    canonical_moves,
    format_record,
    format_result,
    parse_record,
    parse_result,
)
from skatai.records.outcomes import GameOutcome, Outcome, QuarantineOutcome, ViewOutcome

__all__ = [
    "BOT_NAMES",
    "EVENT_NAMES",
    "GameOutcome",
    "IssRecord",
    "IssResult",
    "Outcome",
    "QuarantineOutcome",
    "Replay",
    "SourceLike",
    "ViewOutcome",
    "canonical_moves",
    "format_record",
    "format_result",
    "game_of_replay",
    "generate",
    "generate_lines",
    "parse_record",
    "parse_result",
    "read_records",
    "recognises",
    "record_of_game",
    "replay",
]


def recognises(head: bytes) -> bool:
    """Whether a file that begins with ``head`` may hold ISS records: a ``(;`` after comments and blank lines."""
    for line in head.splitlines():
        text = line.strip()
        if text and not text.startswith(b"#"):
            return text.startswith(b"(;")
    return False
