"""What recorded people decided, from the auction to the declaration, with what they knew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skatai.actions import bid_of
from skatai.kernels.action_ids import HOLD
from skatai.kernels.moves import apply_move
from skatai.kernels.state import AUCTION, DISCARD, PLAY, new_state, set_deal
from skatai.records import GameOutcome, Outcome, QuarantineOutcome, ViewOutcome, read_records
from skatai.view import PlayerView

__all__ = ["Decision", "RecordedGames", "recorded_decisions"]

#: quarantined records that are described
_REASONS: Final = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What a recorded player decided.

    Attributes:
        game: number of the record, the cluster.
        number: of the action in it.
        view: what the player knew.
        action: what it did; of the discards the first one.
        away: both discards as a mask, 0 for other decisions.
        value: of a call: the lowest value that yes would have cost.
        rating: the player's, or ``None``.
    """

    game: int
    number: int
    view: PlayerView
    action: int
    away: int = 0
    value: int = 0
    rating: float | None = None

    @property
    def phase(self) -> int:
        """``AUCTION``, ``SKAT``, ``DISCARD`` or ``DECLARE``."""
        return int(self.view.state["phase"])


def _price(legal: Sequence[int], bid: int) -> int:
    """The lowest value that yes costs; 0 where there is no yes."""
    if HOLD in legal:
        return bid
    return min((value for action in legal if (value := bid_of(action)) is not None), default=0)


def recorded_decisions(outcome: GameOutcome, game: int = 0) -> Iterator[Decision]:
    """The decisions of one record up to the declaration, without those of programs and those without a choice.

    Args:
        outcome: a record that was replayed.
        game: its number.
    """
    final, actions = outcome.replay.state, outcome.replay.actions.tolist()
    bots, ratings = outcome.record.bots, outcome.record.ratings
    state = new_state()
    h0, h1, h2 = final["dealt"].tolist()
    set_deal(state, h0, h1, h2, int(final["skat"]), int(final["rules"]))
    for number, action in enumerate(actions):
        phase, seat = int(state["phase"]), int(state["to_move"])
        if phase >= PLAY:
            return
        view = PlayerView(state, seat)
        legal = view.legal_actions
        first_discard = phase == DISCARD and not int(state["discards"])
        if not bots[seat] and len(legal) > 1 and (phase != DISCARD or first_discard):
            away = 1 << action | 1 << actions[number + 1] if first_discard and number + 1 < len(actions) else 0
            value = _price(legal, view.bid) if phase == AUCTION else 0
            if not first_discard or away:
                yield Decision(game, number, view, action, away, value, ratings[seat])
        apply_move(state, action)


@dataclass(slots=True)
class RecordedGames:
    """Games out of files of records, the rest counted.

    Attributes:
        files: records of any format, plain or packed.
        counts: what was met so far: ``game``, ``view``, ``quarantine``, ``duplicate`` (place and number of an earlier record of its
            file; of one of any file where the moves are the same, too, so that a file given twice counts once).
        quarantine: the first records that could not be read, as ``file, line n: reason``.
    """

    files: Sequence[Path]
    counts: Counter[str] = field(default_factory=Counter)
    quarantine: list[str] = field(default_factory=list)
    _met: set[int] = field(default_factory=set)

    def games(self) -> Iterator[GameOutcome]:
        """The games, in order.

        Raises:
            RecordError: a file that cannot be opened.
        """
        for path in self.files:
            for outcome in read_records(path):
                if self._is_game(path, outcome):
                    assert isinstance(outcome, GameOutcome)
                    yield outcome

    def _is_game(self, path: Path, outcome: Outcome) -> bool:
        duplicate = not isinstance(outcome, QuarantineOutcome) and self._is_duplicate(outcome)
        self.counts["duplicate" if duplicate else outcome.kind] += 1
        if isinstance(outcome, QuarantineOutcome) and len(self.quarantine) < _REASONS:
            self.quarantine.append(f"{path.name}, line {outcome.line}: {outcome.reason}")
        return isinstance(outcome, GameOutcome) and not duplicate

    def _is_duplicate(self, outcome: GameOutcome | ViewOutcome) -> bool:
        if outcome.record.game_id is None:
            return False
        met = hash((*outcome.record.key, outcome.record.moves_text))  # a text each would fill the memory
        if outcome.duplicate_of is not None or met in self._met:
            return True
        self._met.add(met)
        return False
