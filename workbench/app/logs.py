"""The log: a rotating file, and stderr where asked for."""

from __future__ import annotations

import logging
import logging.handlers
import sys
from typing import Final

from workbench.core.messages import plain
from workbench.core.places import log_file

_BYTES: Final = 2_000_000
_log = logging.getLogger("workbench")


class _LogFile(logging.handlers.RotatingFileHandler):
    """A file that cannot be written (a full disk) costs its lines, not a traceback on stderr for each."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        return None


def start(*, verbose: bool) -> None:
    """Log to the user's log file; a folder that cannot be written leaves stderr alone."""
    if _log.handlers:
        return
    _log.setLevel(logging.DEBUG)
    _log.propagate = False
    form = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    path = log_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        to_file: logging.Handler = _LogFile(path, maxBytes=_BYTES, backupCount=3, encoding="utf-8", delay=True)
    except OSError as error:
        if verbose:  # otherwise `workbench doctor` tells: a failure is one line on stderr
            print(f"workbench: {path}: no log is kept: {error.strerror}", file=sys.stderr)
        to_file = logging.NullHandler()
    to_file.setFormatter(form)
    _log.addHandler(to_file)
    if verbose:
        to_stderr = logging.StreamHandler(sys.stderr)
        to_stderr.setFormatter(logging.Formatter("%(message)s"))
        _log.addHandler(to_stderr)


def line(text: str) -> None:
    """A line of a job."""
    _log.info("%s", plain(text))
