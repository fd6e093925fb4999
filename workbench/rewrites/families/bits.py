"""Operators on bits: MNN 3.6.1 lacks them, or shifts by what it should not.

Whole numbers are int32 here, and the bits of one are elements: x // 2^k of what is not negative, less twice its half.
The sign of a signed type is kept apart: the bits of x are those of x + 2^(n-1) then.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import INTEGER_RANGES, is_integer
from workbench.rewrites.rule import Replacement, Rule

_I: Final = ir.DataType.INT32
_MOST_BITS: Final = 31
"""Of a number that is not negative, as MNN holds it."""
_HALF: Final = 16
_WIDTHS: Final = {
    ir.DataType.INT8: 8, ir.DataType.UINT8: 8, ir.DataType.INT16: 16, ir.DataType.UINT16: 16,
    ir.DataType.INT32: 32, ir.DataType.UINT32: 32, ir.DataType.INT64: 64, ir.DataType.UINT64: 64,
}  # fmt: skip


def _int(number: int, build: Build) -> ir.Value:
    return build.constant(number, np.int32)


def _is_signed(kind: ir.DataType) -> bool:
    return INTEGER_RANGES[kind][0] < 0


def _bits(x: ir.Value, count: int, build: Build) -> ir.Value:
    """0 and 1 on a new last axis, the lowest first. ``x``: int32, not negative."""
    powers = build.constant([1 << bit for bit in range(count)], np.int32)
    shifted = build.op("Div", build.unsqueeze(x, -1), powers)
    halves = build.op("Mul", build.op("Div", shifted, _int(2, build)), _int(2, build))
    return build.op("Sub", shifted, halves)


def _together(node: ir.Node, build: Build) -> Replacement:
    a, b = node.inputs
    if a is None or b is None or a.dtype is None or not is_integer(a):
        return None
    count = min(_WIDTHS[a.dtype] - _is_signed(a.dtype), _MOST_BITS)
    sides, signs = [], []
    for value in (a, b):
        whole = build.cast(value, _I)
        if _is_signed(a.dtype):
            is_negative = build.op("Greater", _int(0, build), whole)
            signs.append(is_negative)
            whole = build.op("Where", is_negative, _without_sign(whole, count, build), whole)
        sides.append(_bits(whole, count, build))
    total = _number(_of_bits(node.op_type, sides[0], sides[1], build), count, build)
    if signs:
        is_negative = build.op(node.op_type.removeprefix("Bitwise"), *signs)
        total = build.op("Where", is_negative, _with_sign(total, count, build), total)
    return build.cast(total, a.dtype)


def _number(bits: ir.Value, count: int, build: Build) -> ir.Value:
    """The number of which these are the bits. MNN adds in float32, so half of them at a time."""
    if count > _HALF:
        low, high = (build.slice(bits, [start], [end], [-1]) for start, end in ((0, _HALF), (_HALF, None)))
        upper = build.op("Mul", _number(high, count - _HALF, build), _int(1 << _HALF, build))
        return build.op("Add", upper, _number(low, _HALF, build))
    powers = build.constant([1 << bit for bit in range(count)], np.int32)
    return build.reduce("ReduceSum", build.op("Mul", bits, powers), (-1,), keepdims=False)


def _without_sign(x: ir.Value, count: int, build: Build) -> ir.Value:
    """x + 2^count in two steps, because 2^31 is no int32."""
    return build.op("Add", build.op("Add", x, _int((1 << count) - 1, build)), _int(1, build))


def _with_sign(x: ir.Value, count: int, build: Build) -> ir.Value:
    return build.op("Sub", build.op("Sub", x, _int((1 << count) - 1, build)), _int(1, build))


def _of_bits(op: str, a: ir.Value, b: ir.Value, build: Build) -> ir.Value:
    if op == "BitwiseAnd":
        return build.op("Mul", a, b)
    return build.op("Max", a, b) if op == "BitwiseOr" else build.op("Abs", build.op("Sub", a, b))


def _not(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    if x is None or x.dtype is None or x.dtype not in INTEGER_RANGES:
        return None
    low, high = INTEGER_RANGES[x.dtype]
    if low == 0 and _WIDTHS[x.dtype] > _MOST_BITS:
        return None  # the result is no int32
    return build.cast(build.op("Sub", _int(-1 if low else high, build), build.cast(x, _I)), x.dtype)


def _shift(node: ir.Node, build: Build) -> Replacement:
    """onnxruntime gives 0 where the shift is not within the type; a negative number shifted right stays below 0."""
    x, amount = node.inputs
    if x is None or amount is None or x.dtype is None or x.dtype not in INTEGER_RANGES:
        return None
    width = _WIDTHS[x.dtype]
    whole, by = build.cast(x, _I), build.cast(amount, _I)
    is_over = build.op(
        "Or", build.op("GreaterOrEqual", by, _int(width, build)), build.op("Greater", _int(0, build), by)
    )
    places = build.op("Min", build.op("Max", by, _int(0, build)), _int(_MOST_BITS - 1, build))
    powers = build.constant([1 << bit for bit in range(_MOST_BITS)], np.int32)
    power = build.op("Gather", powers, places)
    if node.attributes.get_string("direction", "LEFT") == "LEFT":
        shifted, over = _left(whole, by, power, x.dtype, build), _int(0, build)
    else:
        shifted, over = _right(whole, power, build)
    return build.cast(build.op("Where", is_over, over, shifted), x.dtype)


def _left(x: ir.Value, by: ir.Value, power: ir.Value, kind: ir.DataType, build: Build) -> ir.Value:
    """What leaves the type on the left is lost; a product in int32 loses it by itself."""
    shifted = build.op("Mul", x, power)
    if _WIDTHS[kind] > _MOST_BITS:
        last = build.op("Where", build.op("Equal", by, _int(_MOST_BITS, build)), _int(2, build), _int(1, build))
        return build.op("Mul", shifted, last)
    low, high = INTEGER_RANGES[kind]
    count = _int(high - low + 1, build)
    above = build.op("Sub", shifted, _int(low, build))
    rest = build.op("Sub", above, build.op("Mul", build.op("Div", above, count), count))
    wrapped = build.op("Where", build.op("Greater", _int(0, build), rest), build.op("Add", rest, count), rest)
    return build.op("Add", wrapped, _int(low, build))


def _right(x: ir.Value, power: ir.Value, build: Build) -> tuple[ir.Value, ir.Value]:
    """The quotient rounded down, and what is left of a number whose bits are all shifted out."""
    is_negative = build.op("Greater", _int(0, build), x)
    down = build.op("Sub", build.op("Div", build.op("Add", x, _int(1, build)), power), _int(1, build))
    shifted = build.op("Where", is_negative, down, build.op("Div", x, power))
    return shifted, build.op("Where", is_negative, _int(-1, build), _int(0, build))


RULES: Final = (
    Rule(
        "bits/together",
        ("BitwiseAnd", "BitwiseOr", "BitwiseXor"),
        msg("Bits are taken apart by division and put together by a sum"),
        _together,
        effect=msg("Every bit is an element: a tensor of bits takes up to 31 times the memory"),
    ),
    Rule("bits/not", ("BitwiseNot",), msg("BitwiseNot is written as a difference"), _not),
    Rule("bits/shift", ("BitShift",), msg("Shifts are written as products and divisions"), _shift),
)
