"""Games of records as columns: one array per quantity, for statistics and training; ``.npz`` files without pickles.

======================  ================  ===========================================================================
column                  shape, dtype      meaning
======================  ================  ===========================================================================
``deal``                (n, 32) uint8     cards of forehand (10), middlehand (10), rearhand (10), skat (2), ascending
``actions``             (a,) uint8        action ids of all games one after the other, as :mod:`skatai.actions` has them:
                                          calls, pick-up, two discards, declaration, cards
``action_offsets``      (n + 1,) int64    game *i* has ``actions[action_offsets[i]:action_offsets[i + 1]]``
``events``              (e, 3) uint8      what came beside the actions: number of actions before it, kind (0 ``RE``, 1 ``SC``,
                                          2 ``TI``, 3 ``LE``), seat
``event_offsets``       (n + 1,) int64    likewise
``kind``                (n,) int8         0 unknown (not ended), 1 passed, 2 penalty (broken off before a contract), 3 game
``declarer``            (n,) int8         seat, -1 none
``game``                (n,) int8         D H S C G N = 0…5, -1 none
``flags``               (n,) uint8        HAND 1, OUVERT 2, SCHNEIDER 4, SCHWARZ 8, closed under implication
``bid``                 (n,) int16        last value named, 0 none
``limits``              (n, 3) int16      last value each seat named or held, 0 none
``won overbid``         (n,) bool
``score``               (n,) int16        ``v``: signed value, twice the value if lost
``matadors``            (n,) int8         signed, 0 in null
``points tricks``       (n,) uint8        the declarer's, as scored
``schneider schwarz``   (n,) bool         ``s`` and ``z``
``penalties``           (n, 3) uint8      ``p0 p1 p2``
``left timed_out``      (n,) int8         seat, -1 none
``complete``            (n,) bool         all thirty cards were played
``claimed``             (n,) bool         the declarer showed his cards
``aborted``             (n,) bool         somebody left or ran out of time: do not train on ``score`` and ``matadors``
``resigned``            (n,) bool         ended by resignation
``split``               (n,) bool         contract and discards came as two moves
``duplicate``           (n,) bool         place and number of an earlier record
``players``             (n, 3) int32      forehand, middlehand, rearhand: index into ``names``; -1 no name
``bots``                (n, 3) bool       a known program played there
``ratings``             (n, 3) float32    NaN where there is none
``place``               (n,) int32        index into ``places``, -1 none
``series game_id``      (n,) int64        -1 where absent or no number
``time``                (n,) int64        seconds since 1970, UTC; -1 unknown
``source line``         (n,) int32/int64  index into ``sources``, line of the record
======================  ================  ===========================================================================

Views and quarantined records are not among the games; ``counts`` (int64, 3) tells how many games, views and quarantined records
there were.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.deal import Deal
from skatai.errors import RecordError
from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.records import CLAIMED, LEFT, TIMED_OUT
from skatai.kernels.state import STATE
from skatai.records.outcomes import GameOutcome

__all__ = ["VERSION", "Columns", "columns_of", "concatenate", "load_columns", "save_columns"]

VERSION: Final = 1
#: columns that index a table of texts
_TABLES: Final = {"players": "names", "place": "places", "source": "sources"}
_RAGGED: Final = {"actions": "action_offsets", "events": "event_offsets"}
_KINDS: Final = {"unknown": 0, "passed": 1, "penalty": 2, "game": 3}

Arrays = dict[str, Any]


class _Table:
    """Texts numbered in the order they come."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        return -1 if text is None else self.index.setdefault(text, len(self.index))


