"""A model as a graph, without its weights: what every format becomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from workbench.core.messages import Message

Dim = int | str | None
"""A known size, the name of a dynamic axis, or unknown."""
Shape = tuple[Dim, ...] | None
"""None where not even the rank is known."""
AttributeValue = int | float | str | tuple[int | float | str, ...]

_NARROW_INTEGERS = ("int8", "uint8", "int4", "uint4")


@dataclass(frozen=True, slots=True)
class Tensor:
    """A named value: ``dtype`` in numpy's spelling ("float32", "bfloat16", "string", ...)."""

    name: str
    dtype: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class WeightData:
    """Where an initializer's bytes lie: ``file`` relative to the model's folder, "" for the model itself."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Initializer:
    """A constant tensor. ``data`` is None where its values are not raw bytes (typed protobuf fields)."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    data: WeightData | None = None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def is_parameter(self) -> bool:
        """Whether it holds weights: floating point, or integers of at most 8 bits, which quantized weights are.

        Wider integers are shapes and indices. What training does not change (a normalization's running
        statistics) counts, as for other programs that read ONNX: the file does not tell it apart.
        """
        return "float" in self.dtype or self.dtype in _NARROW_INTEGERS


@dataclass(frozen=True, slots=True)
class Node:
    """One operator. ``id`` = subgraph path + first non-empty output name: unique, stable over re-exports.

    ``name`` is the exporter's node name, which may be empty or double.
    """

    id: str
    name: str
    op: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What to call the node in a sentence: its name, else its id."""
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The body of an If, Loop or Scan: held by attribute ``attribute`` of the node ``owner``."""

    owner: str
    attribute: str
    graph: Graph


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in topological order. ``tensors`` holds every value whose type is known, by name."""

    name: str
    path: str
    nodes: tuple[Node, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    initializers: tuple[Initializer, ...]
    tensors: Mapping[str, Tensor]
    subgraphs: tuple[Subgraph, ...] = ()

    def all_nodes(self) -> Iterator[Node]:
        """Every node, those of subgraphs after those that hold them."""
        yield from self.nodes
        for body in self.subgraphs:
            yield from body.graph.all_nodes()

    def all_initializers(self) -> Iterator[Initializer]:
        """Every initializer, those of subgraphs included."""
        yield from self.initializers
        for body in self.subgraphs:
            yield from body.graph.all_initializers()

    @property
    def parameters(self) -> int:
        """Elements of all initializers that hold weights, each counted once."""
        return sum(i.elements for i in self.all_initializers() if i.is_parameter)


@dataclass(frozen=True, slots=True)
class Model:
    """A model file that was read: ``bytes`` counts the file and its external data.

    ``metadata`` is the exporter's (class names, character lists). ``functions`` are operators that
    the file defines itself, as "domain::name"; nodes that call them stay nodes. ``notes``: what a
    person should know of how the file was read.
    """

    path: str
    format: str
    bytes: int
    producer: str
    opsets: Mapping[str, int]
    graph: Graph
    external_files: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
