"""Bidders made from whatever decides: an agent, a Python function from hand to limit, an ONNX file (:func:`make_bidder`).

A bidder that makes claims also says how likely it thinks it wins once it is declarer. The arrays are those of
:mod:`skatai.bidding.protocol`.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from skatai.agent import available_agents, parse_spec
from skatai.auction import ladder
from skatai.bidding.agents import AgentBidder, BiddingAgent
from skatai.bidding.onnx import OnnxBidder
from skatai.bidding.protocol import (
    Bidder,
    Chances,
    Hands,
    Seats,
    Values,
    bid_indices,
    chances_of,
    check_hands,
    makes_claims,
)
from skatai.cards import CardSet
from skatai.errors import AgentError, SkatError
from skatai.kernels.policies.bidding import MARGIN
from skatai.kernels.prospects import rule_chances, rule_limits
from skatai.kernels.state import new_state
from skatai.rules import Rules

__all__ = [
    "AgentBidder",
    "Bidder",
    "BiddingAgent",
    "FunctionBidder",
    "LoadedBidder",
    "OnnxBidder",
    "RuleBidder",
    "ThresholdBidder",
    "make_bidder",
    "makes_claims",
]


class RuleBidder:
    """The compiled rule player.

    Args:
        margin: list points that a game must be expected to bring; the rule agent's by default.

    Raises:
        SkatError: an infinite margin, or nan.
    """

    name = "rule"
    makes_claims = True

    def __init__(self, margin: float = MARGIN) -> None:
        self.margin = float(margin)
        if not math.isfinite(self.margin):
            raise SkatError(f"rule: margin {margin}, expected a number of list points")
        if self.margin != MARGIN:
            self.name = f"rule:margin={self.margin:g}"

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid."""
        cards, places = check_hands(hands, seats)
        out = np.empty(len(cards), dtype=np.int64)
        rule_limits(cards, places, rules.to_int(), self.margin, out)
        return out

    def win_chances(self, hands: Hands, seats: Seats, bids: Values, rules: Rules) -> Chances:
        """The chance each hand gives itself to win if it becomes declarer at ``bids[i]`` and then does as it likes.

        Raises:
            SkatError: a bid that is no value of the ladder.
        """
        cards, places = check_hands(hands, seats)
        out = np.empty(len(cards), dtype=np.float64)
        rule_chances(cards, places, bid_indices(bids), rules.to_int(), new_state(), out)
        return out


class FunctionBidder:
    """A function from hand to limit.

    Args:
        function: takes a :class:`~skatai.cards.CardSet` of ten cards (and the seat, 0 … 2, if it has a second parameter without a
            default) and returns a value of the ladder, or 0 to pass at once.
        name: the function's by default.

    Raises:
        SkatError: not a function of one or two arguments.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        self.function = function
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.takes_seat = _wanted_arguments(function, self.name) == 2
        self._text: str | None = None

    def __reduce__(self) -> Any:
        if self._text is None:
            return FunctionBidder, (self.function, self.name)
        return _of_place, (self._text,)  # a worker process loads the file itself

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid.

        Raises:
            SkatError: the function fails, or its answer is neither 0 nor a value of the ladder.
        """
        cards, places = check_hands(hands, seats)
        allowed = {0, *ladder(rules)}
        limits = np.zeros(len(cards), dtype=np.int64)
        for i, (mask, seat) in enumerate(zip(cards.tolist(), places.tolist(), strict=True)):
            hand = CardSet(mask)
            try:
                answer = self.function(hand, seat) if self.takes_seat else self.function(hand)
            except (Exception, SystemExit) as error:
                what = " ".join(f"{type(error).__name__}: {error}".split())
                raise SkatError(f"bidder {self.name!r}, hand {hand}: {what}") from error
            whole = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
            if not whole or int(answer) not in allowed:
                raise SkatError(
                    f"bidder {self.name!r}, hand {hand}: {repr(answer)[:40]}, expected 0 or a value of the ladder (18 … 264)"
                )
            limits[i] = answer
        return limits


class LoadedBidder:
    """A bidder that stands in a module or file, with or without a name of its own.

    Args:
        text: ``"module:bidder"`` or ``"file.py:bidder"``, which is its name here.
        bidder: what stands there.
    """

    def __init__(self, text: str, bidder: Any) -> None:
        self.name = text
        self.bidder = bidder
        self.makes_claims = makes_claims(bidder)

    def __reduce__(self) -> Any:
        return _of_place, (self.name,)  # a worker process loads the file itself

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """Those of the bidder."""
        limits: Values = self.bidder.limits(hands, seats, rules)
        return limits

    def win_chances(self, hands: Hands, seats: Seats, bids: Values, rules: Rules) -> Chances:
        """The bidder's claims, if it makes any."""
        chances: Chances = self.bidder.win_chances(hands, seats, bids, rules)
        return chances


def _of_place(text: str) -> LoadedBidder | FunctionBidder:
    """From ``"module:name"`` or ``"file.py:name"``.

    Raises:
        SkatError: no such module, file or name, an error in it, or neither a function nor an object that has limits.
    """
    found = _load(text)
    if hasattr(found, "limits"):
        return LoadedBidder(text, found)
    bidder = FunctionBidder(found, text)
    bidder._text = text
    return bidder


def _load(text: str) -> Any:
    """A function, or an object with limits."""
    place, _, name = text.rpartition(":")
    try:
        module = _load_file(Path(place).absolute()) if place.endswith(".py") else import_module(place)
    except (Exception, SystemExit) as error:  # whatever stands in it may fail in any way
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise SkatError(f"bidder {text!r}: {place} cannot be loaded: {what}") from error
    found = getattr(module, name, None)
    if isinstance(found, type):
        raise SkatError(f"bidder {text!r}: {name} is a class, expected a function, or an object that has limits")
    if not callable(found) and not hasattr(found, "limits"):
        raise SkatError(
            f"bidder {text!r}: {place} has no function {name!r}, nor an object of that name that has limits"
        )
    return found


