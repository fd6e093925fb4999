"""The services ``tcp``, ``localabstract`` and ``localfilesystem``: what ``adb forward`` reaches on the phone.

The phone's ports and abstract names are this computer's own.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.stream import Stream, StreamClosedError

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(phone: Phone, service: str) -> Ends:
    """Connect to ``tcp:PORT``, ``localabstract:NAME`` or ``localfilesystem:PATH``. Raises OSError."""
    kind, _, name = service.partition(":")
    match kind:
        case "tcp":
            port = name.rpartition(":")[2]
            if not port.isdecimal() or not 0 < int(port) < 65536:
                raise OSError(f"not a port: {port}")
            return await asyncio.open_connection("127.0.0.1", int(port))
        case "localabstract":
            return await asyncio.open_unix_connection(f"\0{name}")
        case _:
            return await asyncio.open_unix_connection(str(phone.files.path(name)))


async def bridge(stream: Stream, ends: Ends) -> None:
    """Carry bytes both ways until either side ends."""
    reader, writer = ends

    async def from_host() -> None:
        while data := await stream.read():
            writer.write(data)
            await writer.drain()

    async def to_host() -> None:
        while data := await reader.read(1 << 16):
            await stream.write(data)

    ways = [asyncio.create_task(from_host()), asyncio.create_task(to_host())]
    try:
        done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in done:
            with suppress(StreamClosedError, ConnectionError):
                way.result()
    finally:
        for way in ways:
            way.cancel()
        writer.close()


async def serve_socket(phone: Phone, stream: Stream, service: str) -> None:
    """Connect first: where nobody listens, adbd refuses the stream itself (raises OSError)."""
    ends = await connect(phone, service)
    await stream.accept()
    await bridge(stream, ends)
