"""onnxruntime's LSTM of integers (DynamicQuantizeLSTM): inputs and states are quantized by their range each time."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.cells import Layer, Weights, part
from workbench.rewrites.facts import Array, array_of, input_at
from workbench.rewrites.families.quantized import dynamic_quantize
from workbench.rewrites.families.recurrent import LOOPED, UNROLLED, looped, unrolled
from workbench.rewrites.rule import Replacement, Rule

_UNSUPPORTED: Final = ("activation_alpha", "activation_beta", "activations")
_SCALES: Final = {1: 8, 2: 10}
"""Where the scale of W and R lies; its zero point follows."""


def _layer(node: ir.Node) -> Layer | None:
    x, size = node.inputs[0], node.attributes.get_int("hidden_size", None)
    if x is None or size is None or x.shape is None or len(x.shape) != 3:
        return None
    if any(name in node.attributes for name in _UNSUPPORTED) or node.attributes.get_int("input_forget", 0) != 0:
        return None
    if any(array_of(input_at(node, position)) is None for place in _SCALES.items() for position in place):
        return None
    direction = node.attributes.get_string("direction", "forward")
    backwards = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}[direction]
    return Layer("LSTM", x, node, size, backwards, input_at(node, 4), batch_first=False)


def _weights(layer: Layer, direction: int, build: Build) -> Weights:
    """W and R come transposed: [directions, inputs, gates x hidden]."""
    node, size = layer.node, layer.size
    w, w_scale = _centred(node, 1, direction)
    r, r_scale = _centred(node, 2, direction)
    projected = _product(layer.x, build.constant(w), w_scale, build)
    bias, peepholes = input_at(node, 3), input_at(node, 7)
    recurrent_bias = None
    if bias is not None:
        own = build.at(bias, direction)
        projected = build.op("Add", projected, build.slice(own, [0], [4 * size], [-1]))
        recurrent_bias = build.slice(own, [4 * size], [None], [-1])
    looks = None
    if peepholes is not None:
        own = build.at(peepholes, direction)
        looks = (part(own, 0, size, build), part(own, 1, size, build), part(own, 2, size, build))

    def product(h: ir.Value, turned: ir.Value, inside: Build) -> ir.Value:
        return _product(h, turned, r_scale, inside)

    return Weights(projected, build.constant(r), recurrent_bias, looks, product)


def _centred(node: ir.Node, position: int, direction: int) -> tuple[Array, Array]:
    """A direction's weights from their zero points, and their scales: one, or one for each column."""
    weights, scales = array_of(input_at(node, position)), array_of(input_at(node, _SCALES[position]))
    zeros = array_of(input_at(node, _SCALES[position] + 1))
    assert weights is not None
    assert scales is not None
    count = weights.shape[0]
    scale = scales.reshape(count, -1)[direction].astype(np.float32)
    zero = np.float32(0) if zeros is None else zeros.reshape(count, -1)[direction].astype(np.float32)
    return weights[direction].astype(np.float32) - zero, scale


def _product(x: ir.Value, weights: ir.Value, scale: Array, build: Build) -> ir.Value:
    """``x`` quantized by its range, times the integers ``weights``, in units of both scales."""
    found = dynamic_quantize(x, build)
    assert found is not None
    steps, step, point = found
    whole = build.op("MatMul", build.op("Sub", steps, point), weights)
    return build.op("Mul", whole, build.op("Mul", step, build.constant(scale)))


def _unrolled(node: ir.Node, build: Build) -> Replacement:
    layer = _layer(node)
    return None if layer is None else unrolled(layer, _weights, build)


def _looped(node: ir.Node, build: Build) -> Replacement:
    layer = _layer(node)
    return None if layer is None else looped(layer, _weights, build)


_OPERATOR: Final = ("com.microsoft::DynamicQuantizeLSTM",)
RULES: Final = (
    Rule(
        "quantized/lstm-unrolled",
        _OPERATOR,
        msg("An LSTM of integers over a known number of steps is written step by step, in float32"),
        _unrolled,
        effect=UNROLLED,
    ),
    Rule(
        "quantized/lstm-loop",
        _OPERATOR,
        msg("An LSTM of integers is written as a Loop that carries its state, in float32"),
        _looped,
        effect=LOOPED,
    ),
)
