"""One worker process: started, watched while a job runs, ended with everything it started."""

from __future__ import annotations

import errno
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil

from workbench.children.outcome import End, Limits, Outcome
from workbench.children.serve import LOG, NO_ROOM, RESULT
from workbench.core.errors import BadInput, Cancelled, EngineError
from workbench.core.messages import msg
from workbench.core.steps import Context

_POLL_SECONDS: Final = 0.05
_LAST_LINES: Final = 60
_CLOSED: Final = b""
_SIGKILL: Final = 9  # Windows has no name for it
_LEAST_ROOM_BYTES: Final = 1 << 20


def worker_argv(module: str, interpreter: tuple[str, ...] = ()) -> list[str]:
    """How to start a worker: another interpreter, this frozen application, or this Python."""
    if interpreter:
        return [*interpreter, "-m", "workbench", "--worker", module]
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker", module]
    return [sys.executable, "-m", "workbench", "--worker", module]


class WorkerProcess:
    """A worker that serves one job at a time. Not thread-safe: one caller holds it."""

    def __init__(self, argv: list[str], environment: Mapping[str, str]) -> None:
        self.jobs = 0
        self._gone = False
        self._lock = threading.Lock()
        self._startup_log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill, like the pipes
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._startup_log,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name=f"worker {self._process.pid}", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(_CLOSED)

    def run(self, function: str, request: Mapping[str, Any], folder: Path, limits: Limits, ctx: Context) -> Outcome:
        """Run one job.

        Raises Cancelled, after killing the process tree, when ``ctx`` was cancelled or all workers closed;
        EngineError where somebody else killed the worker, which tells nothing of the model; BadInput where
        a disk is full.
        """
        assert self._process.stdin is not None
        self.jobs += 1
        forget = ctx.on_cancel(self.kill)
        try:
            call = json.dumps({"function": function, "request": dict(request), "folder": str(folder)})
            try:
                self._process.stdin.write(call.encode() + b"\n")
                self._process.stdin.flush()
            except (OSError, ValueError):  # it died before this job, or was killed by a cancel: told below
                self._answers.put(_CLOSED)
            return self._watch(folder, limits, ctx)
        finally:
            forget()

    def _watch(self, folder: Path, limits: Limits, ctx: Context) -> Outcome:
        began = time.monotonic()
        peak = 0
        while True:
            try:
                answer = self._answers.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                ctx.check()
                peak = max(peak, self._rss())
                spent = time.monotonic() - began
                if spent > limits.seconds or peak > limits.rss_bytes:
                    self.kill()
                    end = End.TIMED_OUT if spent > limits.seconds else End.OUT_OF_MEMORY
                    return Outcome(end, spent, peak, _last_lines(folder))
                continue
            spent = time.monotonic() - began
            if answer == _CLOSED:
                ctx.check()
                if self._gone:  # every worker was closed, as the program ends
                    raise Cancelled
                code = self._process.wait()
                lines = _last_lines(folder) or self._startup_lines()
                if code == -_SIGKILL:
                    raise _killed_by_others()
                _check_room(folder)
                return Outcome(End.CRASHED, spent, peak, lines, exit_code=code)
            doc = json.loads(answer)
            if "progress" in doc:
                ctx.progress(doc["progress"], msg("{text}", text=doc["text"]))
                continue
            return _ended(doc, folder, spent, max(peak, self._rss()))

    def _startup_lines(self) -> tuple[str, ...]:
        """What Python itself said of a worker that did not get as far as a job."""
        self._startup_log.seek(0)
        return tuple(self._startup_log.read().decode("utf-8", "replace").splitlines()[-_LAST_LINES:])

    def _rss(self) -> int:
        """Resident bytes of the worker and everything it started."""
        total = 0
        try:
            for process in (psutil.Process(self.pid), *_descendants(self.pid)):
                total += process.memory_info().rss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return total  # it has just ended: the answer queue tells how
        return total

    def kill(self) -> None:
        """End the worker and everything it started; safe to call from any thread and twice."""
        with self._lock:
            if self._gone:
                return
            self._gone = True
            if sys.platform == "win32":
                _kill_tree(self.pid)
            else:  # the group outlives a crashed leader, so ask even when the worker has ended
                with suppress(ProcessLookupError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()
            self._reader.join()
            self._startup_log.close()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):  # a call that the worker did not live to read
                    pipe.close()


def _descendants(pid: int) -> list[psutil.Process]:
    """Processes that ``pid`` started, and theirs.

    psutil looks at every process of the system for this: 2 ms of a core, twenty times a second. Linux
    keeps the list of each task (where it is built with CONFIG_PROC_CHILDREN, as distributions are).
    """
    lists = list(Path(f"/proc/{pid}/task").glob("*/children"))
    if not lists:
        return list(psutil.Process(pid).children(recursive=True))
    found = []
    for listed in lists:
        with suppress(OSError):  # the task has just ended
            for child in listed.read_text().split():
                found += [psutil.Process(int(child)), *_descendants(int(child))]
    return found


def _kill_tree(pid: int) -> None:
    try:
        root = psutil.Process(pid)
        for process in (*root.children(recursive=True), root):
            process.kill()
    except psutil.NoSuchProcess:
        return


def _killed_by_others() -> EngineError:
    """No engine sends itself a SIGKILL, and ours was not sent."""
    return EngineError(
        msg("The process that worked on it was killed from outside (SIGKILL)"),
        hint=msg("The system does that when memory runs out: free some, then try again. Nothing was changed."),
    )


def _ended(doc: dict[str, Any], folder: Path, spent: float, peak: int) -> Outcome:
    if doc["end"] == NO_ROOM:
        raise _no_room(doc["file"], doc["text"])
    end = End(doc["end"])
    if end is End.OK:
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        return Outcome(end, spent, peak, _last_lines(folder), result=result)
    _check_room(folder)
    return Outcome(
        end,
        spent,
        peak,
        _last_lines(folder),
        refusal=doc.get("kind", ""),
        text=doc.get("text", ""),
        details=doc.get("details", {}),
    )


def _check_room(folder: Path) -> None:
    """Raise BadInput where the disk of a job that came to no good end is full: engines blame the model for it."""
    if shutil.disk_usage(folder).free < _LEAST_ROOM_BYTES:
        raise _no_room(str(folder), os.strerror(errno.ENOSPC))


def _no_room(file: str, reason: str) -> BadInput:
    return BadInput(
        msg("There is no room to work: {reason}", reason=reason),
        where=file,
        hint=msg("Free some space there, or set TMPDIR to a folder on another disk."),
    )


def _last_lines(folder: Path) -> tuple[str, ...]:
    log = folder / LOG
    if not log.exists():
        return ()
    return tuple(log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:])
