"""What nobody caught: the system's refusals as an error with a way out, everything else as a fault of Workbench."""

from __future__ import annotations

import errno
import logging
import os
import traceback
from pathlib import Path
from typing import Final

import workbench
from workbench.core.errors import BadInput, InternalError, WorkbenchError
from workbench.core.messages import Message, msg

_PACKAGE: Final = Path(workbench.__file__).parent
_log = logging.getLogger(__name__)

_ROOM: Final = msg("Free some space there, or raise the limit on files (ulimit -f).")
_FILES: Final = msg("Raise the limit on open files: ulimit -n 1024.")
_MEMORY: Final = msg("End other programs, or raise the limit on memory (ulimit -v).")
_PROCESSES: Final = msg("End other programs, or raise the limits on processes and memory (ulimit -u, ulimit -v).")
_HINTS: Final = {
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: _PROCESSES,
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: _ROOM,
}
"""What the system may refuse to any program at any place: it says nothing of the model or of Workbench."""


def as_told(error: Exception) -> WorkbenchError:
    """``error`` as one line with its place and a way out; the traceback goes to the log."""
    _log.error("not caught", exc_info=error)
    refused = _refused(error)
    if refused is None:
        return _fault(error)
    what, hint = refused
    where = getattr(error, "filename", None)
    return BadInput(what, where=str(where) if where else "", hint=hint)


def _refused(error: Exception) -> tuple[Message, Message] | None:
    if isinstance(error, MemoryError):
        return msg("The system gives no more memory"), _MEMORY
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):  # CPython's words for EAGAIN
        return msg("The system starts no more threads"), _PROCESSES
    if not isinstance(error, OSError):
        return None
    if isinstance(error, FileNotFoundError) and not _has_folder():
        return msg("The folder that this command runs in is gone"), msg("Change to one that exists.")
    if error.errno not in _HINTS:
        return None
    return msg("The system refused: {reason}", reason=error.strerror or str(error)), _HINTS[error.errno]


def _has_folder() -> bool:
    try:
        return Path.cwd().is_dir()
    except FileNotFoundError:
        return False


def _fault(error: Exception) -> InternalError:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames[1:] if Path(frame.filename).is_relative_to(_PACKAGE)]
    frame = (ours or frames)[-1]
    place = os.path.relpath(frame.filename, _PACKAGE) if ours else Path(frame.filename).name
    return InternalError(
        msg("Workbench has a fault: {error}", error=f"{type(error).__name__}: {error}"),
        where=f"{place}:{frame.lineno}",
        hint=msg("Report it with the log: workbench doctor says where that is."),
    )
