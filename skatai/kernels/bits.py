"""Bit operations on card sets (``int64`` masks below 2**32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic

from skatai._jit import JIT_ENABLED, kernel

__all__ = ["ALL_CARDS", "highest", "lowest", "nth_bit", "popcount"]

ALL_CARDS = 0xFFFFFFFF


def _popcount_python(mask: int) -> int:
    return int(mask).bit_count()


def _lowest_python(mask: int) -> int:
    value = int(mask)
    return (value & -value).bit_length() - 1


def _highest_python(mask: int) -> int:
    return int(mask).bit_length() - 1


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


if JIT_ENABLED:
    popcount, lowest, highest = _intrinsics()
else:
    popcount, lowest, highest = _popcount_python, _lowest_python, _highest_python


@kernel
def nth_bit(mask: int, n: int) -> int:
    """Index of the ``n``-th lowest set bit (``n`` from 0; the mask must have more than ``n`` bits)."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)
