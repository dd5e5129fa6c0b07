"""``skatai solve``: open-card values of positions, deals and game records."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skatai.cli.args import parse
from skatai.errors import SkatError

if TYPE_CHECKING:
    from skatai.solver import ContractValue, Decision, Position, Solution
    from skatai.solver.cases import Case

HELP = "open-card values of positions, deals and every card of game records"

__all__ = ["Args", "HELP", "run"]


@dataclass
class Args:
    """What are positions worth when all cards are seen?

    ``skatai solve "H F F CJ.HT|HA.H7|SJ.D7"`` solves a position: game, declarer, leader, hands (then perhaps the trick on the
    table, or -, and the points the declarer has). ``skatai solve DEAL --game G --declarer M`` starts a contract on a deal
    (``forehand|middlehand|rearhand|skat``). A file holds positions (one a line, or CSV; the results can be written as CSV), or
    game records: then every card that was played is shown with its open-card loss.
    """

    what: Annotated[tuple[str, ...], tyro.conf.Positional]
    """positions, deals or one file"""
    game: str | None = None
    """of a deal: D H S C G or N"""
    declarer: str | None = None
    """of a deal: F, M or R"""
    discards: str | None = None
    """of a deal: the two cards put away; otherwise a hand game"""
    goal: str = "exact"
    """exact, win, schneider, null, or points in all, such as 61"""
    moves: bool = False
    """the value of every legal card, not only of the position"""
    line: bool = False
    """a line of perfect play as well"""
    contracts: bool = False
    """of a deal: all six games for the declarer, each with its best discards"""
    put_aways: bool = False
    """of a deal: all 66 put-aways in the game"""
    node_limit: int | None = None
    """stop a position after so many cards tried; the bounds are shown"""
    stats: bool = False
    """of a file of positions: one line a game type with wrong values, nodes and milliseconds"""
    threads: int = 1
    """threads; they change no result"""
    out: Path | None = None
    """write the results there as CSV"""
    json: bool = False
    """print JSON, one object a line, instead of a table"""
    picture: Path | None = None
    """draw the first position with its values: .svg or .html"""


def run(argv: list[str]) -> int:
    """Run the command."""
    args = parse(Args, argv, "skatai solve")
    if not args.what:
        raise SkatError("nothing to solve: name positions, deals or a file")
    path = Path(args.what[0])
    is_file = len(args.what) == 1 and "|" not in args.what[0]
    if is_file and not path.is_file():
        raise SkatError(f"{args.what[0][:60]!r} is neither a position, a deal nor a file")
    if args.stats:
        if not is_file:
            raise SkatError("--stats needs a file of positions")
        return _statistics(path)
    if is_file and _holds_records(path):
        return _records(path, args)
    if args.contracts or args.put_aways:
        return _whole_deals(args)
    return _positions(args, path if is_file else None)


# ------------------------------------------------------------------------------------------------------------ positions


def _goal(text: str) -> str | int:
    return int(text) if text.isdigit() else text


def _seat(text: str | None) -> int:
    from skatai.seats import SEAT_LETTERS

    if text is None or len(text) != 1 or text not in SEAT_LETTERS:
        raise SkatError(f"a deal needs --declarer F, M or R, not {text!r}")
    return SEAT_LETTERS.index(text)


def _position(text: str, args: Args) -> Position:
    from skatai.deal import Deal
    from skatai.solver import Position

    if text.count("|") != 3:
        return Position.parse(text)
    if args.game is None:
        raise SkatError("a deal needs --game D, H, S, C, G or N")
    return Position.from_deal(Deal.parse(text), args.game, _seat(args.declarer), args.discards)


def _cases(args: Args, path: Path | None) -> list[Case]:
    from skatai.solver.cases import Case, read_cases

    if path is not None:
        return read_cases(path)
    return [Case(str(i), "", _position(text, args)) for i, text in enumerate(args.what, 1)]


def _positions(args: Args, path: Path | None) -> int:
    from skatai.solver import best_line, solve_batch

    cases = _cases(args, path)
    solutions = solve_batch(
        [case.position for case in cases],
        goal=_goal(args.goal),
        moves=args.moves,
        node_limit=args.node_limit,
        threads=args.threads,
        progress="positions" if len(cases) > 1 else None,
    )
    rows = []
    for case, solution in zip(cases, solutions, strict=True):
        row = {"id": case.name, "position": str(case.position), **_solution_row(solution)}
        if case.expected is not None:
            row["expected"] = case.expected
        if args.line:
            row["line"] = " ".join(str(card) for card in best_line(case.position).cards)
        rows.append(row)
    if args.picture is not None:
        _draw(cases[0].position, args.picture)
    hidden = ("position",) if path is not None else ("id", "position")
    _show(rows, args, hidden)
    return 0


def _solution_row(solution: Solution) -> dict[str, Any]:
    row: dict[str, Any] = {"value": solution.value if solution.exact else f"{solution.lower}…{solution.upper}"}
    if solution.target is not None:
        row = {"target": solution.target, "reached": {True: "yes", False: "no", None: "?"}[solution.reached]}
    row["nodes"] = solution.nodes
    if solution.moves:
        row["best"] = " ".join(map(str, solution.best_moves))
        row["moves"] = " ".join(f"{card}:{value}" for card, value in solution.moves.items())
    return row


def _draw(position: Position, path: Path) -> None:
    from skatai.solver import position_html, position_svg

    if path.suffix not in (".svg", ".html"):
        raise SkatError(f"--picture {path}: expected a name that ends with .svg or .html")
    text = position_svg(position) if path.suffix == ".svg" else position_html(position)
    _write(path, lambda file: file.write(text))


# ---------------------------------------------------------------------------------------------------------------- deals


def _whole_deals(args: Args) -> int:
    from skatai.deal import Deal, read_deals
    from skatai.parallel import pmap
    from skatai.solver import solve_contracts, solve_discards

    seat = _seat(args.declarer)
    first = Path(args.what[0])
    deals = read_deals(first) if first.is_file() else [Deal.parse(text) for text in args.what]

    def contracts(deal: Deal) -> list[dict[str, Any]]:
        return [_contract_row(value) for value in solve_contracts(deal, seat).values()]

    def put_aways(deal: Deal) -> list[dict[str, Any]]:
        hands = [cards | deal.skat if i == seat else cards for i, cards in enumerate(deal.hands)]
        if args.game is None:
            raise SkatError("--put-aways needs --game D, H, S, C, G or N")
        return [{"discards": str(put.discards), "total": put.total} for put in solve_discards(hands, args.game, seat)]

    question = contracts if args.contracts else put_aways
    backend = "serial" if args.threads == 1 else "threads"
    desc = "deals" if len(deals) > 1 else None
    rows = []
    for number, found in enumerate(pmap(question, deals, backend, args.threads, desc=desc, unit="deal"), 1):
        rows += [{"deal": number, **row} for row in found]
    _show(rows, args, () if len(deals) > 1 else ("deal",))
    return 0


def _contract_row(value: ContractValue) -> dict[str, Any]:
    from skatai.contract import GAME_NAMES

    return {
        "game": GAME_NAMES[value.game],
        "won": "yes" if value.won else "no",
        "total": value.total,
        "discards": str(value.discards),
        "nodes": value.nodes,
    }


# -------------------------------------------------------------------------------------------------------------- records


def _holds_records(path: Path) -> bool:
    from skatai.errors import RecordError
    from skatai.records import detect_format

    try:
        detect_format(path)
    except RecordError:
        return False
    return True


def _games(path: Path) -> Iterator[tuple[int, Any]]:
    """Line and final state of every record with a contract and at least one card played."""
    from skatai.kernels.state import NO_GAME, NOBODY
    from skatai.records import GameOutcome, detect_format, read_records

    left_out = 0
    for outcome in read_records(path, detect_format(path)):
        state = outcome.replay.state if isinstance(outcome, GameOutcome) else None
        if state is None or state["game"] == NO_GAME or state["declarer"] == NOBODY or state["n_plays"] == 0:
            left_out += 1
            continue
        yield outcome.line, state
    if left_out:
        print(f"skatai solve: {left_out} records without card play left out", file=sys.stderr)


def _decision_row(line: int, decision: Decision, declarer: int) -> dict[str, Any]:
    from skatai.seats import SEAT_LETTERS

    return {
        "record": line,
        "card": decision.number + 1,
        "seat": SEAT_LETTERS[decision.seat],
        "role": "declarer" if decision.seat == declarer else "defender",
        "played": str(decision.card),
        "value": decision.moves[decision.card],
        "best": decision.best,
        "loss": decision.loss,
        "best_cards": " ".join(str(card) for card, value in decision.moves.items() if value == decision.best),
    }


def _records(path: Path, args: Args) -> int:
    from skatai.parallel import pmap
    from skatai.solver import solve_game

    def one(game: tuple[int, Any]) -> list[dict[str, Any]]:
        line, state = game
        declarer = int(state["declarer"])
        return [_decision_row(line, decision, declarer) for decision in solve_game(state)]

    backend = "serial" if args.threads == 1 else "threads"
    losses: dict[str, list[int]] = {"declarer": [], "defender": []}

    def rows() -> Iterator[dict[str, Any]]:
        for found in pmap(one, _games(path), backend, args.threads, desc="records", unit="game"):
            for row in found:
                losses[row["role"]].append(row["loss"])
                yield row

    _show(rows(), args, ())
    if not args.json:
        for role, lost in losses.items():
            mean = sum(lost) / len(lost) if lost else 0.0
            print(f"{role}: {len(lost)} cards, open-card loss {mean:.2f} a card, {sum(map(bool, lost))} with a loss")
    return 0


def _statistics(path: Path) -> int:
    from skatai.solver.cases import Statistics, read_cases, statistics

    print(Statistics.HEAD)
    wrong = 0
    for line in statistics(read_cases(path)):
        print(line, flush=True)
        wrong += line.wrong
    return 1 if wrong else 0


# --------------------------------------------------------------------------------------------------------------- output


def _write(path: Path, write: Callable[[Any], Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            write(file)
    except OSError as error:
        raise SkatError(f"{path}: cannot write: {error.strerror or error}") from None
    print(f"skatai solve: written to {path}", file=sys.stderr)


def _show(rows: Iterable[dict[str, Any]], args: Args, hidden: Sequence[str]) -> None:
    """A table on stdout, or JSON lines; or a CSV file, written as the rows come."""
    if args.out is not None:
        _write(args.out, lambda file: _write_csv(rows, file))
    elif args.json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False), flush=True)
    else:
        _print_table([{key: value for key, value in row.items() if key not in hidden} for row in rows])


def _write_csv(rows: Iterable[dict[str, Any]], file: Any) -> None:
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
        writer.writerow(row)
        file.flush()


def _print_table(rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    columns = list(rows[0])
    texts = [[str(row.get(column, "")) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in [columns, *texts]) for i in range(len(columns))]
    right = [all(isinstance(row.get(column), int) for row in rows) for column in columns]
    for line in [columns, *texts]:
        cells = [text.rjust(w) if r else text.ljust(w) for text, w, r in zip(line, widths, right, strict=True)]
        print("  ".join(cells).rstrip())
