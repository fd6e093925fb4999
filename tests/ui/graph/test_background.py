"""Layouts on a thread, and windows that close while one runs."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from tests.ui.graph.models import chain
from workbench.core.errors import Cancelled
from workbench.ui.graph.background import Layouts
from workbench.ui.graph.laid_out import Check, LaidOut, lay_out
from workbench.ui.graph.lettering import measure_fonts


class Held:
    """A task that waits in its thread until it is let go or nobody wants it."""

    def __init__(self, result: LaidOut) -> None:
        self._result = result
        self.began, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, check: Check) -> LaidOut:
        self.began.set()
        try:
            while not self.go.wait(0.005):
                check()
        except Cancelled:
            self.ended.set()
            raise
        return self._result


@pytest.fixture
def result(app: QApplication) -> LaidOut:
    return lay_out(chain(3), measure_fonts(), {}, lambda: None)


@pytest.fixture
def held(result: LaidOut) -> Iterator[Held]:
    task = Held(result)
    yield task
    task.go.set()


def started(task: Callable[[Check], LaidOut], parent: QObject) -> Layouts:
    layouts = Layouts(parent)
    layouts.start(task)
    return layouts


def test_a_layout_arrives_on_the_windows_thread(held: Held, result: LaidOut, qtbot: QtBot) -> None:
    window = QObject()
    layouts = started(held, window)
    came: list[tuple[LaidOut, str]] = []
    layouts.finished.connect(lambda laid: came.append((laid, threading.current_thread().name)))
    assert layouts.is_busy
    held.go.set()
    qtbot.waitUntil(lambda: came == [(result, "MainThread")])
    assert not layouts.is_busy


def test_the_last_layout_asked_for_wins(held: Held, result: LaidOut, qtbot: QtBot) -> None:
    window = QObject()
    layouts = started(held, window)
    came: list[LaidOut] = []
    layouts.finished.connect(came.append)
    held.began.wait()
    layouts.start(lambda _check: result)
    qtbot.waitUntil(lambda: came == [result])
    assert held.ended.wait(10)


def test_a_fault_of_a_layout_is_told(qtbot: QtBot) -> None:
    fault = ValueError("no place")

    def task(_check: Check) -> LaidOut:
        raise fault

    window = QObject()
    layouts = started(task, window)
    told: list[Exception] = []
    layouts.failed.connect(told.append)
    qtbot.waitUntil(lambda: told == [fault])


def test_a_window_that_closes_dies_on_its_own_thread_and_its_layout_ends(held: Held) -> None:
    window = QObject()
    layouts = started(held, window)
    died_on: list[str] = []
    weakref.finalize(layouts, lambda: died_on.append(threading.current_thread().name))
    held.began.wait()
    del layouts
    Shiboken.delete(window)
    del window
    assert died_on == ["MainThread"]
    assert held.ended.wait(10)
