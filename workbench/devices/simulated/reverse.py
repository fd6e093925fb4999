"""The service ``reverse``: the phone listens, and each connection is opened to the host.

AOSP, packages/modules/adb: adb.cpp, handle_forward_request, as compiled for the device: one OKAY
an answer, and none before a list.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from workbench.devices.simulated.sockets import Ends, bridge
from workbench.devices.simulated.stream import Stream

OpenToHost = Callable[[str], Awaitable[Stream]]


@dataclass(frozen=True, slots=True)
class Listener:
    """``target`` is the host's side, e.g. ``tcp:8080``."""

    target: str
    server: asyncio.Server


@dataclass(slots=True)
class ReverseListeners:
    """Those of one connection; they end with it."""

    open_to_host: OpenToHost
    listeners: dict[str, Listener] = field(default_factory=dict)

    async def answer(self, request: str) -> bytes:
        """What adbd answers to the part of the service's name after ``reverse:``."""
        verb, _, rest = request.partition(":")
        match verb:
            case "list-forward":
                return _text("".join(f"host {name} {one.target}\n" for name, one in self.listeners.items()))
            case "killforward-all":
                self.close_all()
                return b"OKAY"
            case "killforward":
                if (listener := self.listeners.pop(rest, None)) is None:
                    return b"FAIL" + _text(f"listener '{rest}' not found")
                listener.server.close()
                return b"OKAY"
            case "forward":
                return await self._listen(rest)
            case _:
                return b"FAIL" + _text(f"unknown request '{verb}'")

    def close_all(self) -> None:
        for listener in self.listeners.values():
            listener.server.close()
        self.listeners.clear()

    async def _listen(self, request: str) -> bytes:
        keeps = request.startswith("norebind:")
        name, _, target = request.removeprefix("norebind:").partition(";")
        if name in self.listeners:
            if keeps:
                return b"FAIL" + _text("cannot rebind existing socket")
            self.listeners.pop(name).server.close()

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._carry(target, (reader, writer))

        kind, _, where = name.partition(":")
        try:
            if kind == "tcp":
                server = await asyncio.start_server(accepted, "127.0.0.1", int(where))
            elif kind == "localabstract":
                server = await asyncio.start_unix_server(accepted, f"\0{where}")
            else:
                return b"FAIL" + _text(f"unknown socket specification '{name}'")
        except (OSError, ValueError, OverflowError) as error:
            return b"FAIL" + _text(f"cannot bind listener: {error}")
        answer = b"OKAY"
        if name == "tcp:0":
            port = server.sockets[0].getsockname()[1]
            name = f"tcp:{port}"
            answer += _text(str(port))
        self.listeners[name] = Listener(target, server)
        return answer

    async def _carry(self, target: str, ends: Ends) -> None:
        stream = await self.open_to_host(target)
        if await stream.opened():
            await bridge(stream, ends)
            await stream.close()
        else:
            ends[1].close()


async def serve_reverse(listeners: ReverseListeners, stream: Stream, service: str) -> None:
    await stream.accept()
    await stream.write(await listeners.answer(service.partition(":")[2]))


def _text(text: str) -> bytes:
    raw = text.encode()
    return b"%04x" % len(raw) + raw
