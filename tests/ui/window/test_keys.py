"""Everything by keyboard: commands by name, steps, panels, and the walk from region to region."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.window.conftest import Driver, Start
from tests.ui.window.fakes import FakeWork
from workbench.ui.dock.dock import Tab
from workbench.ui.step import Step

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_control_and_a_digit_go_to_the_steps(driver: Driver) -> None:
    driver.open()
    seen = []
    for digit in "123456":
        driver.key(Qt.Key(ord(digit)), CONTROL)
        seen.append(driver.window.step)
    assert seen == list(Step)


def test_steps_are_closed_while_nothing_is_open(driver: Driver) -> None:
    driver.key(Qt.Key.Key_3, CONTROL)
    assert driver.window.step is None
    assert not driver.window.rail.button(Step.CHECK).isEnabled()


def test_the_palette_finds_a_command_by_any_of_its_words_and_runs_it(driver: Driver) -> None:
    driver.open()
    driver.key(Qt.Key.Key_K, CONTROL)
    palette = driver.window.palette_view
    assert palette.isVisible()
    assert palette.field.hasFocus()
    QTest.keyClicks(palette.field, "report write")
    assert palette.titles() == ["Write report"]
    palette.field.clear()
    QTest.keyClicks(palette.field, "go to conv")
    driver.key(Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert driver.window.step is Step.CONVERT


def test_the_palette_lists_every_command_but_itself(driver: Driver) -> None:
    driver.key(Qt.Key.Key_F1)
    listed = set(driver.window.palette_view.titles())
    expected = {driver.window.commands[c.id].text() for c in driver.window.commands.commands if c.id != "commands"}
    assert listed == expected


def test_arrows_pass_over_commands_that_cannot_be_run_now(driver: Driver) -> None:
    driver.key(Qt.Key.Key_K, CONTROL)
    palette = driver.window.palette_view
    for _ in range(len(palette.titles())):
        assert driver.window.commands[palette.current()].isEnabled()
        driver.key(Qt.Key.Key_Down)


def test_escape_closes_the_palette(driver: Driver) -> None:
    driver.key(Qt.Key.Key_K, CONTROL)
    driver.key(Qt.Key.Key_Escape)
    assert not driver.window.palette_view.isVisible()


def test_a_word_that_no_command_has_says_so(driver: Driver) -> None:
    driver.key(Qt.Key.Key_K, CONTROL)
    QTest.keyClicks(driver.window.palette_view.field, "xyzzy")
    assert driver.window.palette_view.nothing.isVisible()


def test_f6_walks_through_every_region_and_back(driver: Driver) -> None:
    driver.open()
    window = driver.window
    window.panels.open_dock(Tab.JOBS)
    workspace = window.workspace
    regions = [
        window.topbar,
        window.rail,
        workspace.layers,
        workspace.centre,
        workspace.inspector,
        window.dock,
    ]

    def where() -> int | None:
        focus = QApplication.focusWidget()
        return next((i for i, region in enumerate(regions) if focus and region.isAncestorOf(focus)), None)

    seen = []
    for _ in range(len(regions)):
        driver.key(Qt.Key.Key_F6)
        seen.append(where())
    assert seen == list(range(len(regions)))
    driver.key(Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert where() == len(regions) - 2


@pytest.mark.parametrize(
    ("key", "name"), [(Qt.Key.Key_B, "layers"), (Qt.Key.Key_I, "inspector"), (Qt.Key.Key_J, "dock")]
)
def test_panels_open_and_close_by_key(driver: Driver, key: Qt.Key, name: str) -> None:
    driver.open()
    workspace = driver.window.workspace
    panel = {"layers": workspace.layers, "inspector": workspace.inspector, "dock": driver.window.dock}[name]
    before = panel.isVisible()
    driver.key(key, CONTROL)
    assert panel.isVisible() is not before
    driver.key(key, CONTROL)
    assert panel.isVisible() is before


def test_escape_clears_the_selection(driver: Driver) -> None:
    driver.open()
    driver.shell.session.select(driver.state.layers[:1])
    driver.window.workspace.layers.view.setFocus()
    driver.key(Qt.Key.Key_Escape)
    assert driver.state.selection == ()


def test_enter_on_a_row_opens_the_inspector(driver: Driver) -> None:
    driver.open()
    layers = driver.window.workspace.layers
    driver.key(Qt.Key.Key_I, CONTROL)
    layers.view.expandAll()
    layers.view.setFocus()
    layers.view.setCurrentIndex(layers.index_of("logits"))
    driver.key(Qt.Key.Key_Return)
    assert driver.window.workspace.inspector.isVisible()
    assert driver.window.workspace.inspector.title.text() == "Gemm"


def test_every_control_that_takes_the_keyboard_has_a_name(start: Start) -> None:
    driver = start(FakeWork())
    driver.open()
    driver.window.run_command("run")
    driver.wait(lambda: driver.state.runs)
    driver.window.panels.open_dock(Tab.LOG)
    nameless = []
    for step in (None, *Step):
        if step is None:
            driver.window.show_start()
        else:
            driver.window.show_step(step)
        for widget in driver.window.findChildren(QWidget):
            takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes and widget.isVisible() and not names(widget):
                nameless.append((step, type(widget).__name__, widget.objectName()))
    assert nameless == []


def names(widget: QWidget) -> str:
    """What a screen reader calls it: its accessible name, text or title."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""
