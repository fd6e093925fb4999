"""The phone's cable: a socket on 127.0.0.1 to which the adb server connects."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.simulated.options import EMULATOR_PORTS
from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.transport import Transport

_READ_LIMIT: Final = 1 << 22


def bind(port: int) -> socket.socket:
    """A socket on 127.0.0.1 at ``port``, 0 for a free one that adb does not take for an emulator's.

    Raises DeviceError where the port is taken.
    """
    refused = []
    try:
        while True:
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind(("127.0.0.1", port))
            except OSError as error:
                sock.close()
                raise DeviceError(
                    msg("The port is not free: {reason}", reason=str(error.strerror)),
                    where=f"127.0.0.1:{port}",
                    hint=msg("Choose another with --port, or none."),
                ) from error
            if sock.getsockname()[1] not in EMULATOR_PORTS:
                return sock
            refused.append(sock)  # held, so that the next one is another
    finally:
        for sock in refused:
            sock.close()


class Plug:
    """Plugged in, or not. ``serial`` is what adb calls the phone."""

    def __init__(self, phone: Phone, sock: socket.socket) -> None:
        self._phone = phone
        self._sock = sock
        self._address = sock.getsockname()
        self._server: asyncio.Server | None = None
        self._transports: set[Transport] = set()

    @property
    def serial(self) -> str:
        host, port = self._address
        return f"{host}:{port}"

    @property
    def is_online(self) -> bool:
        """True while an adb server is connected and let in."""
        return any(transport.is_online for transport in self._transports)

    async def plug_in(self) -> None:
        """Accept connections; it may be plugged in already."""
        if self._server is None:
            if self._sock.fileno() < 0:
                self._sock = bind(self._address[1])
            self._server = await asyncio.start_server(self._accept, sock=self._sock, limit=_READ_LIMIT)

    def pull_out(self) -> None:
        """Drop every connection at once and accept none."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for transport in self._transports:
            transport.drop()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport = Transport(self._phone, reader, writer)
        self._transports.add(transport)
        try:
            await transport.run()
        finally:
            self._transports.discard(transport)
