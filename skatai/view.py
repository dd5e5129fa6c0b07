"""What one seat may know of a game: the only thing an honest agent is given (rules 1.4)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.actions import ACTION_NAMES
from skatai.auction import auction_calls
from skatai.cards import Card, CardSet
from skatai.contract import Contract
from skatai.errors import IllegalActionError, NotationError, SkatError, whole_number
from skatai.kernels.action_ids import N_ACTIONS, N_BIDS, WORD_BITS
from skatai.kernels.moves import legal_mask, legal_words
from skatai.kernels.observe import observe
from skatai.kernels.state import (
    ANSWER,
    AUCTION,
    NO_GAME,
    NOBODY,
    OVER,
    PHASES,
    PLAY,
    STATE,
    StateRecord,
    bid_value,
    new_state,
)
from skatai.rules import Rules

__all__ = ["PlayerView", "StateReader", "legal_action_ids"]


def legal_action_ids(state: StateRecord) -> list[int]:
    """Ids of the legal actions of the seat to move, ascending."""
    ids: list[int] = []
    for w, word in enumerate(legal_words(state)):
        bits = int(word)
        while bits:
            low = bits & -bits
            ids.append(WORD_BITS * w + low.bit_length() - 1)
            bits ^= low
    return ids


def _seat(value: Any) -> int | None:
    return None if int(value) == NOBODY else int(value)


def _check_ranges(state: StateRecord) -> None:
    """Refuse a record from outside whose numbers would lead kernels out of their tables.

    Raises:
        ValueError: a field out of its range.
    """
    phase, game, declarer = int(state["phase"]), int(state["game"]), int(state["declarer"])
    seats = ("to_move", "declarer", "caller", "responder", "survivor", "pending", "end_seat")
    fits = {
        "phase": phase <= OVER,
        "seat": all(int(state[name]) in (0, 1, 2, NOBODY) for name in seats) and int(state["leaders"].max()) < 3,
        "declarer": declarer < 3 or phase in (AUCTION, OVER),
        "game": game < 6 or (game == NO_GAME and phase not in (PLAY, ANSWER)),
        "bid": max(int(state["bid"]), int(state["limits"].max())) <= N_BIDS,
        "play": int(state["n_plays"]) <= 30 and int(state["plays"].max()) < 32,
    }
    for name, good in fits.items():
        if not good:
            raise ValueError(f"{name} out of range")


class StateReader:
    """Reads a state record: what :class:`~skatai.game.Game` and :class:`PlayerView` have in common."""

    state: StateRecord

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return Rules.from_int(int(self.state["rules"]))

    @property
    def phase(self) -> str:
        """``auction``, ``skat``, ``discard``, ``declare``, ``play``, ``answer`` or ``over``."""
        return PHASES[int(self.state["phase"])]

    @property
    def is_over(self) -> bool:
        """The deal has ended."""
        return int(self.state["phase"]) == OVER

    @property
    def to_move(self) -> int | None:
        """Seat to move, ``None`` when over."""
        return _seat(self.state["to_move"])

    @property
    def declarer(self) -> int | None:
        """Seat of the declarer, ``None`` before the auction has ended or when passed in."""
        return _seat(self.state["declarer"])

    @property
    def contract(self) -> Contract | None:
        """What was declared, ``None`` before."""
        game = int(self.state["game"])
        return None if game == NO_GAME else Contract.from_flags(game, int(self.state["flags"]))

    @property
    def bid(self) -> int:
        """The last value named in the auction, 0 before any."""
        return int(bid_value(self.state))

    @property
    def calls(self) -> list[tuple[int, str]]:
        """The auction so far: ``(seat, "18" | "hold" | "pass")``."""
        return auction_calls(self.state)

    @property
    def plays(self) -> list[tuple[int, Card]]:
        """Every card played, ``(seat, card)``, in order."""
        leaders, cards = self.state["leaders"], self.state["plays"]
        n = int(self.state["n_plays"])
        return [((int(leaders[i // 3]) + i % 3) % 3, Card(int(cards[i]))) for i in range(n)]

    @property
    def tricks(self) -> list[list[tuple[int, Card]]]:
        """The complete tricks."""
        plays = self.plays
        return [plays[i : i + 3] for i in range(0, len(plays) - 2, 3)]

    @property
    def trick(self) -> list[tuple[int, Card]]:
        """The cards on the table (0 to 2 while the game is played)."""
        plays = self.plays
        return plays[len(plays) - len(plays) % 3 :]

    @property
    def points(self) -> tuple[int, int, int]:
        """Card points in the tricks of each seat."""
        p = self.state["points"]
        return int(p[0]), int(p[1]), int(p[2])

    @property
    def legal_actions(self) -> list[int]:
        """Ids of the legal actions of the seat to move."""
        return legal_action_ids(self.state)

    @property
    def legal_action_names(self) -> list[str]:
        """Names of the legal actions."""
        return [ACTION_NAMES[action] for action in self.legal_actions]

    def legal_mask(self) -> NDArray[np.int8]:
        """The legal actions as 0/1: int8, shape (136,)."""
        out = np.zeros(N_ACTIONS, dtype=np.int8)
        legal_mask(self.state, out)
        return out


class PlayerView(StateReader):
    """Exactly what one seat may know.

    Attributes:
        seat: 0, 1 or 2.
        state: the state record with everything hidden blanked out (:func:`skatai.kernels.observe.observe`); kernels that read
            only what the seat knows take it like a full state.
    """

    __slots__ = ("seat", "state")

    def __init__(self, state: StateRecord, seat: int) -> None:
        """Make the view of ``seat`` from a full state (or from a view of the same seat).

        Raises:
            SkatError: ``state`` is no state record.
            IllegalActionError: no such seat.
        """
        if getattr(state, "dtype", None) != STATE or getattr(state, "shape", None) != ():
            raise SkatError(f"view: {type(state).__name__} is not a state record")
        seat = whole_number(seat, "view of seat", 0, 2, IllegalActionError)
        self.seat = seat
        self.state = new_state()
        observe(state, seat, self.state)

    @property
    def hand(self) -> CardSet:
        """The seat's own cards (twelve after picking up)."""
        return CardSet(int(self.state["hands"][self.seat]))

    @property
    def dealt(self) -> CardSet:
        """The ten cards the seat was dealt."""
        return CardSet(int(self.state["dealt"][self.seat]))

    @property
    def skat(self) -> CardSet | None:
        """The dealt skat, if the seat has seen it."""
        mask = int(self.state["skat"])
        return CardSet(mask) if mask else None

    @property
    def discards(self) -> CardSet:
        """What the seat has put away as declarer."""
        return CardSet(int(self.state["discards"]))

    @property
    def open_hand(self) -> CardSet | None:
        """The declarer's cards in an ouvert game, for everybody."""
        contract = self.contract
        if contract is None or not contract.ouvert or self.declarer is None:
            return None
        return CardSet(int(self.state["hands"][self.declarer]))

    @property
    def is_my_turn(self) -> bool:
        """The seat is to move."""
        return self.to_move == self.seat

    @property
    def legal_actions(self) -> list[int]:
        """Ids of the seat's legal actions; none while another is to move."""
        return legal_action_ids(self.state) if self.is_my_turn else []

    def legal_mask(self) -> NDArray[np.int8]:
        """The seat's legal actions as 0/1: int8, shape (136,); all 0 while another is to move."""
        return super().legal_mask() if self.is_my_turn else np.zeros(N_ACTIONS, dtype=np.int8)

    @property
    def role(self) -> str:
        """``bidder`` before there is a declarer, then ``declarer`` or ``defender``."""
        if self.declarer is None:
            return "bidder"
        return "declarer" if self.declarer == self.seat else "defender"

    def to_bytes(self) -> bytes:
        """The masked record's bytes."""
        return bytes(self.state.tobytes())

    def to_json(self) -> str:
        """One line of JSON; :meth:`from_json` reads it."""
        return json.dumps({"view": self.seat, "state": self.to_bytes().hex()})

    @classmethod
    def from_json(cls, text: str) -> PlayerView:
        """Read :meth:`to_json`.

        Raises:
            NotationError: not such a text.
        """
        try:
            data = json.loads(text)
            view = cls._restore(int(data["view"]), bytes.fromhex(data["state"]))
            _check_ranges(view.state)
            view.rules, view.contract, view.calls  # noqa: B018  # reading them finds what else is no state
            return view
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
            raise NotationError(f"view: not the JSON of a view ({error})") from None

    @classmethod
    def _restore(cls, seat: int, record: bytes) -> PlayerView:
        if seat not in (0, 1, 2) or len(record) != STATE.itemsize:
            raise NotationError(f"view: seat {seat} with {len(record)} bytes, expected 0 … 2 and {STATE.itemsize}")
        view = cls.__new__(cls)
        view.seat = seat
        view.state = np.frombuffer(record, dtype=STATE).copy()[0]
        return view

    def __reduce__(self) -> tuple[Any, tuple[int, bytes]]:
        return PlayerView._restore, (self.seat, self.to_bytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlayerView):
            return NotImplemented
        return self.seat == other.seat and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash((self.seat, self.to_bytes()))

    def __repr__(self) -> str:
        return (
            f"<PlayerView seat={self.seat} phase={self.phase} hand={self.hand} bid={self.bid} contract={self.contract}>"
        )
