"""An icon on a soft square: heads empty states."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.theme.icons import color_of, paint_icon
from workbench.ui.theme.theme import qcolor, theme

_SIDE, _ICON, _RADIUS = 48, 24, 10


class IconTile(QWidget):
    """``ink`` and ``fill`` are tokens."""

    def __init__(self, icon_name: str, ink: str = "text2", fill: str = "sunken", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._ink, self._fill = icon_name, ink, fill
        self.setFixedSize(theme().px(_SIDE), theme().px(_SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor(color_of(tokens, self._fill)))
        painter.drawRoundedRect(QRectF(self.rect()), px(_RADIUS), px(_RADIUS))
        side = px(_ICON)
        inset = (self.width() - side) / 2
        paint_icon(painter, self._icon, QRectF(inset, inset, side, side), color_of(tokens, self._ink), _ICON)
