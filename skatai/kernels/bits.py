"""Bit operations on card sets (``int64`` masks below 2**32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from skatai._jit import JIT_ENABLED, kernel

__all__ = ["ALL_CARDS", "highest", "lowest", "nth_bit", "popcount", "write_bits"]

ALL_CARDS = 0xFFFFFFFF


def _popcount_python(mask: int) -> int:
    return int(mask).bit_count()


def _lowest_python(mask: int) -> int:
    value = int(mask)
    return (value & -value).bit_length() - 1


def _highest_python(mask: int) -> int:
    return int(mask).bit_length() - 1


def _write_bits_python(bits: int, out: NDArray[Any], row: int, start: int) -> None:
    out[row, start : start + 32] = [int(bits) >> i & 1 for i in range(32)]


def _intrinsics() -> tuple[Callable[[int], int], Callable[[int], int], Callable[[int], int]]:
    from llvmlite import ir

    i64 = ir.IntType(64)

    @intrinsic
    def popcount(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic
    def highest(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
            return builder.sub(ir.Constant(i64, 63), zeros)

        return types.int64(types.int64), codegen

    return popcount, lowest, highest


def _writer() -> Callable[[int, NDArray[Any], int, int], None]:
    """One vector store for 32 entries: a loop over the bits set would cost a misprediction each time."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.core.errors import NumbaTypeError

    @intrinsic
    def write_bits(typingctx: Any, bits: Any, out: Any, row: Any, start: Any) -> Any:
        if not isinstance(out, types.Array) or out.ndim != 2 or out.layout != "C":
            raise NumbaTypeError(f"write_bits: {out}, expected a C-contiguous matrix")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(out)(context, builder, args[1])
            shape, strides = (cgutils.unpack_tuple(builder, part) for part in (array.shape, array.strides))
            place = cgutils.get_item_pointer2(context, builder, array.data, shape, strides, out.layout, args[2:])
            entries = ir.VectorType(context.get_data_type(out.dtype), 32)
            flags = builder.bitcast(builder.trunc(args[0], ir.IntType(32)), ir.VectorType(ir.IntType(1), 32))
            widen = builder.uitofp if isinstance(out.dtype, types.Float) else builder.zext
            builder.store(widen(flags, entries), builder.bitcast(place, entries.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, out, types.int64, types.int64), codegen

    return write_bits


if JIT_ENABLED:
    popcount, lowest, highest = _intrinsics()
    #: ``write_bits(bits, out, row, start)``: the lowest 32 bits as 32 entries of 0 or 1, from ``out[row, start]`` on (C-contiguous
    #: matrix of any number type).
    write_bits = _writer()
else:
    popcount, lowest, highest = _popcount_python, _lowest_python, _highest_python
    write_bits = _write_bits_python


@kernel
def nth_bit(mask: int, n: int) -> int:
    """Index of the ``n``-th lowest set bit (``n`` from 0; the mask must have more than ``n`` bits)."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)
