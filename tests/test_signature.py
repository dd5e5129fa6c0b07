"""The solver visits the nodes it is known to visit, and finds the values it is known to find."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.jit
def test_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    sys.modules.pop("signature", None)
    from signature import SIGNATURE, signature  # type: ignore[import-not-found]

    assert SIGNATURE.read_text() == signature(), (
        "changed on purpose? python benchmarks/bench_solver.py --write-signature"
    )
