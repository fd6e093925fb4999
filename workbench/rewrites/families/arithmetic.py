"""Arithmetic that MNN 3.6.1 rounds, clips or divides otherwise than ONNX does."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, input_at, is_float, is_integer, numpy_type
from workbench.rewrites.rule import Replacement, Rule

_WHOLE_FROM: Final = float(1 << 22)
"""float32 numbers from here on have no half."""
_SHIFT: Final = 1.5 * (1 << 23)
"""Added to a float32 number below ``_WHOLE_FROM`` it leaves no room for a fraction: the sum is rounded to whole."""


def whole(x: ir.Value, build: Build) -> ir.Value:
    """float32 numbers below 2^22 rounded to the nearest whole number, halves to the even one, as IEEE 754 adds."""
    shift = build.constant(_SHIFT, np.float32)
    return build.op("Sub", build.op("Add", x, shift), shift)


def _round(node: ir.Node, build: Build) -> Replacement:
    """MNN takes halves away from 0."""
    x = node.inputs[0]
    assert x is not None
    if not is_float(x):
        return None
    number = build.cast(x, ir.DataType.FLOAT)
    is_whole = build.op("GreaterOrEqual", build.op("Abs", number), build.constant(_WHOLE_FROM, np.float32))
    rounded = build.op("Where", is_whole, number, whole(number, build))
    return build.cast(rounded, x.dtype or ir.DataType.FLOAT)


def _mod(node: ir.Node, build: Build) -> Replacement:
    """MNN gives the remainder of floats the sign of the divisor; that of integers is right."""
    a, b = node.inputs
    assert a is not None
    assert b is not None
    if not is_float(a):
        return None
    ratio = build.op("Div", a, b)
    # Truncated by hand: a Cast to int would end at 2^31.
    times = build.op("Mul", build.op("Sign", ratio), build.op("Floor", build.op("Abs", ratio)))
    rest = build.op("Sub", a, build.op("Mul", times, b))
    rest = build.op("Where", build.op("Equal", times, build.like(a, 0)), a, rest)  # 0 times an infinite b is NaN
    if node.attributes.get_int("fmod", 0):
        return rest
    signs = build.op("Mul", build.op("Sign", rest), build.op("Sign", b))
    return build.op("Where", build.op("Greater", build.like(a, 0), signs), build.op("Add", rest, b), rest)


_OVERFLOW: Final = 88.72283935546875
"""The largest float32 whose exponential is one."""


def _exp(node: ir.Node, build: Build) -> Replacement:
    """MNN stops short of infinity."""
    x = node.inputs[0]
    if x is None or not is_float(x) or _is_never_positive(x):
        return None
    number = build.cast(x, ir.DataType.FLOAT)
    over = build.op("Greater", number, build.constant(_OVERFLOW, np.float32))
    infinite = build.constant(np.inf, np.float32)
    return build.cast(build.op("Where", over, infinite, build.op("Exp", number)), x.dtype or ir.DataType.FLOAT)


def _is_never_positive(value: ir.Value) -> bool:
    """The negative of a size, or what is left below the largest value: the ways to write a safe exponential."""
    producer = value.producer()
    if producer is None or producer.op_type not in ("Neg", "Sub"):
        return False
    last = producer.inputs[-1]
    source = last.producer() if last is not None else None
    return source is not None and source.op_type == ("Abs" if producer.op_type == "Neg" else "ReduceMax")


def _softplus(node: ir.Node, build: Build) -> Replacement:
    """log(1 + exp(x)), with an exponential that does not overflow."""
    x = node.inputs[0]
    assert x is not None
    small = build.op("Exp", build.op("Neg", build.op("Abs", x)))
    return build.op(
        "Add", build.op("Max", x, build.like(x, 0)), build.op("Log", build.op("Add", small, build.like(x, 1)))
    )


def _clip(node: ir.Node, build: Build) -> Replacement:
    """MNN takes both bounds as constants, and floats only."""
    x, low, high = node.inputs[0], input_at(node, 1), input_at(node, 2)
    assert x is not None
    ends = (array_of(low), array_of(high))
    if is_float(x) and ends[0] is not None and ends[1] is not None and float(ends[0]) <= float(ends[1]):
        return None
    if low is not None:
        x = build.op("Max", x, low)
    return x if high is None else build.op("Min", x, high)


def _pow(node: ir.Node, build: Build) -> Replacement:
    """MNN computes nothing where one is a float and the other an integer."""
    base, exponent = node.inputs
    assert base is not None
    assert exponent is not None
    if is_float(base) and is_integer(exponent):
        return build.op("Pow", base, build.cast(exponent, base.dtype or ir.DataType.FLOAT))
    numbers = array_of(exponent)
    if is_integer(base) and is_float(exponent) and numbers is not None and np.array_equal(numbers, np.rint(numbers)):
        return build.op("Pow", base, build.constant(numbers, numpy_type(base)))
    return None


def _prelu(node: ir.Node, build: Build) -> Replacement:
    """MNN takes every slope as one a channel."""
    x, slope = node.inputs
    assert x is not None
    zero = build.like(x, 0)
    return build.op("Add", build.op("Max", x, zero), build.op("Mul", slope, build.op("Min", x, zero)))


def _of_many(node: ir.Node, build: Build) -> Replacement:
    values = [value for value in node.inputs if value is not None]
    if len(values) == 2 and node.op_type in ("Max", "Min"):
        return None
    op = "Add" if node.op_type in ("Sum", "Mean") else node.op_type
    total = build.joined(op, values)
    return build.op("Div", total, build.like(values[0], len(values))) if node.op_type == "Mean" else total


_GELU_TOLERANCE: Final = 1e-6


def _gelu_of_erf(node: ir.Node, build: Build) -> Replacement:
    """MNN fuses x * (erf + 1) * 0.5 into an approximation that is off by 4.7e-4; halved first it is not seen."""
    for half, product in (node.inputs, node.inputs[::-1]):
        producer = product.producer() if product is not None else None
        if not _is_number(half, 0.5) or producer is None or producer.op_type != "Mul":
            continue
        for x, bell in (producer.inputs, producer.inputs[::-1]):
            if _is_erf_plus_one(bell):
                return build.op("Mul", build.op("Mul", x, half), bell)
    return None


def _is_erf_plus_one(value: ir.Value | None) -> bool:
    producer = value.producer() if value is not None else None
    if producer is None or producer.op_type != "Add":
        return False
    parts = [part.producer() if part is not None else None for part in producer.inputs]
    return any(p is not None and p.op_type == "Erf" for p in parts) and any(_is_number(v, 1.0) for v in producer.inputs)


def _is_number(value: ir.Value | None, number: float) -> bool:
    array = array_of(value)
    return array is not None and array.size == 1 and abs(float(array.ravel()[0]) - number) < _GELU_TOLERANCE


def _tanh_plus_one(node: ir.Node, build: Build) -> Replacement:
    """The same function, without the difference of two numbers near 1.

    Below -6 rounding leaves 1 + tanh(z) three digits or fewer, which are others in each engine: magika's
    activations lie there.
    """
    for one, curve in (node.inputs, node.inputs[::-1]):
        producer = curve.producer() if curve is not None else None
        z = producer.inputs[0] if producer is not None and producer.op_type == "Tanh" else None
        if z is not None and _is_number(one, 1.0):
            two = build.like(z, 2)
            return build.op("Mul", build.op("Sigmoid", build.op("Mul", z, two)), two)
    return None


def _gelu(node: ir.Node, build: Build) -> Replacement:
    """The same approximation; that of the tanh form is ONNX's own."""
    x = node.inputs[0]
    assert x is not None
    if node.attributes.get_string("approximate", "none") != "none":
        return None
    bell = build.op("Erf", build.op("Mul", x, build.like(x, float(np.sqrt(0.5)))))
    return build.op("Mul", build.op("Mul", x, build.like(x, 0.5)), build.op("Add", bell, build.like(x, 1)))


