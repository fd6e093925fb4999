"""One line of the layers table: an operator with what the table shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.graph import Graph, Initializer, Model, Node, Shape
from workbench.core.messages import plain

_BITS_OF_DTYPE: Final = {"float64": 64, "float16": 16, "bfloat16": 16}


@dataclass(frozen=True, slots=True)
class Row:
    """``order`` is the position in the graph. ``parameters`` are elements of the node's own weights.

    ``can_quantize``: a plan can set the bits of its weights.
    """

    node: str
    name: str
    op: str
    output: str
    order: int
    parameters: int
    weight_bytes: int
    can_quantize: bool


def rows_of(model: Model, layers: tuple[str, ...]) -> tuple[Row, ...]:
    """Every operator of the model, subgraphs included, in the graph's order."""
    quantizable = frozenset(layers)
    result: list[Row] = []
    _collect(model.graph, {}, quantizable, result)
    return tuple(result)


def _collect(graph: Graph, outer: dict[str, Initializer], quantizable: frozenset[str], result: list[Row]) -> None:
    known = outer | {item.name: item for item in graph.initializers}
    for node in graph.nodes:
        weights = [known[name] for name in dict.fromkeys(node.inputs) if name in known]
        result.append(
            Row(
                node.id,
                plain(node.title),
                plain(node.op),
                _output(graph, node),
                len(result),
                sum(item.elements for item in weights),
                sum(item.nbytes for item in weights),
                node.id in quantizable,
            )
        )
    for body in graph.subgraphs:
        _collect(body.graph, known, quantizable, result)


def _output(graph: Graph, node: Node) -> str:
    first = next((name for name in node.outputs if name), None)
    tensor = graph.tensors.get(first) if first is not None else None
    return shape_text(tensor.shape) if tensor is not None else ""


def shape_text(shape: Shape) -> str:
    """ "[1,3,H,W]"; an unknown axis is "?", an unknown rank is ""."""
    if shape is None:
        return ""
    return "[" + ",".join("?" if dim is None else plain(str(dim)) for dim in shape) + "]"


def stored_bytes(row: Row, bits: int) -> int:
    """Bytes of the row's weights at ``bits`` (0 keeps the model's own), scales left out."""
    return row.weight_bytes if bits == 0 else (row.parameters * bits + 7) // 8
