"""Comparisons and choices: what MNN 3.6.1 lacks or gets wrong of them."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, input_at, is_float, numpy_type, shape_of
from workbench.rewrites.rule import Replacement, Rule


def _is_nan(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    assert x is not None
    # MNN's Equal calls a NaN equal to itself, and its Abs, Max and Sign lose it.
    zero = build.like(x, 0)
    return build.op("Not", build.op("Or", build.op("GreaterOrEqual", x, zero), build.op("LessOrEqual", x, zero)))


def _is_inf(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    assert x is not None
    ends = [
        build.op("Equal", x, build.like(x, end))
        for end, attribute in ((np.inf, "detect_positive"), (-np.inf, "detect_negative"))
        if node.attributes.get_int(attribute, 1)
    ]
    if not ends:
        return build.op("Greater", build.like(x, 0), build.op("Abs", x))
    return build.joined("Or", ends)


def _equal(node: ir.Node, build: Build) -> Replacement:
    """MNN compares the bits of floats: NaN equals NaN, and -0 differs from 0."""
    a, b = node.inputs
    if not is_float(a):
        return None
    return build.op("And", build.op("GreaterOrEqual", a, b), build.op("LessOrEqual", a, b))


def _less(node: ir.Node, build: Build) -> Replacement:
    a, b = node.inputs
    return build.op("Greater", b, a)


def _cast_to_bool(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    assert x is not None
    if node.attributes.get_int("to", 0) != ir.DataType.BOOL or x.dtype in (None, ir.DataType.BOOL):
        return None
    return build.op("Not", build.op("Equal", x, build.like(x, 0)))


_MOST_WRITTEN_OUT: Final = 1 << 20


def _where(node: ir.Node, build: Build) -> Replacement:
    """MNN reads past the end of an operand that is neither of the output's size nor of one element."""
    shape = shape_of(node.outputs[0])
    if shape is None:
        return _where_of_open_shape(node, build)
    wide = [_widened(value, shape, build) for value in node.inputs if value is not None]
    return None if wide == list(node.inputs) else build.op("Where", *wide)


def _widened(value: ir.Value, shape: tuple[int, ...], build: Build) -> ir.Value:
    own = shape_of(value)
    if own is None or own == shape or np.prod(own) == 1:
        return value
    array = array_of(value)
    if array is not None and np.prod(shape) <= _MOST_WRITTEN_OUT:
        return build.constant(np.broadcast_to(array, shape), numpy_type(value))
    return _expanded(value, build.ints(*shape), build)


def _expanded(value: ir.Value, shape: ir.Value, build: Build) -> ir.Value:
    if value.dtype != ir.DataType.BOOL:
        return build.op("Expand", value, shape)
    wide = build.op("Expand", build.cast(value, ir.DataType.INT32), shape)
    return build.op("Not", build.op("Equal", wide, build.constant(0, np.int32)))


def _where_of_open_shape(node: ir.Node, build: Build) -> Replacement:
    condition, x, y = node.inputs
    assert condition is not None
    assert x is not None
    assert y is not None
    if any((shape := shape_of(value)) is not None and np.prod(shape) == 1 for value in (x, y)):
        return None
    dims = [tuple(value.shape) if value.shape is not None else None for value in (condition, x, y)]
    if dims[0] is not None and dims[0] == dims[1] == dims[2]:
        return None
    return build.op("Where", condition, x, build.op("Expand", y, build.op("Shape", x)))


def _constant_of_shape(node: ir.Node, build: Build) -> Replacement:
    """Without a value MNN's converter takes memory that nobody wrote."""
    if "value" in node.attributes:
        return None
    return build.op("ConstantOfShape", input_at(node, 0), value=ir.tensor(np.zeros(1, np.float32)))


RULES: Final = (
    Rule("compare/is-nan", ("IsNaN",), msg("IsNaN is written as: neither at least 0 nor at most 0"), _is_nan),
    Rule("compare/is-inf", ("IsInf",), msg("IsInf is written as a comparison with infinity"), _is_inf),
    Rule("compare/equal", ("Equal",), msg("Equal of floats is written as: neither less nor greater"), _equal),
    Rule("compare/less", ("Less",), msg("Less is written as Greater with its operands swapped"), _less),
    Rule("compare/to-bool", ("Cast",), msg("A cast to bool is written as: not equal to 0"), _cast_to_bool),
    Rule("compare/where", ("Where",), msg("The operands of Where are expanded to the size of its output"), _where),
    Rule(
        "compare/constant-of-shape",
        ("ConstantOfShape",),
        msg("The value of ConstantOfShape, 0 by default, is written out"),
        _constant_of_shape,
    ),
)
