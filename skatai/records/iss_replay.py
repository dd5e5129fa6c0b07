"""The careful replay of an ISS record: every move checked on the engine, every form of section 5, and reasons in words.

What the server counts otherwise than the engine is settled here: a record may agree with one of several documented readings of
its ending (``conventions``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skatai.actions import action_name, declare_action
from skatai.contract import Contract
from skatai.errors import RecordError
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, HOLD, PASS, PICK_UP
from skatai.kernels.events import EVENT_CONCEDE, EVENT_LEAVE, EVENT_TIME_OUT, apply_event, is_legal_event
from skatai.kernels.moves import apply_move, is_legal
from skatai.kernels.records import (
    CLAIMED,
    KIND_GAME,
    KIND_PASSED,
    KIND_PENALTY,
    KIND_UNKNOWN,
    LEFT,
    N_NUMBERS,
    RESIGNED,
    TIMED_OUT,
    result_numbers,
)
from skatai.kernels.settle import count_matadors, goal_reached, settle
from skatai.kernels.state import (
    AUCTION,
    DISCARD,
    END_CONCEDED,
    END_DEFENDERS_CONCEDED,
    END_LEFT,
    END_TIMED_OUT,
    OVER,
    PLAY,
    SKAT,
    StateRecord,
    bid_value,
    card_points,
    new_state,
    set_deal,
)
from skatai.kernels.tables import NULL
from skatai.records.iss_text import IssRecord, IssResult, format_result, parse_cards, parse_contract, parse_deal
from skatai.rules import Rules

__all__ = ["EVENT_NAMES", "Replay", "replay", "result_of_numbers"]

RULES: Final = Rules.iss().to_int()
#: names of the events of a record by kind
EVENT_NAMES: Final = ("RE", "SC", "TI", "LE")
_KINDS: Final = {KIND_UNKNOWN: "unknown", KIND_PASSED: "passed", KIND_PENALTY: "penalty", KIND_GAME: "game"}
_PHASES: Final = (
    "the auction",
    "the choice of skat or hand",
    "the discard",
    "the declaration",
    "play",
    "an answer",
    "the end",
)
_BID: Final = {int(value): FIRST_BID + i for i, value in enumerate(BID_VALUES)}
_NUMBER: Final = re.compile(r"[1-9][0-9]{1,2}")
_ABORT: Final = re.compile(r"(TI|LE)\.([0-2])")


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Where a record leads on the engine.

    Attributes:
        state: the final STATE record.
        actions: uint8, the action ids taken, discards before the declaration as on the engine.
        events: (number of actions before it, kind, seat); kinds index :data:`EVENT_NAMES`.
        result: ``R[…]`` recomputed; equal to the recorded one.
        convention: empty, or the documented reading of the ending that the record follows: ``"single resignation"``,
            ``"contract without discard"``, ``"win kept"``, ``"own schneider"``.
        split: contract and discards came as two moves.
    """

    state: StateRecord
    actions: NDArray[np.uint8]
    events: tuple[tuple[int, int, int], ...]
    result: IssResult
    convention: str = ""
    split: bool = False

    def _has(self, *kinds: int) -> bool:
        return any(kind in kinds for _, kind, _ in self.events)

    @property
    def complete(self) -> bool:
        """All thirty cards were played."""
        return int(self.state["n_plays"]) == 30

    @property
    def claimed(self) -> bool:
        """The declarer showed his cards (``SC``)."""
        return self._has(CLAIMED)

    @property
    def aborted(self) -> bool:
        """Somebody ran out of time or left (``TI``, ``LE``); value and matadors are not to be trusted."""
        return self._has(TIMED_OUT, LEFT)

    @property
    def resigned(self) -> bool:
        """The game ended by resignation (told by the replay: old records lack the token)."""
        return int(self.state["end"]) in (END_CONCEDED, END_DEFENDERS_CONCEDED)


def result_of_numbers(numbers: list[int]) -> IssResult:
    """An :class:`IssResult` from the sixteen numbers of :func:`skatai.kernels.records.result_numbers`."""
    kind, d, won, v, m, overbid, p, t, s, z, p0, p1, p2, left, timed_out, r = numbers
    if kind in (KIND_UNKNOWN, KIND_PASSED):
        return IssResult(_KINDS[kind])
    return IssResult(
        _KINDS[kind],
        d,
        bool(won),
        v,
        m,
        bool(overbid),
        p,
        t,
        bool(s),
        bool(z),
        (p0, p1, p2),
        left,
        timed_out,
        r,
    )


def _result(state: StateRecord) -> IssResult:
    numbers = np.zeros(N_NUMBERS, dtype=np.int16)
    result_numbers(state, numbers)
    return result_of_numbers(numbers.tolist())


