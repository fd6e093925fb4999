"""The protobuf wire format over any buffer, without copying what it holds.

Specification: https://protobuf.dev/programming-guides/encoding/. Every length is checked against
its surroundings before it is used, so a damaged file costs no memory and raises WireError.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping
from typing import Final

Buffer = bytes | mmap.mmap

VARINT: Final = 0
FIXED64: Final = 1
BYTES: Final = 2
FIXED32: Final = 5

_MAX_VARINT_BYTES: Final = 10
_COUNT_CHUNK: Final = 1 << 20
_CONTINUED: Final = bytes(range(128, 256))

Field = tuple[int, int, int, int]
"""(field number, wire type, a, b): ``a`` is the value of a varint, else [a, b) is where the content lies."""


class WireError(ValueError):
    """These bytes are not a message.

    ``end`` is where the content was announced to end, if it is that which does not fit; ``number``
    is the field that holds it.
    """

    def __init__(self, reason: str, offset: int, end: int = -1, number: int = 0) -> None:
        super().__init__(f"{reason} at byte {offset}")
        self.offset = offset
        self.end = end
        self.number = number


def fields(buffer: Buffer, start: int, end: int, kinds: Mapping[int, tuple[int, ...]]) -> Iterator[Field]:
    """The fields of the message in ``buffer[start:end]``, in file order.

    ``kinds``: the wire types that a known field may have; unknown fields come through as they are.
    Raises WireError.
    """
    position = start
    while position < end:
        begin = position
        key = buffer[position]
        position += 1
        if key > 127:
            key, position = varint(buffer, begin, end)
        number, kind = key >> 3, key & 7
        allowed = kinds.get(number)
        if not number or (allowed is not None and kind not in allowed):
            raise WireError(f"field {number} of wire type {kind}", begin)
        if kind == BYTES:
            length, position = varint(buffer, position, end)
            a, position = position, position + length
        elif kind == VARINT:
            a, position = varint(buffer, position, end)
        elif kind == FIXED32:
            a, position = position, position + 4
        elif kind == FIXED64:
            a, position = position, position + 8
        else:  # groups (3, 4) left protobuf before ONNX began
            raise WireError(f"wire type {kind}", begin)
        if position > end:
            raise WireError("content beyond its message", begin, position, number)
        yield number, kind, a, position


def varint(buffer: Buffer, position: int, end: int) -> tuple[int, int]:
    """An unsigned varint of at most 64 bits, and the position behind it."""
    if position < end and buffer[position] < 128:  # nearly every one
        return buffer[position], position + 1
    value = shift = 0
    for at in range(position, min(end, position + _MAX_VARINT_BYTES)):
        byte = buffer[at]
        value |= (byte & 0x7F) << shift
        if byte < 128:
            if value >> 64:
                break
            return value, at + 1
        shift += 7
    if end - position < _MAX_VARINT_BYTES:
        raise WireError("a number is cut off", position, end + 1)
    raise WireError("a number of more than 64 bits", position)


def signed(value: int) -> int:
    """An int32 or int64 as protobuf stores it: two's complement in 64 bits."""
    return value - (1 << 64) if value >> 63 else value


def packed(buffer: Buffer, start: int, end: int) -> Iterator[int]:
    """The unsigned varints of a packed field."""
    position = start
    while position < end:
        value, position = varint(buffer, position, end)
        yield value


def count_packed(buffer: Buffer, start: int, end: int) -> int:
    """How many varints a packed field holds, without making them."""
    return sum(
        len(buffer[at : min(end, at + _COUNT_CHUNK)].translate(None, _CONTINUED))
        for at in range(start, end, _COUNT_CHUNK)
    )


def text(buffer: Buffer, start: int, end: int) -> str:
    """A string field. Raises WireError where it is not UTF-8."""
    try:
        return buffer[start:end].decode("utf-8")
    except UnicodeDecodeError as error:
        raise WireError("a string that is not UTF-8", start) from error
