from hypothesis import given
from hypothesis import strategies as st

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


def test_popcount_of_nothing_and_of_all() -> None:
    assert _call("popcount", 0) == 0
    assert _call("popcount", bits.ALL_CARDS) == 32


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
