"""What came of checking a file: counts, and the first differences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

__all__ = ["KEPT_DIFFERENCES", "Difference", "Report", "Status", "Verdict"]

#: differences of a file that a report keeps unless told otherwise
KEPT_DIFFERENCES: Final = 20

Status: TypeAlias = Literal["right", "wrong", "unsupported", "unfinished"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one case.

    Attributes:
        status: ``right``; ``wrong``: the engine disagrees or the case cannot be read; ``unsupported``: a variant of the game
            that the engine does not play; ``unfinished``: the solver reached its node limit.
        what: for a wrong case what was expected and what came; else a remark or nothing.
    """

    status: Status
    what: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A case that is wrong.

    Attributes:
        case: its id, or ``line N`` where it has none.
        line: line of the file, from 1.
        what: what was expected and what came.
    """

    case: str
    line: int
    what: str

    def __str__(self) -> str:
        where = "" if self.case == f"line {self.line}" else f" (line {self.line})"
        return f"{self.case}{where}: {self.what}"


@dataclass(slots=True)
class Report:
    """The outcome of one file.

    Attributes:
        path: the file.
        format: name of its format (:data:`skatai.conformance.FORMATS`).
        right, wrong, unsupported, unfinished: number of cases of each outcome.
        differences: the first wrong cases.
        remarks: lines to show, such as the positions of puzzles, and why the first cases are not supported.
        keep: at most so many differences (and reasons why cases are not supported) are kept.
    """

    path: str
    format: str
    right: int = 0
    wrong: int = 0
    unsupported: int = 0
    unfinished: int = 0
    differences: list[Difference] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    keep: int = KEPT_DIFFERENCES

    @property
    def cases(self) -> int:
        """Number of cases, whatever came of them."""
        return self.right + self.wrong + self.unsupported + self.unfinished

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return self.wrong == 0

    def add(self, verdict: Verdict, case: str, line: int) -> None:
        """Count a case."""
        if verdict.status == "right":
            self.right += 1
        elif verdict.status == "unsupported":
            self.unsupported += 1
        elif verdict.status == "unfinished":
            self.unfinished += 1
        else:
            self.wrong += 1
            if len(self.differences) < self.keep:
                self.differences.append(Difference(case, line, verdict.what))
            return
        if verdict.what and (verdict.status == "right" or len(self.remarks) < self.keep):
            self.remarks.append(verdict.what)

    def __str__(self) -> str:
        """One line, as the command prints it."""
        text = f"{self.cases} cases, {self.right} right, {self.wrong} wrong, {self.unsupported} not supported"
        return f"{self.path}: {text}" + (f", {self.unfinished} not finished" if self.unfinished else "")
