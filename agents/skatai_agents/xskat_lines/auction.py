"""The calls of an auction of which only the outcomes are known.

A computer player of XSkat decides before the auction how far it will go: not at all (0), or up to a value of the ladder; a limit of
``ONLY_NAMES`` means that it names 18 but does not hold it. Weakened (``-s1 -4``) it takes other limits (:func:`weak_limits`), while
its neighbours keep theirs. From the outcome of the auction as it is, and of those with one player weakened, follow the calls.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from itertools import product
from typing import Final

from skatai.auction import ladder

__all__ = ["NOBODY", "ONLY_NAMES", "Calls", "Limits", "Outcome", "auction", "auctions_of", "weak_limits"]

#: the actions of an auction, in order
Calls = tuple[str, ...]
#: limits of forehand, middlehand, rearhand
Limits = tuple[int, int, int]
#: declarer's seat (or ``None``) and last bid (or 0)
Outcome = tuple[int | None, int]

ONLY_NAMES: Final = 17
NOBODY: Final[Outcome] = (None, 0)
_LADDER: Final = ladder()
#: XSkat's highest limit: clubs with four jacks
_HIGHEST: Final = 60
_LIMITS: Final = (0, ONLY_NAMES, *(value for value in _LADDER if value <= _HIGHEST))
#: lowest values of the four suits
_SUITS: Final = (18, 20, 22, 24)


def auction(limits: Limits) -> tuple[Calls, Outcome]:
    """The calls of players with these limits, and what comes of them.

    >>> auction((20, 18, 0))
    (('bid 18', 'hold', 'pass', 'pass'), (0, 18))
    """
    calls: list[str] = []
    caller, holder, step = 1, 0, 0
    while True:
        value = _LADDER[step]
        if limits[caller] >= value or (limits[caller] == ONLY_NAMES and step == 0):
            holds = limits[holder] >= value
            calls += [f"bid {value}", "hold" if holds else "pass"]
            if not holds and caller == 2:
                return tuple(calls), (2, value)
            step += 1
            if not holds:
                caller, holder = 2, 1
            continue
        calls.append("pass")
        if caller == 1:
            caller = 2
        elif step:
            return tuple(calls), (holder, _LADDER[step - 1])
        else:  # nobody has called: forehand's last chance
            wants = limits[0] > 0
            return (*calls, "bid 18" if wants else "pass"), (0, 18) if wants else NOBODY


def weak_limits(limit: int) -> tuple[int, ...]:
    """What a weakened player may make of its limit.

    Who would bid names 18 at most; who would only name 18 goes for the simplest game in its longest suit; who would pass does one
    of the two.
    """
    if limit > ONLY_NAMES:
        return (ONLY_NAMES,)
    return _SUITS if limit == ONLY_NAMES else (ONLY_NAMES, *_SUITS)


@cache
def _limits_by_outcome() -> dict[Outcome, list[Limits]]:
    found: dict[Outcome, list[Limits]] = defaultdict(list)
    for first, second, third in product(_LIMITS, repeat=3):
        found[auction((first, second, third))[1]].append((first, second, third))
    return found


@cache
def _weak_outcomes(limits: Limits, seat: int) -> frozenset[Outcome]:
    changed = ([*limits[:seat], weak, *limits[seat + 1 :]] for weak in weak_limits(limits[seat]))
    return frozenset(auction((first, second, third))[1] for first, second, third in changed)


@lru_cache(maxsize=20_000)
def auctions_of(plain: Outcome, weakened: tuple[Outcome, Outcome, Outcome]) -> frozenset[Calls]:
    """All auctions that end with ``plain`` and, with forehand, middlehand or rearhand weakened, with ``weakened``."""
    return frozenset(
        auction(limits)[0]
        for limits in _limits_by_outcome().get(plain, ())
        if all(weakened[seat] in _weak_outcomes(limits, seat) for seat in range(3))
    )