class _Walk:
    """One walk through the pairs of ``MV``."""

    def __init__(self, moves: list[tuple[str, str]]) -> None:
        self.moves = moves
        self.state = new_state()
        self.actions: list[int] = []
        self.events: list[tuple[int, int, int]] = []
        self.contract: Contract | None = None  # named, its discards still to come
        self.split = False
        self.skat_due = False
        self.unknown_card = False

    def run(self) -> None:
        if not self.moves or self.moves[0][0] != "w":
            raise RecordError("MV: expected to begin with the deal, 'w' and 32 cards")
        cards = parse_deal(self.moves[0][1])
        h0, h1, h2, skat = (sum(1 << card for card in cards[a:b]) for a, b in ((0, 10), (10, 20), (20, 30), (30, 32)))
        set_deal(self.state, h0, h1, h2, skat, RULES)
        for number, (who, action) in enumerate(self.moves[1:], 2):
            try:
                self._move(who, action)
            except RecordError as error:
                raise RecordError(f"MV, move {number} ({who[:8]!r} {action[:24]!r}): {error}") from None
        if self.unknown_card and self.state["phase"] != OVER:
            raise RecordError("MV: ends with an unknown card")

    def _move(self, who: str, action: str) -> None:
        if self.state["phase"] == OVER:
            raise RecordError("the game was over before")
        if self.unknown_card and (who != "w" or not _ABORT.fullmatch(action)):
            raise RecordError("an unknown card before it, and the game goes on")
        if who == "w":
            self._world(action)
        elif who in ("0", "1", "2"):
            self._seat(int(who), action)
        else:
            raise RecordError("expected w, 0, 1 or 2")

    def _world(self, action: str) -> None:
        abort = _ABORT.fullmatch(action)
        if abort is not None:
            timed_out = abort[1] == "TI"
            apply_event(self.state, EVENT_TIME_OUT if timed_out else EVENT_LEAVE, int(abort[2]))
            self.events.append((len(self.actions), TIMED_OUT if timed_out else LEFT, int(abort[2])))
            return
        if not self.skat_due:
            raise RecordError("expected TI or LE, or the skat after a pick-up")
        cards = parse_cards(action.split("."))
        if len(cards) != 2 or sum(1 << card for card in set(cards)) != int(self.state["skat"]):
            raise RecordError("not the skat that was dealt")
        self.skat_due = False

    def _seat(self, seat: int, action: str) -> None:
        phase = int(self.state["phase"])
        head = action.partition(".")[0]
        if action == "RE":
            if phase != PLAY or not is_legal_event(self.state, EVENT_CONCEDE, seat):
                raise RecordError("resigned twice" if phase == PLAY else "resignation outside play")
            apply_event(self.state, EVENT_CONCEDE, seat)
            self.events.append((len(self.actions), RESIGNED, seat))
            return
        if head == "SC":
            self._show(seat, action)
            return
        if seat != int(self.state["to_move"]):
            raise RecordError(f"seat {int(self.state['to_move'])} is to move")
        if self.skat_due:
            raise RecordError("expected 'w' and the skat")
        if phase == AUCTION:
            self._call(action)
        elif phase == SKAT:
            self._skat_or_hand(action)
        elif phase == DISCARD:
            self._declare(action)
        elif action == "??":
            self.unknown_card = True
        else:
            self._take(parse_cards([action])[0])

    def _take(self, action: int) -> None:
        if not is_legal(self.state, action):
            raise RecordError(f"{action_name(action)} is not legal in {_PHASES[int(self.state['phase'])]}")
        apply_move(self.state, action)
        self.actions.append(action)

    def _show(self, seat: int, action: str) -> None:
        if int(self.state["phase"]) != PLAY or seat != int(self.state["declarer"]):
            raise RecordError("only the declarer shows his cards, and only in play")
        self._check_shown(action.split(".")[1:])
        self.events.append((len(self.actions), CLAIMED, seat))

    def _check_shown(self, words: list[str]) -> None:
        """Shown cards are as the client sent them; they must at least be the declarer's."""
        declarer = int(self.state["declarer"])
        own = int(self.state["dealt"][declarer]) | int(self.state["skat"])
        for card in parse_cards([word for word in words if word != "??"]):
            if not own >> card & 1:
                raise RecordError("shows a card that the declarer does not have")

    def _call(self, action: str) -> None:
        if action in ("p", "y"):
            self._take(PASS if action == "p" else HOLD)
        elif _NUMBER.fullmatch(action) and int(action) in _BID:
            self._take(_BID[int(action)])
        else:
            raise RecordError("expected a bid, 'y' or 'p'")

    def _skat_or_hand(self, action: str) -> None:
        if action == "s":
            self._take(PICK_UP)
            self.skat_due = True
            return
        head, *shown = action.split(".")
        contract = parse_contract(head)
        if not contract.hand:
            raise RecordError("a game without the skat must be declared as hand")
        self._check_shown(shown)
        self._take(declare_action(contract))

    def _declare(self, action: str) -> None:
        words = action.split(".")
        if self.contract is None:
            contract = parse_contract(words.pop(0))
            if contract.hand:
                raise RecordError("hand declared after the pick-up")
            if not words:
                self.contract, self.split = contract, True
                return
        else:
            contract = self.contract
        if len(words) < 2:
            raise RecordError("expected two discards")
        for card in parse_cards(words[:2]):
            self._take(card)
        self._check_shown(words[2:])
        self.contract = None
        self._take(declare_action(contract))


