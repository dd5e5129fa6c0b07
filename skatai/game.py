"""``Game``: one deal from the auction to the score, for people.

A game wraps one state record and the compiled transition function; undo, history, text forms and results are here.

The text form of a position is one line of seven fields separated by blanks::

    deal dealer auction discards contract plays rules

``deal`` as in :class:`~skatai.deal.Deal`; ``dealer`` the player who deals; ``auction`` calls separated by commas (a value,
``y`` for hold, ``p`` for pass); ``discards`` the cards put away, ``s`` when the skat was picked up and nothing put away yet;
``contract`` as in ISS records; ``plays`` cards separated by commas, with concessions, claims, answers, time-outs and leaving
as ``event@seat``; ``rules`` the switches that differ from the official game. An empty field is ``-``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from skatai.actions import ACTION_NAMES, action_name, bid_of, contract_of, parse_action
from skatai.cards import Card, CardSet, parse_card
from skatai.contract import Contract
from skatai.deal import Deal
from skatai.errors import IllegalActionError, InvalidDealError, NotationError, RulesError, whole_number
from skatai.kernels.action_ids import CONCEDE, HOLD, N_ACTIONS, PASS, PICK_UP
from skatai.kernels.entry import blank_state, copied_state, start_deal, take_action, take_event
from skatai.kernels.events import EVENTS
from skatai.kernels.state import StateRecord
from skatai.rules import Rules
from skatai.scoring import list_points, score_game
from skatai.seats import SEAT_NAMES, table_seats
from skatai.view import PlayerView, StateReader

__all__ = ["END_REASONS", "Game", "Result", "game_line", "result_of"]

#: ``Result.end_reason`` by the number in the state
END_REASONS = (
    "",
    "played",
    "decided",
    "conceded",
    "defenders_conceded",
    "claim",
    "refused_claim",
    "timed_out",
    "left",
    "passed_in",
    "aborted",
)

_OFFICIAL = Rules()
_CARD_NAMES = tuple(str(Card(card)) for card in range(32))


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended.

    Attributes:
        end_reason: ``played``, ``decided``, ``conceded``, ``defenders_conceded``, ``claim``, ``refused_claim``, ``timed_out``,
            ``left`` or ``passed_in``.
        declarer: seat, or ``None`` when there was no game.
        contract: what was played, or ``None``.
        bid: the value at which the declarer got the game.
        matadors: signed, 0 in null.
        won: the declarer won.
        overbid: the value did not cover the bid.
        value: game value.
        score: the declarer's score.
        points: the declarer's card points as scored, skat included.
        tricks: tricks of the declarer and of the defenders as scored.
        counted_points: the declarer's card points in complete tricks and skat when the game ended.
        schneider: the level schneider counts.
        schwarz: the level schwarz counts.
        list_points: points by Seeger and Fabian of forehand, middlehand and rearhand at a three-table.
        grand_base: base value of grand by the rules in force.
    """

    end_reason: str
    declarer: int | None = None
    contract: Contract | None = None
    bid: int = 0
    matadors: int = 0
    won: bool = False
    overbid: bool = False
    value: int = 0
    score: int = 0
    points: int = 0
    tricks: tuple[int, int] = (0, 0)
    counted_points: int = 0
    schneider: bool = False
    schwarz: bool = False
    list_points: tuple[int, ...] = (0, 0, 0)
    grand_base: int = 24

    @property
    def passed_in(self) -> bool:
        """Everybody passed."""
        return self.end_reason == "passed_in"

    @property
    def reckoning(self) -> str:
        """The value in words, such as ``with 2, game 3, times 24 grand = 72``; empty without a game."""
        if self.contract is None:
            return ""
        won, lost = self.tricks
        points = 90 if self.schneider else 60  # the levels are known; score_game only has to name them
        tricks = max(won, 1), 0 if self.schwarz else max(lost, 1)
        rules = Rules(grand_base=self.grand_base)
        text = score_game(self.contract, self.matadors, points, *tricks, rules=rules).text
        return text + (f"; overbid at {self.bid}: {self.value}" if self.overbid else "")

    def __str__(self) -> str:
        if self.declarer is None or self.contract is None:
            return self.end_reason.replace("_", " ")
        verb = "won" if self.won else "lost"
        how = f"{self.points} points, {self.tricks[0]} tricks"
        return (
            f"{SEAT_NAMES[self.declarer]} {verb} {self.contract.name}: {how}; {self.reckoning}; score {self.score:+d}"
        )


