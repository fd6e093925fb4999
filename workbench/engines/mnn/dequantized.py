"""The reference's model with the weights that a quantization plan asks for.

``with_plan_weights(model, **Converted.plan_weights)`` is what the engine is compared with: then
only the engine's own arithmetic is left to differ. The weights are those of MNN's rounding
without its losses (rows with a small step, fp16 above 65504), so what the engine destroyed shows
as an error. HQQ's weights are not told by the plan: those are read back from the converted model.

Standard library, numpy, onnx and our numpy-only modules: workers import this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

from workbench.engines.mnn.arithmetic import dequantize, half_as_planned, half_digest, quantize_as_planned
from workbench.engines.mnn.folding import Scope, find_scope, folded_weights, layout_of, scopes
from workbench.engines.mnn.layout import Layout, block_count
from workbench.engines.mnn.units import Floats, channel_axis_scaled, from_rows, to_rows

_SUFFIX: Final = "__plan_weights"
_HARD_SIGMOID: Final = {"alpha": 0.2, "beta": 0.5}


def with_plan_weights(
    model: onnx.ModelProto,
    layers: Sequence[dict[str, Any]],
    half_floats: bool,
    half_constants: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> onnx.ModelProto:
    """``model``, changed in place: each layer's weights are the plan's, as float values.

    A layer: {"output": the node's first output, "subgraph": name of the body that holds it or "",
    "layout": Layout's fields, "bits": 0 for a float, "symmetric", "block", "normalization": first
    output of the BatchNormalization that the converter folded in or "", "read_back": .npy files of
    the weights that the converter chose, [] to compute them}. ``half_floats``: float layers are
    rounded to fp16, and so are the constants that ``half_constants`` tells: digests by the name of
    the operator that reads them. External data must be loaded. Raises KeyError for a layer that is
    not there.
    """
    everywhere = scopes(model)
    for layer in layers:
        scope = find_scope(everywhere, layer)
        node = scope.nodes[layer["output"]]
        original = scope.value(node.input[1])
        planned = _unfolded(_planned(scope, layer, half_floats=half_floats), scope, layer)
        tensor = numpy_helper.from_array(planned.astype(original.dtype), layer["output"] + _SUFFIX)
        scope.graph.initializer.append(tensor)
        node.input[1] = tensor.name
    for scope in everywhere:
        _round_constants(scope.graph, half_constants)
    return model


def _planned(scope: Scope, layer: dict[str, Any], *, half_floats: bool) -> Floats:
    """What the plan makes of the folded weights, in ONNX's layout."""
    folded = folded_weights(scope, layer)
    if layer["bits"] == 0:
        return half_as_planned(folded) if half_floats else folded
    layout = layout_of(layer)
    rows = to_rows(folded, layout)
    if layer["read_back"]:
        chosen = [np.load(file).reshape(part.shape) for file, part in zip(layer["read_back"], rows, strict=True)]
        return from_rows(chosen, layout)
    return from_rows([_rounded(part, layout, layer) for part in rows], layout)


def _rounded(rows: Floats, layout: Layout, layer: dict[str, Any]) -> Floats:
    blocks = block_count(layout.in_channels, layer["block"])
    cut = rows.reshape(len(rows) * blocks, -1)
    return dequantize(quantize_as_planned(cut, layer["bits"], symmetric=layer["symmetric"])).reshape(rows.shape)


def _unfolded(planned: Floats, scope: Scope, layer: dict[str, Any]) -> Floats:
    """Weights of which the normalization, that stays in the reference's model, makes ``planned``."""
    factors = scope.factors(layer["normalization"])
    if factors is None:
        return planned
    # Where the factor is 0 the normalization makes 0 of any weights.
    inverse = np.divide(np.float32(1), factors, out=np.zeros_like(factors), where=factors != 0)
    return channel_axis_scaled(planned, inverse, layout_of(layer))


def _round_constants(graph: onnx.GraphProto, halves: Mapping[str, Sequence[str]]) -> None:
    """Round what the converter holds as fp16 constants.

    It makes constants of its own of a divisor (the reciprocal) and of HardSigmoid's attributes.
    """
    digests = frozenset(digest for read in halves.values() for digest in read)
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            tensors.update((node.output[0], attribute.t) for attribute in node.attribute if attribute.name == "value")
    floats = {name: tensor for name, tensor in tensors.items() if tensor.data_type == onnx.TensorProto.FLOAT}
    for tensor in floats.values():
        rounded = half_as_planned(_values(tensor))
        if half_digest(rounded) in digests:
            tensor.CopyFrom(numpy_helper.from_array(rounded, tensor.name))
    for node in graph.node:
        if node.op_type == "Div" and node.input[1] in floats:
            _round_reciprocal(floats[node.input[1]], halves.get(node.output[0], ()))
        elif node.op_type == "HardSigmoid":
            _round_attributes(node, digests)


def _round_reciprocal(divisor: onnx.TensorProto, digests: Sequence[str]) -> None:
    values = _values(divisor)
    if not digests or not values.all():
        return
    reciprocal = half_as_planned(np.asarray(np.float32(1) / values, np.float32))
    if half_digest(reciprocal) in digests:
        divisor.CopyFrom(numpy_helper.from_array(np.asarray(np.float32(1) / reciprocal), divisor.name))


def _round_attributes(node: onnx.NodeProto, digests: frozenset[str]) -> None:
    given = {attribute.name: attribute.f for attribute in node.attribute}
    for name, default in _HARD_SIGMOID.items():
        rounded = half_as_planned(np.array([given.get(name, default)], np.float32))
        if half_digest(rounded) in digests:
            given[name] = float(rounded[0])
    del node.attribute[:]
    node.attribute.extend(helper.make_attribute(name, value) for name, value in given.items())


def _values(tensor: onnx.TensorProto) -> Floats:
    return np.asarray(numpy_helper.to_array(tensor), np.float32)
