"""The mark of the program."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QAbstractButton

from workbench.ui.text import tr
from workbench.ui.theme.icons import CONTROL, paint_icon
from workbench.ui.theme.theme import qcolor, theme

_ROUNDING: Final = 0.25
_DRAWING: Final = 2 / 3
_TASK_BAR_SIDE: Final = 256


def paint_logo(painter: QPainter, box: QRectF) -> None:
    """The layers on the accent, filling the square ``box``."""
    tokens = theme().tokens
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor(tokens.accent))
    radius = box.width() * _ROUNDING
    painter.drawRoundedRect(box, radius, radius)
    side = box.width() * _DRAWING
    place = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
    paint_icon(painter, "layers", place, tokens.onaccent, CONTROL)


def logo_pixmap() -> QPixmap:
    """For task bars; they make it smaller themselves."""
    result = QPixmap(_TASK_BAR_SIDE, _TASK_BAR_SIDE)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    paint_logo(painter, QRectF(result.rect()))
    painter.end()
    return result


class Logo(QAbstractButton):
    """It leads to the start page."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Start page"))
        self.setToolTip(tr("Start page"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(theme().px(28), theme().px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(theme().tokens.ring))
            painter.drawRoundedRect(QRectF(self.rect()), theme().px(7), theme().px(7))
        paint_logo(painter, QRectF(self.rect()).adjusted(2, 2, -2, -2))
