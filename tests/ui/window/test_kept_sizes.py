"""What a person made wider or higher at a step is so again there, also in the next session."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork
from workbench.ui import settings as stored
from workbench.ui.layers.columns import LOOKS, Column
from workbench.ui.settings import Settings
from workbench.ui.splitter import Splitter
from workbench.ui.step import Step

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drag(widget: QWidget, start: QPoint, by: QPoint) -> None:
    QTest.mousePress(widget, LEFT, PLAIN, start)
    QTest.mouseMove(widget, start + by)
    QTest.mouseRelease(widget, LEFT, PLAIN, start)  # a handle has moved along


def drag_handle(splitter: Splitter, at: int, by: QPoint) -> None:
    handle = splitter.handle(at)
    drag(handle, handle.rect().center(), by)


def opened(start: Start, settings: Settings | None = None) -> Driver:
    driver = start(FakeWork(), settings)
    driver.window.resize(1440, 900)
    driver.open()
    return driver


def test_panels_have_the_widths_of_their_step(start: Start) -> None:
    driver = opened(start)
    splitter = driver.window.workspace.splitter
    usual = splitter.sizes()[0]
    drag_handle(splitter, 1, QPoint(-60, 0))
    narrowed = splitter.sizes()[0]
    assert narrowed < usual - 30
    driver.window.show_step(Step.QUANTIZE)
    driver.wait(lambda: splitter.sizes()[0] == usual)
    driver.window.show_step(Step.RUN)
    driver.window.show_step(Step.CHECK)
    driver.wait(lambda: splitter.sizes()[0] == narrowed)


def test_a_double_click_on_the_line_restores_it_for_good(start: Start) -> None:
    driver = opened(start)
    splitter = driver.window.workspace.splitter
    usual = splitter.sizes()[0]
    drag_handle(splitter, 1, QPoint(-60, 0))
    QTest.mouseDClick(splitter.handle(1), LEFT, PLAIN, splitter.handle(1).rect().center())
    assert abs(splitter.sizes()[0] - usual) <= 4
    assert "check/workspace" not in driver.shell.settings.splitters


def test_the_next_session_begins_as_this_one_ended(start: Start) -> None:
    first = opened(start)
    drag_handle(first.window.workspace.splitter, 1, QPoint(-60, 0))
    first.window.run_command("toggle-dock")
    drag_handle(first.window.vertical, 1, QPoint(0, -80))
    height = first.window.dock.height()
    width = first.window.workspace.splitter.sizes()[0]
    kept = stored.load(first.shell._file)
    second = opened(start, kept)
    second.wait(lambda: second.window.workspace.splitter.sizes()[0] == width)
    second.window.run_command("toggle-dock")
    second.wait(lambda: second.window.dock.height() == height)
    second.window.show_step(Step.QUANTIZE)
    second.wait(lambda: second.window.dock.height() < height)


def test_columns_are_as_wide_as_they_were_made_at_their_step(start: Start) -> None:
    driver = opened(start)
    view = driver.window.workspace.layers.view
    header = view.header()
    edge = header.sectionViewportPosition(1) + header.sectionSize(1)
    usual = header.sectionSize(1)
    drag(header.viewport(), QPoint(edge - 1, 8), QPoint(30, 0))
    assert header.sectionSize(1) == usual + 30
    driver.window.show_step(Step.MODEL)
    assert view.header().sectionSize(1) == LOOKS[Column.OP].width
    driver.window.show_step(Step.CHECK)
    assert view.header().sectionSize(1) == usual + 30
    assert stored.load(driver.shell._file).splitters["check/columns"][0] == usual + 30