def result_of(state: StateRecord) -> Result:
    """Read the result of a finished state."""
    reason = END_REASONS[int(state["end"])]
    reader = StateReader()
    reader.state = state
    contract, declarer = reader.contract, reader.declarer
    if declarer is None or contract is None:
        return Result(reason, declarer=declarer, bid=reader.bid)
    put_away = CardSet(int(state["discards"] or state["skat"]))
    score = int(state["score"])
    return Result(
        end_reason=reason,
        declarer=declarer,
        contract=contract,
        bid=reader.bid,
        matadors=int(state["matadors"]),
        won=bool(state["won"]),
        overbid=bool(state["overbid"]),
        value=int(state["value"]),
        score=score,
        points=int(state["awarded"]),
        tricks=(int(state["awarded_tricks"][0]), int(state["awarded_tricks"][1])),
        counted_points=reader.points[declarer] + put_away.points,
        schneider=bool(state["schneider"]),
        schwarz=bool(state["schwarz"]),
        list_points=list_points(score, declarer),
        grand_base=reader.rules.grand_base,
    )


def game_line(deal: str, dealer: int, moves: Iterable[tuple[int, int, int]], rules: str) -> str:
    """The one-line form of a game (module docstring).

    Args:
        deal: text of the deal.
        dealer: player who deals.
        moves: kind (-1 an action, else an index of ``EVENTS``), seat and action of everything that happened.
        rules: text of the rules.
    """
    calls: list[str] = []
    away: list[str] = []
    contract = "-"
    plays: list[str] = []
    declared = picked_up = False
    for kind, seat, action in moves:
        if kind >= 0 or action >= CONCEDE:
            name = EVENTS[kind] if kind >= 0 else EVENTS[action - CONCEDE]
            plays.append(f"{name}@{seat}")
        elif action < 32:
            (plays if declared else away).append(_CARD_NAMES[action])
        elif action == PICK_UP:
            picked_up = True
        elif contract_of(action) is not None:
            contract, declared = str(contract_of(action)), True
        else:
            calls.append({PASS: "p", HOLD: "y"}.get(action) or str(bid_of(action)))
    discards = ".".join(away) if away else "s" if picked_up else "-"
    return " ".join([deal, str(dealer), ",".join(calls) or "-", discards, contract, ",".join(plays) or "-", rules])


