"""adb's shell protocol v2: stdin, stdout, stderr and the exit code over one socket.

A frame is an id byte, a little-endian 32-bit length and the bytes (AOSP, adb: shell_protocol.h).
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.server import Connection

HEADER: Final = struct.Struct("<BI")
SERVICE: Final = "shell,v2,raw:"
_CHUNK_BYTES: Final = 1 << 16


class FrameId(IntEnum):
    """What a frame carries."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4


def frame(kind: FrameId, data: bytes = b"") -> bytes:
    return HEADER.pack(kind, len(data)) + data


def stdin_frames(data: bytes) -> Iterator[bytes]:
    """``data`` in frames that every device's buffer takes."""
    for begin in range(0, len(data), _CHUNK_BYTES):
        yield frame(FrameId.STDIN, data[begin : begin + _CHUNK_BYTES])


def frames(connection: Connection, *, deadline: float | None = None) -> Iterator[tuple[int, bytes]]:
    """Frames until the stream ends. ``deadline``: on time.monotonic(); DeviceError where it passes."""
    buffer = bytearray()
    while True:
        while len(buffer) >= HEADER.size:
            kind, length = HEADER.unpack_from(buffer)
            end = HEADER.size + length
            if len(buffer) < end:
                break
            data = bytes(buffer[HEADER.size : end])
            del buffer[:end]
            yield kind, data
        if deadline is not None:
            connection.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            chunk = connection.socket.recv(_CHUNK_BYTES)
        except TimeoutError as error:
            raise DeviceError(
                msg("No answer came in time"),
                where=connection.where,
                hint=msg("Wake it up or replug it, then try again."),
            ) from error
        except OSError:
            return  # reset by the server, or shut down by ``kill``: either way the stream ended
        if not chunk:
            return
        buffer += chunk
