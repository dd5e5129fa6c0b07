from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from skatai.kernels import bits

MASKS = st.integers(min_value=1, max_value=bits.ALL_CARDS)


@given(MASKS)
def test_bits_agree_with_the_binary_digits(mask: int) -> None:
    digits = bin(mask)[2:][::-1]
    places = [i for i, digit in enumerate(digits) if digit == "1"]

    assert _call("popcount", mask) == len(places)
    assert _call("lowest", mask) == places[0]
    assert _call("highest", mask) == places[-1]
    assert [bits.nth_bit(mask, n) for n in range(len(places))] == places


@given(MASKS)
def test_the_plain_python_twins_agree(mask: int) -> None:
    assert bits._popcount_python(mask) == _call("popcount", mask)
    assert bits._lowest_python(mask) == _call("lowest", mask)
    assert bits._highest_python(mask) == _call("highest", mask)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2), st.integers(0, 8), st.sampled_from(["i1", "?", "i8", "f4", "f8"]))
def test_bits_as_entries(word: int, row: int, start: int, dtype: str) -> None:
    out, twin = np.ones((3, 40), dtype=dtype), np.ones((3, 40), dtype=dtype)
    _write_bits(word, out, row, start)
    bits._write_bits_python(word, twin, row, start)
    assert out[row, start : start + 32].astype(int).tolist() == [word >> i & 1 for i in range(32)]
    assert np.array_equal(out, twin)


def test_popcount_of_nothing_and_of_all() -> None:
    assert _call("popcount", 0) == 0
    assert _call("popcount", bits.ALL_CARDS) == 32


@bits.kernel
def _write_bits(word: int, out: NDArray[Any], row: int, start: int) -> None:
    bits.write_bits(word, out, row, start)


@bits.kernel
def _popcount(mask: int) -> int:
    return bits.popcount(mask)


@bits.kernel
def _lowest(mask: int) -> int:
    return bits.lowest(mask)


@bits.kernel
def _highest(mask: int) -> int:
    return bits.highest(mask)


def _call(name: str, mask: int) -> int:
    """The intrinsics exist inside kernels only."""
    return int({"popcount": _popcount, "lowest": _lowest, "highest": _highest}[name](mask))
