"""Which ONNX nodes MNN can quantize, and what MNN calls them.

MNN names an operator after the ONNX node's first output, not after the node. What it folds
(a constant Add into the layer before it) takes the name of the last node folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from workbench.core.graph import Graph, Node
from workbench.engines.mnn.layout import Layout

MATMUL_SUFFIX: Final = "__matmul_converted"
_CONVOLUTIONS: Final = ("Conv", "ConvTranspose")
_MATRICES: Final = ("Gemm", "MatMul")
_RANKS: Final = {"Conv": (3, 4, 5), "ConvTranspose": (3, 4), "Gemm": (2,), "MatMul": (2,)}
FOLDED_FROM_CONSTANTS: Final = ("Identity", "Transpose", "Reshape", "Unsqueeze", "Squeeze", "Cast")
"""The converter computes these where their inputs are constants, so what they make may be weights."""
_SHARED_CONVOLUTION_LIMIT: Final = 4
"""MNN 3.6.1 keeps the weights as an input of convolutions, unquantized, where more share them."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A node whose weights a plan can quantize.

    ``subgraph``: name of the body that holds it, "" for the main graph. ``op_names``: every name
    that MNN may give the operator or operators it makes of the node. ``normalization``: first
    output of the BatchNormalization that may be folded into the weights, "" where there is none.
    """

    node_id: str
    name: str
    op: str
    output: str
    weight: str
    layout: Layout
    subgraph: str
    op_names: tuple[str, ...]
    normalization: str = ""

    @property
    def title(self) -> str:
        """What to call the layer in a sentence: its node's name, else its id."""
        return self.name or self.node_id

    @property
    def shape(self) -> tuple[int, ...]:
        return self.layout.shape

    @property
    def out_channels(self) -> int:
        return self.layout.out_channels

    @property
    def in_channels(self) -> int:
        return self.layout.in_channels

    @property
    def parameters(self) -> int:
        return prod(self.layout.shape)


def quantizable_layers(graph: Graph) -> tuple[Layer, ...]:
    """The layers of ``graph`` and its bodies that the converter quantizes, in graph order."""
    return tuple(_layers(graph, "", {}))


def _layers(graph: Graph, subgraph: str, outer: Mapping[str, tuple[int, ...]]) -> Iterator[Layer]:
    constants = dict(outer) | _constants(graph, outer)
    consumers = _consumers(graph)
    live = _live(graph)
    for node in graph.nodes:
        layout = _layout(node, constants)
        if layout is None or node.id not in live or _is_shared(node, consumers):
            continue
        names, last = _names(node, layout, consumers, constants)
        yield Layer(
            node_id=node.id,
            name=node.name,
            op=node.op,
            output=node.outputs[0],
            weight=node.inputs[1],
            layout=layout,
            subgraph=subgraph,
            op_names=tuple(name + suffix for name in names for suffix in layout.suffixes),
            normalization=_normalization(last, graph, consumers) if _can_fold(layout) else "",
        )
    for body in graph.subgraphs:
        yield from _layers(body.graph, body.graph.name, constants)


def _constants(graph: Graph, outer: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Shapes of the values that do not depend on inputs, as far as MNN folds them."""
    constants = {initializer.name: initializer.shape for initializer in graph.initializers}
    for node in graph.nodes:
        is_constant = node.op == "Constant" or (
            node.op in FOLDED_FROM_CONSTANTS and all(name in constants or name in outer for name in node.inputs if name)
        )
        tensor = graph.tensors.get(node.outputs[0]) if is_constant and node.outputs else None
        if tensor is not None and tensor.shape is not None:
            sizes = tuple(dim for dim in tensor.shape if isinstance(dim, int))
            if len(sizes) == len(tensor.shape):
                constants[node.outputs[0]] = sizes
    return constants


def _consumers(graph: Graph) -> dict[str, list[Node]]:
    """Nodes by the values they read, those inside bodies included."""
    consumers: dict[str, list[Node]] = {}
    for node in graph.all_nodes():
        for name in node.inputs:
            consumers.setdefault(name, []).append(node)
    return consumers


def _live(graph: Graph) -> frozenset[str]:
    """Ids of the nodes that the outputs depend on: the converter drops the others."""
    bodies: dict[str, list[Graph]] = {}
    for held in graph.subgraphs:
        bodies.setdefault(held.owner, []).append(held.graph)
    needed = {output.name for output in graph.outputs}
    live = set()
    for node in reversed(graph.nodes):
        if needed.isdisjoint(node.outputs):
            continue
        live.add(node.id)
        needed.update(node.inputs)
        for body in bodies.get(node.id, ()):
            needed.update(name for inner in body.all_nodes() for name in inner.inputs)
            needed.update(output.name for output in body.outputs)
    return frozenset(live)


def _layout(node: Node, constants: Mapping[str, tuple[int, ...]]) -> Layout | None:
    """How ``node`` holds its weights; None where the converter does not quantize it."""
    if node.op not in _RANKS or node.domain not in ("", "ai.onnx") or len(node.inputs) < 2 or not node.outputs:
        return None
    shape = constants.get(node.inputs[1])
    if shape is None or len(shape) not in _RANKS[node.op] or not prod(shape):
        return None
    if node.op == "Gemm" and node.attributes.get("alpha", 1.0) != 1.0:
        return None  # MNN makes its own name for the product, which no plan can tell
    group = node.attributes.get("group", 1)
    layout = Layout(node.op, shape, group if isinstance(group, int) else 1, bool(node.attributes.get("transB", 0)))
    if layout.group > 1 and node.op == "Conv" and shape[1] == 1 and not layout.is_depthwise:
        return None  # a depthwise convolution with a channel multiplier: cut up under names of MNN's own
    return layout


def _is_shared(node: Node, consumers: Mapping[str, list[Node]]) -> bool:
    return node.op in _CONVOLUTIONS and len(consumers[node.inputs[1]]) > _SHARED_CONVOLUTION_LIMIT


def _names(
    node: Node, layout: Layout, consumers: Mapping[str, list[Node]], constants: Mapping[str, tuple[int, ...]]
) -> tuple[list[str], str]:
    """The names that MNN may use, and the value that leaves the last node it may fold."""
    suffix = MATMUL_SUFFIX if node.op in _MATRICES else ""
    value = node.outputs[0]
    names = [value + suffix]
    while True:
        adds = [reader for reader in consumers.get(value, ()) if _adds_constant(reader, value, constants)]
        if not adds:
            return names, value
        value = adds[0].outputs[0]
        names.append(value + suffix)


def _adds_constant(node: Node, value: str, constants: Mapping[str, tuple[int, ...]]) -> bool:
    return node.op == "Add" and all(name == value or name in constants for name in node.inputs)


def _can_fold(layout: Layout) -> bool:
    """Whether MNN folds a normalization into such a layer: around a 1-D convolution it puts a Squeeze between."""
    depthwise_transposed = layout.op == "ConvTranspose" and layout.is_depthwise
    return layout.op in _CONVOLUTIONS and len(layout.shape) == 4 and not depthwise_transposed


def _normalization(value: str, graph: Graph, consumers: Mapping[str, list[Node]]) -> str:
    """First output of the BatchNormalization that alone reads ``value``."""
    readers = consumers.get(value, ())
    if len(readers) != 1 or readers[0].op != "BatchNormalization":
        return ""
    return "" if any(output.name == value for output in graph.outputs) else readers[0].outputs[0]
