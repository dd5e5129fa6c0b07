"""Synthetic ISS records: random games with all kinds of endings, for tests and benchmarks (real archives carry no licence)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai.deal import DECK_POSITIONS
from skatai.kernels.action_ids import FIRST_BID, FIRST_DECLARATION, PICK_UP
from skatai.kernels.records import (
    CURSOR_SIZE,
    MAX_ACTIONS,
    MAX_EVENTS,
    N_EVENTS,
    N_NUMBERS,
    N_TAKEN,
    random_moves,
    result_numbers,
)
from skatai.kernels.state import new_state, set_deal
from skatai.records.iss_games import moves_text
from skatai.records.iss_replay import result_of_numbers
from skatai.records.iss_text import IssRecord, IssResult, format_record
from skatai.rng import Rng
from skatai.rules import Rules

__all__ = ["generate", "generate_lines"]

#: the rules of the server, but only the 63 official bids: values of its client alone are read, never written
_RULES: Final = Rules(early_end="iss", concede_policy="award_rest").to_int()
_NAMES: Final = (
    "kermit",
    "zoot",
    "theCount",
    "bernie",
    "xskat",
    "kermit:2",
    "@guest17",
    "Ann",
    "Bob",
    "C]arl",
    "d[o]ra",
)
_RATINGS: Final = ("", "0.0", "null", "987.65", "1203.4")
_START: Final = datetime(2007, 11, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Room:
    """Arrays that the random player writes into."""

    actions: NDArray[np.uint8]
    seats: NDArray[np.uint8]
    events: NDArray[np.uint8]
    cursor: NDArray[np.int64]
    numbers: NDArray[np.int16]

    @classmethod
    def new(cls) -> _Room:
        actions, seats = np.zeros(MAX_ACTIONS, dtype=np.uint8), np.zeros(MAX_ACTIONS, dtype=np.uint8)
        events, cursor = np.zeros((MAX_EVENTS, 3), dtype=np.uint8), np.zeros(CURSOR_SIZE, dtype=np.int64)
        return cls(actions, seats, events, cursor, np.zeros(N_NUMBERS, dtype=np.int16))


def _play(rng: Rng, room: _Room) -> tuple[str, IssResult]:
    """One random game: ``MV`` and ``R``."""
    deck = list(range(32))
    rng.shuffle(deck)
    cards = [deck[place] for places in DECK_POSITIONS for place in places]
    state = new_state()
    h0, h1, h2, skat = (sum(1 << card for card in cards[a:b]) for a, b in ((0, 10), (10, 20), (20, 30), (30, 32)))
    set_deal(state, h0, h1, h2, skat, _RULES)
    random_moves(state, rng.state, room.actions, room.seats, room.events, room.cursor)
    result_numbers(state, room.numbers)
    n, m = int(room.cursor[N_TAKEN]), int(room.cursor[N_EVENTS])
    actions, seats = room.actions[:n].tolist(), room.seats[:n].tolist()
    events = [(row[0], row[1], row[2]) for row in room.events[:m].tolist()]
    if n and actions[-1] < FIRST_DECLARATION and PICK_UP in actions:
        # Broken off between discards and declaration: records have no such moment, the discards come with the contract.
        after_pick_up = actions.index(PICK_UP) + 1
        if not any(FIRST_DECLARATION <= action < FIRST_BID for action in actions):
            actions, seats = actions[:after_pick_up], seats[:after_pick_up]
    return moves_text(cards, actions, seats, events, rng.below(10) == 0), result_of_numbers(room.numbers.tolist())


def generate(seed: int, n: int) -> Iterator[IssRecord]:
    """``n`` synthetic records; the first ones do not depend on ``n``.

    Random auctions and play of all contracts, won, lost and overbid, passed in, resigned, shown, timed out and left in every phase;
    a tenth of the pick-ups is split; the first twentieth of every hundred looks like 2007 (no ``CO``, ``r`` absent after ``LE``).
    """
    room = _Room.new()
    for number in range(n):
        rng = Rng(seed).spawn(number)
        moves, result = _play(rng, room)
        old = number % 100 < 5
        if old and result.left >= 0:
            result = replace(result, resigned=None)
        p0, p1, p2 = (rng.choice(_NAMES) for _ in range(3))
        r0, r1, r2 = (rng.choice(_RATINGS) for _ in range(3))
        yield IssRecord(
            moves,
            result,
            (p0, p1, p2),
            (r0, r1, r2),
            "Internet Skat Server" if old else rng.choice(("International Skat Server", "ISS2")),
            None if old else "",
            str(1 + number // 36),
            str(1 + number),
            (_START + timedelta(minutes=number)).strftime("%Y-%m-%d/%H:%M:%S/UTC"),
        )


def generate_lines(seed: int, n: int) -> Iterator[str]:
    """:func:`generate` as lines of a file, each with its line end."""
    for record in generate(seed, n):
        yield format_record(record) + "\n"
