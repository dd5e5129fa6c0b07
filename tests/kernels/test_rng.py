import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.kernels import rng as kernel_rng
from skatai.kernels.rng import mix64, new_rng, next_bits, rand_below, rand_float, shuffle
from skatai.rng import Rng, derive_seed
from tests.driver import scaled

# The first outputs of the published reference implementation of splitmix64.
REFERENCE = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}


@pytest.mark.parametrize("seed", REFERENCE)
def test_the_stream_is_splitmix64(seed: int) -> None:
    rng = new_rng(seed)
    assert [int(next_bits(rng)) for _ in range(5)] == [value >> 2 for value in REFERENCE[seed]]


@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_the_plain_python_twins_agree(seed: int) -> None:
    assert int(mix64(np.uint64(seed))) == int(kernel_rng._mix64_python(seed))
    compiled, python = new_rng(seed), new_rng(seed)
    for _ in range(3):
        assert int(next_bits(compiled)) == kernel_rng._next_bits_python(python)
    assert compiled[0] == python[0]


@given(st.integers(min_value=-(2**70), max_value=2**70))
def test_any_integer_is_a_seed(seed: int) -> None:
    assert int(new_rng(seed)[0]) == seed % 2**64
    assert Rng(seed).bits() == Rng(seed % 2**64).bits()


@given(st.integers(min_value=0, max_value=2**64 - 1), st.integers(min_value=1, max_value=2**31 - 1))
def test_rand_below_stays_in_range(seed: int, n: int) -> None:
    rng = new_rng(seed)
    assert all(0 <= rand_below(rng, n) < n for _ in range(5))
    assert all(0.0 <= rand_float(rng) < 1.0 for _ in range(5))


def test_rand_below_is_uniform() -> None:
    rng, n, size = new_rng(5), 7, scaled(70_000)
    counts = np.bincount([rand_below(rng, n) for _ in range(size)], minlength=n)
    chi_square = float(((counts - size / n) ** 2 / (size / n)).sum())
    assert chi_square < 22.5  # one in a thousand, and the seed is fixed


def test_shuffle_permutes_evenly() -> None:
    rng, size = new_rng(9), scaled(24_000)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(size):
        values = np.arange(4)
        shuffle(rng, values)
        seen[tuple(values.tolist())] = seen.get(tuple(values.tolist()), 0) + 1
    assert len(seen) == 24
    chi_square = sum((count - size / 24) ** 2 / (size / 24) for count in seen.values())
    assert chi_square < 49.8


def test_rng_class() -> None:
    rng = Rng(42)
    items = list(range(20))
    rng.shuffle(items)
    assert sorted(items) == list(range(20)) and items != list(range(20))
    assert rng.choice("x") == "x"
    assert {rng.below(3) for _ in range(50)} == {0, 1, 2}
    assert 0 <= rng.random() < 1
    assert repr(rng) == "Rng(seed=42)"
    assert Rng(1).numpy().random() == Rng(1).numpy().random()


@pytest.mark.parametrize("n", [0, -1, 2**31])
def test_below_says_what_it_expects(n: int) -> None:
    with pytest.raises(ValueError, match=f"n is {n}, expected"):
        Rng(1).below(n)


def test_spawned_streams_do_not_depend_on_use() -> None:
    fresh, used = Rng(3), Rng(3)
    for _ in range(10):
        used.bits()
    assert fresh.spawn(1, 2).bits() == used.spawn(1, 2).bits()
    assert fresh.spawn(1, 2).bits() != fresh.spawn(2, 1).bits()


def test_derived_seeds_differ_and_never_change() -> None:
    seeds = {derive_seed(*keys) for keys in [(), (0,), (0, 0), (1,), (0, 1), (1, 0), (-1,), (1, 2, 3), (3, 2, 1)]}
    assert len(seeds) == 9
    assert len({derive_seed(7, i) for i in range(scaled(10_000))}) == scaled(10_000)
    assert derive_seed(1, 2, 3) == derive_seed(1, 2, 3 + 2**64)
    assert derive_seed(2026, 1) == 10847766276138167671
