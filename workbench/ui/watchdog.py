"""Notices when the window stands still, and says where."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from types import FrameType
from typing import Final

from PySide6.QtCore import QObject, QTimer

STALL_S: Final = 0.100
_BEAT_MS: Final = 20
_log = logging.getLogger(__name__)


class Watchdog(QObject):
    """Logs every stretch over 100 ms in which the window's thread did not come back to its loop."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watched = threading.get_ident()
        self._beat = time.monotonic()
        self._done = threading.Event()
        self._timer = QTimer(self)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def _tick(self) -> None:
        self._beat = time.monotonic()

    def _watch(self) -> None:
        place = ""
        stalled_beat = 0.0
        while not self._done.wait(_BEAT_MS / 1000):
            beat = self._beat
            if stalled_beat and beat != stalled_beat:
                _log.warning("the window stood still for %.0f ms at %s", (beat - stalled_beat) * 1000, place)
                stalled_beat = 0.0
            if not stalled_beat and time.monotonic() - beat > STALL_S:
                stalled_beat = beat
                place = _place(sys._current_frames().get(self._watched))

    def stop(self) -> None:
        self._done.set()
        self._timer.stop()
        self._thread.join()


def _place(frame: FrameType | None) -> str:
    """The innermost call as "file:line function"."""
    if frame is None:
        return "an unknown place"
    inner = traceback.extract_stack(frame, limit=1)[-1]
    return f"{inner.filename}:{inner.lineno} {inner.name}"