def _readings(walk: _Walk) -> Iterator[tuple[IssResult, str]]:
    """What ``R[…]`` may say, the ordinary reading first."""
    state = walk.state
    ordinary = _result(state)
    aborted = int(state["end"]) in (END_TIMED_OUT, END_LEFT)
    if aborted and walk.contract is not None:
        yield _without_discard(walk, ordinary), "contract without discard"
        return
    yield ordinary, ""
    if ordinary.kind == "game" and int(state["game"]) != NULL:
        yield from _other_levels(state, ordinary)
        if aborted and int(state["end_seat"]) == int(state["declarer"]):
            yield from _win_kept(state, ordinary)
    resigned = int(state["resigned"]) & 7
    if ordinary.kind == "unknown" and resigned:
        other = next(s for s in range(3) if s != int(state["declarer"]) and not resigned >> s & 1)
        apply_event(state, EVENT_CONCEDE, other)
        both = _result(state)
        yield both, "single resignation"
        yield replace(both, resigned=0), "single resignation"


def _other_levels(state: StateRecord, ordinary: IssResult) -> Iterator[tuple[IssResult, str]]:
    """``s`` and ``z`` where sources differ: of an overbid game with its goal reached, and of a missed announcement."""
    if ordinary.overbid and ordinary.points >= 90:
        yield replace(ordinary, schneider=False, schwarz=False), "own schneider"
    complete = sum(int(n) for n in state["tricks"])
    if not ordinary.won and int(state["flags"]) & 4 and ordinary.points <= 30 and complete:
        schwarz = ordinary.tricks == 0
        yield replace(ordinary, schneider=True, schwarz=schwarz), "own schneider"
        yield replace(ordinary, schneider=schwarz, schwarz=schwarz), "own schneider"


def _win_kept(state: StateRecord, ordinary: IssResult) -> Iterator[tuple[IssResult, str]]:
    """The server's published client: a declarer who breaks off with his goal reached has won, as one who resigns."""
    game, flags = int(state["game"]), int(state["flags"])
    lost_tricks = int(state["awarded_tricks"][1])
    if not goal_reached(game, flags, ordinary.points, ordinary.tricks, lost_tricks) or flags & 8:
        return
    schneider = ordinary.points >= 90
    won, overbid, _, score = settle(
        game, flags, ordinary.matadors, schneider, False, True, int(bid_value(state)), int(state["rules"])
    )
    yield replace(ordinary, won=bool(won), overbid=bool(overbid), score=int(score), schneider=schneider), "win kept"


def _without_discard(walk: _Walk, penalty: IssResult) -> IssResult:
    """Split pick-up, broken off between contract and discards: the scorer knows only the skat of the declarer's cards.

    Matadors count on these two cards (−11 or −4 unless a club jack is among them), points are the skat's; a defender's breaking off
    gives all to the declarer, as in play (section 6, traps).
    """
    assert walk.contract is not None
    state, game, flags = walk.state, walk.contract.game, walk.contract.flags
    skat = int(state["skat"])
    kept = int(state["end_seat"]) != int(state["declarer"])
    matadors = int(count_matadors(game, skat))
    points, tricks = int(card_points(skat)), 0
    if kept and game != NULL:
        points, tricks = 120, 10
    level = kept and game != NULL
    goal = kept and (game == NULL or points >= 61)
    won, overbid, _, score = settle(
        game, flags, matadors, level, level, goal, int(bid_value(state)), int(state["rules"])
    )
    return replace(
        penalty,
        kind="game",
        won=bool(won),
        score=int(score),
        matadors=matadors,
        overbid=bool(overbid),
        points=points,
        tricks=tricks,
        schneider=level,
        schwarz=level,
        penalties=(0, 0, 0),
    )


def _agrees(computed: IssResult, recorded: IssResult) -> bool:
    if recorded.resigned is None:  # records of 2007 and 2008 lack the token, also where a resignation ended the game
        computed = replace(computed, resigned=None)
    return computed == recorded


def replay(record: IssRecord) -> Replay:
    """Replay a record on the engine and check its result.

    Raises:
        RecordError: a view, a move that does not parse or is not legal, or a recorded result that the replay does not give.
    """
    if record.is_view:
        raise RecordError("MV: a player's view cannot be replayed")
    walk = _Walk(record.moves)
    walk.run()
    first = None
    for computed, convention in _readings(walk):
        if _agrees(computed, record.result):
            if record.result.resigned is None:
                computed = replace(computed, resigned=None)
            actions = np.array(walk.actions, dtype=np.uint8)
            return Replay(walk.state, actions, tuple(walk.events), computed, convention, walk.split)
        first = first or computed
    assert first is not None
    raise RecordError(f"R: recorded '{format_result(record.result)}', the moves give '{format_result(first)}'")