def _integer(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else -1


def _offsets(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _cards(states: NDArray[np.void]) -> NDArray[np.uint8]:
    """(n, 32): the cards of each group, ascending."""
    masks = np.concatenate([states["dealt"], states["skat"][:, None]], axis=1).astype("<u4")
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=1, bitorder="little")
    return (np.nonzero(bits)[1] % 32).astype(np.uint8).reshape(len(states), 32)


def columns_of(outcomes: Sequence[GameOutcome], source: str = "") -> Arrays:
    """The columns of some games; tables of texts are lists."""
    names, places = _Table(), _Table()
    states = np.array([outcome.replay.state for outcome in outcomes], dtype=STATE)
    n = len(outcomes)
    records = [outcome.record for outcome in outcomes]
    replays = [outcome.replay for outcome in outcomes]
    results = [replay.result for replay in replays]
    events = [event for replay in replays for event in replay.events]
    event_offsets = _offsets([len(replay.events) for replay in replays])
    values = np.concatenate([[0], BID_VALUES]).astype(np.int16)
    ended = states["game"] < 6
    kinds = np.array([event[1] for event in events], dtype=np.int64)
    owner = np.repeat(np.arange(n), np.diff(event_offsets))

    def has(*wanted: int) -> NDArray[np.bool_]:
        found = np.zeros(n, dtype=bool)
        found[owner[np.isin(kinds, wanted)]] = True
        return found

    def each(field: str, dtype: Any) -> NDArray[Any]:
        return np.array([getattr(result, field) for result in results], dtype=dtype)

    times = [record.time for record in records]
    ratings = [[np.nan if rating is None else rating for rating in record.ratings] for record in records]
    return {
        "deal": _cards(states),
        "actions": np.concatenate([replay.actions for replay in replays]) if replays else np.zeros(0, np.uint8),
        "action_offsets": _offsets([len(replay.actions) for replay in replays]),
        "events": np.array(events, dtype=np.uint8).reshape(-1, 3),
        "event_offsets": event_offsets,
        "kind": np.array([_KINDS[result.kind] for result in results], dtype=np.int8),
        "declarer": np.where(states["declarer"] < 3, states["declarer"], -1).astype(np.int8),
        "game": np.where(ended, states["game"], -1).astype(np.int8),
        "flags": states["flags"].astype(np.uint8),
        "bid": values[states["bid"]],
        "limits": values[states["limits"]],
        "won": each("won", bool),
        "overbid": each("overbid", bool),
        "score": each("score", np.int16),
        "matadors": each("matadors", np.int8),
        "points": each("points", np.uint8),
        "tricks": each("tricks", np.uint8),
        "schneider": each("schneider", bool),
        "schwarz": each("schwarz", bool),
        "penalties": each("penalties", np.uint8).reshape(n, 3),
        "left": each("left", np.int8),
        "timed_out": each("timed_out", np.int8),
        "complete": states["n_plays"] == 30,
        "claimed": has(CLAIMED),
        "aborted": has(TIMED_OUT, LEFT),
        "resigned": np.array([replay.resigned for replay in replays], dtype=bool),
        "split": np.array([replay.split for replay in replays], dtype=bool),
        "duplicate": np.array([outcome.duplicate_of is not None for outcome in outcomes], dtype=bool),
        "players": np.array([[names.number(p) for p in r.players] for r in records], dtype=np.int32).reshape(n, 3),
        "bots": np.array([record.bots for record in records], dtype=bool).reshape(n, 3),
        "ratings": np.array(ratings, dtype=np.float32).reshape(n, 3),
        "place": np.array([places.number(record.place) for record in records], dtype=np.int32),
        "series": np.array([_integer(record.series) for record in records], dtype=np.int64),
        "game_id": np.array([_integer(record.game_id) for record in records], dtype=np.int64),
        "time": np.array([-1 if time is None else int(time.timestamp()) for time in times], dtype=np.int64),
        "source": np.zeros(n, dtype=np.int32),
        "line": np.array([outcome.line for outcome in outcomes], dtype=np.int64),
        "names": list(names.index),
        "places": list(places.index),
        "sources": [source],
    }


def concatenate(parts: Sequence[Arrays]) -> Arrays:
    """Join columns of several parts in their order."""
    if not parts:
        return columns_of([])
    joined: Arrays = {}
    for column in parts[0]:
        if column in _TABLES.values():
            continue
        arrays = [part[column] for part in parts]
        if column in _RAGGED.values():
            arrays = [np.diff(array) for array in arrays]
            joined[column] = _offsets(np.concatenate(arrays).tolist())
        elif column not in _TABLES:
            joined[column] = np.concatenate(arrays)
    for column, table in _TABLES.items():
        whole = _Table()
        renumbered = []
        for part in parts:
            numbers = np.array([whole.number(text) for text in part[table]] + [-1], dtype=np.int32)
            renumbered.append(numbers[part[column]])  # -1 takes the last one
        joined[column] = np.concatenate(renumbered)
        joined[table] = list(whole.index)
    return joined


def _pack(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), _offsets([len(text) for text in encoded])


def save_columns(path: str | Path, columns: Arrays, counts: tuple[int, int, int]) -> None:
    """Write columns to an ``.npz`` file, whole or not at all.

    Args:
        path: the file, ending in ``.npz``.
        columns: from :func:`columns_of` or :func:`concatenate`.
        counts: games, views and quarantined records of the source.

    Raises:
        RecordError: the file cannot be written.
    """
    path = Path(path)
    arrays = {name: column for name, column in columns.items() if name not in _TABLES.values()}
    for table in _TABLES.values():
        arrays[f"{table}_text"], arrays[f"{table}_offsets"] = _pack(columns[table])
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, version=np.int64(VERSION), counts=np.array(counts, dtype=np.int64), **arrays)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RecordError(f"{path}: cannot write columns: {error.strerror or error}") from None