RULES: Final = (
    Rule(
        "arithmetic/round",
        ("Round",),
        msg("Round is written as a sum that leaves no fraction: halves go to the even number"),
        _round,
    ),
    Rule("arithmetic/mod", ("Mod",), msg("Mod of floats is written as a division and what it leaves"), _mod),
    Rule("arithmetic/exp", ("Exp",), msg("The exponential of large numbers is infinite"), _exp),
    Rule("arithmetic/softplus", ("Softplus",), msg("Softplus is written so that nothing overflows"), _softplus),
    Rule("arithmetic/clip", ("Clip",), msg("Clip is written as Max, then Min"), _clip),
    Rule("arithmetic/pow", ("Pow",), msg("The exponent of Pow gets the type of the base"), _pow),
    Rule("arithmetic/prelu", ("PRelu",), msg("PRelu is written as Max + slope * Min"), _prelu),
    Rule(
        "arithmetic/of-many",
        ("Sum", "Mean", "Max", "Min"),
        msg("An operator over many inputs is written as one over two after the other"),
        _of_many,
    ),
    Rule(
        "arithmetic/tanh-plus-one",
        ("Add",),
        msg("1 + tanh(z) is written as 2 * sigmoid(2 z), which keeps all digits"),
        _tanh_plus_one,
    ),
    Rule("arithmetic/gelu", ("Gelu",), msg("Gelu is written out, halved before it is multiplied"), _gelu),
    Rule(
        "arithmetic/gelu-of-erf",
        ("Mul",),
        msg("GELU is halved before it is multiplied, so that it is not replaced by an approximation"),
        _gelu_of_erf,
    ),
)
