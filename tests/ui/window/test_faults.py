"""What a call that failed held does not outlive it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.core.errors import WorkbenchError
from workbench.ui.faults import Faults


class Local:
    """Something that a call holds."""


class Broken(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.gone: list[str] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, local = QPainter(self), Local()
        weakref.finalize(local, self.gone.append, "gone")
        painter.fillRect(self.rect(), 0)
        raise ValueError("no paint")


@pytest.fixture
def told(app: QApplication) -> Iterator[list[WorkbenchError]]:
    faults, told = Faults(), list[WorkbenchError]()
    faults.told.connect(told.append)
    faults.install()
    yield told
    faults.remove()


def test_a_fault_in_a_paint_event_is_told_and_leaves_no_painter(
    told: list[WorkbenchError], qtbot: QtBot, qtlog: Any
) -> None:
    widget = Broken()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: bool(told))
    assert "no paint" in str(told[0])
    assert widget.gone == ["gone"] * len(told)
    assert not [record.message for record in qtlog.records if "active painter" in record.message]
