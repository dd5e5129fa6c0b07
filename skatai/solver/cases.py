"""Files of positions: CSV with expected values (two formats), one position a line, and what the solver makes of them.

====================  ==================================================================================================
file                  columns
====================  ==================================================================================================
contract deals        ``id, game, declarer, forehand, middlehand, rearhand, declarer_skat_points, declarer_trick_points,
                      declarer_wins``; full deals, forehand leads
solved positions      ``cards_each, game, player1_declarer, player2, player3, player_to_lead, expected_value``
positions             ``position`` (the text of a :class:`~skatai.solver.Position`), and anything else
text                  one position a line; blank lines and ``#`` comments are skipped
====================  ==================================================================================================

All may be compressed (``.gz``).
"""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from skatai.contract import GAME_NAMES, NULL
from skatai.errors import SkatError
from skatai.seats import SEAT_NAMES
from skatai.solver.position import Position
from skatai.solver.solving import solve, solve_moves

__all__ = ["Case", "Statistics", "read_cases", "statistics"]


@dataclass(frozen=True, slots=True)
class Case:
    """A position of a file.

    Attributes:
        name: its id, or the line.
        kind: suit, grand or null.
        position: the position.
        target: points from here on that win the game (null: 1); ``None`` if the file does not say.
        expected: the exact value according to the file, or ``None``.
    """

    name: str
    kind: str
    position: Position
    target: int | None = None
    expected: int | None = None


def _kind(game: int) -> str:
    return ("suit", "suit", "suit", "suit", "grand", "null")[game]


def _contract_deal(row: dict[str, str]) -> Case:
    game = GAME_NAMES.index(row["game"])
    skat = int(row["declarer_skat_points"] or 0)
    hands = [row[name] for name in SEAT_NAMES]
    position = Position.of(hands, game, SEAT_NAMES.index(row["declarer"]), 0, taken=skat)
    if game == NULL:
        return Case(row["id"], "null", position, 1, int(row["declarer_wins"]))
    return Case(row["id"], _kind(game), position, 61 - skat, int(row["declarer_trick_points"]))


def _solved_position(row: dict[str, str], number: int) -> Case:
    game = GAME_NAMES.index(row["game"])
    hands = [row[name] for name in ("player1_declarer", "player2", "player3")]
    position = Position.of(hands, game, 0, int(row["player_to_lead"]) - 1)
    return Case(str(number), _kind(game), position, None, int(row["expected_value"]))


def _rows(lines: Iterable[str], where: str) -> Iterator[Case]:
    reader = csv.DictReader(lines)
    columns = set(reader.fieldnames or ())
    for row in reader:
        try:
            if "declarer_trick_points" in columns:
                yield _contract_deal(row)
            elif "player1_declarer" in columns:
                yield _solved_position(row, reader.line_num)
            else:
                position = Position.parse(row["position"] or "")
                yield Case(row.get("id") or str(reader.line_num), _kind(position.game), position)
        except SkatError as error:
            raise SkatError(f"{where}, line {reader.line_num}: {error}") from None
        except (ValueError, TypeError) as error:
            raise SkatError(f"{where}, line {reader.line_num}: {error}") from None


def _texts(lines: Iterable[str], where: str) -> Iterator[Case]:
    for number, line in enumerate(lines, 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        try:
            position = Position.parse(text)
        except SkatError as error:
            raise SkatError(f"{where}, line {number}: {error}") from None
        yield Case(str(number), _kind(position.game), position)


def read_cases(path: str | Path) -> list[Case]:
    """The positions of a file in one of the formats above.

    Raises:
        SkatError: the file cannot be read, has none of the formats, holds no position, or a line is wrong (with its number).
    """
    path = Path(path)
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SkatError(f"{path}: cannot read positions: {reason}") from None
    head = next((line for line in lines if line.strip()), "")
    if "," in head and {"position", "declarer_trick_points", "player1_declarer"} & set(head.split(",")):
        cases = list(_rows(lines, str(path)))
    else:
        cases = list(_texts(lines, str(path)))
    if not cases:
        raise SkatError(f"{path}: no positions in it")
    return cases


@dataclass(frozen=True, slots=True)
class Statistics:
    """What one question cost on the cases of one kind.

    Attributes:
        kind: suit, grand or null.
        question: ``"61?"``, ``"exact"``, ``"every card"`` or ``"won?"``.
        count: positions.
        wrong: values that differ from the file's; 0 where it has none.
        nodes: cards tried: mean, median, 95th percentile.
        ms: wall-clock milliseconds: mean, median, 95th percentile.
        total_nodes: the sum.
    """

    kind: str
    question: str
    count: int
    wrong: int
    nodes: tuple[float, float, float]
    ms: tuple[float, float, float]
    total_nodes: int

    HEAD = f"{'':6} {'':10} {'deals':>5} {'wrong':>5} {'nodes':>9} {'median':>9} {'p95':>9} {'ms':>8} {'median':>8} {'p95':>8}"

    def __str__(self) -> str:
        nodes = " ".join(f"{number:9.0f}" for number in self.nodes)
        ms = " ".join(f"{number:8.3f}" for number in self.ms)
        return f"{self.kind:6} {self.question:10} {self.count:5} {self.wrong:5} {nodes} {ms}"


def _ask(question: str, case: Case) -> tuple[int, bool]:
    """Nodes, and whether the answer agrees with the file."""
    expected = case.expected
    if question == "61?":
        solution = solve(case.position, target=case.target)
        return solution.nodes, expected is None or solution.reached == (expected >= (case.target or 0))
    solution = solve_moves(case.position) if question == "every card" else solve(case.position)
    return solution.nodes, expected is None or solution.value == expected


def _summary(values: list[float]) -> tuple[float, float, float]:
    import numpy as np

    median, p95 = np.percentile(values, [50, 95])
    return float(np.mean(values)), float(median), float(p95)


def statistics(
    cases: Iterable[Case], questions: tuple[str, ...] = ("61?", "exact", "every card")
) -> Iterator[Statistics]:
    """Solve all cases with an empty table each, one thread; one result for each kind and question, in the order of the file."""
    kinds: dict[str, list[Case]] = {}
    for case in cases:
        kinds.setdefault(case.kind, []).append(case)
    for kind, members in kinds.items():
        for question in questions:
            if question == "61?" and (kind == "null" or any(case.target is None for case in members)):
                continue
            _ask(question, members[0])  # compiled and loaded
            nodes, ms, wrong = [], [], 0
            for case in members:
                start = time.perf_counter()
                count, agrees = _ask(question, case)
                ms.append(1000 * (time.perf_counter() - start))
                nodes.append(count)
                wrong += not agrees
            name = "won?" if kind == "null" and question == "exact" else question
            numbers = _summary([float(count) for count in nodes])
            yield Statistics(kind, name, len(members), wrong, numbers, _summary(ms), sum(nodes))
