"""The watchdog looks at a window that stands still, and keeps nothing of what it sees."""

from __future__ import annotations

import linecache
import threading
import time
import weakref
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.watchdog import STALL_S, Watchdog


def stand_still_with_a_widget(died_on: list[str]) -> None:
    widget = QWidget()
    weakref.finalize(widget, lambda: died_on.append(threading.current_thread().name))
    until = time.monotonic() + 5 * STALL_S
    while time.monotonic() < until:
        pass


def test_what_a_call_that_stands_still_holds_dies_on_the_windows_thread(
    app: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a place from a frame takes as long as the disk does, and the frame lives so long."""
    done = threading.Event()
    check_cache = linecache.checkcache

    def slow_disk(*arguments: Any) -> None:
        if threading.current_thread().name == "watchdog":
            done.wait(10)
        check_cache(*arguments)

    monkeypatch.setattr(linecache, "checkcache", slow_disk)
    watchdog = Watchdog()
    qtbot.wait(50)
    died_on: list[str] = []
    stand_still_with_a_widget(died_on)
    assert died_on == ["MainThread"]
    done.set()
    watchdog.stop()
