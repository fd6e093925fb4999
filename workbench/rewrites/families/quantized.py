"""Graphs of integers: quantized activations and integer products in float32, where whole numbers are exact to 2^24."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import INTEGER_RANGES, attributes_of, input_at, rank_of, shape_of
from workbench.rewrites.families.arithmetic import whole
from workbench.rewrites.rule import Replacement, Rule

_F: Final = ir.DataType.FLOAT
_LARGEST: Final = 255.0
_FAR: Final = float(1 << 20)
"""Beyond every integer of 16 bits from any zero point, and within what ``whole`` rounds."""


def _along(parameter: ir.Value, x: ir.Value, axis: int, block: int, build: Build) -> ir.Value | None:
    """A scale or zero point in a shape that spreads over ``x``; None where the sizes needed are unknown."""
    shape, rank = shape_of(parameter), rank_of(x)
    if shape is None or rank is None:
        return None
    if block:
        return _in_blocks(parameter, shape, x, axis % rank, block, build)
    if shape in ((), (1,)) or len(shape) != 1 or rank == 1:
        return parameter
    return build.reshape(parameter, [-1, *[1] * (rank - 1 - axis % rank)])


def _in_blocks(
    parameter: ir.Value, shape: Sequence[int], x: ir.Value, axis: int, block: int, build: Build
) -> ir.Value | None:
    """Every value of ``parameter`` as often as the block is long."""
    sizes = shape_of(x)
    if sizes is None:
        return None
    repeats = [1] * (len(sizes) + 1)
    repeats[axis + 1] = block
    tiled = build.op("Tile", build.unsqueeze(parameter, axis + 1), build.ints(*repeats))
    spread = build.reshape(tiled, [*sizes[:axis], shape[axis] * block, *sizes[axis + 1 :]])
    return spread if shape[axis] * block == sizes[axis] else build.slice(spread, [0], [sizes[axis]], [axis])


def _floats(parameter: ir.Value | None, x: ir.Value, node: ir.Node, build: Build) -> ir.Value | None:
    if parameter is None:
        return None
    axis, block = node.attributes.get_int("axis", 1), node.attributes.get_int("block_size", 0)
    spread = _along(parameter, x, axis, block, build)
    return None if spread is None else build.cast(spread, _F)


def quotient(x: ir.Value, divisor: ir.Value, build: Build) -> ir.Value:
    """``x`` over a positive divisor, rounded as IEEE 754 rounds, on which the ties of a quantization depend.

    MNN's converter makes a division by a constant a product with its reciprocal. A divisor that depends
    on the data, if only in form, stays one.
    """
    below = build.op("Min", x, build.constant(0, np.float32))
    return build.op("Div", x, build.op("Max", divisor, below))


def steps_of(x: ir.Value, scale: ir.Value, build: Build) -> ir.Value:
    """How many steps of ``scale`` ``x`` is, to the nearest whole number; far beyond any type's range it is cut."""
    far = build.constant(_FAR, np.float32)
    inside = build.op("Clip", quotient(x, scale, build), build.constant(-_FAR, np.float32), far)
    return whole(inside, build)


def _rounded(x: ir.Value, scale: ir.Value, zero: ir.Value | None, to: ir.DataType, build: Build) -> ir.Value:
    """``x`` / ``scale`` as the nearest of the integers of type ``to``, from ``zero``."""
    steps = steps_of(x, scale, build)
    if zero is not None:
        steps = build.op("Add", steps, zero)
    low, high = INTEGER_RANGES[to]
    inside = build.op("Clip", steps, build.constant(low, np.float32), build.constant(high, np.float32))
    return build.op("Cast", inside, to=to.value)


def _quantize(node: ir.Node, build: Build) -> Replacement:
    x, scale, zero = node.inputs[0], node.inputs[1], input_at(node, 2)
    to = zero.dtype if zero is not None else node.outputs[0].dtype
    if x is None or scale is None or to not in INTEGER_RANGES or to is None:
        return None
    steps, origin = _floats(scale, x, node, build), _floats(zero, x, node, build)
    if steps is None or (zero is not None and origin is None):
        return None
    return _rounded(build.cast(x, _F), steps, origin, to, build)


def _dequantize(node: ir.Node, build: Build) -> Replacement:
    x, scale, zero = node.inputs[0], node.inputs[1], input_at(node, 2)
    if x is None or scale is None or x.dtype not in INTEGER_RANGES:
        return None
    steps, origin = _floats(scale, x, node, build), _floats(zero, x, node, build)
    if steps is None or (zero is not None and origin is None):
        return None
    value = build.cast(x, _F)
    if origin is not None:
        value = build.op("Sub", value, origin)
    return build.op("Mul", value, steps)


