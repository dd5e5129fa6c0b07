"""Plants one fault of the rules at a time into a copy of the package and runs the quick tests on it: all must be noticed.

``python tests/mutations.py`` prints a table. The kernels run as plain Python, so that nothing has to be compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: tests that do without the compiler and take seconds
QUICK = (
    "tests/test_traps.py",
    "tests/test_scoring.py",
    "tests/kernels/test_tables.py",
    "tests/kernels/test_events.py",
    "tests/kernels/test_observe.py",
    "tests/kernels/test_moves.py",
    "tests/kernels/test_settle.py",
    "tests/kernels/test_rollouts.py",
    "tests/test_auction.py",
    "tests/test_game.py",
)


@dataclass(frozen=True)
class Mutation:
    """One fault: ``old``, which occurs once in ``file`` under skatai/, becomes ``new``."""

    name: str
    file: str
    old: str
    new: str


SETTLE, MOVES, EVENTS = "kernels/settle.py", "kernels/moves.py", "kernels/events.py"
OBSERVE, TABLES, ROLLOUTS = "kernels/observe.py", "kernels/tables.py", "kernels/rollouts.py"

MUTATIONS = (
    # value and score
    Mutation("schneider at 91", SETTLE, "points >= 90 or points <= 30", "points > 90 or points <= 30"),
    Mutation("own schneider at 29", SETTLE, "points >= 90 or points <= 30", "points >= 90 or points < 30"),
    Mutation("announced schneider at 91", SETTLE, "return points >= 90\n", "return points > 90\n"),
    Mutation("won with 60", SETTLE, "return points >= 61", "return points >= 60"),
    Mutation("62 needed", SETTLE, "return points >= 61", "return points > 61"),
    Mutation("own schwarz forgotten", SETTLE, "declarer_tricks == 0 or defender_tricks == 0", "defender_tricks == 0"),
    Mutation("value must exceed the bid", SETTLE, "overbid = value < bid", "overbid = value <= bid"),
    Mutation("overbid value rounded down", SETTLE, "((bid + base - 1) // base)", "(bid // base)"),
    Mutation("overbid value one step too high", SETTLE, "((bid + base - 1) // base)", "(bid // base + 1)"),
    Mutation("overbid games can be won", SETTLE, "won = goal != 0 and not overbid", "won = goal != 0"),
    Mutation("losses not doubled", SETTLE, "overbid, value, -2 * value", "overbid, value, -value"),
    Mutation("lost hand once for all", SETTLE, "LOST_HAND_ONCE_BIT and flags & HAND", "LOST_HAND_ONCE_BIT"),
    Mutation("hand level forgotten", SETTLE, "levels += flags & HAND\n", "levels += 0\n"),
    Mutation("game level forgotten", SETTLE, "levels = abs(matadors) + 1", "levels = abs(matadors)"),
    Mutation("without counts one less", SETTLE, "return n if with_top else -n", "return n if with_top else 1 - n"),
    Mutation(
        "matadors from the ten cards",
        SETTLE,
        'np.int64(state["dealt"][declarer]) | np.int64(state["skat"])',
        'np.int64(state["dealt"][declarer])',
    ),
    Mutation("null ouvert hand at 60", TABLES, "[23, 35, 46, 59]", "[23, 35, 46, 60]"),
    Mutation("hearts at 9", TABLES, "[9, 10, 11, 12, 24, 23]", "[9, 9, 11, 12, 24, 23]"),
    Mutation("old base of grand forgotten", SETTLE, "return np.int64(20)", "return np.int64(24)"),
    # cards and tricks
    Mutation(
        "ten high in null", TABLES, "_NULL_ORDER = (0, 1, 2, 5, 7, 3, 4, 6)", "_NULL_ORDER = (0, 1, 2, 7, 3, 4, 5, 6)"
    ),
    Mutation("king beats ten", TABLES, "_SUIT_ORDER = (0, 1, 2, 3, 4, 5, 6)", "_SUIT_ORDER = (0, 1, 2, 3, 5, 4, 6)"),
    Mutation(
        "jacks follow their suit in grand",
        TABLES,
        "return [jacks, *plain]",
        "return [[], *[p + [8 * i + 7] for i, p in enumerate(plain)]]",
    ),
    Mutation("queen counts 4", TABLES, "[0, 0, 0, 3, 4, 10, 11, 2]", "[0, 0, 0, 4, 3, 10, 11, 2]"),
    Mutation("no duty to follow", MOVES, "return follow if follow else hand", "return hand"),
    Mutation("follow the last card", MOVES, 'state["plays"][n - n % 3]', 'state["plays"][n - 1]'),
    Mutation("third card never wins", MOVES, ">> card2 & 1:", ">> card2 & 0:"),
    Mutation("third card against the first only", MOVES, "BEATS[game, best] >> card2", "BEATS[game, card0] >> card2"),
    Mutation(
        "middlehand leads", MOVES, 'state["to_move"] = 0  # forehand leads', 'state["to_move"] = 1  # forehand leads'
    ),
    Mutation("forehand always leads", MOVES, '    state["to_move"] = winner\n', '    state["to_move"] = 0\n'),
    Mutation(
        "two cards' points", MOVES, "POINTS[card0] + POINTS[card1] + POINTS[card]", "POINTS[card0] + POINTS[card1]"
    ),
    Mutation(
        "skat not counted",
        MOVES,
        'np.int64(state["points"][declarer]) + card_points(put_away(state))\n    state["awarded_tricks"][0]',
        'np.int64(state["points"][declarer])\n    state["awarded_tricks"][0]',
    ),
    Mutation(
        "discards do not count",
        "kernels/state.py",
        '    if state["discards"]:\n        return np.int64(state["discards"])\n',
        "",
    ),
    # auction and declaration
    Mutation(
        "junior repeats the value",
        MOVES,
        'next_id = FIRST_BID + np.int64(state["bid"])',
        'next_id = FIRST_BID + max(np.int64(state["bid"]) - 1, 0)',
    ),
    Mutation(
        "passing caller survives",
        MOVES,
        'survivor = responder if state["to_move"] == caller else caller',
        'survivor = caller if state["to_move"] == caller else responder',
    ),
    Mutation(
        "rearhand passes against forehand",
        MOVES,
        '        state["responder"] = survivor\n',
        '        state["responder"] = 0\n',
    ),
    Mutation(
        "no last chance for forehand",
        MOVES,
        'elif stage == 2 and state["bid"] == 0:',
        'elif stage == 2 and state["bid"] > 99:',
    ),
    Mutation("last chance at any value", MOVES, 'if state["stage"] == 3 and ladder != LADDER_ISS:', "if False:"),
    Mutation("holding leaves no trace", MOVES, '            state["limits"][state["to_move"]] = state["bid"]\n', ""),
    Mutation("null above its value", MOVES, "NULL_VALUE[flags & 3] >= bid", "NULL_VALUE[flags & 3] > bid"),
    Mutation(
        "strict check without schwarz",
        MOVES,
        "(abs(count_matadors(game, cards)) + 3)",
        "(abs(count_matadors(game, cards)) + 2)",
    ),
    Mutation(
        "announcements after the pick-up",
        MOVES,
        "first, last = FIRST_DECLARATION, FIRST_HAND_DECLARATION",
        "first, last = FIRST_DECLARATION, FIRST_HAND_DECLARATION + 2",
    ),
    Mutation(
        "ladder with 200",
        "kernels/action_ids.py",
        "_official(int(BASE[GRAND])), _official(20)",
        "_official(int(BASE[GRAND])) | {200}, _official(20)",
    ),
    # early end
    Mutation("null goes on", MOVES, "return winner == declarer\n    policy", "return False\n    policy"),
    Mutation("61 ends it", MOVES, "if policy != EARLY_DECIDED or lost_points < 31:", "if policy != EARLY_DECIDED:"),
    Mutation(
        "decided without a look at tricks", MOVES, 'policy == EARLY_ISS or state["tricks"][declarer] > 0', "policy != 7"
    ),
    Mutation("decided at 30", MOVES, "return lost_points > 30 and", "return lost_points >= 30 and"),
    # concessions and claims
    Mutation(
        "alone with eight cards",
        EVENTS,
        '(np.int64(state["hands"][declarer])) < 9',
        '(np.int64(state["hands"][declarer])) < 8',
    ),
    Mutation(
        "consent with nine cards",
        EVENTS,
        '(np.int64(state["hands"][declarer])) < 9',
        '(np.int64(state["hands"][declarer])) < 10',
    ),
    Mutation("one defender resigns for both", EVENTS, "& 7) == 2:", "& 7) >= 1:"),
    Mutation("first refusal is final", EVENTS, "if conceding == declarer and seat == (declarer + 1) % 3:", "if False:"),
    Mutation(
        "refusal forgotten",
        EVENTS,
        'np.int64(state["refused"]) | np.int64(1) << (4 + conceding)',
        'np.int64(state["refused"])',
    ),
    Mutation("refused for ever", MOVES, '    state["refused"] = 0  # one', '    state["refused"] += 0  # one'),
    Mutation(
        "defenders claim null",
        EVENTS,
        'return allowed and not (state["game"] == NULL and seat != state["declarer"])',
        "return allowed",
    ),
    Mutation("bad claims hold", EVENTS, "if claim_holds(hands,", "if True or claim_holds(hands,"),
    Mutation("rest to the wrong side", EVENTS, "_award_rest(state, seat == declarer)", "_award_rest(state, True)"),
    Mutation(
        "schneider always credited",
        SETTLE,
        "schneider_possible = defender_points(state) <= 30",
        "schneider_possible = True",
    ),
    Mutation("win conceded away", SETTLE, "goal = secured or given_up", "goal = False"),
    Mutation(
        "schwarz conceded and won",
        SETTLE,
        "secured = goal and game != NULL and flags & SCHWARZ == 0",
        "secured = goal and game != NULL",
    ),
    Mutation("leaving with 61 wins", SETTLE, "goal = secured and end == END_CONCEDED", "goal = secured"),
    # secrets
    Mutation("skat of a hand game shown", OBSERVE, "if seat != declarer or not picked_up:", "if seat != declarer:"),
    Mutation("skat shown to defenders", OBSERVE, "if seat != declarer or not picked_up:", "if not picked_up:"),
    Mutation("discards shown", OBSERVE, '    if seat != declarer:\n        out["discards"] = 0\n', ""),
    Mutation("ouvert hand closed", OBSERVE, 'other == declarer and np.int64(state["flags"]) & OUVERT != 0', "False"),
    Mutation("every hand open", OBSERVE, "shown = declared and other == declarer and", "shown = declared and"),
    Mutation("dealt cards shown", OBSERVE, '            out["dealt"][other] = 0\n', "            pass\n"),
    Mutation(
        "deal 3-4-3-skat",
        ROLLOUTS,
        "np.int64(1) << deck[9] | np.int64(1) << deck[10]",
        "np.int64(1) << deck[30] | np.int64(1) << deck[31]",
    ),
)


def copy_tree(target: Path) -> None:
    """The package and the tests, without caches."""
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("skatai", "tests"):
        shutil.copytree(ROOT / name, target / name, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", target)


def run_quick_tests(root: Path) -> tuple[bool, str]:
    """Whether the quick tests fail on the package under ``root``, and the first test that does."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--no-header",
        *QUICK,
    ]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=600)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"the tests did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode != 0, failed[0].split(" ")[1] if failed else ""


def check(mutation: Mutation, root: Path) -> tuple[bool, str]:
    """Plant the fault under ``root``, run the tests, take it out again."""
    path = root / "skatai" / mutation.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutation.old) != 1:
        raise ValueError(
            f"mutation {mutation.name!r}: {source.count(mutation.old)} places in {mutation.file}, expected 1"
        )
    path.write_text(source.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        return run_quick_tests(root)
    finally:
        path.write_text(source, encoding="utf-8")


def check_all(mutations: tuple[Mutation, ...] = MUTATIONS) -> Iterator[tuple[Mutation, bool, str]]:
    """Each fault in turn: whether it was caught, and by which test."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copy_tree(root)
        failed, test = run_quick_tests(root)
        if failed:
            raise RuntimeError(f"the quick tests fail without any fault planted: {test}")
        for mutation in mutations:
            yield mutation, *check(mutation, root)


def main() -> int:
    """Print the table; exit code 1 if a fault went unnoticed."""
    missed = 0
    for mutation, caught, test in check_all():
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {mutation.name:34} {mutation.file:20} {test}", flush=True)
    print(f"{len(MUTATIONS) - missed} of {len(MUTATIONS)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
