"""ONNX from the wire to records. Weights are located, never read.

Field numbers: onnx.proto of onnx 1.23. Doc strings, training information and quantization
annotations are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.formats.onnx.attributes import Part, plain_value
from workbench.formats.onnx.records import GraphRecord, ModelRecord, NodeRecord
from workbench.formats.onnx.tensors import read_pair, read_sparse, read_tensor
from workbench.formats.onnx.types import read_value
from workbench.formats.onnx.wire import BYTES, FIXED32, VARINT, Buffer, WireError, fields, signed, text

DEFAULT_DOMAIN: Final = "ai.onnx"
MODEL_KINDS: Final = {1: (VARINT,), 5: (VARINT,)} | dict.fromkeys((2, 3, 4, 6, 7, 8, 14, 20, 25, 26), (BYTES,))
_OPSET_KINDS: Final = {1: (BYTES,), 2: (VARINT,)}
GRAPH_KINDS: Final = dict.fromkeys((1, 2, 5, 10, 11, 12, 13, 14, 15, 16), (BYTES,))
NODE_KINDS: Final = dict.fromkeys(range(1, 11), (BYTES,))
_FUNCTION_KINDS: Final = {1: (BYTES,), 10: (BYTES,)}
ATTRIBUTE_KINDS: Final[Mapping[int, tuple[int, ...]]] = {
    **dict.fromkeys((1, 4, 5, 6, 9, 10, 11, 13, 14, 15, 21, 22, 23), (BYTES,)),
    2: (FIXED32,),
    3: (VARINT,),
    7: (FIXED32, BYTES),
    8: (VARINT, BYTES),
    20: (VARINT,),
}
_MAX_DEPTH: Final = 64
_LISTS: Final = {6: 7, 7: 8, 8: 9, 9: 10, 10: 11, 12: 23, 14: 15}  # AttributeType: the repeated field it means
_SINGLES: Final = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 11: 22, 13: 14}
_FIELD_OF_TYPE: Final = _LISTS | _SINGLES


def read_model(buffer: Buffer) -> ModelRecord:
    """The ModelProto in ``buffer``. Raises WireError.

    An error whose ``end`` is greater than the buffer's length is that of a file which was cut off.
    """
    model = ModelRecord(len(buffer))
    for number, _, a, b in fields(buffer, 0, len(buffer), MODEL_KINDS):
        if number == 7:
            if model.graph is not None:
                raise WireError("a second graph", a)
            model.graph = _graph(buffer, a, b, 0)
        elif number == 1:
            model.ir_version = signed(a)
        elif number == 8:
            domain, version = _opset(buffer, a, b)
            model.opsets[domain] = version
        elif number == 2:
            model.producer = f"{text(buffer, a, b)} {model.producer}".strip()
        elif number == 3:
            model.producer = f"{model.producer} {text(buffer, a, b)}".strip()
        elif number == 14:
            key, value = read_pair(buffer, a, b)
            model.metadata[key] = value
        elif number == 25:
            model.functions.append(_function(buffer, a, b))
    return model


def _opset(buffer: Buffer, start: int, end: int) -> tuple[str, int]:
    domain, version = "", 0
    for number, _, a, b in fields(buffer, start, end, _OPSET_KINDS):
        if number == 1:
            domain = text(buffer, a, b)
        elif number == 2:
            version = signed(a)
    return domain or DEFAULT_DOMAIN, version


def _function(buffer: Buffer, start: int, end: int) -> tuple[str, str]:
    name = domain = ""
    for number, _, a, b in fields(buffer, start, end, _FUNCTION_KINDS):
        if number == 1:
            name = text(buffer, a, b)
        elif number == 10:
            domain = text(buffer, a, b)
    return domain, name


def _graph(buffer: Buffer, start: int, end: int, depth: int) -> GraphRecord:
    if depth > _MAX_DEPTH:
        raise WireError("graphs nested too deep", start)
    graph = GraphRecord((start, end))
    for number, _, a, b in fields(buffer, start, end, GRAPH_KINDS):
        if number == 1:
            graph.nodes.append(_node(buffer, a, b, depth))
        elif number == 5:
            graph.initializers.append(read_tensor(buffer, a, b))
        elif number == 13:
            graph.values.append(read_value(buffer, a, b))
        elif number == 11:
            graph.inputs.append(read_value(buffer, a, b))
        elif number == 12:
            graph.outputs.append(read_value(buffer, a, b))
        elif number == 2:
            graph.name = text(buffer, a, b)
        elif number == 15:
            graph.sparse.append(read_sparse(buffer, a, b))
    return graph


def _node(buffer: Buffer, start: int, end: int, depth: int) -> NodeRecord:
    node = NodeRecord((start, end))
    for number, _, a, b in fields(buffer, start, end, NODE_KINDS):
        if number == 1:
            node.inputs.append(text(buffer, a, b))
        elif number == 2:
            node.outputs.append(text(buffer, a, b))
        elif number == 5:
            _attribute(buffer, a, b, node, depth)
        elif number == 3:
            node.name = text(buffer, a, b)
        elif number == 4:
            node.op = text(buffer, a, b)
        elif number == 7:
            node.domain = text(buffer, a, b)
    return node


def _attribute(buffer: Buffer, start: int, end: int, node: NodeRecord, depth: int) -> None:
    name, kind_of_value = "", 0
    found: dict[int, list[Part]] = {}
    for number, kind, a, b in fields(buffer, start, end, ATTRIBUTE_KINDS):
        if number == 1:
            name = text(buffer, a, b)
        elif number == 20:
            kind_of_value = a
        elif number != 13:
            found.setdefault(number, []).append((kind, a, b))
    # Files of IR version 1 leave the type out: then the one field that is there says it.
    field = _FIELD_OF_TYPE.get(kind_of_value) or next(iter(found), 0)
    parts = found.get(field, [])
    if field == 5 and parts:
        node.tensors[name] = tensor = read_tensor(buffer, *parts[-1][1:])
        node.attributes[name] = tensor.label
    elif field == 6 and parts:
        node.graphs[name] = _graph(buffer, *parts[-1][1:], depth + 1)
    elif field == 10:
        for index, (_, a, b) in enumerate(parts):
            node.tensors[f"{name}[{index}]"] = read_tensor(buffer, a, b)
    elif field == 11:
        for index, (_, a, b) in enumerate(parts):
            node.graphs[f"{name}[{index}]"] = _graph(buffer, a, b, depth + 1)
    else:
        value = plain_value(buffer, field, parts)
        if value is not None:
            node.attributes[name] = value
