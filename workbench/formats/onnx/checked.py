"""A model that was read and found fit to show to engines. Standard library only: the worker's first half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import Message, msg
from workbench.formats.onnx.external import ExternalFiles
from workbench.formats.onnx.order import give_ids, settle
from workbench.formats.onnx.read import read_model
from workbench.formats.onnx.records import GraphRecord, ModelRecord
from workbench.formats.onnx.validate import Place, Versions, check_graph, check_header, check_tensors
from workbench.formats.onnx.wire import Buffer, WireError

_UNSORTED: Final = msg("The nodes were not in topological order; they are shown sorted.")


@dataclass(frozen=True, slots=True)
class CheckedModel:
    """``graph`` is the model's, sorted and with ids; ``places`` as check_tensors tells them."""

    model: ModelRecord
    graph: GraphRecord
    files: ExternalFiles
    places: dict[int, Place]
    notes: tuple[Message, ...]


def read_checked(buffer: Buffer, path: str, known: Versions) -> CheckedModel:
    """The model in ``buffer``, which is the file ``path``. Raises BadInput, and nothing else, for any bytes."""
    model = _read(buffer, path)
    graph = check_header(model, path, known)
    check_graph(graph, path)
    notes = (_UNSORTED,) if settle(graph, path) else ()
    files = ExternalFiles(path)
    places = check_tensors(graph, files, path)
    give_ids(graph)
    return CheckedModel(model, graph, files, places, notes)


def _read(buffer: Buffer, path: str) -> ModelRecord:
    try:
        return read_model(buffer)
    except WireError as error:
        size = len(buffer)
        if error.end > size:
            raise BadInput(
                msg("The file is cut off: it has {size} bytes and announces {needed}", size=size, needed=error.end),
                where=path,
                hint=msg("Download or copy it again."),
            ) from error
        raise BadInput(
            msg("This is not an ONNX model, or it is damaged at byte {offset}", offset=error.offset),
            where=path,
            hint=msg("Export or download it again."),
        ) from error
