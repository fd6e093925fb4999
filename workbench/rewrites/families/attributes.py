"""Attributes that ONNX gives a default and MNN 3.6.1 does not, or another."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import array_of, attributes_of, input_at, is_used, shape_of
from workbench.rewrites.rule import Replacement, Rule


def _axis(node: ir.Node, build: Build) -> Replacement:
    if "axis" in node.attributes:
        return None
    return build.op(node.op_type, *node.inputs, axis=-1)


def _convolution(node: ir.Node, build: Build) -> Replacement:
    weights = shape_of(input_at(node, 1))
    if weights is None:
        return None
    rank = len(weights) - 2
    defaults: dict[str, Any] = {"kernel_shape": weights[2:], "strides": [1] * rank, "dilations": [1] * rank}
    if "auto_pad" not in node.attributes:
        defaults["pads"] = [0] * (2 * rank)
    if all(name in node.attributes for name in defaults):
        return None
    return build.op(node.op_type, *node.inputs, **(defaults | attributes_of(node)))


_LINE_ATTRIBUTES: Final = {"kernel_shape": 1, "strides": 1, "dilations": 1, "output_padding": 0, "output_shape": 1}


def _convolution_of_lines(node: ir.Node, build: Build) -> Replacement:
    """MNN computes a convolution over lines as one over maps, and shows it where the result is the model's."""
    x, weights, *bias = node.inputs
    shape = shape_of(weights)
    if build.in_body:
        return None  # in a branch of If the engine crashes on this form
    if shape is None or len(shape) != 3 or not node.outputs[0].is_graph_output() or x is None or weights is None:
        return None
    given = attributes_of(node)
    for name, unit in _LINE_ATTRIBUTES.items():
        if name in given:
            given[name] = [unit, *given[name].as_ints()]
    if "pads" in given:
        before, after = given["pads"].as_ints()
        given["pads"] = [0, before, 0, after]
    array = array_of(weights)
    wide = build.unsqueeze(weights, 2) if array is None else build.constant(np.expand_dims(array, 2))
    return build.squeeze(build.op(node.op_type, build.unsqueeze(x, 2), wide, *bias, **given), 2)


def _dropout(node: ir.Node, build: Build) -> Replacement:
    """Outside of training it hands on what it gets; MNN's converter fails where it is the last operator."""
    ratio, training = input_at(node, 1), input_at(node, 2)
    trains = array_of(training)
    share = array_of(ratio)
    drops = ratio is None or share is None or float(share) != 0
    if training is not None and (trains is None or bool(trains)) and drops:
        return None
    x = node.inputs[0]
    assert x is not None
    if not is_used(node, 1):
        return (x, None)
    ones = build.op("ConstantOfShape", build.op("Shape", x), value=ir.tensor(np.ones(1, np.int32)))
    return (x, build.cast(ones, ir.DataType.BOOL))


RULES: Final = (
    Rule("attributes/axis", ("Softmax", "LogSoftmax"), msg("The axis, the last by default, is written out"), _axis),
    Rule(
        "attributes/lines",
        ("Conv", "ConvTranspose"),
        msg("A convolution over lines is written as one over maps of height 1"),
        _convolution_of_lines,
    ),
    Rule(
        "attributes/convolution",
        ("Conv", "ConvTranspose"),
        msg("Kernel shape, strides, dilations and pads of a convolution are written out"),
        _convolution,
    ),
    Rule("attributes/dropout", ("Dropout",), msg("A Dropout that drops nothing is left out"), _dropout),
)
