"""The window's last edge: an exception in a slot becomes one line, and the window goes on."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from workbench.app.trouble import as_told
from workbench.core.errors import WorkbenchError

_log = logging.getLogger(__name__)


class Faults(QObject):
    """Takes over sys.excepthook and threading.excepthook; ``told`` reaches the window's thread."""

    told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: tuple[Callable[..., object], Callable[..., object]] | None = None

    def install(self) -> None:
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._hook
        threading.excepthook = lambda args: self._hook(args.exc_type, args.exc_value, args.exc_traceback)

    def remove(self) -> None:
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def _hook(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        # Python keeps the last traceback, and it the locals of the call that failed: a painter that so
        # outlives its paint event makes Qt crash (PySide 6.11.3).
        traceback.clear_frames(trace)
        if isinstance(error, WorkbenchError):
            self.told.emit(error)
        elif isinstance(error, Exception):
            self.told.emit(as_told(error))
        else:  # KeyboardInterrupt, SystemExit: not a fault
            sys.__excepthook__(kind, error or kind(), trace)
