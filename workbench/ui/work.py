"""The work in progress: starts jobs, and tells the window how each goes and ends.

It outlives windows: a change of language makes a new window, and the work goes on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, assert_never

from PySide6.QtCore import QObject, Signal

from workbench.app.jobs import Done, Failed, JobContext, JobEvent, Jobs, Line, Progress, Samples, Started, Stopped
from workbench.core.errors import WorkbenchError
from workbench.core.messages import Message, plain
from workbench.ui.jobbook import QUIET, JobBook, JobKind, JobRecord, JobState, No
from workbench.ui.pump import Pump

if TYPE_CHECKING:
    from workbench.core.protocol import Event

_LAST_LINES: Final = 60
_log = logging.getLogger("workbench.jobs")


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong, for the error bar. ``kind`` None: outside any job."""

    error: WorkbenchError
    kind: JobKind | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with a job's result and with its samples."""

    done: Callable[[Any], Message | No | None]
    samples: Callable[[tuple[Event, ...]], None] | None
    failed: Callable[[WorkbenchError], None] | None


class Work(QObject):
    """One a program. All signals are emitted on the window's thread."""

    changed = Signal(object)  # JobRecord: a job that is listed moved on
    line = Signal(str, str)  # source, text: for the log
    failed = Signal(object)  # Trouble
    ended = Signal(object)  # JobRecord

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.book = JobBook()
        self._jobs = jobs
        self._plans: dict[int, _Plan] = {}
        self._lines: dict[JobKind, deque[str]] = {}
        self._quiet_lines: dict[JobKind, str] = {}
        self._pump = Pump(jobs.events, self._receive, self)

    def start(
        self,
        kind: JobKind,
        title: Message,
        step: Callable[[JobContext], Any],
        done: Callable[[Any], Message | No | None],
        *,
        samples: Callable[[tuple[Event, ...]], None] | None = None,
        failed: Callable[[WorkbenchError], None] | None = None,
        model: str = "",
    ) -> JobRecord | None:
        """Start ``step``; None where one of its kind is still at work.

        ``done`` gets its value and returns a few words for the Jobs tab, as ``No`` where the answer
        is no. ``failed`` takes the place of the error bar.
        """
        if self.book.live(kind) is not None:
            return None
        number = self._jobs.start(title, step)
        self._plans[number] = _Plan(done, samples, failed)
        record = JobRecord(number, kind, title, datetime.now(), time.monotonic(), model=model)
        self._lines[kind] = deque(maxlen=_LAST_LINES)
        self.book.add(record)
        self._tell_change(record)
        return record

    def cancel(self, kind: JobKind) -> bool:
        """Stop the job of this kind. The window shows it at once; the stoppers run on another thread."""
        record = self.book.live(kind)
        if record is None or record.state is JobState.STOPPING:
            return False
        record = replace(record, state=JobState.STOPPING)
        self.book.put(record)
        threading.Thread(target=self._jobs.cancel, args=(record.job,), name="cancel", daemon=True).start()
        self.changed.emit(record)
        return True

    def live(self, kind: JobKind) -> JobRecord | None:
        return self.book.live(kind)

    def last_lines(self, kind: JobKind) -> list[str]:
        """The last lines that the job of this kind wrote."""
        return list(self._lines.get(kind, ()))

    def tell(self, error: WorkbenchError) -> None:
        """An error from outside any job."""
        self.failed.emit(Trouble(error))

    def close(self) -> None:
        """Cancel everything and wait for it."""
        self._pump.stop()
        self._jobs.close()

    def _receive(self, event: JobEvent) -> None:
        match event:
            case Samples():
                plan = self._plans.get(event.job)
                if plan is not None and plan.samples is not None:
                    plan.samples(event.rows)
            case Line():
                self._take_line(self.book.records[event.job].kind, event.text)
            case Started():
                record = self.book.update(event)
                if record.kind not in QUIET:
                    _log.info("%s", event.title)
                self._tell_change(record)
            case Progress():
                stopping = self.book.records[event.job].state is JobState.STOPPING
                record = self.book.update(event)
                if not stopping:
                    self._tell_change(record)
            case Done() | Failed() | Stopped():
                self._end(event)
            case _:
                assert_never(event)

    def _take_line(self, kind: JobKind, text: str) -> None:
        self._lines[kind].append(plain(text))
        if kind in QUIET:  # what it says every few seconds is said once
            if self._quiet_lines.get(kind) == text:
                return
            self._quiet_lines[kind] = text
        _log.info("%s", text)
        self.line.emit(kind.value, text)

    def _end(self, event: Done | Failed | Stopped) -> None:
        plan = self._plans.pop(event.job)
        record = self.book.update(event)
        if isinstance(event, Done):
            told = plan.done(event.value)
            note, is_no = (told.reason, True) if isinstance(told, No) else (told, False)
            record = replace(record, note=note, is_no=is_no)
            self.book.put(record)
        self._tell_change(record)
        self.ended.emit(record)
        if isinstance(event, Failed):
            _log.warning("%s: %s", record.title, event.error)
            if plan.failed is not None:
                plan.failed(event.error)
            else:
                self.failed.emit(Trouble(event.error, record.kind))

    def _tell_change(self, record: JobRecord) -> None:
        if record.kind not in QUIET:
            self.changed.emit(record)
