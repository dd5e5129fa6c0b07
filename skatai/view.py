"""What one seat may know of a game: the only thing an honest agent is given (rules 1.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skatai.actions import ACTION_NAMES
from skatai.auction import auction_calls
from skatai.cards import Card, CardSet
from skatai.contract import Contract
from skatai.errors import IllegalActionError, NotationError, SkatError, whole_number
from skatai.kernels.action_ids import N_ACTIONS, N_BIDS
from skatai.kernels.entry import copied_state, hide, last_bid, legal_flags, legal_ids
from skatai.kernels.state import ANSWER, AUCTION, NO_GAME, NOBODY, OVER, PHASES, PLAY, STATE, StateRecord
from skatai.rules import Rules

__all__ = ["PlayerView", "StateReader", "legal_action_ids", "stack_views"]

# Both are immutable, and reading them from numbers takes microseconds.
_rules_of = cache(Rules.from_int)
_contract_of = cache(Contract.from_flags)


def legal_action_ids(state: StateRecord) -> list[int]:
    """Ids of the legal actions of the seat to move, ascending."""
    return _legal_ids(copied_state(state))


def _legal_ids(states: NDArray[np.void]) -> list[int]:
    ids: list[int] = legal_ids(states).tolist()
    return ids


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
    """Reads a state record: what :class:`~skatai.game.Game` and :class:`PlayerView` have in common.

    Attributes:
        states: the state as an array of shape (1,), dtype ``STATE``. Kernels that are called from Python should take this one: a
            record costs ten times as much to pass.
    """

    states: NDArray[np.void]

    @property
    def state(self) -> StateRecord:
        """The state as a record (``np.void``, :mod:`skatai.kernels.state`), in the memory of ``states``; to set it is to copy."""
        return self.states[0]

    @state.setter
    def state(self, state: StateRecord) -> None:
        self.states = copied_state(state)

    def _field(self, name: str) -> int:
        return int(self.states[name][0])

    def _seat(self, name: str) -> int | None:
        seat = int(self.states[name][0])
        return None if seat == NOBODY else seat

    def _plays_from(self, first: int) -> list[tuple[int, Card]]:
        leaders = self.states["leaders"][0].tolist()
        cards = self.states["plays"][0, first : self._field("n_plays")].tolist()
        return [((leaders[i // 3] + i % 3) % 3, Card(card)) for i, card in enumerate(cards, first)]

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return _rules_of(self._field("rules"))

    @property
    def phase(self) -> str:
        """``auction``, ``skat``, ``discard``, ``declare``, ``play``, ``answer`` or ``over``."""
        return PHASES[self._field("phase")]

    @property
    def is_over(self) -> bool:
        """The deal has ended."""
        return self._field("phase") == OVER

    @property
    def to_move(self) -> int | None:
        """Seat to move, ``None`` when over."""
        return self._seat("to_move")

    @property
    def declarer(self) -> int | None:
        """Seat of the declarer, ``None`` before the auction has ended or when passed in."""
        return self._seat("declarer")

    @property
    def contract(self) -> Contract | None:
        """What was declared, ``None`` before."""
        game = self._field("game")
        return None if game == NO_GAME else _contract_of(game, self._field("flags"))

    @property
    def bid(self) -> int:
        """The last value named in the auction, 0 before any."""
        return int(last_bid(self.states))

    @property
    def calls(self) -> list[tuple[int, str]]:
        """The auction so far: ``(seat, "18" | "hold" | "pass")``."""
        return auction_calls(self.state)

    @property
    def plays(self) -> list[tuple[int, Card]]:
        """Every card played, ``(seat, card)``, in order."""
        return self._plays_from(0)

    @property
    def tricks(self) -> list[list[tuple[int, Card]]]:
        """The complete tricks."""
        plays = self.plays
        return [plays[i : i + 3] for i in range(0, len(plays) - 2, 3)]

    @property
    def trick(self) -> list[tuple[int, Card]]:
        """The cards on the table (0 to 2 while the game is played)."""
        n = self._field("n_plays")
        return self._plays_from(n - n % 3)

    @property
    def points(self) -> tuple[int, int, int]:
        """Card points in the tricks of each seat."""
        forehand, middlehand, rearhand = self.states["points"][0].tolist()
        return forehand, middlehand, rearhand

    @property
    def legal_actions(self) -> list[int]:
        """Ids of the legal actions of the seat to move."""
        return _legal_ids(self.states)

    @property
    def legal_action_names(self) -> list[str]:
        """Names of the legal actions."""
        return [ACTION_NAMES[action] for action in self.legal_actions]

    def legal_mask(self) -> NDArray[np.int8]:
        """The legal actions as 0/1: int8, shape (136,)."""
        out = np.empty(N_ACTIONS, dtype=np.int8)
        legal_flags(self.states, out)
        return out


class PlayerView(StateReader):
    """Exactly what one seat may know.

    Attributes:
        seat: 0, 1 or 2.
        states: the state with everything hidden blanked out (:func:`skatai.kernels.observe.observe`), as an array of shape (1,),
            dtype ``STATE``; kernels that read only what the seat knows take it like a full state.
        state: the same as a record; slower to pass to kernels.
    """

    __slots__ = ("seat", "states")

    def __init__(self, state: StateRecord, seat: int) -> None:
        """Make the view of ``seat`` from a full state (or from a view of the same seat).

        Args:
            state: a state record, or an array of one.
            seat: 0, 1 or 2.

        Raises:
            SkatError: ``state`` is no state record.
            IllegalActionError: no such seat.
        """
        if getattr(state, "dtype", None) != STATE or getattr(state, "shape", None) not in ((), (1,)):
            raise SkatError(f"view: {type(state).__name__} is not a state record")
        seat = whole_number(seat, "view of seat", 0, 2, IllegalActionError)
        self.seat = seat
        self.states = copied_state(state)
        hide(self.states, seat)

    @property
    def hand(self) -> CardSet:
        """The seat's own cards (twelve after picking up)."""
        return CardSet(int(self.states["hands"][0, self.seat]))

    @property
    def dealt(self) -> CardSet:
        """The ten cards the seat was dealt."""
        return CardSet(int(self.states["dealt"][0, self.seat]))

    @property
    def skat(self) -> CardSet | None:
        """The dealt skat, if the seat has seen it."""
        mask = self._field("skat")
        return CardSet(mask) if mask else None

    @property
    def discards(self) -> CardSet:
        """What the seat has put away as declarer."""
        return CardSet(self._field("discards"))

    @property
    def open_hand(self) -> CardSet | None:
        """The declarer's cards in an ouvert game, for everybody."""
        contract, declarer = self.contract, self.declarer
        if contract is None or not contract.ouvert or declarer is None:
            return None
        return CardSet(int(self.states["hands"][0, declarer]))

    @property
    def is_my_turn(self) -> bool:
        """The seat is to move."""
        return self._field("to_move") == self.seat

    @property
    def legal_actions(self) -> list[int]:
        """Ids of the seat's legal actions; none while another is to move."""
        return _legal_ids(self.states) if self.is_my_turn else []

    def legal_mask(self) -> NDArray[np.int8]:
        """The seat's legal actions as 0/1: int8, shape (136,); all 0 while another is to move."""
        return super().legal_mask() if self.is_my_turn else np.zeros(N_ACTIONS, dtype=np.int8)

    @property
    def role(self) -> str:
        """``bidder`` before there is a declarer, then ``declarer`` or ``defender``."""
        declarer = self.declarer
        if declarer is None:
            return "bidder"
        return "declarer" if declarer == self.seat else "defender"

    def to_bytes(self) -> bytes:
        """The masked record's bytes."""
        return self.states.tobytes()

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
        view.states = np.frombuffer(bytearray(record), dtype=STATE)
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


def stack_views(views: Iterable[PlayerView]) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """The views of a batch as kernels take them: states (n,), dtype ``STATE``, and seats, int64 (n,); copies."""
    views = list(views)
    states = np.frombuffer(bytearray().join([view.to_bytes() for view in views]), dtype=STATE)
    return states, np.array([view.seat for view in views], dtype=np.int64)
