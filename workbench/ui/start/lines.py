"""Lines of the start page: something to click, two rows of text, facts at the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import column, row
from workbench.ui.icon_label import IconLabel
from workbench.ui.theme.icons import RAIL
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import ElidedLabel

HEIGHT: Final = 60


class StartLine(QAbstractButton):
    """A whole line is the button; what else it needs goes into ``facts``."""

    def __init__(
        self, title: str, detail: str, icon_name: str = "", *, mono: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(plain(title))
        self.setAccessibleDescription(plain(detail))
        layout = row(self, gap=12, inset=(8, 0, 8, 0))
        if icon_name:
            layout.addWidget(IconLabel(icon_name, RAIL))
        words = column(gap=3)
        words.addStretch(1)
        self.title = ElidedLabel(title, "strong", Qt.TextElideMode.ElideMiddle)
        self.detail = ElidedLabel(detail, "mono" if mono else "hint", Qt.TextElideMode.ElideMiddle)
        words.addWidget(self.title)
        words.addWidget(self.detail)
        words.addStretch(1)
        layout.addLayout(words, 1)
        self.facts: QHBoxLayout = row(gap=12)
        layout.addLayout(self.facts)
        for child in self.findChildren(QLabel):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        painter = QPainter(self)
        if self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), qcolor(tokens.hover))
        painter.setPen(qcolor(tokens.border))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        if self.hasFocus():
            painter.setPen(qcolor(tokens.ring))
            for inset in (0.5, 1.5):
                painter.drawRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))
