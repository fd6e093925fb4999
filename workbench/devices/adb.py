"""A phone (or a simulated one) over adb."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from workbench.core.device import Device, DeviceState
from workbench.core.errors import DeviceError, InternalError, WorkbenchError
from workbench.core.messages import msg
from workbench.core.steps import Context
from workbench.devices import sync
from workbench.devices.adb_program import AdbProgram
from workbench.devices.faults import explain, server_gone, unplugged
from workbench.devices.link import SHELL_TIMEOUT_S, FileStat, Program, Running, ShellResult
from workbench.devices.server import AdbServer, Connection
from workbench.devices.shell_frames import SERVICE, FrameId, frames

# The one folder where adb's shell user may write and run programs; /sdcard is mounted noexec.
FOLDER: Final = "/data/local/tmp/workbench"
_SYNC_TIMEOUT_S: Final = 60.0
"""A phone that takes no block or gives none for so long counts as gone (flash stalls for seconds)."""
_PROPERTIES: Final = (
    "ro.serialno",
    "ro.product.model",
    "ro.product.cpu.abi",
    "ro.build.version.release",
    "ro.workbench.simulated",
)
_PROPERTIES_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Properties:
    """What a ready phone says of itself."""

    serial_number: str
    model: str
    abi: str
    android: str
    simulated: bool

    def device(self, serial: str) -> Device:
        return Device(serial, self.model, self.abi, DeviceState.READY, None, self.android, self.simulated)


class AdbLink:
    """Implements Link. Holds no connection: every call opens its own, so threads may share it."""

    def __init__(self, serial: str, server: AdbServer | None = None) -> None:
        self._serial = serial
        self._server = server or AdbServer()

    @property
    def serial(self) -> str:
        return self._serial

    @property
    def folder(self) -> str:
        return FOLDER

    def device(self) -> Device:
        return self.properties().device(self._serial)

    def properties(self) -> Properties:
        """Asked of the phone anew."""
        command = "; ".join(f"getprop {name}" for name in _PROPERTIES)
        told = self.shell(command, timeout_s=_PROPERTIES_TIMEOUT_S).stdout.splitlines()
        values = [line.strip() for line in told] + [""] * len(_PROPERTIES)
        return Properties(values[0], values[1], values[2], values[3], values[4] == "1")

    def shell(self, command: str, *, timeout_s: float = SHELL_TIMEOUT_S) -> ShellResult:
        deadline = time.monotonic() + timeout_s
        texts = {FrameId.STDOUT: bytearray(), FrameId.STDERR: bytearray()}
        with self._open(SERVICE + command) as connection:
            for kind, data in frames(connection, deadline=deadline):
                if kind == FrameId.EXIT:
                    return ShellResult(data[0], _text(texts[FrameId.STDOUT]), _text(texts[FrameId.STDERR]))
                texts[FrameId(kind)] += data
        raise self.gone()

    def start(self, program: Program) -> Running:
        return AdbProgram(self._open(SERVICE + command_line(program)), self.gone)

    def push(self, local: Path, remote: str, *, mode: int = 0o644, ctx: Context) -> None:
        with self._open("sync:", timeout_s=_SYNC_TIMEOUT_S) as connection:
            _cancellable(connection, ctx, lambda: sync.push(connection, local, remote, mode, ctx, self.gone))

    def pull(self, remote: str, local: Path, *, ctx: Context) -> None:
        found = self.stat(remote)
        if found is None:
            raise DeviceError(msg("There is no such file on the phone"), where=remote, hint=msg("Run it again."))
        with self._open("sync:", timeout_s=_SYNC_TIMEOUT_S) as connection:
            _cancellable(connection, ctx, lambda: sync.pull(connection, remote, local, found.size, ctx, self.gone))

    def stat(self, remote: str) -> FileStat | None:
        with self._open("sync:", timeout_s=_SYNC_TIMEOUT_S) as connection:
            return sync.lstat(connection, remote, self.gone)

    def sha256(self, remote: str) -> str | None:
        # 1 GB takes a phone a few seconds, but its flash may be busy with a push.
        result = self.shell(f"test -e {_quoted(remote)} || exit 44; sha256sum {_quoted(remote)}", timeout_s=300.0)
        if result.code == 44:
            return None
        self._check(result, remote)
        return result.stdout.split()[0].lstrip("\\")

    def make_folder(self, remote: str) -> None:
        self._check(self.shell(f"mkdir -p {_quoted(remote)}"), remote)

    def remove(self, remote: str) -> None:
        self._check(self.shell(f"rm -rf {_quoted(_inside(remote))}", timeout_s=120.0), remote)

    def free_bytes(self) -> int | None:
        # toybox and GNU agree on: Filesystem 1K-blocks Used Available Use% Mounted-on.
        columns = self.shell(f"df -k {PurePosixPath(FOLDER).parent}").stdout.split()
        return int(columns[-3]) * 1024 if len(columns) > 3 and columns[-3].isdecimal() else None

    def gone(self) -> DeviceError:
        """Why a stream to a phone that was ready has just ended."""
        try:
            # An answer, not a connection: a server that dies closes its listening socket last.
            self._server.ask("host:version")
        except DeviceError:
            return server_gone(self._serial, "")
        return unplugged(self._serial)

    def _open(self, service: str, *, timeout_s: float | None = None) -> Connection:
        return self._server.transport(self._serial, service, timeout_s=timeout_s)

    def _check(self, result: ShellResult, remote: str) -> None:
        if result.code:
            raise explain(result.stderr or result.stdout, where=f"{self._serial} {remote}")


def command_line(program: Program) -> str:
    """One line for the phone's shell that becomes the program itself.

    ``exec`` matters: adbd sends SIGHUP to the shell's process only, so that must be the program.
    """
    words = []
    for name, value in program.env.items():
        if not name.isidentifier():
            raise InternalError(msg("{name} is not a variable's name", name=name))
        words.append(f"unset {name}" if value is None else f"export {name}={shlex.quote(value)}")
    if program.cwd:
        words.append(f"cd {shlex.quote(program.cwd)} || exit 1")
    words.append(f"exec {shlex.join(program.argv)}")
    return "; ".join(words)


def _cancellable(connection: Connection, ctx: Context, transfer: Callable[[], None]) -> None:
    forget = ctx.on_cancel(connection.shutdown)
    try:
        transfer()
    except WorkbenchError:
        ctx.check()  # the cancel itself ended the stream: say so, not that the phone left
        raise
    finally:
        forget()


def _inside(remote: str) -> str:
    path = PurePosixPath(remote)
    if not path.is_relative_to(FOLDER) or ".." in path.parts:
        raise InternalError(msg("Only what lies below {folder} is removed", folder=FOLDER), where=remote)
    return remote


def _quoted(remote: str) -> str:
    return shlex.quote(remote)


def _text(raw: bytearray) -> str:
    return raw.decode("utf-8", "replace")
