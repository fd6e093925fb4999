"""Is this an ONNX file? Told by the first bytes alone."""

from __future__ import annotations

from workbench.formats.onnx.read import MODEL_KINDS
from workbench.formats.onnx.wire import WireError, fields

_TELLING = frozenset((1, 2, 3, 7, 8))  # ir_version, producer_name, producer_version, graph, opset_import


def looks_like_onnx(head: bytes) -> bool:
    """True where ``head``, the first bytes of a file, reads as fields of a ModelProto.

    Other protobuf files (TensorFlow, Caffe, CoreML) differ in the wire type of field 1 or in what follows.
    """
    seen: set[int] = set()
    try:
        for number, _, _, _ in fields(head, 0, len(head), MODEL_KINDS):
            if number not in MODEL_KINDS:
                return False
            seen.add(number)
    except WireError as error:
        if error.end <= len(head):
            return False
        seen.add(error.number)  # it goes on beyond the head
    return bool(seen & _TELLING)
