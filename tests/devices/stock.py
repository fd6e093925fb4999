"""The adb command as a person types it."""

from __future__ import annotations

import subprocess

from tests.adb_server import PrivateAdb


class Adb:
    """``adb -s PHONE``, its output as text."""

    def __init__(self, adb: PrivateAdb, serial: str) -> None:
        self.adb = adb
        self.serial = serial

    def run(self, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return self.adb.run("-s", self.serial, *arguments, stdin=stdin)

    def out(self, *arguments: str, stdin: bytes | None = None) -> str:
        return self.run(*arguments, stdin=stdin).stdout.decode().strip()

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(self.adb.binary), "-s", self.serial, *arguments],
            env=dict(self.adb.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
