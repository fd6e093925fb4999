"""How the phone makes itself known to the adb server, and takes leave of it.

A phone on a cable appears by itself in every adb server that starts; so does this one: it holds a
connection to the server, and when that ends it looks for the next server. One that a person
disconnected stays so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from workbench.core.device import DeviceState
from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.faults import server_gone
from workbench.devices.listing import parse_entries
from workbench.devices.server import AdbServer, not_an_adb_server, text_length

_LOOK_FOR_SERVER_S: Final = 0.2
_LOOK_AT_LIST_S: Final = 0.05
_KNOWN_TIMEOUT_S: Final = 30.0
_LEAVE_TIMEOUT_S: Final = 3.0


class Registration:
    """``serial`` is host and port, as ``adb connect`` takes them."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        self._server = server
        self._serial = serial

    async def start(self) -> None:
        """Connect to the adb server; one is started where none listens. Raises DeviceError."""
        await asyncio.to_thread(self._server.ensure)
        await self.connect()

    async def connect(self) -> None:
        """``disconnect`` first: a server that remembers a dropped phone answers "already connected"."""
        await self.disconnect()
        await self._ask(f"host:connect:{self._serial}")

    async def disconnect(self) -> None:
        """Leave the server's list, where there is a server and the phone is on it."""
        with suppress(DeviceError, TimeoutError):
            await asyncio.wait_for(self._ask(f"host:disconnect:{self._serial}"), _LEAVE_TIMEOUT_S)

    async def keep(self) -> None:
        """Stay known: when the server ends, connect to the next that listens. Never starts one."""
        while True:
            with suppress(DeviceError):
                async with self._connection() as (reader, writer):
                    await self._request(reader, writer, "host:track-devices")
                    while await reader.read(1 << 16):
                        continue
            while not await asyncio.to_thread(self._server.listens):
                await asyncio.sleep(_LOOK_FOR_SERVER_S)
            with suppress(DeviceError):
                await self.connect()

    async def known(self, *, ready: bool) -> None:
        """Wait until the server lists the phone; ``ready``: until it may be used.

        Raises DeviceError where the server holds another key than this user's, or says nothing.
        """
        for _ in range(round(_KNOWN_TIMEOUT_S / _LOOK_AT_LIST_S)):
            state = await self._state()
            if state is DeviceState.READY or (state is not None and not ready):
                return
            if state is DeviceState.UNAUTHORIZED:
                raise DeviceError(
                    msg("The adb server holds another key than this user's"),
                    where=self._server.where,
                    hint=msg("Start it as this user (HOME decides), or use another port: ANDROID_ADB_SERVER_PORT."),
                )
            await asyncio.sleep(_LOOK_AT_LIST_S)
        raise DeviceError(
            msg("The adb server does not list the simulated phone"),
            where=self._server.where,
            hint=msg("Run adb devices and see what it says, then start the phone again."),
        )

    async def _state(self) -> DeviceState | None:
        listed = parse_entries(await self._ask("host:devices-l"))
        return next((entry.state for entry in listed if entry.serial == self._serial), None)

    async def _ask(self, service: str) -> str:
        async with self._connection() as (reader, writer):
            await self._request(reader, writer, service)
            size = text_length(await reader.readexactly(4), self._server.where)
            return (await reader.readexactly(size)).decode("utf-8", "replace")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Raises DeviceError where no server listens, or it ends while it is spoken to."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
            try:
                yield reader, writer
            finally:
                writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise server_gone(self._server.where, str(error)) from error

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, service: str) -> None:
        """OKAY or FAIL: what follows has the same form, and ``known`` tells whether it helped."""
        raw = service.encode()
        writer.write(b"%04x" % len(raw) + raw)
        await writer.drain()
        if await reader.readexactly(4) not in (b"OKAY", b"FAIL"):
            raise not_an_adb_server(self._server.where)