def _load_file(path: Path) -> ModuleType:
    """A file as a module that finds its neighbours, as a script does, and that dataclasses find by its name."""
    name = f"_bidder_{path.stem.replace('.', '_')}_{abs(hash(path)):x}"
    found = spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = sys.modules[name] = module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _wanted_arguments(function: Callable[..., Any], name: str) -> int:
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1  # some builtins do not tell
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    places = [p for p in parameters if p.kind in positional]
    wanted = sum(p.default is Parameter.empty for p in places)
    if wanted > 2 or not (places or any(p.kind is Parameter.VAR_POSITIONAL for p in parameters)):
        raise SkatError(f"bidder {name!r}: a function of {wanted} arguments, expected f(hand) or f(hand, seat)")
    return max(wanted, 1)


class ThresholdBidder:
    """Goes up the ladder as long as another bidder's claim is at least ``threshold``.

    Args:
        claimer: a bidder that makes claims, or its text.
        threshold: claimed chance of winning.

    Raises:
        SkatError: the bidder makes no claims, or a threshold out of 0 … 1.
    """

    makes_claims = True

    def __init__(self, claimer: Any, threshold: float) -> None:
        self.claimer: Any = make_bidder(claimer)
        if not makes_claims(self.claimer):
            raise SkatError(f"threshold: bidder {self.claimer.name!r} makes no claims")
        if not 0.0 <= threshold <= 1.0:
            raise SkatError(f"threshold {threshold}: expected 0 … 1")
        self.threshold = float(threshold)
        self.name = f"{self.claimer.name}@{self.threshold:g}"

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid."""
        cards, places = check_hands(hands, seats)
        limits = np.zeros(len(cards), dtype=np.int64)
        bidding = np.arange(len(cards))
        for value in ladder(rules):
            bids = np.full(len(bidding), value, dtype=np.int64)
            chances = chances_of(self.claimer, cards[bidding], places[bidding], bids, rules)
            bidding = bidding[chances >= self.threshold]
            if not len(bidding):
                break
            limits[bidding] = value
        return limits

    def win_chances(self, hands: Hands, seats: Seats, bids: Values, rules: Rules) -> Chances:
        """The other bidder's claims."""
        return np.asarray(self.claimer.win_chances(hands, seats, bids, rules), dtype=np.float64)


def make_bidder(spec: Any, seed: int = 0) -> Any:
    """Make a bidder.

    ==============================  ==================================================================================
    ``"rule"``                      the compiled rule player; ``"rule:margin=-20"`` for another margin
    ``"pimc:worlds=20"``            any agent (or an agent object)
    ``"module:function"``           a function of an installed module, ``"file.py:function"`` one of a file (or a function);
                                    likewise an object that has limits (:class:`~skatai.bidding.protocol.Bidder`)
    ``"net.onnx"``                  an ONNX file, ``"net.onnx,threshold=0.55"``; ``"onnx:"`` may stand before it
    ``"neural@0.6"``                another bidder's claims with a threshold
    ==============================  ==================================================================================

    Args:
        spec: a text of this table, or something that decides; a bidder passes through.
        seed: of an agent's decisions.

    Raises:
        AgentError: an agent that does not exist, or sees all cards.
        SkatError: a module, function or file that does not exist, or is nothing of this kind.
    """
    if not isinstance(spec, str):
        return _of_object(spec, seed)
    text = spec.strip()
    path = text.removeprefix("onnx:").partition(",")[0]
    if text.startswith("onnx:") or path.endswith(".onnx"):
        return OnnxBidder.from_text(text)
    claimer, at, threshold = text.rpartition("@")
    if at and re.fullmatch(r"[-+.0-9e]*", threshold):
        return ThresholdBidder(make_bidder(claimer, seed), _threshold(text, threshold))
    if text.removesuffix(":").endswith(".py"):
        raise SkatError(f"bidder {text!r}: which function of the file? Expected {text.removesuffix(':')}:NAME")
    if text.partition(":")[0] == "rule" and "+" not in text:
        return _rule(text)
    if text.rpartition(":")[2].isidentifier() and ":" in text and text.partition(":")[0] not in available_agents():
        return _of_place(text)
    return AgentBidder(text, seed)


def _of_object(thing: Any, seed: int) -> Any:
    if isinstance(thing, type):
        raise SkatError(f"bidder: {thing.__name__} is a class, expected an object of it")
    if hasattr(thing, "limits"):
        if not isinstance(getattr(thing, "name", None), str):
            raise SkatError(f"bidder {repr(thing)[:60]}: it has no name (a text)")
        return thing
    if hasattr(thing, "act") or hasattr(thing, "act_open"):
        return AgentBidder(thing, seed)
    if callable(thing):
        return FunctionBidder(thing)
    raise SkatError(f"bidder: {repr(thing)[:60]} is neither a text, a bidder, an agent nor a function")


def _threshold(text: str, threshold: str) -> float:
    try:
        return float(threshold)
    except ValueError:
        raise SkatError(f"bidder {text!r}: threshold {threshold!r}, expected 0 … 1 as in 'neural@0.6'") from None


def _rule(text: str) -> RuleBidder:
    options = parse_spec(text)[1]
    margin = options.pop("margin", MARGIN)
    if options or isinstance(margin, bool) or not isinstance(margin, int | float):
        raise AgentError(f"bidder {text!r}: rule has the option margin, a number of list points")
    return RuleBidder(margin)
