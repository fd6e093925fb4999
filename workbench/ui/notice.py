"""A notice on the amber tint: something that changes what the numbers mean."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import row
from workbench.ui.theme.icons import CONTROL, pixmap
from workbench.ui.widgets.labels import surface, text_label


class Notice(QWidget):
    """``text`` is shown as it is, over as many lines as it takes."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "condition")
        layout = row(self, gap=10, inset=12)
        mark = QLabel()
        mark.setPixmap(pixmap("triangle-alert", CONTROL, "condition", self.devicePixelRatioF()))
        layout.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        self.words = text_label(plain(text), "", wrap=True)
        layout.addWidget(self.words, 1)
        self.setAccessibleName(plain(text))
