"""Programs that run on the phone: started by adb's shell, and hung up on as adbd does it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_READ_LIMIT: Final = 1 << 18


@dataclass(slots=True)
class Output:
    """What a program writes to one of its streams."""

    reader: asyncio.StreamReader
    pipe: asyncio.ReadTransport

    async def read(self) -> bytes:
        """Some bytes, b"" at the end."""
        try:
            return await self.reader.read(1 << 16)
        except OSError:
            return b""  # a terminal whose last program ended reads as EIO


@dataclass(slots=True)
class ShellProgram:
    """A shell that runs one command; ``errors`` is None where stderr goes into ``output``."""

    process: asyncio.subprocess.Process
    input: asyncio.StreamWriter | None
    output: Output
    errors: Output | None = None
    terminal: int | None = None

    async def write(self, data: bytes) -> None:
        """Give the program input; what does not read it any more gets none."""
        if self.input is None:
            return
        with suppress(BrokenPipeError, ConnectionResetError):
            self.input.write(data)
            await self.input.drain()

    def close_input(self) -> None:
        if self.input is not None:
            self.input.close()

    def hang_up(self, *, signalled: bool) -> None:
        """The host went away. adbd sends SIGHUP to the shell's own process, not to its group, and closes the pipes.

        AOSP, adb: daemon/shell_service.cpp, Subprocess::PassDataStreams. Without the shell protocol
        (``signalled`` False) there is nobody to send it: only the pipes close.
        """
        if signalled and self.process.returncode is None:
            with suppress(ProcessLookupError):  # process.send_signal polls: it takes the exit code from asyncio
                os.kill(self.process.pid, signal.SIGHUP)
        self.close()

    def close(self) -> None:
        self.close_input()
        for output in (self.output, self.errors):
            if output is not None:
                output.pipe.close()

    async def exit_code(self) -> int:
        """As adbd tells it: 128 + signal for a program that a signal ended."""
        code = await self.process.wait()
        return code if code >= 0 else 128 - code


@dataclass(frozen=True, slots=True)
class Programs:
    """Starts programs, with ``env`` as their whole environment."""

    env: Mapping[str, str]
    cwd: Path

    async def start(self, command: str, *, merged: bool) -> ShellProgram:
        """Run ``command`` in a shell of its own session; ``merged``: stderr goes where stdout goes."""
        out_read, out_write = os.pipe()
        err_read, err_write = (None, out_write) if merged else os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                "/bin/sh",
                "-c",
                command,
                cwd=self.cwd,
                env=self.env,
                start_new_session=True,
                stdin=asyncio.subprocess.PIPE,
                stdout=out_write,
                stderr=err_write,
            )
        finally:
            for end in {out_write, err_write}:
                os.close(end)
        output = await _reading(out_read)
        return ShellProgram(process, process.stdin, output, None if err_read is None else await _reading(err_read))

    async def start_on_terminal(self, command: str, terminal_type: str) -> ShellProgram:
        """Run ``command`` on a terminal of its own, as ``adb shell`` from a terminal asks for."""
        ours, theirs = os.openpty()
        try:
            process = await asyncio.create_subprocess_exec(
                "setsid",
                "--ctty",
                "/bin/sh",
                *(("-c", command) if command else ("-i",)),
                cwd=self.cwd,
                env={**self.env, "TERM": terminal_type or "dumb"},
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
            )
        finally:
            os.close(theirs)
        loop = asyncio.get_running_loop()
        pipe, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(os.dup(ours), "wb", buffering=0)
        )
        writer = asyncio.StreamWriter(pipe, protocol, None, loop)
        return ShellProgram(process, writer, await _reading(ours), terminal=ours)


def kill_marked(mark: str) -> None:
    """End every process of this user whose environment has ``mark`` (NAME=VALUE), whatever it made of its signals.

    A process id from long ago may be another's by now; an environment that only one phone gives is not.
    """
    for folder in Path("/proc").glob("[0-9]*"):
        # Ended meanwhile, or another user's: neither is the phone's.
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)


async def _reading(descriptor: int) -> Output:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_READ_LIMIT)
    pipe, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
    )
    return Output(reader, pipe)
