"""``check_file``: run every case of a file, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from skatai.conformance.fields import CaseError, shorten
from skatai.conformance.games import check_openspiel, check_xskat
from skatai.conformance.puzzles import check_puzzle
from skatai.conformance.reading import CSV_COLUMNS, FileError, csv_rows, detect, lines, parse_json
from skatai.conformance.report import KEPT_DIFFERENCES, Report, Verdict
from skatai.conformance.rule_cases import check_rule_case
from skatai.conformance.solved import DEFAULT_NODE_LIMIT, check_deal, check_position
from skatai.errors import SkatError
from skatai.records.iss import read_records
from skatai.records.outcomes import QuarantineOutcome, ViewOutcome

__all__ = ["check_file"]

#: longest message of a difference
_MESSAGE: Final = 600
#: a case: its line, its id, and how to run it
_Case = tuple[int, str, Callable[[], Verdict]]
_JSON: Final[dict[str, Callable[[Any], Verdict]]] = {
    "rules": check_rule_case,
    "xskat": check_xskat,
    "openspiel": check_openspiel,
}


def _known(verdict: Verdict) -> Verdict:
    return verdict


def _refuse(error: SkatError | str) -> Callable[[], Verdict]:
    return partial(_known, Verdict("wrong", shorten(str(error), _MESSAGE)))


def _json_cases(path: Path, check: Callable[[Any, int], Verdict]) -> Iterator[_Case]:
    for number, line in enumerate(lines(path)):
        try:
            data = parse_json(line)
        except CaseError as error:
            yield line.number, f"line {line.number}", _refuse(error)
            continue
        name = data.get("id") if isinstance(data, dict) else None
        usable = isinstance(name, (str, int)) and not isinstance(name, bool)
        yield line.number, shorten(str(name)) if usable else f"line {line.number}", partial(check, data, number)


def _csv_cases(path: Path, form: str, node_limit: int) -> Iterator[_Case]:
    check = check_position if form == "positions" else check_deal
    for number, row in csv_rows(path, CSV_COLUMNS[form]):
        if isinstance(row, str):
            yield number, f"line {number}", _refuse(row)
        else:
            yield number, shorten(row.get("id") or f"line {number}"), partial(check, row, node_limit)


def _iss_cases(path: Path) -> Iterator[_Case]:
    for outcome in read_records(path, find_duplicates=False):
        name = f"line {outcome.line}"
        if isinstance(outcome, QuarantineOutcome):
            verdict = Verdict("wrong", shorten(outcome.reason, _MESSAGE))
        elif isinstance(outcome, ViewOutcome):
            verdict = Verdict("unsupported", f"line {outcome.line}: a player's view, which cannot be replayed")
        else:
            verdict = Verdict("right")
        yield outcome.line, name, partial(_known, verdict)


def _cases(path: Path, form: str, agent: Any, seed: int, node_limit: int) -> Iterator[_Case]:
    if form == "iss":
        return _iss_cases(path)
    if form in CSV_COLUMNS:
        return _csv_cases(path, form, node_limit)
    if form == "puzzles":
        return _json_cases(path, lambda data, number: check_puzzle(data, agent, seed, number))
    return _json_cases(path, lambda data, number: _JSON[form](data))


def check_file(
    path: str | Path,
    agent: Any = None,
    *,
    seed: int = 1,
    limit: int | None = None,
    node_limit: int = DEFAULT_NODE_LIMIT,
    keep: int = KEPT_DIFFERENCES,
    progress: bool = False,
) -> Report:
    """Run every case of a file on the engine. The format is told by the file's content.

    A case that cannot be read, or that the engine refuses, counts as wrong and does not stop the others.

    Args:
        path: plain, gzip or bzip2.
        agent: what solves puzzles; an agent or the text that makes one (``"pimc:worlds=40"``).
        seed: of the agent's randomness.
        limit: run the first cases only.
        node_limit: positions the solver may visit for a case before it is not finished; 0 for no limit.
        keep: differences to keep.
        progress: show a bar on stderr if it is a terminal.

    Raises:
        FileError: the file cannot be read, or is in no format known.
        AgentError: no such agent.
        SkatError: a negative limit.
    """
    from tqdm import tqdm

    from skatai.agent import make_agent

    if isinstance(agent, str):
        agent = make_agent(agent)
    for what, number in (("limit", limit), ("node limit", node_limit), ("number of differences", keep)):
        if number is not None and number < 0:
            raise SkatError(f"{what} {number}: must not be negative")
    path = Path(path)
    form = detect(path)
    report = Report(str(path), form, keep=keep)
    cases = islice(_cases(path, form, agent, seed, node_limit), limit)
    for line, name, run in tqdm(cases, desc=path.name, unit=" cases", leave=False, disable=None if progress else True):
        try:
            verdict = run()
        except SkatError as error:
            verdict = Verdict("wrong", shorten(str(error), _MESSAGE))
        except RecursionError:
            verdict = Verdict("wrong", "the case is nested too deeply")
        report.add(verdict, name, line)
    if not report.cases and limit != 0:
        raise FileError(f"{path}: no case in it")
    return report
