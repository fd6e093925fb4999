"""The drop zone of the start page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from workbench.ui.boxes import column, row
from workbench.ui.buttons import button
from workbench.ui.icon_tile import IconTile
from workbench.ui.text import tr
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import text_label

_RADIUS: Final = 12
_DASH: Final = (5.0, 3.0)


class DropZone(QWidget):
    """Says what can be dropped; the window takes the drop, wherever it falls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_over = False
        self.open_button = button(tr("Open model"), "folder-open", "main", page=True)
        self.sample_button = button(tr("Try the sample"), "play", page=True)
        self.title: QLabel = text_label(tr("Drop a model here"), "page")
        self.about = text_label(tr("ONNX. The file stays where it is."), "", wrap=True)
        layout = column(self, gap=8, inset=(24, 32, 24, 32))
        layout.addStretch(1)
        centre = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(IconTile("upload", "accent_text", "accent_soft"), alignment=centre)
        layout.addSpacing(theme().px(4))
        layout.addWidget(self.title, alignment=centre)
        self.about.setAlignment(centre)
        layout.addWidget(self.about)
        layout.addSpacing(theme().px(8))
        buttons = row()
        buttons.addStretch(1)
        for one in (self.open_button, self.sample_button):
            one.setMinimumWidth(theme().px(152))
            buttons.addWidget(one)
        buttons.addStretch(1)
        layout.addLayout(buttons)
        layout.addStretch(1)
        self.setMinimumHeight(theme().px(236))

    def set_over(self, over: bool) -> None:
        """A file hangs over the window."""
        self._is_over = over
        self.title.setText(tr("Let go to open it") if over else tr("Drop a model here"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(qcolor(tokens.ring if self._is_over else tokens.border2), 2 if self._is_over else 1.5)
        pen.setDashPattern(list(_DASH))
        painter.setPen(pen)
        painter.setBrush(qcolor(tokens.accent_soft if self._is_over else tokens.canvas))
        radius = theme().px(_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
