"""The services ``shell`` and ``exec``: commands for the phone's shell, with or without adb's shell protocol."""

from __future__ import annotations

import asyncio
import fcntl
import re
import struct
import termios
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from workbench.devices.shell_frames import HEADER, FrameId, frame
from workbench.devices.simulated.phone import Phone
from workbench.devices.simulated.programs import Output, ShellProgram
from workbench.devices.simulated.stream import Stream, StreamClosedError

_WINDOW_SIZE: Final = 5
"""Frame of adb's shell protocol: "ROWSxCOLUMNS,WIDTHxHEIGHT" of the host's terminal."""


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """A service's name, taken apart: ``shell,v2,TERM=xterm,pty:COMMAND``."""

    command: str
    framed: bool
    terminal: str | None

    @classmethod
    def parse(cls, service: str) -> ShellRequest:
        kind, _, command = service.partition(":")
        name, *words = kind.split(",")
        # As adbd: a terminal where it is asked for, or where nothing is said and there is no command.
        wants_terminal = "pty" in words or (name == "shell" and "raw" not in words and not command)
        terminal = next((word.removeprefix("TERM=") for word in words if word.startswith("TERM=")), "")
        return cls(command, "v2" in words, terminal if wants_terminal else None)


async def serve_shell(phone: Phone, stream: Stream, service: str) -> None:
    """Run the command to its end, or until the host goes away."""
    request = ShellRequest.parse(service)
    await stream.accept()
    if phone.faults.slow_shell:
        await asyncio.sleep(phone.faults.slow_shell)
    program = await _start(phone, request)
    feeding = asyncio.create_task(_feed(stream, program, request))
    talking = asyncio.create_task(_talk(stream, program, request))
    leaving = asyncio.create_task(stream.closed.wait())
    try:
        await asyncio.wait({talking, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if leaving.done():
            program.hang_up(signalled=request.framed)
        with suppress(StreamClosedError):
            await talking
    finally:
        feeding.cancel()
        leaving.cancel()
        program.close()


async def _start(phone: Phone, request: ShellRequest) -> ShellProgram:
    command = phone.command_line(request.command)
    if request.terminal is not None:
        return await phone.programs.start_on_terminal(command, request.terminal)
    return await phone.programs.start(command or "exec sh", merged=not request.framed)


async def _talk(stream: Stream, program: ShellProgram, request: ShellRequest) -> None:
    """Carry what the program writes to the host, then its exit code."""
    pumps = [_pump(stream, program.output, FrameId.STDOUT if request.framed else None)]
    if program.errors is not None:
        pumps.append(_pump(stream, program.errors, FrameId.STDERR))
    await asyncio.gather(*pumps)
    code = await program.exit_code()
    if request.framed:
        await stream.write(frame(FrameId.EXIT, bytes([code])))


async def _pump(stream: Stream, output: Output, kind: FrameId | None) -> None:
    while data := await output.read():
        await stream.write(data if kind is None else frame(kind, data))


async def _feed(stream: Stream, program: ShellProgram, request: ShellRequest) -> None:
    """Carry what the host sends to the program."""
    if not request.framed:
        while data := await stream.read():
            await program.write(data)
        return
    with suppress(StreamClosedError):
        while True:
            kind, length = HEADER.unpack(await stream.read_exactly(HEADER.size))
            data = await stream.read_exactly(length)
            if kind == FrameId.STDIN:
                await program.write(data)
            elif kind == FrameId.CLOSE_STDIN:
                program.close_input()
            elif kind == _WINDOW_SIZE and program.terminal is not None:
                _resize(program.terminal, data)


def _resize(terminal: int, told: bytes) -> None:
    found = re.match(rb"(\d{1,4})x(\d{1,4}),", told)
    if found is not None:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", int(found[1]), int(found[2]), 0, 0))
