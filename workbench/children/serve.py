"""The worker's side: take jobs from stdin, run them, answer on the old stdout.

Standard library only. Engines print on stdout, so the answers get a descriptor of their own and
descriptors 1 and 2 go to ``log.txt`` in the job's folder, which outlives a crash.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

LOG = "log.txt"
RESULT = "result.json"
NO_ROOM = "no_room"
_NO_ROOM = frozenset(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name))
_PR_SET_PDEATHSIG = 1  # linux/prctl.h

Request = dict[str, Any]
Function = Callable[[Request, "Job"], Request]


class Refusal(Exception):
    """The worker did its work and its answer is no. ``details`` is JSON-ready."""

    def __init__(self, kind: str, text: str, **details: Any) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.details = details


class Job:
    """What a worker function may use: its private folder (also its cwd) and a way to report."""

    def __init__(self, folder: Path, channel: BinaryIO) -> None:
        self.folder = folder
        self._channel = channel

    def progress(self, fraction: float | None, text: str) -> None:
        self._say({"progress": fraction, "text": text})

    def _say(self, doc: Request) -> None:
        self._channel.write(json.dumps(doc).encode() + b"\n")
        self._channel.flush()

    def run(self, function: Function, request: Request) -> None:
        """Run ``function``; its result goes to a file, its fate to the channel."""
        try:
            result = function(request, self)
        except Refusal as no:
            self._say({"end": "refused", "kind": no.kind, "text": no.text, "details": no.details})
            return
        except MemoryError:
            self._say({"end": "out_of_memory"})
            return
        except Exception as error:  # noqa: BLE001 - the edge of the process: the parent gets the traceback as lines
            self._fail(error)
            return
        try:
            (self.folder / RESULT).write_text(json.dumps(result), encoding="utf-8")
        except OSError as error:
            self._fail(error)
            return
        self._say({"end": "ok"})

    def _fail(self, error: Exception) -> None:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            self._say({"end": NO_ROOM, "file": error.filename or str(self.folder), "text": error.strerror})
            return
        traceback.print_exception(error)
        sys.stderr.flush()
        self._say({"end": "failed", "text": "".join(traceback.format_exception_only(error)).strip()})


def serve(module: str) -> int:
    """Serve jobs for the functions of ``module`` (its ``FUNCTIONS`` table) until stdin ends."""
    die_with_parent()
    channel = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    functions: dict[str, Function] | None = None
    for line in sys.stdin.buffer:
        call = json.loads(line)
        folder = Path(call["folder"])
        os.chdir(folder)
        log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        if functions is None:  # inside the job, so that an import that crashes is told with its lines
            functions = importlib.import_module(module).FUNCTIONS
        Job(folder, channel).run(functions[call["function"]], call["request"])
        os.chdir(os.path.abspath(os.sep))  # the parent may now remove the folder
    return 0


def die_with_parent() -> None:
    """A killed parent leaves no child behind, even one that is deep in native code (Linux)."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it went before prctl; not "is 1 now", which it may be in a container
            sys.exit(0)
