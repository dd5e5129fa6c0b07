"""Where shares lie among good human players: a check of whether a field of agents plays anything like Skat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skatai.arena.shares import Proportion

if TYPE_CHECKING:
    from skatai.arena.stats import AgentStats

__all__ = ["HUMAN_BANDS", "Band", "Flag", "flags_of"]


@dataclass(frozen=True, slots=True)
class Band:
    """Where a share lies among good human players, in percent."""

    name: str
    low: float
    high: float


#: From millions of games of human players on a server and in clubs: what a population of sound agents comes near to.
HUMAN_BANDS: Final = {
    "passed_in": Band("passed in", 2, 5),
    "declared": Band("declared, of seat-deals", 31.5, 33),
    "won": Band("won by the declarer", 81, 82.5),
    "suit": Band("suit games", 61, 63),
    "grand": Band("grands", 30, 32),
    "null": Band("null games", 6, 7),
    "hand": Band("hand games", 12, 14),
    "schneider": Band("games with schneider", 21, 25),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """A share that lies outside what human players do."""

    who: str
    band: Band
    share: Proportion

    def __str__(self) -> str:
        return f"{self.who}: {self.band.name} {self.share.percent}, people {self.band.low:g}–{self.band.high:g} %"


def _outside(share: Proportion, band: Band) -> bool:
    return share.n > 0 and (share.interval.high < band.low or share.interval.low > band.high)


def flags_of(agents: Iterable[AgentStats], passed_in: Proportion) -> tuple[Flag, ...]:
    """The shares whose intervals lie outside the bands."""
    found = [Flag("all tables", HUMAN_BANDS["passed_in"], passed_in)]
    for agent in agents:
        shares = {"declared": agent.declared, "won": agent.won, **agent.kinds}
        shares |= {"hand": agent.hand, "schneider": agent.schneider}
        found += [Flag(agent.name, HUMAN_BANDS[key], share) for key, share in shares.items()]
    return tuple(flag for flag in found if _outside(flag.share, flag.band))
