"""What an ONNX graph does with the values of its inputs: which sizes, operators and outputs they come to.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

SIZES: Final = ""
"""Stands for the open axes of the inputs, beside the inputs' names."""
_SHAPES: Final = frozenset(("Shape", "Size"))
_COUNTED: Final = frozenset(("NonZero", "Compress", "Unique", "NonMaxSuppression", "StringSplit"))
"""Operators whose output's shape follows from values."""
# (operator, input) whose values decide how much memory or time the rest takes.
_DECIDE_SIZES: Final = frozenset((
    ("AffineGrid", 1), ("BlackmanWindow", 0), ("CenterCropPad", 1), ("Col2Im", 1), ("Col2Im", 2),
    ("ConstantOfShape", 0), ("DFT", 1), ("Expand", 1), ("HammingWindow", 0), ("HannWindow", 0), ("Loop", 0),
    ("Loop", 1), ("MaxUnpool", 2), ("MelWeightMatrix", 0), ("MelWeightMatrix", 1), ("NonMaxSuppression", 2),
    ("OneHot", 1), ("Pad", 1), ("Range", 0), ("Range", 1), ("Range", 2), ("Reshape", 1), ("Resize", 1),
    ("Resize", 2), ("Resize", 3), ("Split", 1), ("STFT", 1), ("STFT", 3), ("Tile", 1), ("Tile", 2), ("TopK", 1),
    ("Upsample", 1),
))  # fmt: skip
_VALUE_BY_VALUE: Final = frozenset((
    "Abs", "Add", "Cast", "Clip", "Concat", "Div", "Dropout", "Expand", "Flatten", "Identity", "Max", "Min", "Mul",
    "Neg", "Pad", "Reshape", "Slice", "Split", "Squeeze", "Sub", "Tile", "Transpose", "Unsqueeze", "Where",
))  # fmt: skip
"""Operators that hand on single values, so that a NaN stays one NaN."""

Names = frozenset[str]
_NOTHING: Final[Names] = frozenset()


@dataclass(frozen=True, slots=True)
class Influence:
    """``depends``: input names (and SIZES) that each tensor's values follow from, by tensor name, bodies too.

    ``sizes``: the inputs whose values decide sizes or how often a loop runs. ``bodies``: what decides whether
    a body runs where the operator that holds it does, by the body's place (see ``place_of``). ``choices``: the
    conditions of Where in the main graph that values of inputs decide.
    """

    depends: Mapping[str, Names]
    sizes: Names
    bodies: Mapping[str, Names]
    choices: tuple[str, ...]


def influence_of(model: Any) -> Influence:
    """The influence of the inputs of ``model``, whose weights may lie elsewhere."""
    walk = _Walk(model)
    constants = {tensor.name for tensor in model.graph.initializer}
    start = {value.name: frozenset((value.name,)) for value in model.graph.input if value.name not in constants}
    known = walk.graph(model.graph, start, "")
    conditions = dict.fromkeys(node.input[0] for node in model.graph.node if node.op_type == "Where")
    choices = tuple(name for name in conditions if known.get(name, _NOTHING) - {SIZES})
    return Influence(walk.depends, frozenset(walk.sizes) - {SIZES}, walk.bodies, choices)


def first_readers(model: Any, name: str) -> Iterator[tuple[Any, int]]:
    """The nodes that read the values of the input ``name`` as they are, or each by itself, and at which input."""
    carried = {name}
    for node in all_nodes(model.graph):
        positions = [position for position, value in enumerate(node.input) if value in carried]
        yield from ((node, position) for position in positions)
        if positions and node.op_type in _VALUE_BY_VALUE:
            carried.update(node.output)


def all_nodes(graph: Any) -> Iterator[Any]:
    """Every node, each before the nodes of its bodies."""
    for node in graph.node:
        yield node
        for _, body in bodies_of(node):
            yield from all_nodes(body)


def bodies_of(node: Any) -> Iterator[tuple[str, Any]]:
    """The graphs that a node holds, by attribute name."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.name, attribute.g


def place_of(node: Any, attribute: str, outer: str) -> str:
    """A body's place: the first output of the node that holds it, and the attribute, after the outer body's place."""
    first = next((name for name in node.output if name), node.name)
    return f"{outer}{first}/{attribute}"


class _Walk:
    """Follows values through a graph and its bodies, in topological order."""

    def __init__(self, model: Any) -> None:
        self.depends: dict[str, Names] = {}
        self.sizes: set[str] = set()
        self.bodies: dict[str, Names] = {}
        opened = any(not _is_fixed(value) for value in model.graph.input)
        counted = any(node.op_type in _COUNTED for node in all_nodes(model.graph))
        self._shapes = frozenset((SIZES,)) if opened or counted else _NOTHING

    def graph(self, graph: Any, known: Mapping[str, Names], place: str) -> dict[str, Names]:
        """What the tensors of ``graph`` follow from, the outer ones (``known``) included."""
        names = dict(known)
        for node in graph.node:
            made = self._node(node, names, place)
            names |= {name: made for name in node.output if name}
        self.depends |= names
        return names

    def _node(self, node: Any, names: Mapping[str, Names], place: str) -> Names:
        if node.op_type in _SHAPES:
            return self._shapes
        inputs = [names.get(name, _NOTHING) for name in node.input]
        made = _NOTHING.union(*inputs)
        for position, follows in enumerate(inputs):
            if (node.op_type, position) in _DECIDE_SIZES:
                self.sizes |= follows
        for attribute, body in bodies_of(node):
            inner_place = place_of(node, attribute, place)
            self.bodies[inner_place] = inputs[0] if node.op_type == "If" else _NOTHING.union(*inputs[:2])
            inner = self.graph(body, {**names, **{value.name: made for value in body.input}}, f"{inner_place}/")
            ends = [inner.get(value.name, _NOTHING) for value in body.output]
            if node.op_type == "Loop" and ends:
                self.sizes |= ends[0]
            made = made.union(*ends)
        return made


def _is_fixed(value: Any) -> bool:
    kind = value.type.tensor_type
    return kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)
