"""One run a device at a time: a folder that only one can make, with its owner's name in it."""

from __future__ import annotations

import getpass
import os
import shlex
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from workbench.core.errors import DeviceError
from workbench.core.messages import msg
from workbench.devices.link import Link


@contextmanager
def phone_lock(link: Link) -> Iterator[None]:
    """Hold the device. Raises DeviceError that names the owner where somebody else does.

    A lock whose owner was a process of this computer that has ended is taken over.
    """
    folder = f"{link.folder}/lock"
    link.make_folder(link.folder)
    if not _take(link, folder):
        owner = link.shell(f"cat {shlex.quote(folder)}/owner").stdout.strip()
        if not _is_stale(owner):
            raise DeviceError(
                msg("The device is in use by {owner}", owner=owner or "?"),
                where=link.serial,
                hint=msg("Wait until that run ends, or remove {folder} on the device.", folder=folder),
            )
        link.remove(folder)
        if not _take(link, folder):
            raise DeviceError(msg("Somebody else took the device just now"), where=link.serial)
    try:
        yield
    finally:
        with suppress(DeviceError):  # the device went away: the next run finds the lock stale
            link.remove(folder)


def _take(link: Link, folder: str) -> bool:
    owner = shlex.quote(_owner())
    quoted = shlex.quote(folder)
    return link.shell(f"mkdir {quoted} 2>/dev/null && printf %s {owner} > {quoted}/owner").code == 0


def _owner() -> str:
    began = int(psutil.Process().create_time())
    return f"{getpass.getuser()}@{socket.gethostname()} {os.getpid()} {began}"


def _is_stale(owner: str) -> bool:
    words = owner.split(" ")
    if len(words) != 3 or not words[1].isdigit() or not words[2].isdigit():
        return False
    if words[0].rpartition("@")[2] != socket.gethostname():
        return False
    try:
        return int(psutil.Process(int(words[1])).create_time()) != int(words[2])
    except psutil.NoSuchProcess:
        return True
