"""The one action space of all phases: ids, names and what they mean.

Ids are listed in :mod:`skatai.kernels.action_ids`. Names: ``play CJ`` (also for putting a card away), ``pass``, ``hold``,
``pick up``, ``declare GH``, ``bid 18``, ``concede``, ``claim``, ``accept``, ``play on``.
"""

from __future__ import annotations

from typing import Final

from skatai.cards import Card, parse_card
from skatai.contract import Contract
from skatai.errors import IllegalActionError, NotationError, whole_number
from skatai.kernels.action_ids import (
    ACCEPT,
    ACTION_SPACE_VERSION,
    BID_VALUES,
    CLAIM,
    CONCEDE,
    DECLARATIONS,
    FIRST_BID,
    FIRST_DECLARATION,
    HOLD,
    N_ACTIONS,
    PASS,
    PICK_UP,
    PLAY_ON,
)

__all__ = [
    "ACCEPT",
    "ACTION_NAMES",
    "ACTION_SPACE_VERSION",
    "CLAIM",
    "CONCEDE",
    "HOLD",
    "N_ACTIONS",
    "PASS",
    "PICK_UP",
    "PLAY_ON",
    "action_name",
    "bid_action",
    "bid_of",
    "contract_of",
    "declare_action",
    "parse_action",
]

_BIDS: Final = tuple(int(value) for value in BID_VALUES)
_BID_IDS: Final = {value: FIRST_BID + i for i, value in enumerate(_BIDS)}
_CONTRACTS: Final = tuple(Contract.from_flags(game, flags) for game, flags in DECLARATIONS)
_DECLARATION_IDS: Final = {contract: FIRST_DECLARATION + i for i, contract in enumerate(_CONTRACTS)}
_WORDS: Final = {
    "pass": PASS,
    "p": PASS,
    "hold": HOLD,
    "yes": HOLD,
    "y": HOLD,
    "pick up": PICK_UP,
    "s": PICK_UP,
    "concede": CONCEDE,
    "claim": CLAIM,
    "accept": ACCEPT,
    "play on": PLAY_ON,
}


def bid_action(value: int) -> int:
    """Id of naming ``value`` in the auction.

    Raises:
        IllegalActionError: not a value of any ladder.
    """
    action = _BID_IDS.get(value)
    if action is None:
        raise IllegalActionError(f"{str(value)[:20]} is not a bid of any ladder (18, 20, 22, … 264)")
    return action


def declare_action(contract: Contract) -> int:
    """Id of declaring ``contract``.

    Raises:
        IllegalActionError: not a contract.
    """
    action = _DECLARATION_IDS.get(contract)
    if action is None:  # every Contract that can be constructed is one of the 29
        raise IllegalActionError(f"{str(contract)[:40]!r} cannot be declared; expected a Contract")
    return action


def bid_of(action: int) -> int | None:
    """The value that the action id names as a bid; ``None`` for other actions."""
    return _BIDS[action - FIRST_BID] if FIRST_BID <= action < CONCEDE else None


def contract_of(action: int) -> Contract | None:
    """The contract that the action id declares; ``None`` for other actions."""
    return _CONTRACTS[action - FIRST_DECLARATION] if FIRST_DECLARATION <= action < FIRST_BID else None


def _name(action: int) -> str:
    if action < PASS:
        return f"play {Card(action)}"
    contract, bid = contract_of(action), bid_of(action)
    if contract is not None:
        return f"declare {contract}"
    if bid is not None:
        return f"bid {bid}"
    return next(word for word, number in _WORDS.items() if number == action)


ACTION_NAMES: Final[tuple[str, ...]] = tuple(_name(action) for action in range(N_ACTIONS))
_BY_NAME: Final = {name: action for action, name in enumerate(ACTION_NAMES)}


def action_name(action: int) -> str:
    """Name of an action id; :func:`parse_action` reads it back.

    Raises:
        IllegalActionError: not an id of the action space.
    """
    return ACTION_NAMES[whole_number(action, "action", 0, N_ACTIONS - 1, IllegalActionError)]


def parse_action(text: str) -> int:
    """Id of an action named as by :func:`action_name`, or shorter: ``18``, ``y``, ``p``, ``s``, ``GH``, ``CJ``, ``put away CJ``.

    A single letter is a call (``s`` = pick up), never a contract: write ``declare S``.

    Raises:
        NotationError: the text names no action.

    >>> parse_action("bid 18"), parse_action("CJ"), action_name(parse_action("GH"))
    (64, 31, 'declare GH')
    """
    word = " ".join(text.split())
    if word in _BY_NAME:
        return _BY_NAME[word]
    lower = word.lower()
    if lower in _WORDS:
        return _WORDS[lower]
    number = lower.removeprefix("bid ")
    try:
        if number.isascii() and number.isdigit() and len(number) < 5:
            return bid_action(int(number))
        if lower.startswith("declare "):
            return declare_action(Contract.parse(word[8:]))
        if lower.startswith(("play ", "put away ", "discard ")):
            return int(parse_card(word.rsplit(" ", 1)[1]))
    except (NotationError, IllegalActionError) as error:
        raise NotationError(f"{text[:40]!r} is not an action: {error}") from None
    try:
        return int(parse_card(word))
    except NotationError:
        pass
    try:
        return declare_action(Contract.parse(word))
    except NotationError:
        pass
    raise NotationError(
        f"{text[:40]!r} is not an action (such as 'bid 18', 'hold', 'pass', 'pick up', 'declare GH', 'play CJ')"
    )
