"""Widgets die on the window's thread, whichever thread makes the garbage."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.collector import SETTLED, YOUNG, Collector


class Knot(QWidget):
    """A widget that only a collection can free, and that tells on which thread that happened."""

    def __init__(self, died_on: list[str]) -> None:
        super().__init__()
        self.myself = self
        weakref.finalize(self, lambda: died_on.append(threading.current_thread().name))


@pytest.fixture
def collector(app: QApplication) -> Collector:
    gc.enable()
    return Collector()


def allocate_on_a_thread(count: int) -> list[list[int]]:
    made: list[list[int]] = []
    thread = threading.Thread(target=lambda: made.extend([] for _ in range(count)), name="job")
    thread.start()
    thread.join()
    return made


def test_a_thread_that_allocates_collects_nothing(collector: Collector) -> None:
    died_on: list[str] = []
    Knot(died_on)
    allocate_on_a_thread(SETTLED)
    assert died_on == []
    collector.stop()


def test_the_windows_thread_collects_what_threads_made(collector: Collector, qtbot: QtBot) -> None:
    died_on: list[str] = []
    Knot(died_on)
    kept = allocate_on_a_thread(YOUNG)
    qtbot.waitUntil(lambda: died_on == ["MainThread"])
    assert kept
    collector.stop()


def test_a_mass_of_survivors_is_not_looked_at_again(collector: Collector, qtbot: QtBot) -> None:
    before = gc.get_freeze_count()
    kept = allocate_on_a_thread(SETTLED)
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + len(kept))
    collector.stop()


def test_after_its_end_python_collects_as_before(app: QApplication) -> None:
    gc.enable()
    collector = Collector()
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()


def test_what_the_window_left_is_collected_at_its_end(collector: Collector) -> None:
    died_on: list[str] = []
    Knot(died_on)
    collector.stop()
    assert died_on == ["MainThread"]
