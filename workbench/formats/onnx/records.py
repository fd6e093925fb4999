"""What an ONNX file says, as read from the wire: values for the child, before any check."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from workbench.core.graph import Dim
from workbench.formats.onnx.dtypes import dtype_name

Span = tuple[int, int]
"""[begin, end) in the file."""


@dataclass(slots=True)
class TensorRecord:
    """A TensorProto. ``raw`` is where raw_data lies; ``typed`` counts entries by field number."""

    span: Span
    name: str = ""
    dims: tuple[int, ...] = ()
    data_type: int = 0
    raw: Span | None = None
    typed: dict[int, int] = field(default_factory=dict)
    typed_bytes: int = 0
    external: dict[str, str] = field(default_factory=dict)
    is_external: bool = False

    @property
    def elements(self) -> int:
        return prod(self.dims)

    @property
    def label(self) -> str:
        """Short form, "float32[3, 224]"."""
        return f"{dtype_name(self.data_type)}[{', '.join(map(str, self.dims))}]"


@dataclass(slots=True)
class SparseRecord:
    """A SparseTensorProto: its name is that of ``values``."""

    values: TensorRecord
    indices: TensorRecord
    dims: tuple[int, ...]


@dataclass(slots=True)
class ValueRecord:
    """A ValueInfoProto: ``dtype`` "" and ``shape`` None where the model leaves them open."""

    name: str
    dtype: str = ""
    shape: tuple[Dim, ...] | None = None


@dataclass(slots=True)
class NodeRecord:
    """A NodeProto: plain attributes, and those that hold tensors and graphs apart.

    ``id`` is given once the whole graph is known.
    """

    span: Span
    id: str = ""
    name: str = ""
    op: str = ""
    domain: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    tensors: dict[str, TensorRecord] = field(default_factory=dict)
    graphs: dict[str, GraphRecord] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What to call it in a sentence: its name, else its first output, else its operator."""
        return self.name or next(filter(None, self.outputs), self.op)


@dataclass(slots=True)
class GraphRecord:
    """A GraphProto."""

    span: Span = (0, 0)
    path: str = ""
    name: str = ""
    nodes: list[NodeRecord] = field(default_factory=list)
    inputs: list[ValueRecord] = field(default_factory=list)
    outputs: list[ValueRecord] = field(default_factory=list)
    values: list[ValueRecord] = field(default_factory=list)
    initializers: list[TensorRecord] = field(default_factory=list)
    sparse: list[SparseRecord] = field(default_factory=list)


@dataclass(slots=True)
class ModelRecord:
    """A ModelProto. ``functions``: (domain, name) of the local ones; ``graph`` None where there is none."""

    size: int
    ir_version: int = 0
    producer: str = ""
    opsets: dict[str, int] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    functions: list[tuple[str, str]] = field(default_factory=list)
    graph: GraphRecord | None = None
