"""What must hold before any engine sees a model. Every fault is one BadInput.

MNN's converter reads past a short initializer, crashes on a dangling input and accepts a cycle;
onnxruntime rejects most of these, but in words that do not help.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.formats.onnx.dtypes import ELEMENT_TYPES, STRING, STRING_DATA
from workbench.formats.onnx.external import ExternalFiles
from workbench.formats.onnx.read import DEFAULT_DOMAIN
from workbench.formats.onnx.records import GraphRecord, ModelRecord, SparseRecord, TensorRecord

_EXPORT_AGAIN: Final = msg("Export the model again.")
_FIRST_IR_WITH_OPSETS: Final = 3
_MAX_ELEMENTS: Final = 1 << 48


@dataclass(frozen=True, slots=True)
class Versions:
    """The newest IR version and ai.onnx opset that the installed onnx package knows."""

    ir: int
    opset: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor's bytes lie: ``file`` "" for the model itself; None for typed fields."""

    nbytes: int
    data: tuple[str, int, int] | None


def check_header(model: ModelRecord, where: str, known: Versions) -> GraphRecord:
    """The model's graph. Raises BadInput where there is none or its versions are unknown."""
    if model.graph is None:
        raise BadInput(msg("This ONNX file holds no graph"), where=where, hint=_EXPORT_AGAIN)
    if model.ir_version > known.ir:
        raise BadInput(
            msg(
                "IR version {version} is newer than {known}, the newest known here",
                version=model.ir_version,
                known=known.ir,
            ),
            where=where,
            hint=msg("Export for an older IR version, or update the onnx package."),
        )
    if not model.opsets and model.ir_version >= _FIRST_IR_WITH_OPSETS:
        raise BadInput(msg("The model does not say which opset it uses"), where=where, hint=_EXPORT_AGAIN)
    opset = model.opsets.get(DEFAULT_DOMAIN, 1)
    if not 1 <= opset <= known.opset:
        raise BadInput(
            msg("Opset {version} is not known here; the newest known is {known}", version=opset, known=known.opset),
            where=where,
            hint=msg("Export for opset {known} or older.", known=known.opset),
        )
    if not model.graph.outputs:
        raise BadInput(msg("The graph has no outputs"), where=where, hint=_EXPORT_AGAIN)
    return model.graph


def check_graph(graph: GraphRecord, where: str, *, inner: bool = False) -> None:
    """Check what nodes and values say of themselves. Raises BadInput."""
    for node in graph.nodes:
        if not node.op:
            raise BadInput(msg("Node {node} has no operator", node=node.title), where=where, hint=_EXPORT_AGAIN)
        for body in node.graphs.values():
            check_graph(body, where, inner=True)
    constants = {tensor.name for tensor in graph.initializers}
    for value in (*graph.inputs, *graph.outputs):
        if not value.name:
            raise BadInput(msg("An input or output of the graph has no name"), where=where, hint=_EXPORT_AGAIN)
    for value in graph.inputs:
        if not inner and not value.dtype and value.name not in constants:
            raise BadInput(
                msg("The input {tensor} has no element type", tensor=value.name), where=where, hint=_EXPORT_AGAIN
            )
    for value in (*graph.inputs, *graph.outputs, *graph.values):
        if value.dtype.startswith("type "):
            raise _unknown_dtype(value.name, value.dtype, where)


def check_tensors(graph: GraphRecord, files: ExternalFiles, where: str) -> dict[int, Place]:
    """The place of every tensor of ``graph`` and its subgraphs, by ``id()`` of its record. Raises BadInput."""
    places: dict[int, Place] = {}
    for sparse in _sparse(graph):
        places[id(sparse)] = _check_sparse(sparse, files, where)
    for tensor, name in _tensors(graph):
        if not name:
            raise BadInput(msg("An initializer has no name"), where=where, hint=_EXPORT_AGAIN)
        places[id(tensor)] = _check_tensor(tensor, name, files, where)
    return places


def _tensors(graph: GraphRecord) -> Iterator[tuple[TensorRecord, str]]:
    """Every tensor with what to call it."""
    for tensor in graph.initializers:
        yield tensor, tensor.name
    for node in graph.nodes:
        for attribute, tensor in node.tensors.items():
            yield tensor, tensor.name or f"{node.title}.{attribute}"
        for body in node.graphs.values():
            yield from _tensors(body)


def _sparse(graph: GraphRecord) -> Iterator[SparseRecord]:
    yield from graph.sparse
    for node in graph.nodes:
        for body in node.graphs.values():
            yield from _sparse(body)


def _check_sparse(sparse: SparseRecord, files: ExternalFiles, where: str) -> Place:
    values = _check_tensor(sparse.values, sparse.values.name, files, where)
    indices = _check_tensor(sparse.indices, sparse.values.name, files, where)
    if any(dim < 0 for dim in sparse.dims):
        raise _bad_shape(sparse.values, sparse.values.name, where)
    return Place(values.nbytes + indices.nbytes, None)


def _check_tensor(tensor: TensorRecord, name: str, files: ExternalFiles, where: str) -> Place:
    element = ELEMENT_TYPES.get(tensor.data_type)
    if element is None:
        raise _unknown_dtype(name, tensor.label.partition("[")[0] or "type 0", where)
    if any(dim < 0 for dim in tensor.dims) or tensor.elements > _MAX_ELEMENTS:
        raise _bad_shape(tensor, name, where)
    if tensor.data_type == STRING:
        _check_count(tensor, name, STRING_DATA, tensor.elements, where)
        return Place(tensor.typed_bytes, None)
    nbytes = element.raw_bytes(tensor.elements)
    if tensor.is_external:
        return Place(nbytes, files.place(tensor, nbytes))
    if tensor.raw is not None:
        begin, end = tensor.raw
        if end - begin != nbytes:
            raise _wrong_length(tensor, name, nbytes, end - begin, where)
        return Place(nbytes, ("", begin, nbytes))
    _check_count(tensor, name, element.field, element.typed_entries(tensor.elements), where)
    return Place(nbytes, None)


def _check_count(tensor: TensorRecord, name: str, field: int, needed: int, where: str) -> None:
    found = tensor.typed.get(field, 0)
    if found != needed:
        raise BadInput(
            msg(
                "Initializer {tensor} ({label}) needs {needed} values, but the file has {found}",
                tensor=name,
                label=tensor.label,
                needed=needed,
                found=found,
            ),
            where=where,
            hint=_EXPORT_AGAIN,
        )


def _wrong_length(tensor: TensorRecord, name: str, needed: int, found: int, where: str) -> BadInput:
    return BadInput(
        msg(
            "Initializer {tensor} ({label}) takes {needed} bytes, but the file has {found}",
            tensor=name,
            label=tensor.label,
            needed=needed,
            found=found,
        ),
        where=where,
        hint=_EXPORT_AGAIN,
    )


def _bad_shape(tensor: TensorRecord, name: str, where: str) -> BadInput:
    return BadInput(
        msg("Initializer {tensor} has an impossible shape: {label}", tensor=name, label=tensor.label),
        where=where,
        hint=_EXPORT_AGAIN,
    )


def _unknown_dtype(name: str, dtype: str, where: str) -> BadInput:
    return BadInput(
        msg("Tensor {tensor} is of {dtype}, which ONNX does not know", tensor=name, dtype=dtype),
        where=where,
        hint=_EXPORT_AGAIN,
    )
