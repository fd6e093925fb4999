"""An icon beside words, painted from the tokens of the moment: a change of the theme reaches it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.theme.icons import CONTROL, color_of, paint_icon
from workbench.ui.theme.theme import theme


class IconLabel(QWidget):
    """``size`` in design pixels; ``ink`` is the token of its colour. Decoration: the words beside it say it all."""

    def __init__(self, name: str, size: int = CONTROL, ink: str = "text2", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._size, self._ink = name, size, ink
        self.setFixedSize(theme().px(size), theme().px(size))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_icon(self, name: str) -> None:
        self._name = name
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._name:
            painter = QPainter(self)
            color = color_of(theme().tokens, self._ink)
            paint_icon(painter, self._name, QRectF(self.rect()), color, self._size)
