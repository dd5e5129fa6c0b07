"""The solver's signature: total nodes and a checksum of all values over a fixed list of deals.

A change that is meant to keep the search as it is must keep the nodes; no change may alter the checksum. The file SIGNATURE is
compared by a test and written by ``python benchmarks/bench_solver.py --write-signature``, on purpose only.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from skatai.solver import solve, solve_moves
from skatai.solver.cases import read_cases

__all__ = ["SIGNATURE", "signature"]

_HERE = Path(__file__).resolve().parent
SIGNATURE = _HERE / "SIGNATURE"
GOLDEN = _HERE / "golden" / "contracts_10.csv"


def signature() -> str:
    """The text of the file SIGNATURE for the solver as it is."""
    nodes, values = 0, []
    for case in read_cases(GOLDEN):
        asked = solve(case.position, target=case.target)
        moves = solve_moves(case.position)
        exact = solve(case.position)
        nodes += asked.nodes + moves.nodes + exact.nodes
        values.append(
            (case.name, exact.value, asked.reached, [(str(card), value) for card, value in moves.moves.items()])
        )
    return f"nodes {nodes}\nvalues {zlib.crc32(repr(values).encode()):08x}\n"
