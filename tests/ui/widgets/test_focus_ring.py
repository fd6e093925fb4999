"""The ring around what has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from workbench.ui.theme.tokens import LIGHT
from workbench.ui.widgets.focus_ring import FocusRing


class Form(QWidget):
    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        self.name, self.run = QLineEdit(), QPushButton("Run")
        layout.addWidget(self.name)
        layout.addWidget(self.run)
        self.ring = FocusRing(self)


@pytest.fixture
def form(app: QApplication, qtbot: QtBot) -> Form:
    form = Form()
    qtbot.addWidget(form)
    form.resize(240, 120)
    with qtbot.waitActive(form):
        form.show()
        form.activateWindow()
    return form


def test_the_ring_follows_the_tab_key(form: Form, qtbot: QtBot) -> None:
    form.name.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(form.name, Qt.Key.Key_Tab)
    assert form.ring.target() is form.run
    assert form.ring.geometry() == form.run.geometry().adjusted(-3, -3, 3, 3)
    image = form.grab().toImage()
    color = image.pixelColor(form.run.geometry().center().x(), form.run.geometry().top() - 2)
    assert color.name().upper() == LIGHT.ring


def test_a_click_shows_no_ring(form: Form, qtbot: QtBot) -> None:
    qtbot.mousePress(form.run, Qt.MouseButton.LeftButton)
    form.run.setFocus(Qt.FocusReason.MouseFocusReason)
    assert form.ring.target() is None
    qtbot.mouseRelease(form.run, Qt.MouseButton.LeftButton)


def test_the_ring_moves_with_its_control(form: Form, qtbot: QtBot) -> None:
    form.run.setFocus(Qt.FocusReason.TabFocusReason)
    form.resize(400, 200)
    qtbot.waitUntil(lambda: form.ring.geometry() == form.run.geometry().adjusted(-3, -3, 3, 3))
    form.run.hide()
    qtbot.waitUntil(lambda: form.ring.target() is not form.run)


def test_the_ring_stays_within_a_scrolled_view(app: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    area, inside = QScrollArea(), QWidget()
    QVBoxLayout(window).addWidget(area)
    column = QVBoxLayout(inside)
    buttons = [QPushButton(str(number)) for number in range(20)]
    for button in buttons:
        column.addWidget(button)
    area.setWidget(inside)
    ring = FocusRing(window)
    window.resize(200, 150)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    area.verticalScrollBar().setValue(15)
    view = area.viewport().geometry().translated(area.pos())
    assert view.contains(ring.geometry())


def test_the_ring_goes_when_its_control_is_deleted(form: Form, qtbot: QtBot) -> None:
    form.run.setFocus(Qt.FocusReason.TabFocusReason)
    assert form.ring.target() is form.run
    form.name.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    Shiboken.delete(form.run)
    qtbot.waitUntil(form.ring.isHidden)
    assert form.ring.target() is None


def test_the_ring_listens_to_nothing_but_its_control(form: Form) -> None:
    heard: list[QObject] = []

    class Ring(FocusRing):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            heard.append(watched)
            return super().eventFilter(watched, event)

    ring = Ring(form)
    form.run.setFocus(Qt.FocusReason.TabFocusReason)
    form.resize(400, 200)
    form.name.setFocus(Qt.FocusReason.TabFocusReason)
    form.resize(300, 200)
    assert ring.target() is form.name
    assert set(heard) == {form.run, form.name}
