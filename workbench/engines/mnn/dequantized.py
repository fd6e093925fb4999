"""The reference's model with the weights that a quantization plan asks for.

``with_plan_weights(model, **Converted.plan_weights)`` is what the engine is compared with: then
only the engine's own arithmetic is left to differ. The weights are those of MNN's rounding
without its loss of rows with a small step, so a row that the engine destroyed shows as an error.
HQQ's weights are not told by the plan: those are read back from the converted model.

Standard library, numpy, onnx and our numpy-only modules: workers import this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from workbench.engines.mnn.arithmetic import block_count, dequantize, flushed, quantize_as_planned
from workbench.engines.mnn.folding import normalization_factors
from workbench.engines.mnn.units import Layout, channel_axis_scaled, from_rows, to_rows

Floats = NDArray[np.float32]
_SUFFIX: Final = "__plan_weights"


def with_plan_weights(
    model: onnx.ModelProto,
    layers: Sequence[dict[str, Any]],
    half_floats: bool,
    half_constants: Iterable[str] = (),
) -> onnx.ModelProto:
    """``model``, changed in place: each layer's weights are the plan's, as float values.

    A layer: {"output": the node's first output, "subgraph": name of the body that holds it or "",
    "layout": Layout's fields, "bits": 0 for a float, "symmetric", "block", "normalization": first
    output of the BatchNormalization that the converter folded in or "", "read_back": .npy files of
    the weights that the converter chose, [] to compute them}. ``half_floats``: float layers are
    rounded to fp16, and so are the constants named ``half_constants``. External data must be
    loaded. Raises KeyError for a layer that is not there.
    """
    scopes = list(_scopes(model.graph, {}))
    for layer in layers:
        scope = next(s for s in scopes if s.holds(layer["subgraph"], layer["output"]))
        scope.replace(layer, half_floats=half_floats)
    wanted = frozenset(half_constants)
    for scope in scopes:
        scope.round_constants(wanted)
    return model


class _Scope:
    """A graph with the constants that its nodes can see."""

    def __init__(self, graph: onnx.GraphProto, is_main: bool, outer: dict[str, Any]) -> None:
        self.graph = graph
        self.name = "" if is_main else graph.name
        self.nodes = {name: node for node in graph.node for name in node.output if name}
        self.constants: dict[str, Any] = outer | {tensor.name: tensor for tensor in graph.initializer}
        self.constants |= {node.output[0]: node for node in graph.node if node.op_type == "Constant"}

    def holds(self, subgraph: str, output: str) -> bool:
        return self.name == subgraph and output in self.nodes

    def replace(self, layer: dict[str, Any], *, half_floats: bool) -> None:
        node = self.nodes[layer["output"]]
        original = self._value(node.input[1])
        weights = flushed(original)
        layout = Layout(**{**layer["layout"], "shape": tuple(weights.shape)})
        factors = self._factors(layer["normalization"])
        folded = weights if factors is None else flushed(channel_axis_scaled(weights, factors, layout))
        planned = _planned(folded, layout, layer, half_floats=half_floats)
        if factors is not None:
            planned = _unfolded(planned, factors, layout, weights)
        tensor = numpy_helper.from_array(planned.astype(original.dtype), layer["output"] + _SUFFIX)
        self.graph.initializer.append(tensor)
        node.input[1] = tensor.name

    def round_constants(self, names: frozenset[str]) -> None:
        """Round the float constants of this graph that are in ``names`` to fp16."""
        for tensor in self.graph.initializer:
            if tensor.name in names:
                _round_tensor(tensor)
        for node in self.graph.node:
            if node.op_type == "Constant" and node.output[0] in names:
                for attribute in node.attribute:
                    if attribute.name == "value":
                        _round_tensor(attribute.t)

    def _factors(self, normalization: str) -> Floats | None:
        if not normalization:
            return None
        node = self.nodes[normalization]
        epsilon = next((a.f for a in node.attribute if a.name == "epsilon"), 1e-5)
        return normalization_factors(self._value(node.input[1]), self._value(node.input[4]), epsilon)

    def _value(self, name: str) -> NDArray[Any]:
        """A constant's value, computed where nodes make it of constants."""
        source = self.constants.get(name) or self.nodes[name]
        if isinstance(source, onnx.TensorProto):
            return np.asarray(numpy_helper.to_array(source))
        feeds = {value: self._value(value) for value in source.input if value}
        (value,) = ReferenceEvaluator(source).run(None, feeds)
        return np.asarray(value)


def _scopes(graph: onnx.GraphProto, outer: dict[str, Any], *, is_main: bool = True) -> Iterator[_Scope]:
    scope = _Scope(graph, is_main, outer)
    yield scope
    for node in graph.node:
        for attribute in node.attribute:
            for body in (attribute.g, *attribute.graphs) if attribute.HasField("g") else attribute.graphs:
                yield from _scopes(body, scope.constants, is_main=False)


def _planned(folded: Floats, layout: Layout, layer: dict[str, Any], *, half_floats: bool) -> Floats:
    if layer["bits"] == 0:
        return _halved(folded) if half_floats else folded
    rows = to_rows(folded, layout)
    if layer["read_back"]:
        chosen = [np.load(file).reshape(part.shape) for file, part in zip(layer["read_back"], rows, strict=True)]
        return from_rows(chosen, layout)
    return from_rows([_rounded(part, layout, layer) for part in rows], layout)


def _rounded(rows: Floats, layout: Layout, layer: dict[str, Any]) -> Floats:
    blocks = block_count(layout.in_channels, layer["block"])
    cut = rows.reshape(len(rows) * blocks, -1)
    quantized = quantize_as_planned(cut, layer["bits"], symmetric=layer["symmetric"])
    return dequantize(quantized).reshape(rows.shape)


def _unfolded(planned: Floats, factors: Floats, layout: Layout, weights: Floats) -> Floats:
    """``planned`` such that the normalization, which stays in the model, makes the folded weights of it.

    A factor of 0 makes 0 of any weights: the model's own are kept.
    """
    usable = np.where(factors == 0, np.float32(1), factors).astype(np.float32)
    unfolded = channel_axis_scaled(planned, np.float32(1) / usable, layout)
    zero = channel_axis_scaled(np.ones_like(weights), (factors == 0).astype(np.float32), layout)
    return np.where(zero > 0, weights, unfolded)


def _halved(values: Floats) -> Floats:
    with np.errstate(over="ignore"):  # beyond 65504 fp16 has infinity only
        return values.astype(np.float16).astype(np.float32)


def _round_tensor(tensor: onnx.TensorProto) -> None:
    if tensor.data_type == onnx.TensorProto.FLOAT:
        tensor.CopyFrom(numpy_helper.from_array(_halved(numpy_helper.to_array(tensor)), tensor.name))