def dynamic_quantize(x: ir.Value, build: Build) -> tuple[ir.Value, ir.Value, ir.Value] | None:
    """The integers as floats from 0 to 255, their scale and their zero point, from the range of ``x``."""
    axes = build.all_axes(x)
    if axes is None:
        return None
    zero, most = build.constant(0, np.float32), build.constant(_LARGEST, np.float32)
    low = build.op("Min", build.reduce("ReduceMin", x, axes, keepdims=False), zero)
    high = build.op("Max", build.reduce("ReduceMax", x, axes, keepdims=False), zero)
    # MNN would multiply by the reciprocal of 255: a divisor that is not constant, but for low <= 0, divides.
    span = build.op("Sub", high, low)
    step = build.op("Div", span, build.op("Max", most, low))
    # onnxruntime takes 1 where all values are 0.
    scale = build.op("Where", build.op("Greater", span, zero), step, build.constant(1, np.float32))
    point = whole(build.op("Clip", build.op("Sub", zero, build.op("Div", low, scale)), zero, most), build)
    steps = build.op("Add", steps_of(x, scale, build), point)
    return build.op("Clip", steps, zero, most), scale, point


def _dynamic(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    found = None if x is None else dynamic_quantize(x, build)
    if found is None:
        return None
    steps, scale, point = found
    byte = ir.DataType.UINT8.value
    return build.op("Cast", steps, to=byte), scale, build.op("Cast", point, to=byte)


def _centred(x: ir.Value, zero: ir.Value | None, axis: int, build: Build) -> ir.Value:
    """Integers as floats, from their zero point. ``axis``: along which there are several zero points."""
    value = build.cast(x, _F)
    if zero is None:
        return value
    spread = _along(zero, x, axis, 0, build)
    return build.op("Sub", value, build.cast(zero if spread is None else spread, _F))


def _integer_matmul(node: ir.Node, build: Build) -> Replacement:
    a, b = node.inputs[:2]
    if a is None or b is None:
        return None
    left = _centred(a, input_at(node, 2), -2, build)
    return build.op(
        "Cast", build.op("MatMul", left, _centred(b, input_at(node, 3), -1, build)), to=ir.DataType.INT32.value
    )


def _integer_convolution(node: ir.Node, build: Build) -> Replacement:
    x, weights = node.inputs[:2]
    if x is None or weights is None:
        return None
    result = _convolved(node, x, input_at(node, 2), weights, input_at(node, 3), build)
    half = build.constant(0.5, np.float32)  # a whole number, but for what a fast algorithm rounds
    return build.op("Cast", build.op("Floor", build.op("Add", result, half)), to=ir.DataType.INT32.value)


def _convolved(
    node: ir.Node, x: ir.Value, x_zero: ir.Value | None, w: ir.Value, w_zero: ir.Value | None, build: Build
) -> ir.Value:
    return build.op("Conv", _centred(x, x_zero, 0, build), _centred(w, w_zero, 0, build), **attributes_of(node))


def _requantized(value: ir.Value, scale: ir.Value, zero: ir.Value, build: Build) -> ir.Value | None:
    if zero.dtype is None:
        return None
    return _rounded(value, build.cast(scale, _F), build.cast(zero, _F), zero.dtype, build)


def _linear_matmul(node: ir.Node, build: Build) -> Replacement:
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = node.inputs[:8]
    if a is None or a_scale is None or b is None or b_scale is None or y_scale is None or y_zero is None:
        return None
    product = build.op("MatMul", _centred(a, a_zero, -2, build), _centred(b, b_zero, -1, build))
    step = build.op("Mul", build.cast(a_scale, _F), build.cast(b_scale, _F))
    return _requantized(build.op("Mul", product, step), y_scale, y_zero, build)


def _linear_convolution(node: ir.Node, build: Build) -> Replacement:
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero = node.inputs[:8]
    rank = rank_of(x)
    if (
        x is None
        or x_scale is None
        or w is None
        or w_scale is None
        or y_scale is None
        or y_zero is None
        or rank is None
    ):
        return None
    result = _convolved(node, x, x_zero, w, w_zero, build)

    def by_channel(value: ir.Value) -> ir.Value:
        return value if shape_of(value) in ((), (1,)) else build.reshape(value, [1, -1, *[1] * (rank - 2)])

    if (bias := input_at(node, 8)) is not None:
        result = build.op("Add", result, build.cast(by_channel(bias), _F))
    step = build.op("Mul", build.cast(x_scale, _F), by_channel(build.cast(w_scale, _F)))
    return _requantized(build.op("Mul", result, step), y_scale, y_zero, build)


RULES: Final = (
    Rule("quantized/quantize", ("QuantizeLinear",), msg("Quantization is computed in float32"), _quantize),
    Rule("quantized/dequantize", ("DequantizeLinear",), msg("Dequantization is computed in float32"), _dequantize),
    Rule(
        "quantized/dynamic",
        ("DynamicQuantizeLinear",),
        msg("Quantization by the range of the data is computed in float32"),
        _dynamic,
    ),
    Rule("quantized/matmul", ("MatMulInteger",), msg("A product of integers is computed in float32"), _integer_matmul),
    Rule(
        "quantized/convolution",
        ("ConvInteger",),
        msg("A convolution of integers is computed in float32"),
        _integer_convolution,
    ),
    Rule(
        "quantized/linear-matmul",
        ("QLinearMatMul",),
        msg("A quantized product is computed in float32 and rounded"),
        _linear_matmul,
    ),
    Rule(
        "quantized/linear-convolution",
        ("QLinearConv",),
        msg("A quantized convolution is computed in float32 and rounded"),
        _linear_convolution,
    ),
)
