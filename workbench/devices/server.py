"""The adb server that listens, spoken to in its own protocol over its socket.

A request is four hexadecimal digits of length and the text; the answer is OKAY or FAIL with a
reason (AOSP, packages/modules/adb: OVERVIEW.TXT and SERVICES.TXT). No adb command is run to ask
anything: an adb of another version than the server's kills the server, which others use.
"""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Self

from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.adb_binary import find_adb
from workbench.devices.faults import explain, server_gone

_DEFAULT_PORT = 5037
_ANSWER_TIMEOUT_S = 15.0
"""adb answers `connect` to a peer that says nothing after 10 s (adb 29.0.6 and 36.0.0)."""
_START_TIMEOUT_S = 40.0
_BUFFER_BYTES = 1 << 20


class Connection:
    """One socket to the adb server. ``shutdown`` may be called from any thread and ends a blocked read."""

    def __init__(self, sock: socket.socket, where: str) -> None:
        self.socket = sock
        self.where = where

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def shutdown(self) -> None:
        """Stop both directions; a socket that is closed already stays so."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # not connected any more: there is nothing to stop

    def send(self, data: bytes) -> None:
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise server_gone(self.where, str(error)) from error

    def read(self, count: int) -> bytes:
        """Exactly ``count`` bytes, fewer only where the stream ended. Raises DeviceError after a timeout."""
        parts = bytearray(count)
        view = memoryview(parts)
        filled = 0
        while filled < count:
            try:
                got = self.socket.recv_into(view[filled:])
            except TimeoutError as error:
                raise DeviceError(
                    msg("No answer came in time"),
                    where=self.where,
                    hint=msg("Wake it up or replug it, then try again."),
                ) from error
            except OSError:
                got = 0  # reset or shut down: the stream ended
            if not got:
                break
            filled += got
        return bytes(view[:filled])

    def read_exactly(self, count: int) -> bytes:
        """``count`` bytes. Raises DeviceError where the stream ends before."""
        data = self.read(count)
        if len(data) < count:
            raise server_gone(self.where, "")
        return data

    def read_text(self) -> str:
        """A text with its length in four hexadecimal digits."""
        size = text_length(self.read_exactly(4), self.where)
        return self.read_exactly(size).decode("utf-8", "replace")

    def request(self, service: str) -> None:
        """Ask for a service and wait for its OKAY. Raises DeviceError with the server's reason."""
        raw = service.encode()
        self.send(b"%04x" % len(raw) + raw)
        status = self.read_exactly(4)
        if status == b"FAIL":
            raise explain(self.read_text(), where=self.where)
        if status != b"OKAY":
            raise not_an_adb_server(self.where)


def text_length(digits: bytes, where: str) -> int:
    """Of the text that follows. Raises DeviceError where these are not four hexadecimal digits."""
    try:
        return int(digits, 16)
    except ValueError as error:
        raise not_an_adb_server(where) from error


def not_an_adb_server(where: str) -> DeviceError:
    """Something else has the port."""
    return DeviceError(
        msg("What listens on this port is not an adb server"),
        where=where,
        hint=msg("Free the port, or set ANDROID_ADB_SERVER_PORT to another."),
    )


def _port_from_environment() -> int:
    """ANDROID_ADB_SERVER_PORT, else adb's own 5037. Raises DeviceError where it is not a port."""
    text = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if not text:
        return _DEFAULT_PORT
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise DeviceError(
            msg("{text} is not a port", text=text), where="ANDROID_ADB_SERVER_PORT", hint=msg("Unset it, or use 5037.")
        )
    return int(text)


@dataclass(frozen=True, slots=True)
class AdbServer:
    """Where the adb server listens: always this computer, port ANDROID_ADB_SERVER_PORT or 5037."""

    port: int = field(default_factory=_port_from_environment)

    @property
    def where(self) -> str:
        return f"127.0.0.1:{self.port}"

    def listens(self) -> bool:
        """True where something accepts connections on the port."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=3.0).close()
        except OSError:
            return False
        return True

    def ensure(self) -> bool:
        """Start a server where none listens; a server that does is never replaced. Takes up to 3 s.

        True where one was started. Raises DeviceError where there is no adb command, or it does not come up.
        """
        if self.listens():
            return False
        adb = find_adb()
        # A file, not a pipe: the server that adb leaves behind would hold the pipe open.
        with tempfile.TemporaryFile() as told:
            try:
                subprocess.run(
                    [str(adb), "-P", str(self.port), "start-server"],
                    stdin=subprocess.DEVNULL,
                    stdout=told,
                    stderr=told,
                    timeout=_START_TIMEOUT_S,
                    check=False,
                    cwd=tempfile.gettempdir(),
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise DeviceError(
                    msg("adb could not start its server: {reason}", reason=str(error)),
                    where=str(adb),
                    hint=msg("Run adb start-server and see what it says."),
                ) from error
            told.seek(0)
            text = told.read().decode("utf-8", "replace").strip()
        # Two programs may start one at the same moment: only one adb reports success, both have a server.
        if not self.listens():
            raise DeviceError(
                msg("adb could not start its server: {reason}", reason=text[-300:]),
                where=str(adb),
                hint=msg("Run this adb by hand: {command}", command=f"{adb} -P {self.port} start-server"),
            )
        return True

    def connection(self, *, where: str = "", timeout_s: float | None = _ANSWER_TIMEOUT_S) -> Connection:
        """A fresh socket; reads end after ``timeout_s``. Raises DeviceError where no server listens."""
        try:
            sock = socket.create_connection(("127.0.0.1", self.port), timeout=3.0)
        except OSError as error:
            raise server_gone(where or self.where, str(error)) from error
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        sock.settimeout(timeout_s)
        return Connection(sock, where or self.where)

    def ask(self, service: str, *, where: str = "") -> str:
        """The text that a host service answers."""
        with self.connection(where=where) as connection:
            connection.request(service)
            return connection.read_text()

    def transport(self, serial: str, service: str, *, timeout_s: float | None = None) -> Connection:
        """A socket that speaks to ``service`` of the phone ``serial``. Raises DeviceError in the phone's state."""
        connection = self.connection(where=serial)
        try:
            connection.request(f"host:transport:{serial}")
            connection.request(service)
        except BaseException:
            connection.close()
            raise
        connection.socket.settimeout(timeout_s)
        return connection
