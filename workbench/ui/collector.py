"""Collects Python's cyclic garbage on the window's thread alone."""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

PERIOD_MS: Final = 33
YOUNG: Final = 5_000
"""Objects made since the last collection, from which on one is worth its time (well under 1 ms)."""
SETTLED: Final = 50_000
"""So many survivors are left alone from then on: a collection looks at each of them again, and 50,000 take
about 5 ms of a slot. A model's graph is such a mass; it has no cycles and goes when its last reference does."""
_OLDER_EVERY: Final = 10


class Collector(QObject):
    """While it lives, no other thread collects.

    Python collects cyclic garbage on whichever thread allocates. A job's thread that meets a widget's
    remains there destroys them off the window's thread: it holds Qt's connection mutex and waits for
    the interpreter, the window holds the interpreter and waits for the mutex (seen as a deadlock and
    as SIGSEGV). So automatic collection is off, and a timer collects instead.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        gc.freeze()  # what was imported stays
        self._survivors = 0
        self._rounds = 0
        self._timer = QTimer(self)
        self._timer.setInterval(PERIOD_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def stop(self) -> None:
        """Collect once more and leave it to Python again, if it was before."""
        self._timer.stop()
        gc.collect()
        if self._was_on:
            gc.enable()

    def _tick(self) -> None:
        made = gc.get_count()[0]
        if made < YOUNG:
            return
        gc.collect(0)
        self._survivors += made
        self._rounds += 1
        if self._survivors >= SETTLED:
            gc.collect()
            gc.freeze()
            self._survivors = 0
        elif self._rounds % _OLDER_EVERY == 0:
            gc.collect()
