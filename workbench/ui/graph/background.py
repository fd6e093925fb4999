"""Layouts in a thread of their own, the last one asked for wins."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.core.errors import Cancelled
from workbench.ui.graph.laid_out import Check, LaidOut

Task = Callable[[Check], LaidOut]
Results = queue.SimpleQueue[tuple["_Order", LaidOut | Exception]]

_PERIOD_MS: Final = 10


class _Order:
    """One layout that was asked for: what the thread and the window both hold of it."""

    def __init__(self) -> None:
        self._is_forgotten = False

    def forget(self) -> None:
        self._is_forgotten = True

    def check(self) -> None:
        """Raises Cancelled once nobody wants it any more."""
        if self._is_forgotten:
            raise Cancelled


class Layouts(QObject):
    """Runs one layout at a time; asking for another stops the one that runs.

    The thread holds nothing of Qt, so that a window that closes meanwhile dies on its own thread:
    PySide 6.11 lets go of the interpreter while it disconnects what died, and whatever the window
    connects at that moment breaks its table of connections (seen as SIGSEGV and as deadlock).
    """

    finished = Signal(object)
    """A ``LaidOut``."""
    failed = Signal(object)
    """The exception that a layout ended with: a fault of the program."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._results: Results = queue.SimpleQueue()
        self._asked = asked = list[_Order]()  # the one that runs, or none
        self.destroyed.connect(lambda: _forget(asked))
        self._timer = QTimer(self)
        self._timer.setInterval(_PERIOD_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_busy(self) -> bool:
        return bool(self._asked)

    def start(self, task: Task) -> None:
        """Run ``task`` in a thread; ``finished`` tells its result unless another is started first."""
        self.stop()
        order = _Order()
        self._asked.append(order)
        threading.Thread(target=_run, args=(task, order, self._results), daemon=True, name="graph layout").start()
        self._timer.start()

    def stop(self) -> None:
        """Forget the layout that runs; it ends at its next check."""
        _forget(self._asked)
        self._timer.stop()

    def _look(self) -> None:
        try:
            order, result = self._results.get_nowait()
        except queue.Empty:
            return
        if order not in self._asked:
            return
        self.stop()
        if isinstance(result, Exception):
            self.failed.emit(result)
        else:
            self.finished.emit(result)


def _forget(asked: list[_Order]) -> None:
    for order in asked:
        order.forget()
    asked.clear()


def _run(task: Task, order: _Order, results: Results) -> None:
    try:
        results.put((order, task(order.check)))
    except Cancelled:
        return
    except Exception as error:  # noqa: BLE001 - handed to the window, which shows it
        results.put((order, error))
