"""A reader of flatbuffer tables over bytes or an mmap that checks every bound.

A .mnn file may come from anywhere: nothing here trusts an offset. Standard library only, so that
workers may import it. Format: https://flatbuffers.dev/internals/.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator

Buffer = bytes | mmap.mmap


class BadTable(ValueError):
    """The bytes are not the tables that were expected."""


class Table:
    """One table. Fields are told by their number in the schema."""

    __slots__ = ("_vtable", "_vtable_size", "buffer", "position")

    def __init__(self, buffer: Buffer, position: int) -> None:
        self.buffer = buffer
        self.position = position
        (back,) = _unpack("<i", buffer, position)
        self._vtable = position - back
        (self._vtable_size,) = _unpack("<H", buffer, self._vtable)

    @classmethod
    def root(cls, buffer: Buffer) -> Table:
        return cls(buffer, _unpack("<I", buffer, 0)[0])

    def integer(self, field: int, default: int = 0, kind: str = "i") -> int:
        """A scalar of struct kind ``kind``: "i" int32, "b" int8, "B" uint8 or an enum, "?" bool."""
        at = self._at(field)
        return int(_unpack("<" + kind, self.buffer, at)[0]) if at else default

    def string(self, field: int) -> str:
        at = self._at(field)
        return _string(self.buffer, self._follow(at)) if at else ""

    def table(self, field: int) -> Table | None:
        at = self._at(field)
        return Table(self.buffer, self._follow(at)) if at else None

    def vector(self, field: int, kind: str) -> tuple[int, int]:
        """(position, length) of a vector whose elements have struct kind ``kind``; length 0 where it is absent."""
        at = self._at(field)
        if not at:
            return 0, 0
        start = self._follow(at)
        (length,) = _unpack("<I", self.buffer, start)
        if start + 4 + length * struct.calcsize("<" + kind) > len(self.buffer):
            raise BadTable(f"a vector of {length} elements at {start} leaves the file")
        return start + 4, length

    def integers(self, field: int, kind: str = "i") -> tuple[int, ...]:
        start, length = self.vector(field, kind)
        return struct.unpack_from(f"<{length}{kind}", self.buffer, start) if length else ()

    def tables(self, field: int) -> Iterator[Table]:
        start, length = self.vector(field, "I")
        for at in range(start, start + 4 * length, 4):
            yield Table(self.buffer, self._follow(at))

    def strings(self, field: int) -> tuple[str, ...]:
        start, length = self.vector(field, "I")
        return tuple(_string(self.buffer, self._follow(at)) for at in range(start, start + 4 * length, 4))

    def _at(self, field: int) -> int:
        """Where the field's bytes lie, 0 where the field has its default."""
        slot = 4 + 2 * field
        if slot + 2 > self._vtable_size:
            return 0
        (offset,) = _unpack("<H", self.buffer, self._vtable + slot)
        return self.position + offset if offset else 0

    def _follow(self, at: int) -> int:
        return at + int(_unpack("<I", self.buffer, at)[0])


def _string(buffer: Buffer, at: int) -> str:
    (length,) = _unpack("<I", buffer, at)
    if at + 4 + length > len(buffer):
        raise BadTable(f"a text of {length} bytes at {at} leaves the file")
    return buffer[at + 4 : at + 4 + length].decode("utf-8", "surrogateescape")


def _unpack(kind: str, buffer: Buffer, at: int) -> tuple[int, ...]:
    if at < 0:
        raise BadTable(f"an offset points to {at}")
    try:
        return struct.unpack_from(kind, buffer, at)
    except struct.error as error:
        raise BadTable(f"an offset points to {at}, after the end of the file") from error
