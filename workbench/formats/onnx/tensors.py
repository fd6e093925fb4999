"""TensorProto and SparseTensorProto from the wire: shapes and places, not values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.formats.onnx.dtypes import (
    DOUBLE_DATA,
    FLOAT_DATA,
    INT32_DATA,
    INT64_DATA,
    STRING_DATA,
    UINT64_DATA,
)
from workbench.formats.onnx.records import SparseRecord, TensorRecord
from workbench.formats.onnx.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Buffer,
    WireError,
    count_packed,
    fields,
    packed,
    signed,
    text,
)

_MAX_RANK: Final = 1024  # far above any real tensor; keeps a damaged file from making a list of millions
_EXTERNAL: Final = 1
_TENSOR_KINDS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (VARINT, BYTES),
    2: (VARINT,),
    3: (BYTES,),
    FLOAT_DATA: (FIXED32, BYTES),
    INT32_DATA: (VARINT, BYTES),
    STRING_DATA: (BYTES,),
    INT64_DATA: (VARINT, BYTES),
    8: (BYTES,),
    9: (BYTES,),
    DOUBLE_DATA: (FIXED64, BYTES),
    UINT64_DATA: (VARINT, BYTES),
    12: (BYTES,),
    13: (BYTES,),
    14: (VARINT,),
    16: (BYTES,),
}
_FIXED_BYTES: Final = {FLOAT_DATA: 4, DOUBLE_DATA: 8}
_TYPED: Final = (FLOAT_DATA, INT32_DATA, STRING_DATA, INT64_DATA, DOUBLE_DATA, UINT64_DATA)
_SPARSE_KINDS: Final = {1: (BYTES,), 2: (BYTES,), 3: (VARINT, BYTES)}
_PAIR_KINDS: Final = {1: (BYTES,), 2: (BYTES,)}


def read_tensor(buffer: Buffer, start: int, end: int) -> TensorRecord:
    """The TensorProto in ``buffer[start:end]``."""
    tensor = TensorRecord((start, end))
    dims: list[int] = []
    for number, kind, a, b in fields(buffer, start, end, _TENSOR_KINDS):
        if number == 9:
            tensor.raw = (a, b)
        elif number == 1:
            dims += integers(buffer, kind, a, b)
            if len(dims) > _MAX_RANK:
                raise WireError("a tensor of too many axes", start)
        elif number == 2:
            tensor.data_type = signed(a)
        elif number == 8:
            tensor.name = text(buffer, a, b)
        elif number == 13:
            key, value = read_pair(buffer, a, b)
            tensor.external[key] = value
        elif number == 14:
            tensor.is_external = a == _EXTERNAL
        elif number in _TYPED:
            tensor.typed[number] = tensor.typed.get(number, 0) + _entries(buffer, number, kind, a, b)
            tensor.typed_bytes += b - a if kind != VARINT else 1
    tensor.dims = tuple(dims)
    return tensor


def _entries(buffer: Buffer, number: int, kind: int, start: int, end: int) -> int:
    if kind != BYTES or number == STRING_DATA:
        return 1
    if number in _FIXED_BYTES:
        count, rest = divmod(end - start, _FIXED_BYTES[number])
        if rest:
            raise WireError("a packed field with a broken last element", start)
        return count
    return count_packed(buffer, start, end)


def read_sparse(buffer: Buffer, start: int, end: int) -> SparseRecord:
    """The SparseTensorProto in ``buffer[start:end]``."""
    values = indices = TensorRecord((start, start))
    dims: list[int] = []
    for number, kind, a, b in fields(buffer, start, end, _SPARSE_KINDS):
        if number == 1:
            values = read_tensor(buffer, a, b)
        elif number == 2:
            indices = read_tensor(buffer, a, b)
        elif number == 3:
            dims += integers(buffer, kind, a, b)
    return SparseRecord(values, indices, tuple(dims))


def integers(buffer: Buffer, kind: int, a: int, b: int) -> list[int]:
    """One repeated int64 field as it comes: a single varint, or a packed run of them."""
    if kind == VARINT:
        return [signed(a)]
    return [signed(value) for value in packed(buffer, a, b)]


def read_pair(buffer: Buffer, start: int, end: int) -> tuple[str, str]:
    """The StringStringEntryProto in ``buffer[start:end]``."""
    key = value = ""
    for number, _, a, b in fields(buffer, start, end, _PAIR_KINDS):
        if number == 1:
            key = text(buffer, a, b)
        elif number == 2:
            value = text(buffer, a, b)
    return key, value
