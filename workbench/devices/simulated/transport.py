"""One connection of an adb server to the phone: authentication, then streams to services."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from workbench.devices.simulated.auth import TOKEN_BYTES, parse_key
from workbench.devices.simulated.packets import (
    MAX_DATA,
    VERSION_MIN,
    VERSION_SKIP_CHECKSUM,
    Auth,
    Command,
    Packet,
    header,
    read_packet,
)
from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.reverse import ReverseListeners, serve_reverse
from workbench.devices.simulated.shell import serve_shell
from workbench.devices.simulated.sockets import serve_socket
from workbench.devices.simulated.stream import Stream
from workbench.devices.simulated.sync_service import serve_sync

_FEATURES: Final = (
    "shell_v2",
    "cmd",
    "stat_v2",
    "ls_v2",
    "fixed_push_mkdir",
    "fixed_push_symlink_timestamp",
    "sendrecv_v2",
)
_OLDEST_MAX_DATA: Final = 4096
Service = Callable[[Phone, Stream, str], Awaitable[None]]
_SERVICES: Final[dict[str, Service]] = {
    "shell": serve_shell,
    "exec": serve_shell,
    "sync": serve_sync,
    "tcp": serve_socket,
    "localabstract": serve_socket,
    "localfilesystem": serve_socket,
}


class Transport:
    """Lives as long as the connection. ``is_online`` after the host proved that it holds the key."""

    def __init__(self, phone: Phone, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.is_online = False
        self._phone = phone
        self._reader = reader
        self._writer = writer
        self._version = VERSION_MIN
        self._max_data = _OLDEST_MAX_DATA
        self._token = b""
        self._streams: dict[int, Stream] = {}
        self._next_id = 1
        self._reverse = ReverseListeners(self._open_to_host)

    async def run(self) -> None:
        """Serve the host until it leaves, the phone is unplugged, or it does not speak the protocol.

        Services see their streams end, and hang up on their programs.
        """
        try:
            while True:
                await self._handle(await read_packet(self._reader, self._version))
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            self._reverse.close_all()
            for stream in list(self._streams.values()):
                stream.host_closed()
            self._writer.close()

    def drop(self) -> None:
        """As when the cable is pulled."""
        self._writer.transport.abort()

    async def _handle(self, packet: Packet) -> None:
        match packet.command:
            case Command.CNXN:
                self._version = min(packet.arg0, VERSION_SKIP_CHECKSUM)
                self._max_data = min(packet.arg1, MAX_DATA)
                if not self._phone.faults.offline_silent:
                    await self._challenge()
            case Command.AUTH:
                await self._authenticate(packet)
            case _ if not self.is_online:
                return
            case Command.OPEN:
                self._phone.spawn(self._serve(packet))
            case Command.OKAY | Command.CLSE | Command.WRTE:
                await self._deliver(packet)

    async def _deliver(self, packet: Packet) -> None:
        stream = self._streams.get(packet.arg1)
        if stream is None:
            if packet.command == Command.WRTE:
                await self._send(Packet(Command.CLSE, 0, packet.arg0))
        elif packet.command == Command.OKAY:
            stream.acknowledged(packet.arg0)
        elif packet.command == Command.WRTE:
            await stream.received(packet.data)
        else:
            del self._streams[packet.arg1]
            stream.host_closed()

    # Authentication.

    async def _challenge(self) -> None:
        self._token = os.urandom(TOKEN_BYTES)
        await self._send(Packet(Command.AUTH, Auth.TOKEN, 0, self._token))

    async def _authenticate(self, packet: Packet) -> None:
        if packet.arg0 == Auth.SIGNATURE:
            # A token is good for one signature.
            token, self._token = self._token, b""
            if self._phone.lock.opens_by_signature(packet.data, token):
                await self._welcome()
            else:
                await self._challenge()  # the host goes on to its next key, at last it offers one
        elif packet.arg0 == Auth.RSAPUBLICKEY:
            key = parse_key(packet.data)
            if key is not None and self._phone.lock.knows(key):
                self._phone.spawn(self._ask_the_user())

    async def _ask_the_user(self) -> None:
        await self._phone.lock.granted.wait()
        await self._welcome()

    async def _welcome(self) -> None:
        self.is_online = True
        self._phone.came_online()
        banner = f"device::{self._phone.banner}features={','.join(_FEATURES)}"
        await self._send(Packet(Command.CNXN, VERSION_SKIP_CHECKSUM, MAX_DATA, banner.encode()))

    # Streams.

    async def _serve(self, packet: Packet) -> None:
        stream = self._new_stream(packet.arg0)
        name = packet.data.partition(b"\0")[0].decode("utf-8", "surrogateescape")
        kind = name.partition(":")[0].partition(",")[0]
        try:
            if kind == "reverse":
                await serve_reverse(self._reverse, stream, name)
            elif kind in _SERVICES:
                await _SERVICES[kind](self._phone, stream, name)
        except OSError:
            pass  # the host left in the middle, or nobody listens where it wants to go: closed either way
        finally:
            with suppress(ConnectionError):
                await self._end(stream)
            self._streams.pop(stream.local, None)

    async def _end(self, stream: Stream) -> None:
        if stream.was_accepted:
            await stream.close()
        else:
            await self._send(Packet(Command.CLSE, 0, stream.remote))

    async def _open_to_host(self, target: str) -> Stream:
        stream = self._new_stream(0)
        await self._send(Packet(Command.OPEN, stream.local, 0, target.encode() + b"\0"))
        return stream

    def _new_stream(self, remote: int) -> Stream:
        stream = Stream(self._send, self._next_id, remote, self._max_data)
        self._streams[stream.local] = stream
        self._next_id += 1
        return stream

    async def _send(self, packet: Packet) -> None:
        self._writer.write(header(packet, self._version))
        if packet.data:
            self._writer.write(packet.data)
        await self._writer.drain()
