"""Attribute values that are neither tensors nor graphs, as people read them.

Engines read the file itself, so what is long is described instead of copied.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from typing import Final

from workbench.formats.onnx.tensors import integers, read_sparse
from workbench.formats.onnx.types import read_type
from workbench.formats.onnx.wire import BYTES, VARINT, Buffer, WireError, count_packed, signed

Part = tuple[int, int, int]
"""(wire type, a, b) of one occurrence of a field, as wire.fields tells."""
Scalar = int | float | str

_LONG_TEXT: Final = 4096
_LONG_LIST: Final = 1024
_FLOATS: Final = 7
_INTS: Final = 8
_LIST_NAMES: Final = {_FLOATS: "float32", _INTS: "int64", 9: "string"}


def plain_value(buffer: Buffer, field: int, parts: list[Part]) -> Scalar | tuple[Scalar, ...] | None:
    """The value that ``parts`` of AttributeProto's ``field`` make; None for a field that holds no such value."""
    if field in _LIST_NAMES:
        count = sum(_count(buffer, field, part) for part in parts)
        if count > _LONG_LIST:
            return f"{_LIST_NAMES[field]}[{count}]"
        return tuple(value for part in parts for value in _values(buffer, field, part))
    if field in _DECODERS:
        _, a, b = parts[-1] if parts else (VARINT, 0, 0)
        return _DECODERS[field](buffer, a, b)
    return None


def _count(buffer: Buffer, field: int, part: Part) -> int:
    kind, a, b = part
    if field == _FLOATS:
        if (b - a) % 4:
            raise WireError("a packed field with a broken last element", a)
        return (b - a) // 4
    return count_packed(buffer, a, b) if field == _INTS and kind == BYTES else 1


def _values(buffer: Buffer, field: int, part: Part) -> list[Scalar]:
    kind, a, b = part
    if field == _FLOATS:
        return [_float(buffer, at, at + 4) for at in range(a, b, 4)]
    if field == _INTS:
        return list(integers(buffer, kind, a, b))
    return [_string(buffer, a, b)]


def _float(buffer: Buffer, start: int, end: int) -> float:
    """A float32 as the shortest decimal that is the same float32: 1e-05, not 9.999999747378752e-06."""
    stored = buffer[start:end]
    if len(stored) != 4:
        return 0.0
    (value,) = struct.unpack("<f", stored)
    for digits in (6, 7, 8):
        short = float(f"{value:.{digits}g}")
        if math.isnan(value) or _pack(short) == stored:
            return short
    return float(value)


def _pack(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:  # six digits may round the largest float32 up
        return b""


def _string(buffer: Buffer, start: int, end: int) -> str:
    """The bytes of a string attribute as text; what is long is cut, what is not UTF-8 is escaped."""
    cut = min(end, start + _LONG_TEXT)
    shown = buffer[start:cut].decode("utf-8", "backslashreplace")
    return shown if cut == end else f"{shown}... ({end - start} bytes)"


def _type_text(buffer: Buffer, start: int, end: int) -> str:
    dtype, shape = read_type(buffer, start, end)
    return dtype if shape is None else f"{dtype}[{', '.join('?' if d is None else str(d) for d in shape)}]"


def _sparse_text(buffer: Buffer, start: int, end: int) -> str:
    sparse = read_sparse(buffer, start, end)
    return f"sparse {sparse.values.label} of {'x'.join(map(str, sparse.dims))}"


def _integer(buffer: Buffer, value: int, end: int) -> int:
    return signed(value)


_DECODERS: Final[Mapping[int, Callable[[Buffer, int, int], int | float | str]]] = {
    2: _float,
    3: _integer,
    4: _string,
    14: _type_text,
    22: _sparse_text,
}
