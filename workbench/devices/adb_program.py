"""A program that runs on a phone, its streams carried by one adb socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from workbench.core.errors import DeviceError
from workbench.devices.server import Connection
from workbench.devices.shell_frames import FrameId, frame, frames, stdin_frames

_ERROR_TAIL_BYTES: Final = 1 << 16


class AdbProgram:
    """Implements Running."""

    def __init__(self, connection: Connection, gone: Callable[[], DeviceError]) -> None:
        self._connection = connection
        self._frames = frames(connection)
        self._gone = gone
        self._killed = False
        self._code: int | None = None
        self._errors = bytearray()

    def write(self, data: bytes) -> None:
        for part in stdin_frames(data):
            self._connection.send(part)

    def close_input(self) -> None:
        self._connection.send(frame(FrameId.CLOSE_STDIN))

    def lines(self) -> Iterator[bytes]:
        buffer = bytearray()
        for kind, data in self._frames:
            if kind == FrameId.STDOUT:
                buffer += data
                *whole, rest = buffer.split(b"\n")
                buffer = bytearray(rest)
                yield from map(bytes, whole)
            elif kind == FrameId.STDERR:
                self._errors += data
                del self._errors[:-_ERROR_TAIL_BYTES]
            elif kind == FrameId.EXIT:
                self._code = data[0]
        if buffer and not self._killed:
            yield bytes(buffer)
        self._connection.close()
        if self._code is None and not self._killed:
            raise self._gone()

    def kill(self) -> None:
        self._killed = True
        self._connection.shutdown()

    def wait(self) -> int | None:
        for _ in self.lines():
            pass
        return self._code

    @property
    def errors(self) -> str:
        return self._errors.decode("utf-8", "replace")
