"""Layouts in a thread of their own, the last one asked for wins."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import Cancelled
from workbench.ui.graph.laid_out import Check, LaidOut

Task = Callable[[Check], LaidOut]


class _Relay(QObject):
    """Carries results into the thread of the window."""

    done = Signal(object, int)
    failed = Signal(object, int)


class Layouts(QObject):
    """Runs one layout at a time; asking for another stops the one that runs."""

    finished = Signal(object)
    """A ``LaidOut``."""
    failed = Signal(object)
    """The exception that a layout ended with: a fault of the program."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._relay = _Relay()
        self._relay.done.connect(self._accept)
        self._relay.failed.connect(self._report)
        self._turn = 0
        self.is_busy = False

    def start(self, task: Task) -> None:
        """Run ``task`` in a thread; ``finished`` tells its result unless another is started first."""
        self._turn += 1
        self.is_busy = True
        threading.Thread(target=self._run, args=(task, self._turn), daemon=True, name="graph layout").start()

    def stop(self) -> None:
        """Forget the layout that runs; it ends at its next check."""
        self._turn += 1
        self.is_busy = False

    def _run(self, task: Task, turn: int) -> None:
        relay = self._relay

        def check() -> None:
            if turn != self._turn:
                raise Cancelled

        try:
            result = task(check)
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 - handed to the window, which shows it
            relay.failed.emit(error, turn)
            return
        relay.done.emit(result, turn)

    def _accept(self, result: LaidOut, turn: int) -> None:
        if turn == self._turn:
            self.is_busy = False
            self.finished.emit(result)

    def _report(self, error: Exception, turn: int) -> None:
        if turn == self._turn:
            self.is_busy = False
            self.failed.emit(error)
