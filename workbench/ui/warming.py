"""What a window needs next, brought in while it waits for a person: without holding it up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

_PIECE_S: Final = 0.004
_MODULES: Final[tuple[ModuleType, ...]] = (QtCore, QtGui, QtWidgets)


def wrap_classes() -> Iterator[None]:
    """Have PySide make the wrappers of Qt's classes, a few milliseconds at a time.

    It makes each when it is first asked for. pyqtgraph asks for all of them as it is imported: 0.12 s at once.
    """
    until = time.perf_counter() + _PIECE_S
    for module in _MODULES:
        for name in dir(module):
            getattr(module, name)
            if time.perf_counter() > until:
                yield
                until = time.perf_counter() + _PIECE_S


class Importing:
    """Imports a module on a thread of its own: the window goes on meanwhile.

    For modules that make no object of Qt's when they are imported. Those that derive from Qt's classes
    come after ``wrap_classes``, so that no two threads make one wrapper.
    """

    def __init__(self, module: str) -> None:
        self._thread = threading.Thread(target=import_module, args=(module,), name=f"import {module}", daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self) -> None:
        self._thread.join()
