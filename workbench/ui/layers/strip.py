"""The layers panel of a narrow window: a strip that opens it over the graph."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.boxes import column
from workbench.ui.buttons import icon_button
from workbench.ui.text import tr
from workbench.ui.theme.fonts import MEDIUM, TABLE, ui_font
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import surface

WIDTH: Final = 40


class LayersStrip(QWidget):
    """40 wide, with a button and the word upright."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="right")
        self.setFixedWidth(theme().px(WIDTH))
        self.button = icon_button("panel-left-open", tr("Show layers"), "Ctrl+B")
        self.button.clicked.connect(self.wanted)
        layout = column(self, inset=(6, 6, 0, 0))
        layout.addWidget(self.button)
        layout.addStretch(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        px = theme().px
        painter = QPainter(self)
        painter.setFont(ui_font(TABLE, MEDIUM))
        painter.setPen(qcolor(theme().tokens.text2))
        word = tr("Layers")
        if not word.isascii():  # Chinese is read downwards, sign by sign
            flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            painter.drawText(QRect(0, px(48), px(WIDTH), px(200)), flags, "\n".join(word))
            return
        painter.translate(QPoint(px(WIDTH) - px(12), px(52)))
        painter.rotate(90)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRect(0, 0, px(200), px(WIDTH) - px(20)), flags, word)
