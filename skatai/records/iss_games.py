"""Between ISS records and the engine's games: writing a :class:`Game` as a record, and a record as a :class:`Game`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import numpy as np

from skatai.actions import bid_of, contract_of, parse_action
from skatai.deal import Deal
from skatai.errors import RecordError
from skatai.game import Game
from skatai.kernels.action_ids import (
    FIRST_BID,
    FIRST_DECLARATION,
    HOLD,
    LADDER_OFFICIAL,
    LADDER_WORDS,
    PASS,
    PICK_UP,
    WORD_BITS,
)
from skatai.kernels.events import EVENTS
from skatai.kernels.records import CLAIMED, LEFT, N_NUMBERS, RESIGNED, TIMED_OUT, result_numbers
from skatai.records.iss_replay import EVENT_NAMES, Replay, replay, result_of_numbers
from skatai.records.iss_text import IssRecord
from skatai.rules import Rules

__all__ = ["game_of_replay", "moves_text", "record_of_game"]

_CARD_NAMES: Final = tuple(suit + rank for suit in "DHSC" for rank in "789QKTAJ")
_KINDS: Final = {"concede": RESIGNED, "time_out": TIMED_OUT, "leave": LEFT}


def _event_words(kind: int, seat: int) -> list[str]:
    name = EVENT_NAMES[kind]
    return ["w", f"{name}.{seat}"] if kind in (TIMED_OUT, LEFT) else [str(seat), name]


def moves_text(
    deck: Sequence[int],
    actions: Sequence[int],
    seats: Sequence[int],
    events: Sequence[tuple[int, int, int]],
    split: bool = False,
) -> str:
    """The value of ``MV`` for a game on the engine.

    Args:
        deck: the 32 cards: forehand, middlehand, rearhand, skat.
        actions: action ids of the auction, the pick-up, both discards, the declaration and the play.
        seats: who took each.
        events: (number of actions before it, kind, seat), kinds as in :data:`EVENT_NAMES`.
        split: write contract and discards as two moves.
    """
    names = _CARD_NAMES
    words = ["w", ".".join(names[card] for card in deck)]
    discards: list[str] = []
    picked_up = declared = False
    waiting = list(events)
    for number, (action, seat) in enumerate(zip(actions, seats, strict=True)):
        while waiting and waiting[0][0] <= number:
            words += _event_words(*waiting.pop(0)[1:])
        who = str(seat)
        if action >= FIRST_BID:
            words += [who, str(bid_of(action))]
        elif action == PICK_UP:
            picked_up = True
            words += [who, "s", "w", f"{names[deck[30]]}.{names[deck[31]]}"]
        elif action in (PASS, HOLD):
            words += [who, "p" if action == PASS else "y"]
        elif action >= FIRST_DECLARATION:
            declared = True
            contract = str(contract_of(action))
            two = ".".join(discards)
            words += [who, contract, who, two] if split and two else [who, f"{contract}.{two}" if two else contract]
        elif picked_up and not declared:
            discards.append(names[action])
        else:
            words += [who, names[action]]
    for _, kind, seat in waiting:
        words += _event_words(kind, seat)
    return " ".join(words) + " "


def _is_official(action: int) -> bool:
    return action < FIRST_BID or bool(int(LADDER_WORDS[LADDER_OFFICIAL, action // WORD_BITS]) >> action % WORD_BITS & 1)


def record_of_game(
    game: Game,
    *,
    players: tuple[str, str, str] = ("", "", ""),
    place: str = "skatai",
    comment: str = "",
    series: int = 1,
    game_id: int = 1,
    time: datetime | None = None,
) -> IssRecord:
    """A game of the engine as an ISS record, for :func:`format_record`.

    Args:
        game: from the deal on; it need not be over (``R[unknown]``).
        players: names of forehand, middlehand and rearhand; no blanks.
        place, comment, series, game_id, time: the tags ``PC CO SE ID DT``; ``time`` in UTC.

    Raises:
        RecordError: something that records cannot express or that does not replay by the server's rules: claims, consent to a
            concession, concessions by ISkO, a bid of another ladder, or a game broken off between discards and declaration.
    """
    actions: list[int] = []
    seats: list[int] = []
    events: list[tuple[int, int, int]] = []
    for seat, name in game.history:
        if name in _KINDS:
            events.append((len(actions), _KINDS[name], seat))
        elif name in EVENTS:
            raise RecordError(f"a game with '{name}' cannot be written as an ISS record")
        else:
            actions.append(parse_action(name))
            seats.append(seat)
    if not all(map(_is_official, actions)):
        raise RecordError("a game with a bid that is not on the official ladder cannot be written as an ISS record")
    numbers = np.zeros(N_NUMBERS, dtype=np.int16)
    result_numbers(game.state, numbers)
    record = IssRecord(
        moves_text(game.deal.cards, actions, seats, events),
        result_of_numbers(numbers.tolist()),
        players,
        ("", "", ""),
        place,
        comment,
        str(series),
        str(game_id),
        "" if time is None else time.strftime("%Y-%m-%d/%H:%M:%S/UTC"),
    )
    if replay(record).state["n_plays"] != game.state["n_plays"]:
        raise RecordError("a game broken off between discards and declaration cannot be written as an ISS record")
    return record


def game_of_replay(found: Replay) -> Game:
    """The :class:`Game` of a replayed record, with its history (``SC`` is no event of the engine and left out)."""
    state = found.state
    game = Game(Deal.from_masks((*state["dealt"].tolist(), int(state["skat"]))), rules=Rules.iss())
    names = {kind: name for name, kind in _KINDS.items()}
    waiting = [event for event in found.events if event[1] != CLAIMED]
    for number, action in enumerate(found.actions.tolist()):
        while waiting and waiting[0][0] <= number:
            _, kind, seat = waiting.pop(0)
            game.event(names[kind], seat)
        game.play(action)
    for _, kind, seat in waiting:
        game.event(names[kind], seat)
    if found.convention == "single resignation":
        game.event("concede", int(state["end_seat"]))
    return game
