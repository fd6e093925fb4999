"""From the child's records to the lines of ``model.jsonl``, in pieces that decode in a moment.

Line 1 is the model without its graph. Then for each graph, outer ones first: one "graph" line,
and any number of "nodes", "initializers" and "tensors" lines that carry its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from workbench.core.graph import Dim
from workbench.formats.onnx.dtypes import dtype_name
from workbench.formats.onnx.records import GraphRecord, NodeRecord, TensorRecord, ValueRecord
from workbench.formats.onnx.validate import Place

MODEL_LINES: Final = "model.jsonl"
_CHUNK: Final = 500
"""Items a line: about 150 KB, 2 ms of json.loads, so the window never waits for the interpreter lock."""
_INVENTED: Final = "unk__"  # onnx's data propagation invents such names for sizes that it cannot know

Line = dict[str, Any]
Inferred = Mapping[str, ValueRecord]


def graph_lines(root: GraphRecord, places: Mapping[int, Place], inferred: Mapping[str, Inferred]) -> Iterator[Line]:
    """The lines of ``root`` and its subgraphs. ``inferred``: values by the path of their graph."""
    number = 0
    queue: list[tuple[GraphRecord, int, str, str]] = [(root, -1, "", "")]
    while queue:
        graph, parent, owner, attribute = queue.pop(0)
        constants = {tensor.name for tensor in graph.initializers}
        tensors = _tensors(graph, inferred.get(graph.path, {}))
        yield {
            "kind": "graph",
            "parent": parent,
            "owner": owner,
            "attribute": attribute,
            "name": graph.name,
            "path": graph.path,
            # Files of IR version 3 list every initializer as an input too; those are no inputs to feed.
            "inputs": [tensors[value.name] for value in graph.inputs if value.name not in constants],
            "outputs": [tensors[value.name] for value in graph.outputs],
        }
        for kind, items in (
            ("nodes", (_node(node) for node in graph.nodes)),
            ("initializers", _initializers(graph, places)),
            ("tensors", iter(tensors.values())),
        ):
            while chunk := list(islice(items, _CHUNK)):
                yield {"kind": kind, "graph": number, "items": chunk}
        queue += [(body, number, node.id, key) for node in graph.nodes for key, body in node.graphs.items()]
        number += 1


def _node(node: NodeRecord) -> Line:
    return {
        "id": node.id,
        "name": node.name,
        "op": node.op,
        "domain": node.domain,
        "inputs": node.inputs,
        "outputs": node.outputs,
        "attributes": node.attributes,
    }


def _initializers(graph: GraphRecord, places: Mapping[int, Place]) -> Iterator[Line]:
    """Initializers, and the tensors of Constant nodes under the name of what they produce."""
    for tensor in graph.initializers:
        yield _initializer(tensor.name, tensor, places[id(tensor)])
    for sparse in graph.sparse:
        yield _initializer(sparse.values.name, sparse.values, places[id(sparse)]) | {"shape": sparse.dims}
    for node in graph.nodes:
        if is_constant(node):
            tensor = node.tensors["value"]
            yield _initializer(node.outputs[0], tensor, places[id(tensor)])


def is_constant(node: NodeRecord) -> bool:
    """True for a Constant node whose value is a tensor."""
    return node.op == "Constant" and "value" in node.tensors and bool(node.outputs) and bool(node.outputs[0])


def _initializer(name: str, tensor: TensorRecord, place: Place) -> Line:
    data = None
    if place.data is not None:
        file, offset, length = place.data
        data = {"file": file, "offset": offset, "length": length}
    return {
        "name": name,
        "dtype": dtype_name(tensor.data_type),
        "shape": tensor.dims,
        "nbytes": place.nbytes,
        "data": data,
    }


def _tensors(graph: GraphRecord, inferred: Inferred) -> dict[str, Line]:
    """Every value with a known type: what the file declares, made sharper by inference."""
    known: dict[str, ValueRecord] = {}
    for tensor in graph.initializers:
        known[tensor.name] = ValueRecord(tensor.name, dtype_name(tensor.data_type), tensor.dims)
    for sparse in graph.sparse:
        known[sparse.values.name] = ValueRecord(sparse.values.name, dtype_name(sparse.values.data_type), sparse.dims)
    for node in graph.nodes:
        if is_constant(node):
            tensor = node.tensors["value"]
            known[node.outputs[0]] = ValueRecord(node.outputs[0], dtype_name(tensor.data_type), tensor.dims)
    for value in (*graph.inputs, *graph.outputs, *graph.values, *inferred.values()):
        known[value.name] = merged(known.get(value.name), value)
    return {name: {"name": name, "dtype": value.dtype, "shape": value.shape} for name, value in known.items()}


def merged(known: ValueRecord | None, more: ValueRecord) -> ValueRecord:
    """``known`` with what only ``more`` says; where they contradict each other, ``known`` stays."""
    if known is None:
        known = ValueRecord(more.name)
    dtype = known.dtype or more.dtype
    if more.shape is None:
        return ValueRecord(known.name, dtype, known.shape)
    if known.shape is None:
        return ValueRecord(known.name, dtype, tuple(_named(dim) for dim in more.shape))
    if len(known.shape) != len(more.shape):
        return ValueRecord(known.name, dtype, known.shape)
    return ValueRecord(known.name, dtype, tuple(map(_sharper, known.shape, more.shape)))


def _sharper(known: Dim, more: Dim) -> Dim:
    if isinstance(known, int):
        return known
    return more if isinstance(more, int) else known or _named(more)


def _named(dim: Dim) -> Dim:
    return None if isinstance(dim, str) and dim.startswith(_INVENTED) else dim
