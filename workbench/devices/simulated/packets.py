"""The messages of the ADB transport protocol: 24 bytes of header, then data.

AOSP, packages/modules/adb: protocol.txt. All numbers are little-endian.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

VERSION_MIN: Final = 0x01000000
VERSION_SKIP_CHECKSUM: Final = 0x01000001
MAX_DATA: Final = 1 << 20
"""Longest data of one message: what adb itself takes since 2015 (MAX_PAYLOAD)."""
HEADER: Final = struct.Struct("<6I")


class Command(IntEnum):
    """What a message is."""

    CNXN = 0x4E584E43
    AUTH = 0x48545541
    OPEN = 0x4E45504F
    OKAY = 0x59414B4F
    CLSE = 0x45534C43
    WRTE = 0x45545257


class Auth(IntEnum):
    """First argument of an AUTH message."""

    TOKEN = 1
    SIGNATURE = 2
    RSAPUBLICKEY = 3


class ProtocolError(ConnectionError):
    """The peer does not speak this protocol: the connection is dropped."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One message; the meaning of the two arguments depends on the command."""

    command: int
    arg0: int
    arg1: int
    data: bytes = b""


def _checksum(data: bytes) -> int:
    """What versions before VERSION_SKIP_CHECKSUM put in the header: the sum of all bytes."""
    return sum(data) & 0xFFFFFFFF


async def read_packet(reader: asyncio.StreamReader, version: int) -> Packet:
    """The next message. Raises IncompleteReadError at the end, ProtocolError for what is not a message."""
    command, arg0, arg1, length, check, magic = HEADER.unpack(await reader.readexactly(HEADER.size))
    if magic != command ^ 0xFFFFFFFF or length > MAX_DATA:
        raise ProtocolError(f"not an adb message: {command:#x}, {length} bytes")
    data = await reader.readexactly(length) if length else b""
    if version < VERSION_SKIP_CHECKSUM and check != _checksum(data):
        raise ProtocolError("checksum mismatch")
    return Packet(command, arg0, arg1, data)


def header(packet: Packet, version: int) -> bytes:
    """The message's header; its data follows as it is."""
    check = _checksum(packet.data) if version < VERSION_SKIP_CHECKSUM else 0
    return HEADER.pack(packet.command, packet.arg0, packet.arg1, len(packet.data), check, packet.command ^ 0xFFFFFFFF)
