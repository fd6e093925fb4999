"""Splitters: a 1 px line with an 8 px grip; a double-click restores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from workbench.ui.theme.theme import qcolor, theme

GRIP: Final = 8


class _Handle(QSplitterHandle):
    """Grips 8 pixels, paints one. It lies over its neighbours' edges, so that panels touch."""

    def __init__(self, orientation: Qt.Orientation, splitter: Splitter) -> None:
        super().__init__(orientation, splitter)
        self._owner = splitter

    def resizeEvent(self, event: QResizeEvent) -> None:
        # QSplitter widens a handle by its contents margins; its own for thin ones leave 5 px to grip.
        before, after = (GRIP - 1) // 2, GRIP // 2
        if self.orientation() is Qt.Orientation.Horizontal:
            self.setContentsMargins(before, 0, after, 0)
        else:
            self.setContentsMargins(0, before, 0, after)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.contentsRect(), qcolor(theme().tokens.border))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._owner.restore_default()
        self._owner.restored.emit()


class Splitter(QSplitter):
    """``default`` sizes in design pixels. ``moved``, ``restored``: what a person did with a handle."""

    moved = Signal()
    restored = Signal()

    def __init__(self, orientation: Qt.Orientation, default: Sequence[int], parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self._default = tuple(default)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(lambda _pos, _index: self.moved.emit())

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)

    def keep_sides(self, sizes: Sequence[int], middle: int) -> None:
        """``sizes`` in pixels, but what is at ``middle`` takes the room that there is now."""
        whole = self.width() if self.orientation() is Qt.Orientation.Horizontal else self.height()
        parts = [self.widget(at) for at in range(self.count())]
        sides = sum(
            size
            for at, (size, part) in enumerate(zip(sizes, parts, strict=True))
            if at != middle and part is not None and not part.isHidden()
        )
        given = list(sizes)
        given[middle] = max(0, whole - sides) or given[middle]
        self.setSizes(given)

    def default(self) -> list[int]:
        """Pixels of every part, before a person moved a handle."""
        return [theme().px(size) for size in self._default]

    def restore_default(self) -> None:
        self.setSizes(self.default())
