"""A simulated phone's whole life: plugged in, known to adb, told to stop, gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Final

from workbench.core.abi import host_abi
from workbench.core.errors import DeviceError, UsageError
from workbench.core.messages import msg
from workbench.devices.server import AdbServer
from workbench.devices.simulated.options import SCHEMA, PhoneOptions
from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.plug import Plug, bind
from workbench.devices.simulated.registration import Registration

_STOPPERS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Life:
    """Everything from the first connection to the last file removed."""

    def __init__(self, options: PhoneOptions, *, as_json: bool, until_eof: bool) -> None:
        self._options = options
        self._as_json = as_json
        self._until_eof = until_eof
        # One hand: a disconnect under way must not overtake the connect that follows it.
        self._hand = asyncio.Lock()

    async def live(self) -> None:
        """Return after the phone was told to stop. Raises DeviceError where adb cannot be reached."""
        sock = bind(self._options.port)
        async with AsyncExitStack() as stack:
            stack.callback(sock.close)
            self._stop = asyncio.Event()
            for number in _STOPPERS:
                asyncio.get_running_loop().add_signal_handler(number, self._stop.set)
            self._phone = Phone(self._options, f"SIM{sock.getsockname()[1]}")
            stack.callback(self._phone.end)
            self._plug = Plug(self._phone, sock)
            self._registration = Registration(AdbServer(), self._plug.serial)
            stack.push_async_callback(self._registration.disconnect)
            stack.callback(self._plug.pull_out)
            await self._plug.plug_in()
            self._phone.started()
            await self._until_stopped()

    async def _until_stopped(self) -> None:
        """Do everything that a phone does by itself, until it is told to stop or one of them fails."""
        works = [self._phone.live(), self._be_known(), self._obey_faults(), self._stop.wait()]
        if self._until_eof:
            works.append(self._obey_stdin())
        tasks = [asyncio.ensure_future(work) for work in works]
        stopping = tasks[3]
        try:
            while not stopping.done():
                done, _ = await asyncio.wait([task for task in tasks if not task.done()], return_when="FIRST_COMPLETED")
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()

    async def _be_known(self) -> None:
        starting = asyncio.ensure_future(self._registration.start())
        faults = self._options.faults
        healthy = not (faults.unauthorized or faults.authorize_after or faults.offline_silent)
        try:
            if healthy:
                await starting
            else:
                # `connect` answers after 10 s where the phone does not let the host in; it is listed before.
                await asyncio.to_thread(AdbServer().ensure)
            await self._registration.known(ready=healthy)
            self._announce()
            await starting
        finally:
            starting.cancel()
        await self._registration.keep()

    def _announce(self) -> None:
        serial = self._plug.serial
        answer = {"schema": SCHEMA, "serial": serial, "abi": self._options.abi or host_abi(), "pid": os.getpid()}
        print(json.dumps(answer) if self._as_json else serial, flush=True)

    async def _obey_faults(self) -> None:
        await self._phone.unplug.wait()
        await self._pull_out()

    async def _pull_out(self) -> None:
        async with self._hand:
            self._plug.pull_out()
            await self._registration.disconnect()

    async def _put_back(self) -> None:
        async with self._hand:
            await self._plug.plug_in()
            with suppress(DeviceError):  # no server: ``keep`` connects to the next
                await self._registration.connect()

    async def _obey_stdin(self) -> None:
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        words: dict[str, Callable[[], object]] = {
            "authorize": self._phone.lock.granted.set,
            "unplug": lambda: self._phone.spawn(self._pull_out()),
            "replug": lambda: self._phone.spawn(self._put_back()),
        }
        while line := await reader.readline():
            word = line.decode().strip()
            if word not in words:
                raise UsageError(
                    msg("The phone knows {words} only", words=", ".join(words)),
                    where=word,
                    hint=msg("Use one of {words}.", words=", ".join(words)),
                )
            words[word]()
        self._stop.set()
