"""What becomes of each record of a file: a game, a view or quarantine. Independent of the file's format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from skatai.records.iss import IssRecord
    from skatai.records.iss_replay import Replay

__all__ = ["GameOutcome", "Outcome", "QuarantineOutcome", "ViewOutcome"]

#: characters of a quarantined record that are kept
HEAD = 200


@dataclass(frozen=True, slots=True, eq=False)
class GameOutcome:
    """A record that was replayed on the engine and whose recorded result agrees with the replay.

    Auctions without a game (passed in, or broken off before a contract) are games here, too; ``replay.result.kind`` tells.

    Attributes:
        line: number of the record's first line, from 1.
        record: the record.
        replay: where it led to.
        duplicate_of: line of an earlier record with the same key, or ``None``.
    """

    line: int
    record: IssRecord
    replay: Replay
    duplicate_of: int | None = None
    kind: ClassVar[str] = "game"


@dataclass(frozen=True, slots=True, eq=False)
class ViewOutcome:
    """A record of what one seat or the public saw; hidden cards are missing, so that it cannot be replayed."""

    line: int
    record: IssRecord
    duplicate_of: int | None = None
    kind: ClassVar[str] = "view"


@dataclass(frozen=True, slots=True, eq=False)
class QuarantineOutcome:
    """A record that could not be read, replayed, or that contradicts its own result.

    Attributes:
        line: number of the record's first line, from 1.
        reason: what is wrong, in words.
        head: the first characters of the record as it stands in the file.
    """

    line: int
    reason: str
    head: str
    kind: ClassVar[str] = "quarantine"


Outcome: TypeAlias = GameOutcome | ViewOutcome | QuarantineOutcome
