"""The child that opens ONNX files: reads, checks, infers shapes, and hands the graph over as lines."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
import onnx.defs
import onnx.shape_inference

from workbench.children.serve import Job, Refusal
from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg
from workbench.formats.onnx.dtypes import dtype_name
from workbench.formats.onnx.external import ExternalFiles
from workbench.formats.onnx.handover import MODEL_LINES, Inferred, graph_lines
from workbench.formats.onnx.hollow import Hollow
from workbench.formats.onnx.order import give_ids, settle
from workbench.formats.onnx.read import read_model
from workbench.formats.onnx.records import GraphRecord, ModelRecord, ValueRecord
from workbench.formats.onnx.validate import Place, Versions, check_graph, check_header, check_tensors
from workbench.formats.onnx.wire import Buffer, WireError

BAD_INPUT = "bad_input"
_KNOWN = Versions(onnx.IR_VERSION, onnx.defs.onnx_opset_version())
_UNSORTED = "The nodes were not in topological order; they are shown sorted."
_NOT_INFERRED = "Shapes were not inferred: {reason}"


def read(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Write MODEL_LINES for the file ``path``; shapes are inferred where ``infer`` is true."""
    path = request["path"]
    try:
        with _mapped(path) as buffer:
            model = _read(buffer, path)
            graph = check_header(model, path, _KNOWN)
            check_graph(graph, path)
            notes = [_UNSORTED] if settle(graph, path) else []
            files = ExternalFiles(path)
            places = check_tensors(graph, files, path)
            give_ids(graph)
            inferred: dict[str, Inferred] = {}
            if request["infer"]:
                inferred = _infer(Hollow(buffer, places, files).model(model), graph, notes)
    except BadInput as error:
        raise _refusal(error) from error
    _write(job.folder / MODEL_LINES, _header(model, files, notes), graph, places, inferred)
    return {}


@contextmanager
def _mapped(path: str) -> Iterator[mmap.mmap]:
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as buffer:
        yield buffer


def _read(buffer: Buffer, path: str) -> ModelRecord:
    try:
        return read_model(buffer)
    except WireError as error:
        if error.end > len(buffer):
            raise BadInput(
                msg(
                    "The file is cut off: it has {size} bytes and announces {needed}",
                    size=len(buffer),
                    needed=error.end,
                ),
                where=path,
                hint=msg("Download or copy it again."),
            ) from error
        raise BadInput(
            msg("This is not an ONNX model, or it is damaged at byte {offset}", offset=error.offset),
            where=path,
            hint=msg("Export or download it again."),
        ) from error


def _infer(hollow: bytes, graph: GraphRecord, notes: list[str]) -> dict[str, Inferred]:
    """Values by the path of their graph; {} and a note where onnx cannot."""
    try:
        proto = onnx.shape_inference.infer_shapes(hollow, check_type=False, strict_mode=False, data_prop=True)
    except (onnx.shape_inference.InferenceError, RuntimeError, ValueError) as error:
        notes.append(_NOT_INFERRED.format(reason=str(error).splitlines()[0] if str(error) else type(error).__name__))
        return {}
    found: dict[str, Inferred] = {}
    _collect(proto.graph, graph, found)
    return found


def _collect(proto: onnx.GraphProto, graph: GraphRecord, found: dict[str, Inferred]) -> None:
    found[graph.path] = {info.name: _value(info) for info in (*proto.value_info, *proto.output)}
    for node, record in zip(proto.node, graph.nodes, strict=True):
        if not record.graphs:
            continue
        for attribute in node.attribute:
            if attribute.name in record.graphs:
                _collect(attribute.g, record.graphs[attribute.name], found)
            for index, body in enumerate(attribute.graphs):
                _collect(body, record.graphs[f"{attribute.name}[{index}]"], found)


def _value(info: onnx.ValueInfoProto) -> ValueRecord:
    if not info.type.HasField("tensor_type"):
        return ValueRecord(info.name)
    kind = info.type.tensor_type
    shape = None
    if kind.HasField("shape"):
        shape = tuple(
            dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else dim.dim_param or None
            for dim in kind.shape.dim
        )
    return ValueRecord(info.name, dtype_name(kind.elem_type), shape)


def _header(model: ModelRecord, files: ExternalFiles, notes: list[str]) -> dict[str, Any]:
    return {
        "bytes": model.size + sum(files.sizes.values()),
        "producer": model.producer,
        "opsets": model.opsets,
        "external_files": sorted(files.sizes),
        "notes": notes,
    }


def _write(
    path: Path, header: dict[str, Any], graph: GraphRecord, places: dict[int, Place], inferred: dict[str, Inferred]
) -> None:
    with path.open("w", encoding="ascii") as out:
        out.write(json.dumps(header) + "\n")
        for line in graph_lines(graph, places, inferred):
            out.write(json.dumps(line) + "\n")


def _refusal(error: BadInput) -> Refusal:
    return Refusal(
        BAD_INPUT,
        str(error),
        where=error.where,
        what=_plain(error.what),
        hint=_plain(error.hint) if error.hint is not None else None,
    )


def _plain(message: Message) -> list[Any]:
    return [message.template, list(message.arguments)]


FUNCTIONS = {"read": read}