class Game(StateReader):
    """One deal being played.

    >>> game = Game(Deal.random(seed=7))
    >>> game.play("bid 18").play("pass").play("pass").to_move
    1
    >>> game.phase
    'skat'

    Attributes:
        deal: the cards.
        dealer: player who deals at a table of three (rearhand); the players of the seats follow from it.
        states: the state as an array of shape (1,), dtype ``STATE`` (:mod:`skatai.kernels.state`): what kernels should be passed
            from Python. Read it; change it only through :meth:`play` and :meth:`event`.
        state: the same as a record (``np.void``).
        history: what happened, ``(seat, name)`` with an action or event name.
    """

    def __init__(self, deal: Deal, dealer: int = 2, rules: Rules | None = None) -> None:
        """Start a deal, middlehand to bid.

        Args:
            deal: the cards.
            dealer: player who deals, 0 … 2.
            rules: the official game by default.

        Raises:
            InvalidDealError, RulesError: ``deal`` or ``rules`` is something else.
            SkatError: no such dealer.
        """
        if not isinstance(deal, Deal):
            raise InvalidDealError(f"game: {type(deal).__name__} is not a Deal (Deal.parse reads a text)")
        if not isinstance(rules, Rules | None):
            raise RulesError(f"game: {type(rules).__name__} is not a set of Rules (Rules.parse reads a text)")
        self.deal = deal
        self.players = table_seats(3, dealer)
        self.dealer = dealer
        self.states = blank_state()
        start_deal(self.states, *deal.masks, (rules or _OFFICIAL).to_int())
        self._moves: list[tuple[int, int, int]] = []  # kind (-1 action, else event), seat, action
        self._past: list[bytes] = []  # the state before each of them

    # -- moving -------------------------------------------------------------------------------------------------------

    def play(self, action: int | str) -> Game:
        """The seat to move acts; returns the game itself.

        Args:
            action: an id, a :class:`Card`, or a name as read by :func:`skatai.actions.parse_action`.

        Raises:
            IllegalActionError: not legal now; the message lists what is.
            NotationError: the name does not parse.
        """
        number = parse_action(action) if isinstance(action, str) else self._number(action)
        past = self.states.tobytes()
        seat = int(take_action(self.states, number)) if 0 <= number < N_ACTIONS else -1
        if seat < 0:
            raise self._refusal(number)
        self._past.append(past)
        self._moves.append((-1, seat, number))
        return self

    def _refusal(self, number: int) -> IllegalActionError:
        if self.is_over:
            return IllegalActionError(f"{self._describe(number)}: the deal is over")
        names = self.legal_action_names
        shown = ", ".join(names[:14]) + (", …" if len(names) > 14 else "")
        seat = SEAT_NAMES[self._field("to_move")]
        return IllegalActionError(f"{self._describe(number)} is not legal for {seat} in {self.phase}; legal: {shown}")

    @staticmethod
    def _number(action: SupportsIndex) -> int:
        try:
            return index(action)
        except TypeError:
            shown = repr(action)[:40]
            raise IllegalActionError(f"action {shown}: expected an id, a Card or a name such as 'bid 18'") from None

    @staticmethod
    def _describe(number: int) -> str:
        return f"'{ACTION_NAMES[number]}'" if 0 <= number < N_ACTIONS else f"action {number}"

    def event(self, kind: str, seat: int) -> Game:
        """Something that does not come from the seat to move.

        Kinds: ``concede``, ``claim``, ``accept``, ``play_on``, ``time_out``, ``leave`` (rules 4.4).

        Raises:
            IllegalActionError: no such event, or not possible now under these rules.
        """
        if kind not in EVENTS:
            raise IllegalActionError(f"no event {str(kind)[:40]!r}; there are {', '.join(EVENTS)}")
        seat = whole_number(seat, f"{kind} by seat", 0, 2, IllegalActionError)
        past = self.states.tobytes()
        if not take_event(self.states, EVENTS.index(kind), seat):
            raise IllegalActionError(f"{kind} by seat {seat} is not possible in {self.phase} under rules {self.rules}")
        self._past.append(past)
        self._moves.append((EVENTS.index(kind), seat, -1))
        return self

    def undo(self) -> Game:
        """Take back the last action or event.

        Raises:
            IllegalActionError: nothing has happened yet.
        """
        if not self._past:
            raise IllegalActionError("undo: nothing to take back")
        self._moves.pop()
        self.states.view(np.uint8)[:] = np.frombuffer(self._past.pop(), dtype=np.uint8)
        return self

    def copy(self) -> Game:
        """An independent copy, history included."""
        twin = Game.__new__(Game)
        twin.deal, twin.players, twin.dealer = self.deal, self.players, self.dealer
        twin.states = copied_state(self.states)
        twin._moves = list(self._moves)
        twin._past = list(self._past)
        return twin

    # -- reading ------------------------------------------------------------------------------------------------------

    @property
    def history(self) -> list[tuple[int, str]]:
        """Every action and event as ``(seat, name)``."""
        return [(seat, action_name(action) if kind < 0 else EVENTS[kind]) for kind, seat, action in self._moves]

    @property
    def actions(self) -> list[int]:
        """Ids of the actions taken by the seats to move (events left out)."""
        return [action for kind, _, action in self._moves if kind < 0]

    @property
    def hands(self) -> tuple[CardSet, CardSet, CardSet]:
        """The cards held now."""
        forehand, middlehand, rearhand = self.states["hands"][0].tolist()
        return CardSet(forehand), CardSet(middlehand), CardSet(rearhand)

    @property
    def skat(self) -> CardSet:
        """The skat as dealt."""
        return self.deal.skat

    @property
    def discards(self) -> CardSet:
        """What the declarer has put away."""
        return CardSet(self._field("discards"))

    @property
    def result(self) -> Result | None:
        """The result, ``None`` while the deal is played."""
        return result_of(self.state) if self.is_over else None

    def view(self, seat: int) -> PlayerView:
        """What ``seat`` may know now.

        Raises:
            IllegalActionError: no such seat.
        """
        return PlayerView(self.states, seat)

    # -- text ---------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return game_line(str(self.deal), self.dealer, self._moves, str(self.rules))

    @classmethod
    def parse(cls, line: str) -> Game:
        """Read the one-line form, replaying everything by the rules.

        Raises:
            NotationError: not seven fields, or a field does not parse.
            InvalidDealError: the cards do not make a deal.
            IllegalActionError: a move that the rules do not allow.
        """
        fields = line.split()
        if len(fields) != 7:
            raise NotationError(
                f"position: {len(fields)} fields, expected 7 (deal dealer auction discards contract plays rules)"
            )
        deal, dealer, auction, discards, contract, plays, rules = fields
        if dealer not in ("0", "1", "2"):
            raise NotationError(f"position: dealer {dealer[:10]!r}, expected 0, 1 or 2")
        game = cls(Deal.parse(deal), int(dealer), Rules.parse(rules))
        for call in [] if auction == "-" else auction.split(","):
            game.play(call if call in ("p", "y") else f"bid {call}")
        if discards != "-":
            game.play(PICK_UP)
            for card in [] if discards == "s" else discards.split("."):
                game.play(parse_card(card))
        if contract != "-":
            game.play(f"declare {Contract.parse(contract)}")
        for play in [] if plays == "-" else plays.split(","):
            kind, at, seat = play.partition("@")
            if not at:
                game.play(parse_card(play))
            elif seat in ("0", "1", "2"):
                game.event(kind, int(seat))
            else:
                raise NotationError(f"position: {play[:20]!r} is not event@seat")
        return game

    def to_json(self) -> str:
        """One JSON object with the position line and, once over, the main figures of the result."""
        data: dict[str, Any] = {"game": str(self)}
        if self.result is not None:
            data["end_reason"] = self.result.end_reason
            data["score"] = self.result.score
            data["list_points"] = list(self.result.list_points)
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str) -> Game:
        """Read :meth:`to_json` (the position line is what counts).

        Raises:
            NotationError: not such a text.
            SkatError: the position line is wrong, as in :meth:`parse`.
        """
        try:
            line = json.loads(text)["game"]
            if not isinstance(line, str):
                raise TypeError("'game' is not a text")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise NotationError(f"game: not the JSON of a game ({error})") from None
        return cls.parse(line)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Game.parse, (str(self),)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        where = f"result={self.result}" if self.is_over else f"phase={self.phase} to_move={self.to_move}"
        return f"<Game {where} bid={self.bid} contract={self.contract} plays={self._field('n_plays')}>"

    def _repr_html_(self) -> str:
        """The table as HTML with pictures, for notebooks."""
        # Pictures stand above this module; a notebook asks for one through the game.
        return str(import_module("skatai.render").table_html(self))
