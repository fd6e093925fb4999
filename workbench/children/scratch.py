"""Private folders for children, on a path that every engine can open."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core.errors import BadInput
from workbench.core.messages import msg


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
    """A new private folder, removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="workbench-", dir=scratch_root()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
