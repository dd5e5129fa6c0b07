"""The tests must notice faults: see :mod:`tests.mutations`."""

import pytest

from tests.mutations import MUTATIONS, ROOT, check_all


def test_every_mutation_has_its_place() -> None:
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 25
    for mutation in MUTATIONS:
        source = (ROOT / "skatai" / mutation.file).read_text(encoding="utf-8")
        assert source.count(mutation.old) == 1, mutation.name
        assert mutation.new != mutation.old


@pytest.mark.slow
def test_every_planted_fault_is_caught() -> None:
    missed = [mutation.name for mutation, caught, _ in check_all() if not caught]
    assert missed == []
