"""Brings the jobs' events to the window's thread without ever holding it up."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from workbench.app.jobs import Done, Failed, JobEvent, Line, Progress, Samples, Started, Stopped

PERIOD_MS: Final = 33
BUDGET_S: Final = 0.010
"""Measured: 200,000 events taken one signal each stall a window for 134 to 323 ms; so taken, 30 ms."""


class Pump(QObject):
    """Drains ``events`` on a timer into ``receive``.

    A tick takes at most 10 ms of events. Of several Progress of one job the last is handed on;
    Samples of one job come as one batch. The order of a job's other events is kept.
    """

    def __init__(
        self, events: queue.SimpleQueue[JobEvent], receive: Callable[[JobEvent], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._events = events
        self._receive = receive
        self._progress: dict[int, Progress] = {}
        self._samples: dict[int, list[Any]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(PERIOD_MS)
        self._timer.timeout.connect(self.drain)
        self._timer.start()

    def drain(self) -> None:
        """Hand on what is there, for one tick."""
        until = time.perf_counter() + BUDGET_S
        while time.perf_counter() < until:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                break
            self._take(event)
        for job in tuple(self._samples):
            self._flush_samples(job)
        for job in tuple(self._progress):
            self._flush_progress(job)

    def _take(self, event: JobEvent) -> None:
        match event:
            case Progress():
                self._progress[event.job] = event
            case Samples():
                self._samples.setdefault(event.job, []).extend(event.rows)
            case Line():
                self._receive(event)
            case Started() | Done() | Failed() | Stopped():
                self._flush_samples(event.job)
                self._flush_progress(event.job)
                self._receive(event)

    def _flush_samples(self, job: int) -> None:
        if rows := self._samples.pop(job, None):
            self._receive(Samples(job, tuple(rows)))

    def _flush_progress(self, job: int) -> None:
        if progress := self._progress.pop(job, None):
            self._receive(progress)

    def stop(self) -> None:
        self._timer.stop()
