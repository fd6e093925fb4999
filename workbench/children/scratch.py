"""Private folders for children, on a path that every engine can open."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg

if sys.platform != "win32":
    import fcntl

_PREFIX: Final = "workbench-scratch-"
_YOUNG_SECONDS: Final = 60.0
"""A folder so new may not be locked yet by its maker."""


def scratch_root() -> Path:
    """The temporary folder, or another of the system's where that one's path is not ASCII."""
    candidates = [tempfile.gettempdir(), "/tmp", os.environ.get("PROGRAMDATA", ""), os.environ.get("SYSTEMDRIVE", "")]  # noqa: S108
    for candidate in candidates:
        if candidate and candidate.isascii() and os.access(candidate, os.W_OK):
            return Path(candidate)
    raise BadInput(
        msg("No temporary folder with a plain ASCII path can be written"),
        where=tempfile.gettempdir(),
        hint=msg("Set TMPDIR to such a folder."),
    )


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new private folder, removed at the end; the first removes what killed processes left."""
    root = scratch_root()
    if sys.platform == "win32":  # without a lock nobody can tell what is abandoned
        with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=root, ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    _remove_abandoned(root)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
    lock = os.open(folder, os.O_RDONLY)  # the kernel lets go of it, however this process ends
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@cache
def _remove_abandoned(root: Path) -> None:
    for folder in root.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, in use, or removed meanwhile
            found = folder.lstat()
            if found.st_uid == os.geteuid() and time.time() - found.st_mtime > _YOUNG_SECONDS:
                _remove_unused(folder)


def _remove_unused(folder: Path) -> None:
    """Raises OSError where a process holds the folder's lock, or it is none."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