class Columns(Mapping[str, Any]):
    """Columns of a file: ``columns["score"]`` and so on; ``names``, ``places`` and ``sources`` are lists of texts."""

    def __init__(self, arrays: Arrays, counts: tuple[int, int, int]) -> None:
        self._arrays = arrays
        self.counts = counts

    def __getitem__(self, column: str) -> Any:
        return self._arrays[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        """Number of columns; for games see :attr:`n_games`."""
        return len(self._arrays)

    def __repr__(self) -> str:
        games, views, quarantined = self.counts
        return f"Columns({games} games; left out: {views} views, {quarantined} quarantined)"

    @property
    def n_games(self) -> int:
        """Number of games."""
        return len(self._arrays["line"])

    def actions_of(self, i: int) -> NDArray[np.uint8]:
        """Action ids of game ``i``."""
        offsets = self._arrays["action_offsets"]
        actions: NDArray[np.uint8] = self._arrays["actions"][offsets[i] : offsets[i + 1]]
        return actions

    def events_of(self, i: int) -> NDArray[np.uint8]:
        """Events of game ``i``, (k, 3): number of actions before it, kind, seat."""
        offsets = self._arrays["event_offsets"]
        events: NDArray[np.uint8] = self._arrays["events"][offsets[i] : offsets[i + 1]]
        return events

    def deal_of(self, i: int) -> Deal:
        """The deal of game ``i``."""
        return Deal.from_cards(self._arrays["deal"][i].tolist())

    def players_of(self, i: int) -> tuple[str | None, ...]:
        """Names of the players of game ``i``."""
        names = self._arrays["names"]
        return tuple(names[k] if k >= 0 else None for k in self._arrays["players"][i].tolist())


def load_columns(path: str | Path) -> Columns:
    """Read a file that :func:`save_columns` wrote.

    Raises:
        RecordError: the file cannot be read, or it is something else or of another version.
    """
    path = Path(path)
    try:
        loaded = np.load(path, allow_pickle=False)
        if not isinstance(loaded, np.lib.npyio.NpzFile):
            raise RecordError(f"{path}: one array, expected a file of columns")
        with loaded as file:
            arrays: Arrays = {name: file[name] for name in file.files}
    except RecordError:
        raise
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise RecordError(f"{path}: cannot read columns: {getattr(error, 'strerror', None) or error}") from None
    version, counts = arrays.pop("version", None), arrays.pop("counts", None)
    if version is None or counts is None or int(version) != VERSION:
        raise RecordError(f"{path}: not columns of version {VERSION}")
    for table in _TABLES.values():
        text, offsets = arrays.pop(f"{table}_text").tobytes(), arrays.pop(f"{table}_offsets").tolist()
        arrays[table] = [text[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(offsets)]
    games, views, quarantined = counts.tolist()
    return Columns(arrays, (games, views, quarantined))
