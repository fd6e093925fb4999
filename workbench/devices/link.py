"""What every device can do for Workbench: the one protocol that host, adb and simulated phones share.

A remote path is absolute and POSIX. Workbench keeps everything below ``Link.folder`` under names
it made itself (hashes), so nothing of the user's reaches a device's shell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from workbench.core.device import Device
from workbench.core.steps import Context

SHELL_TIMEOUT_S = 30.0
"""How long a short command may take before the device counts as not answering."""


@dataclass(frozen=True, slots=True)
class ShellResult:
    """``code`` is the exit code; a program that a signal ended has 128 + signal."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class FileStat:
    """A file on the device: ``mode`` as stat(2) gives it, ``size`` in bytes."""

    mode: int
    size: int


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: ``argv`` in the folder ``cwd`` ("" is the device's own default), with ``env`` added.

    A None in ``env`` unsets the variable.
    """

    argv: Sequence[str]
    cwd: str = ""
    env: Mapping[str, str | None] = field(default_factory=dict)


class Running(Protocol):
    """A program that runs on the device, its three streams held by one thread.

    ``kill`` alone may be called from any thread, at any time and more than once. Whoever started
    the program calls ``wait`` at last, also after ``kill``: it lets the connection go.
    """

    def write(self, data: bytes) -> None:
        """Send ``data`` to the program's stdin. Raises DeviceError where the program or device is gone."""

    def close_input(self) -> None:
        """End the program's stdin."""

    def lines(self) -> Iterator[bytes]:
        """Lines of stdout without their newline, as they come; ends with the program or after ``kill``.

        Raises DeviceError where the device went away before the program ended.
        """

    def kill(self) -> None:
        """End the program. On a phone it gets SIGHUP and its streams are closed."""

    def wait(self) -> int | None:
        """Read to the end; the exit code, None after ``kill``. Raises DeviceError as ``lines`` does."""

    @property
    def errors(self) -> str:
        """The last 64 KiB of stderr read so far."""


class Link(Protocol):
    """A device that is ready. Every method may be called from any thread and blocks.

    All of them raise DeviceError, with a hint, where the device refuses or went away.
    """

    @property
    def serial(self) -> str:
        """The device's serial, "host" for this computer."""

    @property
    def folder(self) -> str:
        """Absolute path of the folder that holds Workbench's files on the device. It may not exist yet."""

    def device(self) -> Device:
        """The device as it is now, asked anew."""

    def shell(self, command: str, *, timeout_s: float = SHELL_TIMEOUT_S) -> ShellResult:
        """Run ``command`` in the device's POSIX shell, without input, to its end.

        The caller quotes (``shlex.quote``). DeviceError where it does not end within ``timeout_s``.
        """

    def start(self, program: Program) -> Running:
        """Start a program and return while it runs. Quoting is the link's business."""

    def push(self, local: Path, remote: str, *, mode: int = 0o644, ctx: Context) -> None:
        """Copy a file to the device; missing folders are made. Reports progress by bytes.

        After an error or Cancelled the remote file may be there in part.
        """

    def pull(self, remote: str, local: Path, *, ctx: Context) -> None:
        """Copy a file from the device; ``local`` appears only when it is whole."""

    def stat(self, remote: str) -> FileStat | None:
        """The file's mode and size, None where there is none. A symbolic link is not followed."""

    def sha256(self, remote: str) -> str | None:
        """The file's hash as the device computes it (hex), None where there is no such file."""

    def make_folder(self, remote: str) -> None:
        """Make a folder and those above it; it may exist."""

    def remove(self, remote: str) -> None:
        """Remove a file or a folder with all it holds; it may be missing. Only below ``folder``."""

    def free_bytes(self) -> int | None:
        """Free space where ``folder`` lies, None where the device does not say."""
