"""The graph view by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.graph import models
from tests.ui.graph.acting import ALT, CTRL, LEFT, Show, item, point, titles
from workbench.ui.graph.view import GraphView


def test_arrows_go_to_producer_and_consumer(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert titles(view) == ["Slice"]
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert titles(view) == ["encoder"]


def test_the_first_arrow_begins_at_the_top(show: Show, qtbot: QtBot) -> None:
    view = show(models.chain(3))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert titles(view) == ["v0"]


def test_backspace_goes_up_and_enter_opens(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    assert titles(view) == ["decoder"]
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not view.is_open(item(view, "decoder"))
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    assert titles(view) == ["decoder"]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, CTRL])
def test_enter_asks_for_the_properties_of_a_node(show: Show, qtbot: QtBot, modifier: Qt.KeyboardModifier) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    with qtbot.waitSignal(view.activated):
        qtbot.keyClick(view, Qt.Key.Key_Return, modifier)


def test_alt_and_arrows_go_through_what_was_selected(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    for title in ("LSTM", "Squeeze", "stft"):
        qtbot.mouseClick(view, LEFT, pos=point(view, title))
    qtbot.keyClick(view, Qt.Key.Key_Left, ALT)
    qtbot.keyClick(view, Qt.Key.Key_Left, ALT)
    assert titles(view) == ["LSTM"]
    qtbot.keyClick(view, Qt.Key.Key_Right, ALT)
    assert titles(view) == ["Squeeze"]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection() == ()


def test_zoom_keys_and_buttons_agree(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.camera().zoom == 1.0
    qtbot.keyClick(view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera().zoom == 1.25
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.camera().zoom == 0.85
    shown = {button.accessibleName(): button for button in view.findChildren(QWidget) if button.accessibleName()}
    assert shown["Actual size"].text() == "85 %"  # type: ignore[attr-defined]
    qtbot.mouseClick(shown["Zoom in"], LEFT)
    assert view.camera().zoom == 1.0
    qtbot.mouseClick(shown["Fit the graph"], LEFT)
    fitted = view.camera().zoom
    qtbot.keyClick(view, Qt.Key.Key_0)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert view.camera().zoom == fitted


def test_ctrl_c_copies_the_name(show: Show, qtbot: QtBot) -> None:
    view = show(models.silero_like())
    qtbot.mouseClick(view, LEFT, pos=point(view, "LSTM"))
    qtbot.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == "/decoder/rnn/LSTM"


@pytest.mark.parametrize("count", [0, 1])
def test_tiny_graphs_can_be_shown_and_walked(show: Show, qtbot: QtBot, count: int) -> None:
    view = show(models.chain(count))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Backspace):
        qtbot.keyClick(view, key)
    view.fit()
    assert not view.grab().isNull()
    view.set_graph(None)
    assert view.hierarchy() is None
    qtbot.keyClick(view, Qt.Key.Key_Down)


def test_tab_moves_on_and_the_ring_shows_where_nothing_is_selected(app: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    view, before = GraphView(), QLabel("first")
    before.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    column = QVBoxLayout(window)
    column.addWidget(before)
    column.addWidget(view)
    window.resize(600, 500)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    before.setFocus()
    plain = view.grab().toImage()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert view.grab().toImage() != plain
