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
from workbench.formats.onnx.checked import CheckedModel, read_checked
from workbench.formats.onnx.dtypes import dtype_name
from workbench.formats.onnx.handover import MODEL_LINES, Inferred, graph_lines
from workbench.formats.onnx.hollow import Hollow
from workbench.formats.onnx.records import GraphRecord, ValueRecord
from workbench.formats.onnx.validate import Versions

BAD_INPUT = "bad_input"
_KNOWN = Versions(onnx.IR_VERSION, onnx.defs.onnx_opset_version())


def read(request: dict[str, Any], job: Job) -> dict[str, Any]:
    """Write MODEL_LINES for the file ``path``; shapes are inferred where ``infer`` is true."""
    path = request["path"]
    inferred: dict[str, Inferred] = {}
    notes: list[Message] = []
    with _mapped(path) as buffer:
        try:
            checked = read_checked(buffer, path, _KNOWN)
        except BadInput as error:
            raise _refusal(error) from error
        if request["infer"]:
            hollow = Hollow(buffer, checked.places, checked.files).model(checked.model)
            inferred = _infer(hollow, checked.graph, notes)
    _write(job.folder / MODEL_LINES, checked, notes, inferred)
    return {}


@contextmanager
def _mapped(path: str) -> Iterator[mmap.mmap]:
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as buffer:
        yield buffer


def _infer(hollow: bytes, graph: GraphRecord, notes: list[Message]) -> dict[str, Inferred]:
    """Values by the path of their graph; {} and a note where onnx cannot."""
    try:
        proto = onnx.shape_inference.infer_shapes(hollow, check_type=False, strict_mode=False, data_prop=True)
    except (onnx.shape_inference.InferenceError, RuntimeError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        notes.append(msg("Shapes were not inferred: {reason}", reason=reason))
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


def _write(path: Path, checked: CheckedModel, notes: list[Message], inferred: dict[str, Inferred]) -> None:
    header = {
        "bytes": checked.model.size + sum(checked.files.sizes.values()),
        "producer": checked.model.producer,
        "opsets": checked.model.opsets,
        "external_files": sorted(checked.files.sizes),
        "notes": [_plain(note) for note in (*checked.notes, *notes)],
        "metadata": checked.model.metadata,
        "functions": [f"{domain}::{name}" for domain, name in checked.model.functions],
    }
    with path.open("w", encoding="ascii") as out:
        out.write(json.dumps(header) + "\n")
        for line in graph_lines(checked.graph, checked.places, inferred):
            out.write(json.dumps(line) + "\n")


def _refusal(error: BadInput) -> Refusal:
    hint = _plain(error.hint) if error.hint is not None else None
    return Refusal(BAD_INPUT, str(error), what=_plain(error.what), hint=hint)


def _plain(message: Message) -> list[Any]:
    return [message.template, list(message.arguments)]


FUNCTIONS = {"read": read}
