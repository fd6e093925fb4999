"""Opening an ONNX file: the child reads it, the parent puts the graph together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.graph import Graph, Initializer, Model, Node, Subgraph, Tensor
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.formats.onnx.handover import MODEL_LINES
from workbench.formats.onnx.sniff import looks_like_onnx
from workbench.formats.registry import Importer

_WORKER: Final = "workbench.formats.onnx.worker"
_LIMITS: Final = Limits(seconds=300, rss_bytes=4 << 30)


def open_onnx(path: Path, workers: Workers, ctx: Context) -> Model:
    """The model in ``path``, weights left where they are.

    Raises BadInput for a file that no engine should see, Cancelled.
    """
    ctx.progress(None, msg("Reading {file}", file=path.name))
    with scratch_folder() as folder:
        outcome = _read(path, folder, workers, ctx, infer=True)
        notes: tuple[Message, ...] = ()
        if outcome.end in (End.CRASHED, End.TIMED_OUT, End.OUT_OF_MEMORY):
            text = "Shapes were not inferred: onnx's shape inference ended with {end} on this model."
            notes = (msg(text, end=outcome.signal_name or outcome.end.value),)
            outcome = _read(path, folder, workers, ctx, infer=False)
        if not outcome.ok:
            raise _error(outcome, path)
        return _assemble(folder / MODEL_LINES, path, ctx, notes)


def _read(path: Path, folder: Path, workers: Workers, ctx: Context, *, infer: bool) -> Outcome:
    request = {"path": str(path.absolute()), "infer": infer}
    return workers.run(_WORKER, "read", request, folder, ctx, _LIMITS)


def _error(outcome: Outcome, path: Path) -> BadInput:
    if outcome.end is End.REFUSED:
        details = outcome.details
        hint = details["hint"]
        return BadInput(_message(details["what"]), where=str(path), hint=None if hint is None else _message(hint))
    return BadInput(
        msg("The file could not be read: its reader ended with {reason}", reason=outcome.reason),
        where=str(path),
        hint=msg("The file is damaged, or it is changing while it is read. Export or copy it again."),
    )


def _message(doc: list[Any]) -> Message:
    template, arguments = doc
    return Message(template, tuple((key, value) for key, value in arguments))


@dataclass(slots=True)
class _Parts:
    """One graph while its lines arrive."""

    head: dict[str, Any]
    nodes: list[Node] = field(default_factory=list)
    initializers: list[Initializer] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)
    bodies: list[Subgraph] = field(default_factory=list)


def _assemble(lines: Path, path: Path, ctx: Context, notes: tuple[Message, ...]) -> Model:
    with lines.open(encoding="ascii") as file:
        header = json.loads(next(file))
        parts: list[_Parts] = []
        for line in file:
            ctx.check()
            _take(json.loads(line), parts)
    head = msgspec.convert(header, _Header)
    return Model(
        path=str(path),
        format="onnx",
        bytes=head.bytes,
        producer=head.producer,
        opsets=head.opsets,
        graph=_graph(parts),
        external_files=head.external_files,
        notes=(*map(_message, head.notes), *notes),
        metadata=head.metadata,
        functions=head.functions,
    )


@dataclass(frozen=True, slots=True)
class _Header:
    bytes: int
    producer: str
    opsets: dict[str, int]
    external_files: tuple[str, ...]
    notes: tuple[list[Any], ...]
    metadata: dict[str, str]
    functions: tuple[str, ...]


def _take(line: dict[str, Any], parts: list[_Parts]) -> None:
    match line["kind"]:
        case "graph":
            parts.append(_Parts(line))
        case "nodes":
            parts[line["graph"]].nodes += msgspec.convert(line["items"], list[Node])
        case "initializers":
            parts[line["graph"]].initializers += msgspec.convert(line["items"], list[Initializer])
        case "tensors":
            tensors = msgspec.convert(line["items"], list[Tensor])
            parts[line["graph"]].tensors.update((tensor.name, tensor) for tensor in tensors)


def _graph(parts: list[_Parts]) -> Graph:
    """The root graph. Inner graphs come after outer ones, so they are finished first."""
    graph: Graph | None = None
    for part in reversed(parts):
        graph = _finished(part)
        if part.head["parent"] >= 0:
            body = Subgraph(part.head["owner"], part.head["attribute"], graph)
            parts[part.head["parent"]].bodies.insert(0, body)
    assert graph is not None
    return graph


def _finished(part: _Parts) -> Graph:
    head = part.head
    return Graph(
        name=head["name"],
        path=head["path"],
        nodes=tuple(part.nodes),
        inputs=tuple(_tensors(head["inputs"])),
        outputs=tuple(_tensors(head["outputs"])),
        initializers=tuple(part.initializers),
        tensors=part.tensors,
        subgraphs=tuple(part.bodies),
    )


def _tensors(items: list[dict[str, Any]]) -> Iterator[Tensor]:
    yield from msgspec.convert(items, list[Tensor])


IMPORTER: Final = Importer("ONNX", (".onnx",), looks_like_onnx, open_onnx)
