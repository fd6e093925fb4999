"""The window's frame: where bars and pages lie, its width, and files that are dropped on it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from workbench.ui.boxes import column, row
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface

LEAST_SIZE: Final = (1024, 640)
USUAL_SIZE: Final = (1440, 900)
NARROW: Final = 1200
"""Under this width the rail is icons only, the menus one button, the layers a strip."""


class Frame(QMainWindow):
    """``dropped`` carries the path of the first file; ``dragging`` tells while one hangs over the window.

    ``painted`` comes once, when the first picture of the window is up.
    """

    dropped = Signal(str)
    dragging = Signal(bool)
    narrowed = Signal(bool)
    closing = Signal()
    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_narrow = False
        self._is_measured = False
        self._is_painted = False
        self.setAcceptDrops(True)
        self.setMinimumSize(theme().px(LEAST_SIZE[0]), theme().px(LEAST_SIZE[1]))
        self.resize(*USUAL_SIZE)

    def lay_out(self, top: QWidget, left: QWidget, inside: tuple[QWidget, ...], main: QWidget) -> None:
        """``inside`` from top to bottom, of which ``main`` takes what is left."""
        right = column(gap=0)
        for widget in inside:
            right.addWidget(widget, 1 if widget is main else 0)
        below = row(gap=0)
        below.addWidget(left)
        below.addLayout(right, 1)
        centre = QWidget()
        surface(centre, "panel")
        whole = column(centre, gap=0)
        whole.addWidget(top)
        whole.addLayout(below, 1)
        self.setCentralWidget(centre)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(NARROW)
        if narrow != self.is_narrow or not self._is_measured:
            self.is_narrow, self._is_measured = narrow, True
            self.narrowed.emit(narrow)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self.painted.emit)  # its children are painted, and all is shown, before a timer

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.dragging.emit(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.dragging.emit(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.dragging.emit(False)
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths[0])

    def may_close(self) -> bool:
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        self.closing.emit()
        super().closeEvent(event)
