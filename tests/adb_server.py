"""A private adb server and simulated phones on it, for tests: own port, own HOME, nothing shared.

The server is started here and ended here, by its own protocol; servers of others are not touched.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.waiting import wait_until
from workbench.devices.adb_binary import wheel_adb
from workbench.devices.server import AdbServer
from workbench.devices.simulated.options import PhoneOptions
from workbench.devices.simulated.process import SimulatedPhone, start_simulated

_EMULATOR_PORTS = range(5555, 5586)
_HEALTHY = PhoneOptions()


def system_adb() -> Path:
    """The distribution's adb (29 on Debian 12), which `make setup` installs."""
    found = shutil.which("adb")
    assert found is not None, "install adb: apt install adb"
    return Path(found)


def bundled_adb() -> Path:
    """The adb inside the adbutils wheel (36)."""
    found = wheel_adb()
    assert found is not None
    return found


@dataclass(frozen=True)
class PrivateAdb:
    """An adb server of this test's own. ``env`` is the whole environment that reaches it."""

    port: int
    home: Path
    binary: Path
    env: Mapping[str, str]

    @property
    def server(self) -> AdbServer:
        return AdbServer(self.port)

    def run(
        self, *arguments: str, stdin: bytes | None = None, timeout: float = 60.0
    ) -> subprocess.CompletedProcess[bytes]:
        """``adb ARGUMENTS``; its stdin is empty where none is given."""
        return subprocess.run(
            [str(self.binary), *arguments],
            env=dict(self.env),
            input=b"" if stdin is None else stdin,
            capture_output=True,
            timeout=timeout,
            check=False,
        )

    def start_server(self) -> None:
        """Start the server, as this test may after it ended it."""
        started = self.run("start-server")
        assert started.returncode == 0, started.stderr

    def stop_server(self) -> None:
        """Ask the server to end, and wait until it has."""
        if not self.server.listens():
            return
        with self.server.connection() as connection:
            connection.request("host:kill")
        wait_until(lambda: not self.server.listens(), "the adb server to end")

    def server_process(self) -> psutil.Process:
        """The server's process: for tests that kill it."""
        for one in psutil.net_connections("tcp4"):
            if one.status == psutil.CONN_LISTEN and one.laddr.port == self.port and one.pid:
                return psutil.Process(one.pid)
        raise AssertionError(f"nobody listens on {self.port}")


@contextmanager
def private_adb(folder: Path, binary: Path | None = None) -> Iterator[PrivateAdb]:
    """A running server with an empty HOME in ``folder``; ``binary`` defaults to the bundled adb."""
    home = folder / "home"
    home.mkdir()
    (folder / "tmp").mkdir()
    port = _free_port()
    adb = binary or bundled_adb()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ADB", "ANDROID"))}
    env |= {
        "HOME": str(home),
        # A phone that a test kills leaves its folder: in the test's own.
        "TMPDIR": str(folder / "tmp"),
        "ANDROID_ADB_SERVER_PORT": str(port),
        "ADBUTILS_ADB_PATH": str(adb),
        "ANDROID_ADB_LOG_PATH": str(folder / "adb.log"),
        # No USB (it takes adb 36 three seconds to give up), no multicast, no search for emulators.
        "ADB_LIBUSB": "0",
        "ADB_USB": "0",
        "ADB_MDNS": "0",
        "ADB_EMU": "0",
    }
    private = PrivateAdb(port, home, adb, env)
    private.start_server()
    try:
        yield private
    finally:
        private.stop_server()


@contextmanager
def in_environment(adb: PrivateAdb) -> Iterator[None]:
    """This process itself speaks to the private server meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - adb.env.keys():
            patch.delenv(name)
        for name, value in adb.env.items():
            patch.setenv(name, value)
        yield


@contextmanager
def simulated_phone(adb: PrivateAdb, options: PhoneOptions = _HEALTHY) -> Iterator[SimulatedPhone]:
    """A phone on the private server."""
    with start_simulated(options, env=adb.env) as phone:
        yield phone


def wait_for_state(adb: PrivateAdb, serial: str, state: str) -> None:
    """Wait until ``adb devices`` says ``state`` of the phone; "" until it is not listed."""

    def seen() -> bool:
        listed = dict(line.split("\t") for line in adb.run("devices").stdout.decode().splitlines() if "\t" in line)
        return listed.get(serial, "") == state

    wait_until(seen, f"{serial} to be {state or 'gone'}")


def _free_port() -> int:
    while True:
        with socket.socket() as sock:
            sock.bind(("127.0.0.1", 0))
            port: int = sock.getsockname()[1]
        if port not in _EMULATOR_PORTS:
            return port
