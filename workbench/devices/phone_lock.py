"""One run a device at a time: a lock that only one can make, and that names its owner.

On a phone it is a symbolic link whose target is the owner, on this computer a hard link to a file
that holds it. Both come into being with their text, so no lock is without an owner, whenever its
maker dies.
"""

from __future__ import annotations

import os
import secrets
import shlex
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import psutil

from workbench.core.device import HOST_SERIAL
from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.faults import explain
from workbench.devices.link import Link

_CLOCK_SECONDS: Final = 5
"""A process's start is told relative to the system's, which moves when the clock is set right."""
_held: Final[set[str]] = set()
"""Owners of this process's locks: one of its locks that is not here was left when the device went away."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process of a computer. ``began``: seconds since 1970; ``token`` tells its locks apart."""

    user: str
    computer: str
    pid: int
    began: int
    token: str

    @classmethod
    def here(cls) -> Owner:
        process = psutil.Process()
        user = "_".join(process.username().split())
        return cls(user, socket.gethostname(), os.getpid(), int(process.create_time()), secrets.token_hex(4))

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """None for what is no owner's text."""
        words = text.split()
        if len(words) != 5 or not words[2].isdecimal() or not words[3].isdecimal():
            return None
        return cls(words[0], words[1], int(words[2]), int(words[3]), words[4])

    def __str__(self) -> str:
        return f"{self.user} {self.computer} {self.pid} {self.began} {self.token}"

    @property
    def in_words(self) -> str:
        return f"{self.user}@{self.computer}, process {self.pid}"

    @property
    def is_gone(self) -> bool:
        """True where it was a process of this computer, and has ended or let its lock go."""
        if self.computer != socket.gethostname():
            return False
        if self.pid == os.getpid():
            return str(self) not in _held
        try:
            began: float = psutil.Process(self.pid).create_time()
        except psutil.NoSuchProcess:
            return True
        return abs(began - self.began) > _CLOCK_SECONDS


class Lock(Protocol):
    """A lock at ``path``."""

    path: str

    def take(self, own: str) -> str:
        """Make the lock ``own``; the text of the owner who has it, "" where that is ``own`` now."""

    def remove(self, owner: str) -> None:
        """Remove the lock, unless it is another's by now."""


class ShellLock:
    """On a phone, by its shell."""

    def __init__(self, link: Link) -> None:
        self.path = f"{link.folder}/lock"
        self._link = link
        self._quoted = shlex.quote(self.path)

    def take(self, own: str) -> str:
        making = f"ln -s {shlex.quote(own)} {self._quoted}"
        # The second try is for a lock that was let go between the first two.
        made = self._link.shell(f"{making} || readlink {self._quoted} || {making}")
        if made.code:
            raise explain(made.stderr, where=self._link.serial)
        return made.stdout.strip()

    def remove(self, owner: str) -> None:
        is_owner = f'[ "$(readlink {self._quoted})" = {shlex.quote(owner)} ]'
        self._link.shell(f"if {is_owner}; then rm {self._quoted}; fi")


class HostLock:
    """On this computer, where there may be no shell."""

    def __init__(self, link: Link) -> None:
        self.path = f"{link.folder}/lock"
        self._file = Path(self.path)

    def take(self, own: str) -> str:
        text = self._file.with_name(f"lock-{secrets.token_hex(4)}")
        try:
            text.write_text(own, encoding="utf-8")
            self._file.hardlink_to(text)
        except FileExistsError:
            return self._owner() or self.take(own)
        except OSError as error:
            raise DeviceError(
                msg("This computer does not permit it: {reason}", reason=error.strerror or str(error)),
                where=self.path,
                hint=msg("Free space and permissions there, or set WORKBENCH_HOME to another folder."),
            ) from error
        finally:
            text.unlink(missing_ok=True)
        return ""

    def remove(self, owner: str) -> None:
        if self._owner() == owner:
            self._file.unlink(missing_ok=True)

    def _owner(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8")
        except FileNotFoundError:  # it was let go this moment
            return ""


@contextmanager
def phone_lock(link: Link) -> Iterator[None]:
    """Hold the device. Raises DeviceError that names the owner where somebody else does.

    A lock whose owner was a process of this computer that has ended is taken over.
    """
    link.make_folder(link.folder)
    lock: Lock = HostLock(link) if link.serial == HOST_SERIAL else ShellLock(link)
    own = str(Owner.here())
    _held.add(own)
    try:
        _take(link, lock, own)
        yield
    finally:
        with suppress(DeviceError):  # the device went away: the next run finds that the owner is gone
            lock.remove(own)
        _held.discard(own)


def _take(link: Link, lock: Lock, own: str) -> None:
    holder = lock.take(own)
    owner = Owner.parse(holder)
    if owner is not None and owner.is_gone:
        lock.remove(holder)
        holder = lock.take(own)
        owner = Owner.parse(holder)
    if holder:
        raise DeviceError(
            msg("The device is in use by {owner}", owner=owner.in_words if owner else holder),
            where=link.serial,
            hint=msg("Wait until that run ends; if it has ended, remove {file} on the device.", file=lock.path),
        )
