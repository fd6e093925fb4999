"""Normalizations with parameters that are computed, or of nothing but zeros."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, is_used, rank_of
from workbench.rewrites.rule import Replacement, Rule


def _batch(node: ir.Node, build: Build) -> Replacement:
    """MNN's converter takes the parameters as constants."""
    x, scale, bias, mean, variance = node.inputs[:5]
    rank = rank_of(x)
    if x is None or scale is None or mean is None or variance is None or rank is None or rank < 2:
        return None
    trains = node.attributes.get_int("training_mode", 0) != 0
    if not trains and all(array_of(value) is not None for value in (scale, bias, mean, variance)):
        return None
    own_mean, own_variance = (mean, variance) if not trains else _statistics(x, rank, build)
    epsilon = build.like(variance, node.attributes.get_float("epsilon", 1e-5))
    factor = build.op("Div", scale, build.op("Sqrt", build.op("Add", own_variance, epsilon)))

    def by_channel(value: ir.Value) -> ir.Value:
        return build.reshape(value, [-1, *[1] * (rank - 2)])

    assert bias is not None
    centred = build.op("Sub", x, by_channel(own_mean))
    result = build.op("Add", build.op("Mul", centred, by_channel(factor)), by_channel(bias))
    momentum = node.attributes.get_float("momentum", 0.9)
    pairs = ((mean, own_mean), (variance, own_variance))
    running = [
        _running(old, new, momentum, build) if is_used(node, position) else None
        for position, (old, new) in enumerate(pairs, start=1)
    ]
    return (result, *running)[: len(node.outputs)]


def _statistics(x: ir.Value, rank: int, build: Build) -> tuple[ir.Value, ir.Value]:
    """Mean and variance of every channel of this batch."""
    axes = tuple(axis for axis in range(rank) if axis != 1)
    centred = build.op("Sub", x, build.reduce("ReduceMean", x, axes, keepdims=True))
    spread = build.reduce("ReduceMean", build.op("Mul", centred, centred), axes, keepdims=False)
    return build.reduce("ReduceMean", x, axes, keepdims=False), spread


def _running(old: ir.Value, new: ir.Value, momentum: float, build: Build) -> ir.Value:
    kept = build.op("Mul", old, build.like(old, momentum))
    return build.op("Add", kept, build.op("Mul", new, build.like(old, 1 - momentum)))


_NORMS: Final = (1, 2)


def _lp(node: ir.Node, build: Build) -> Replacement:
    """MNN divides 0 by 0, of which onnxruntime makes 0."""
    x, power = node.inputs[0], node.attributes.get_int("p", 2)
    if x is None or power not in _NORMS:
        return None
    parts = build.op("Abs", x) if power == 1 else build.op("Mul", x, x)
    norm = build.reduce("ReduceSum", parts, (node.attributes.get_int("axis", -1),), keepdims=True)
    if power == 2:
        norm = build.op("Sqrt", norm)
    # 0 / 1 where all are 0: a norm is never negative.
    nothing = build.op("Not", build.op("Greater", norm, build.like(x, 0)))
    one = build.op("Where", nothing, build.constant(np.ones(1), (x.dtype or ir.DataType.FLOAT).numpy()), norm)
    return build.op("Div", x, one)


RULES: Final = (
    Rule(
        "normalization/batch",
        ("BatchNormalization",),
        msg("A batch normalization with computed parameters is written as arithmetic"),
        _batch,
    ),
    Rule("normalization/lp", ("LpNormalization",), msg("The norm is computed, and 0 divided by 1 instead of 0"), _lp),
)
