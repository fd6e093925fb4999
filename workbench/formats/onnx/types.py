"""ValueInfoProto and TypeProto from the wire."""

from __future__ import annotations

from typing import Final

from workbench.core.graph import Dim
from workbench.formats.onnx.dtypes import dtype_name
from workbench.formats.onnx.records import ValueRecord
from workbench.formats.onnx.wire import BYTES, VARINT, Buffer, WireError, fields, signed, text

_MAX_DEPTH: Final = 16
_VALUE_KINDS: Final = {1: (BYTES,), 2: (BYTES,), 3: (BYTES,), 4: (BYTES,)}
_TYPE_KINDS: Final = dict.fromkeys((1, 4, 5, 6, 7, 8, 9), (BYTES,))
_TENSOR_KINDS: Final = {1: (VARINT,), 2: (BYTES,)}
_HOLDER_KINDS: Final = {1: (BYTES,)}
_MAP_KINDS: Final = {1: (VARINT,), 2: (BYTES,)}
_SHAPE_KINDS: Final = {1: (BYTES,)}
_DIM_KINDS: Final = {1: (VARINT,), 2: (BYTES,), 3: (BYTES,)}
_TENSOR: Final = 1
_HOLDERS: Final = {4: "sequence", 9: "optional"}
_MAP: Final = 5
_OPAQUE: Final = 7
_NAMELESS: Final = ("", "?", "-1", "None")
"""Axis names that exporters write for "unknown": equal ones do not mean equal sizes (PP-OCRv4 has two "?")."""
_SPARSE: Final = 8


def read_value(buffer: Buffer, start: int, end: int) -> ValueRecord:
    """The ValueInfoProto in ``buffer[start:end]``."""
    value = ValueRecord("")
    for number, _, a, b in fields(buffer, start, end, _VALUE_KINDS):
        if number == 1:
            value.name = text(buffer, a, b)
        elif number == 2:
            value.dtype, value.shape = read_type(buffer, a, b)
    return value


def read_type(buffer: Buffer, start: int, end: int, depth: int = 0) -> tuple[str, tuple[Dim, ...] | None]:
    """(dtype, shape) of a TypeProto; what is no tensor reads "sequence(float32)" and has no shape."""
    if depth > _MAX_DEPTH:
        raise WireError("types nested too deep", start)
    dtype, shape = "", None
    for number, _, a, b in fields(buffer, start, end, _TYPE_KINDS):
        if number == _TENSOR:
            dtype, shape = _tensor_type(buffer, a, b)
        elif number == _SPARSE:
            dtype = f"sparse({_tensor_type(buffer, a, b)[0]})"
        elif number in _HOLDERS:
            dtype = f"{_HOLDERS[number]}({_element(buffer, a, b, depth)})"
        elif number == _MAP:
            dtype = _map_type(buffer, a, b, depth)
        elif number == _OPAQUE:
            dtype = "opaque"
    return dtype, shape


def _element(buffer: Buffer, start: int, end: int, depth: int) -> str:
    for _, _, a, b in fields(buffer, start, end, _HOLDER_KINDS):
        return read_type(buffer, a, b, depth + 1)[0]
    return ""


def _map_type(buffer: Buffer, start: int, end: int, depth: int) -> str:
    key = value = ""
    for number, _, a, b in fields(buffer, start, end, _MAP_KINDS):
        if number == 1:
            key = dtype_name(signed(a))
        elif number == 2:
            value = read_type(buffer, a, b, depth + 1)[0]
    return f"map({key}, {value})"


def _tensor_type(buffer: Buffer, start: int, end: int) -> tuple[str, tuple[Dim, ...] | None]:
    dtype, shape = "", None
    for number, _, a, b in fields(buffer, start, end, _TENSOR_KINDS):
        if number == 1:
            dtype = dtype_name(signed(a))
        elif number == 2:
            shape = tuple(_dim(buffer, c, d) for n, _, c, d in fields(buffer, a, b, _SHAPE_KINDS) if n == 1)
    return dtype, shape


def _dim(buffer: Buffer, start: int, end: int) -> Dim:
    """A size, the name of a dynamic axis, or None."""
    dim: Dim = None
    for number, _, a, b in fields(buffer, start, end, _DIM_KINDS):
        if number == 1:
            dim = signed(a) if signed(a) >= 0 else None  # exporters write -1 for an axis left open
        elif number == 2:
            name = text(buffer, a, b)
            dim = None if name in _NAMELESS else name
    return dim
