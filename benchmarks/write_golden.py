"""Write the golden deals: contract-like full deals with their exact values, in graded sizes.

    python benchmarks/write_golden.py

``golden/contracts_10.csv`` holds the first deals of ``golden/contracts_100.csv`` (so many of each kind: suit, grand, null).
"""

from __future__ import annotations

import csv
from pathlib import Path

from contract_like import contract_likes

from skatai.contract import GAME_NAMES
from skatai.seats import SEAT_NAMES
from skatai.solver import solve

GOLDEN = Path(__file__).resolve().parent / "golden"
COLUMNS = ("id", "game", "declarer", *SEAT_NAMES, "declarer_skat_points", "declarer_trick_points", "declarer_wins")


def main() -> None:
    for size in (10, 100):
        with (GOLDEN / f"contracts_{size}.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for kind in ("suit", "grand", "null"):
                for number, (position, target) in enumerate(contract_likes(kind, 2026, size)):
                    value = solve(position).value
                    null = kind == "null"
                    writer.writerow(
                        [f"{kind}{number}", GAME_NAMES[position.game], SEAT_NAMES[position.declarer]]
                        + [str(hand) for hand in position.hands]
                        + [0 if null else 61 - target, "" if null else value, int(value >= target)]
                    )


if __name__ == "__main__":
    main()
