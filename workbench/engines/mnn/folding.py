"""A layer's weights as MNN quantizes them, from the ONNX model: constants computed, normalizations folded.

Standard library, numpy, onnx and our numpy-only modules: workers import this.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from workbench.engines.mnn.arithmetic import flushed
from workbench.engines.mnn.layout import Layout
from workbench.engines.mnn.units import Floats, channel_axis_scaled

_EPSILON: Final = 1e-10
"""MNN 3.6.1's where a BatchNormalization gives none; ONNX's is 1e-5."""


class Scope:
    """A graph of an ONNX model with the constants that its nodes can see.

    ``name``: "" for the main graph. ``base``: folder of external data that was not loaded.
    """

    def __init__(self, graph: onnx.GraphProto, name: str, outer: dict[str, Any], base: Path | None) -> None:
        self.graph = graph
        self.name = name
        self.nodes = {output: node for node in graph.node for output in node.output if output}
        self.constants: dict[str, Any] = outer | {tensor.name: tensor for tensor in graph.initializer}
        self.constants |= {node.output[0]: node for node in graph.node if node.op_type == "Constant"}
        self._base = "" if base is None else str(base)

    def value(self, name: str) -> NDArray[Any]:
        """A constant's value, computed where nodes make it of constants. Raises KeyError."""
        source = self.constants.get(name) or self.nodes[name]
        if isinstance(source, onnx.TensorProto):
            return np.asarray(numpy_helper.to_array(source, self._base))
        feeds = {value: self.value(value) for value in source.input if value}
        (value,) = ReferenceEvaluator(source).run(None, feeds)
        return np.asarray(value)

    def factors(self, normalization: str) -> Floats | None:
        """What MNN multiplies each channel with for the BatchNormalization; None for the name ""."""
        if not normalization:
            return None
        node = self.nodes[normalization]
        epsilon = next((attribute.f for attribute in node.attribute if attribute.name == "epsilon"), _EPSILON)
        return _normalization_factors(self.value(node.input[1]), self.value(node.input[4]), epsilon)


def scopes(model: onnx.ModelProto, base: Path | None = None) -> tuple[Scope, ...]:
    """The main graph and every body."""
    return tuple(_scopes(model.graph, "", {}, base))


def find_scope(among: tuple[Scope, ...], layer: dict[str, Any]) -> Scope:
    """The graph that holds ``layer`` ("subgraph", "output"). Raises KeyError."""
    for scope in among:
        if scope.name == layer["subgraph"] and layer["output"] in scope.nodes:
            return scope
    raise KeyError(layer["output"])


def folded_weights(scope: Scope, layer: dict[str, Any]) -> Floats:
    """The layer's weights in ONNX's layout as the converter quantizes them, bit for bit."""
    weights = flushed(scope.value(scope.nodes[layer["output"]].input[1]))
    factors = scope.factors(layer["normalization"])
    if factors is None:
        return weights
    return flushed(channel_axis_scaled(weights, factors, layout_of(layer)))


def layout_of(layer: dict[str, Any]) -> Layout:
    fields = layer["layout"]
    return Layout(fields["op"], tuple(fields["shape"]), fields["group"], fields["transposed"])


def _normalization_factors(scale: NDArray[Any], variance: NDArray[Any], epsilon: float) -> Floats:
    """In float32 and MNN's order."""
    deviation = np.sqrt(variance.astype(np.float32) + np.float32(epsilon))
    return np.asarray(scale.astype(np.float32) / deviation, np.float32)


def _scopes(graph: onnx.GraphProto, name: str, outer: dict[str, Any], base: Path | None) -> Iterator[Scope]:
    scope = Scope(graph, name, outer, base)
    yield scope
    for node in graph.node:
        for attribute in node.attribute:
            single = (attribute.g,) if attribute.HasField("g") else ()
            for body in (*single, *attribute.graphs):
                yield from _scopes(body, body.name, scope.constants, base)
