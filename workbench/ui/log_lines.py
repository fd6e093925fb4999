"""The lines of the log: what the engines say, and what Workbench notes itself."""

from __future__ import annotations

import logging
import queue
from datetime import datetime
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.core.messages import plain

KEPT: Final = 10_000
_SOURCE_WIDTH: Final = 10
_DRAIN_MS: Final = 100
_A_DRAIN: Final = 500


class LogLines(QObject):
    """Collects log records of every thread; ``added`` hands them on in batches, on the window's thread."""

    added = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: list[str] = []
        self._records: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._handler = _QueueHandler(self._records)
        self._logger = logging.getLogger("workbench")
        self._logger.addHandler(self._handler)
        self._timer = QTimer(self)
        self._timer.setInterval(_DRAIN_MS)
        self._timer.timeout.connect(self._drain)
        self._timer.start()

    def add(self, source: str, text: str) -> None:
        """A line of a job."""
        self._records.put(_line(datetime.now(), source, text))

    def stop(self) -> None:
        self._logger.removeHandler(self._handler)
        self._timer.stop()

    def _drain(self) -> None:
        batch: list[str] = []
        while len(batch) < _A_DRAIN and not self._records.empty():
            batch.append(self._records.get())
        if batch:
            self.lines = [*self.lines, *batch][-KEPT:]
            self.added.emit(batch)


class _QueueHandler(logging.Handler):
    def __init__(self, records: queue.SimpleQueue[str]) -> None:
        super().__init__(logging.INFO)
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "workbench.jobs" and record.levelno < logging.WARNING:
            return  # lines of jobs come with their source, through ``add``
        self._records.put(_line(datetime.fromtimestamp(record.created), "workbench", record.getMessage()))


def _line(moment: datetime, source: str, text: str) -> str:
    return f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03d}  {source:<{_SOURCE_WIDTH}}  {plain(text)}"
