"""A copy of a model without its weights, small enough to hand to shape inference.

What decides shapes stays: integers, and the few floats of scales and steps. Larger tensors keep
type and shape and are marked as external, which makes onnx's inference leave their values alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from workbench.formats.onnx.dtypes import ELEMENT_TYPES
from workbench.formats.onnx.external import ExternalFiles
from workbench.formats.onnx.read import ATTRIBUTE_KINDS, GRAPH_KINDS, MODEL_KINDS, NODE_KINDS
from workbench.formats.onnx.records import GraphRecord, ModelRecord, NodeRecord, TensorRecord
from workbench.formats.onnx.validate import Place
from workbench.formats.onnx.wire import BYTES, VARINT, Buffer, fields, text

_INTEGERS: Final = 64 * 1024
_OTHERS: Final = 1024
_BUDGET: Final = 32 << 20
_LONG: Final = 64 * 1024
_TYPE_GRAPH: Final = 5
_TYPE_GRAPHS: Final = 10
_TYPE_TENSOR: Final = 4


class Hollow:
    """Makes the copy of one model that was read from ``buffer`` and checked."""

    def __init__(self, buffer: Buffer, places: Mapping[int, Place], files: ExternalFiles) -> None:
        self._buffer = buffer
        self._places = places
        self._files = files
        self._left = _BUDGET

    def model(self, model: ModelRecord) -> bytes:
        """A serialized ModelProto: versions, functions, and the graph in the order of its record."""
        parts: list[bytes] = []
        for number, kind, a, b in fields(self._buffer, 0, model.size, MODEL_KINDS):
            if number == 7 and model.graph is not None:
                parts.append(_message(7, self._graph(model.graph)))
            elif number == 1:
                parts.append(_number(1, a))
            elif number == 8 or (number == 25 and b - a < _LONG):
                parts.append(self._copy(number, kind, a, b))
        return b"".join(parts)

    def _graph(self, graph: GraphRecord) -> bytes:
        parts = [_message(1, self._node(node)) for node in graph.nodes]
        parts += [_message(5, self._tensor(tensor)) for tensor in graph.initializers]
        for number, kind, a, b in fields(self._buffer, *graph.span, GRAPH_KINDS):
            if number in (2, 11, 12, 13):
                parts.append(self._copy(number, kind, a, b))
        return b"".join(parts)

    def _node(self, node: NodeRecord) -> bytes:
        begin, end = node.span
        if not node.graphs and end - begin < _LONG:
            return self._buffer[begin:end]
        parts: list[bytes] = []
        for number, kind, a, b in fields(self._buffer, begin, end, NODE_KINDS):
            if number == 5:
                parts.append(self._attribute(node, kind, a, b))
            elif number in (1, 2, 3, 4, 7, 8):
                parts.append(self._copy(number, kind, a, b))
        return b"".join(parts)

    def _attribute(self, node: NodeRecord, kind: int, begin: int, end: int) -> bytes:
        spans = {n: (a, b) for n, _, a, b in fields(self._buffer, begin, end, ATTRIBUTE_KINDS)}
        name = text(self._buffer, *spans.get(1, (begin, begin)))
        head = _message(1, name.encode())
        if name in node.graphs:
            return _message(5, head + _number(20, _TYPE_GRAPH) + _message(6, self._graph(node.graphs[name])))
        if f"{name}[0]" in node.graphs:
            bodies = b"".join(_message(11, self._graph(body)) for body in _numbered(node.graphs, name))
            return _message(5, head + _number(20, _TYPE_GRAPHS) + bodies)
        if name in node.tensors:
            return _message(5, head + _number(20, _TYPE_TENSOR) + _message(5, self._tensor(node.tensors[name])))
        return self._copy(5, kind, begin, end) if end - begin < _LONG else b""

    def _tensor(self, tensor: TensorRecord) -> bytes:
        place = self._places[id(tensor)]
        element = ELEMENT_TYPES[tensor.data_type]
        limit = _INTEGERS if "int" in element.name else _OTHERS
        begin, end = tensor.span
        if tensor.elements <= limit and self._left > place.nbytes and (place.data is not None or end - begin < _LONG):
            self._left -= place.nbytes
            if place.data is None or not place.data[0]:
                return self._buffer[begin:end]
            return self._head(tensor) + _message(9, self._read(*place.data))
        return self._head(tensor) + _number(14, 1)

    def _head(self, tensor: TensorRecord) -> bytes:
        dims = b"".join(_number(1, dim) for dim in tensor.dims)
        return dims + _number(2, tensor.data_type) + _message(8, tensor.name.encode())

    def _read(self, location: str, offset: int, length: int) -> bytes:
        with self._files.resolve(location).open("rb") as file:
            file.seek(offset)
            return file.read(length)

    def _copy(self, number: int, kind: int, a: int, b: int) -> bytes:
        assert kind == BYTES
        return _message(number, self._buffer[a:b])


def _numbered(graphs: Mapping[str, GraphRecord], name: str) -> Iterator[GraphRecord]:
    index = 0
    while (body := graphs.get(f"{name}[{index}]")) is not None:
        yield body
        index += 1


def _message(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | BYTES) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3 | VARINT) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
