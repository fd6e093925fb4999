"""One byte stream between a service of the phone and the adb server, multiplexed over a connection.

Each side may have one WRTE under way: the next waits for the OKAY. The phone gives its OKAY only
while its service keeps up, which is the protocol's flow control.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from workbench.devices.simulated.packets import Command, Packet

Send = Callable[[Packet], Awaitable[None]]
_UNREAD_LIMIT: Final = 1 << 20
"""Bytes that a service may leave unread before the host is kept waiting."""


class StreamClosedError(ConnectionError):
    """The host closed the stream, or the connection ended."""


class Stream:
    """``local`` and ``remote`` are the two sides' ids of the stream; ``remote`` 0 is not known yet."""

    def __init__(self, send: Send, local: int, remote: int, max_data: int) -> None:
        self.local = local
        self.remote = remote
        self.closed = asyncio.Event()
        self._send = send
        self._max_data = max_data
        self._unread = bytearray()
        self._arrived = asyncio.Event()
        self._may_write = asyncio.Event()
        self._owes_okay = False
        self.was_accepted = False

    # What the service does.

    async def accept(self) -> None:
        """Answer the host's OPEN."""
        self.was_accepted = True
        self._may_write.set()
        await self._send(Packet(Command.OKAY, self.local, self.remote))

    async def write(self, data: bytes | memoryview) -> None:
        """Send all of ``data``. Raises StreamClosedError where the host closed."""
        view = memoryview(data)
        while view:
            await self._may_write.wait()
            if self.closed.is_set():
                raise StreamClosedError
            part, view = view[: self._max_data], view[self._max_data :]
            self._may_write.clear()
            await self._send(Packet(Command.WRTE, self.local, self.remote, bytes(part)))

    async def read(self, limit: int = 1 << 16) -> bytes:
        """Some bytes, at most ``limit``; b"" where the host closed."""
        while not self._unread:
            if self.closed.is_set():
                return b""
            self._arrived.clear()
            await self._arrived.wait()
        return await self._take(min(limit, len(self._unread)))

    async def read_exactly(self, count: int) -> bytes:
        """Raises StreamClosedError where the host closed before ``count`` bytes came."""
        while len(self._unread) < count:
            if self.closed.is_set():
                raise StreamClosedError
            self._arrived.clear()
            # A request longer than the limit must not wait for the OKAY that waits for it.
            await self._pay_okay()
            await self._arrived.wait()
        return await self._take(count)

    async def close(self) -> None:
        """Tell the host that there is no more, once it acknowledged the last write.

        adb drops what it has not read yet when a CLSE overtakes its OKAY.
        """
        await self._may_write.wait()
        if not self.closed.is_set():
            self.host_closed()
            await self._send(Packet(Command.CLSE, self.local, self.remote))

    # What the connection reports.

    async def received(self, data: bytes) -> None:
        self._unread += data
        self._owes_okay = True
        self._arrived.set()
        if len(self._unread) <= _UNREAD_LIMIT:
            await self._pay_okay()

    def acknowledged(self, remote: int) -> None:
        self.remote = remote
        self._may_write.set()

    def host_closed(self) -> None:
        """No byte goes either way any more; what came before can still be read."""
        self.closed.set()
        self._arrived.set()
        self._may_write.set()

    async def opened(self) -> bool:
        """For a stream that the phone opened: wait for the host's OKAY or CLSE; True for OKAY."""
        await self._may_write.wait()
        return not self.closed.is_set()

    async def _take(self, count: int) -> bytes:
        data = bytes(self._unread[:count])
        del self._unread[:count]
        if len(self._unread) <= _UNREAD_LIMIT:
            await self._pay_okay()
        return data

    async def _pay_okay(self) -> None:
        if self._owes_okay and not self.closed.is_set():
            self._owes_okay = False
            await self._send(Packet(Command.OKAY, self.local, self.remote))
