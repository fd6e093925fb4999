"""onnxruntime's own operators (com.microsoft), which its optimizer leaves in exported models."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import input_at, rank_of
from workbench.rewrites.rule import Replacement, Rule

_EPSILON: Final = {"SkipLayerNormalization": 1e-12, "SkipSimplifiedLayerNormalization": 1e-5}


def _with_bias(node: ir.Node, build: Build) -> ir.Value:
    x, bias = node.inputs[0], input_at(node, 1)
    assert x is not None
    return x if bias is None else build.op("Add", x, bias)


def _gelu(node: ir.Node, build: Build) -> Replacement:
    x = _with_bias(node, build)
    bell = build.op("Erf", build.op("Mul", x, build.like(x, float(np.sqrt(0.5)))))
    return build.op("Mul", build.op("Mul", x, build.like(x, 0.5)), build.op("Add", bell, build.like(x, 1)))


def _fast_gelu(node: ir.Node, build: Build) -> Replacement:
    """x / 2 * (1 + tanh(z)) is x * sigmoid(2 z); z has onnxruntime's constants: sqrt(2 / pi), 0.044715 times it."""
    x = _with_bias(node, build)
    squared = build.op("Mul", x, x)
    slope = build.op(
        "Add", build.op("Mul", squared, build.like(x, 2 * 0.035677408136300125)), build.like(x, 2 * 0.7978845608028654)
    )
    return build.op("Mul", x, build.op("Sigmoid", build.op("Mul", x, slope)))


def _quick_gelu(node: ir.Node, build: Build) -> Replacement:
    x = node.inputs[0]
    assert x is not None
    steep = build.op("Mul", x, build.like(x, node.attributes.get_float("alpha", 1.702)))
    return build.op("Mul", x, build.op("Sigmoid", steep))


def _skip_normalization(node: ir.Node, build: Build) -> Replacement:
    """The sum of input, skip and bias, normalized over the last axis; the fourth output is the sum."""
    simplified = node.op_type.startswith("SkipSimplified")
    x, skip, gamma = node.inputs[:3]
    beta = None if simplified else input_at(node, 3)
    bias = input_at(node, 3 if simplified else 4)
    assert x is not None
    if any(output.uses() for output in node.outputs[1:3]):
        return None  # mean and deviation, which inference never reads
    total = build.op("Add", x, skip)
    if bias is not None:
        total = build.op("Add", total, bias)
    epsilon = node.attributes.get_float("epsilon", _EPSILON[node.op_type])
    result = _normalized(total, gamma, beta, epsilon, build, centred=not simplified)
    return (result, None, None, total)[: len(node.outputs)]


def _simplified_normalization(node: ir.Node, build: Build) -> Replacement:
    x, gamma = node.inputs[:2]
    rank = rank_of(x)
    axis = node.attributes.get_int("axis", -1)
    if x is None or any(output.uses() for output in node.outputs[1:]):
        return None
    if axis != -1 and (rank is None or axis != rank - 1):
        return None
    result = _normalized(x, gamma, None, node.attributes.get_float("epsilon", 1e-5), build, centred=False)
    return (result, None)[: len(node.outputs)]


def _normalized(
    x: ir.Value, gamma: ir.Value | None, beta: ir.Value | None, epsilon: float, build: Build, *, centred: bool
) -> ir.Value:
    distance = build.op("Sub", x, build.reduce("ReduceMean", x, (-1,), keepdims=True)) if centred else x
    spread = build.reduce("ReduceMean", build.op("Mul", distance, distance), (-1,), keepdims=True)
    root = build.op("Sqrt", build.op("Add", spread, build.like(x, epsilon)))
    result = build.op("Mul", build.op("Div", distance, root), gamma)
    return result if beta is None else build.op("Add", result, beta)


def _fused_matmul(node: ir.Node, build: Build) -> Replacement:
    a, b = node.inputs
    flags = node.attributes
    if a is None or b is None or any(flags.get_int(name, 0) for name in ("transBatchA", "transBatchB")):
        return None
    sides = []
    for value, flag in ((a, "transA"), (b, "transB")):
        rank = rank_of(value)
        if not flags.get_int(flag, 0):
            sides.append(value)
        elif rank is None or rank < 2:
            return None
        else:
            sides.append(build.transpose(value, *range(rank - 2), rank - 1, rank - 2))
    product = build.op("MatMul", *sides)
    alpha = flags.get_float("alpha", 1.0)
    return product if alpha == 1.0 else build.op("Mul", product, build.like(a, alpha))


def _own(*names: str) -> tuple[str, ...]:
    return tuple(f"com.microsoft::{name}" for name in names)


_TITLE: Final = msg("onnxruntime's own operator is written with standard ones")

RULES: Final = (
    Rule("contrib/gelu", _own("Gelu", "BiasGelu"), _TITLE, _gelu),
    Rule("contrib/fast-gelu", _own("FastGelu"), _TITLE, _fast_gelu),
    Rule("contrib/quick-gelu", _own("QuickGelu"), _TITLE, _quick_gelu),
    Rule(
        "contrib/skip-normalization",
        _own("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"),
        _TITLE,
        _skip_normalization,
    ),
    Rule("contrib/simplified-normalization", ("SimplifiedLayerNormalization",), _TITLE, _simplified_normalization),
    Rule("contrib/fused-matmul", _own("FusedMatMul"), _TITLE, _fused_matmul),
)
