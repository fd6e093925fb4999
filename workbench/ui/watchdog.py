"""Notices when the window stands still, and says where."""

from __future__ import annotations

import faulthandler
import logging
import re
import tempfile
import threading
import time
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
                place = _place(self._watched)

    def stop(self) -> None:
        self._done.set()
        self._timer.stop()
        self._thread.join()


def _place(thread: int) -> str:
    """The innermost call of a thread as "file:line function".

    Taken as text: a frame would be kept alive here beyond its end, and what it held, widgets among
    it, would then die on this thread.
    """
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        dump = file.read().decode(errors="replace")
    found = re.search(rf'^Thread 0x0*{thread:x}\b.*\n  File "(.*)", line (\d+) in (.*)$', dump, re.MULTILINE)
    return f"{found[1]}:{found[2]} {found[3]}" if found is not None else "an unknown place"
