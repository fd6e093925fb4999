"""Rows of a panel: a name, a value that matters, and what goes with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from workbench.ui.theme.fonts import REGULAR, SEMIBOLD, TABLE, ui_font
from workbench.ui.theme.icons import CONTROL, color_of, paint_icon
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ValueLabel(QLabel):
    """The value that matters, in the colour of a token."""

    def __init__(self, size: int = TABLE) -> None:
        super().__init__()
        self._size, self._ink = size, "text"
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._restyle()

    def set_ink(self, ink: str) -> None:
        """The token of its colour. "text3" is for what stands in for a value, which is not stressed."""
        if ink != self._ink:
            self._ink = ink
            self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._restyle()

    def _restyle(self) -> None:
        self.setFont(ui_font(self._size, REGULAR if self._ink == "text3" else SEMIBOLD))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, QColor(color_of(theme().tokens, self._ink)))
        self.setPalette(palette)


class Mark(QWidget):
    """An icon beside a word that says the same. It looks its colour up when it is painted."""

    def __init__(self, name: str = "", ink: str = "text3") -> None:
        super().__init__()
        self._name, self._ink = name, ink
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_mark(self, name: str, ink: str) -> None:
        self._name, self._ink = name, ink
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(CONTROL), theme().px(CONTROL))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._name:
            color = color_of(theme().tokens, self._ink)
            paint_icon(QPainter(self), self._name, QRectF(self.rect()), color, CONTROL)


class FigureRow:
    """Name, value and a note in one row of a grid, from column ``first`` on; the columns of all rows line up."""

    def __init__(self, grid: QGridLayout, row: int, name: str, first: int = 0) -> None:
        self.name = text_label(name, "hint")
        self.value = ValueLabel()
        self.note = text_label(role="hint")
        for label in (self.value, self.note):
            label.setAlignment(_RIGHT)
        for column, label in enumerate((self.name, self.value, self.note), first):
            grid.addWidget(label, row, column)

    def show(self, value: str, note: str = "") -> None:
        self.value.setText(value)
        self.note.setText(note)


class Section(QWidget):
    """A title and, right of it, a note; what belongs to it goes into ``body``."""

    def __init__(self, title: str, note: str = "") -> None:
        super().__init__()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(16, 12, 16, 12)
        self.body.setSpacing(8)
        head = QHBoxLayout()
        self.title = text_label(title, "strong")
        self.note = text_label(note, "hint")
        head.addWidget(self.title, 1)
        head.addWidget(self.note)
        self.body.addLayout(head)


def rule() -> QFrame:
    """A line between sections."""
    line = QFrame()
    line.setFixedHeight(1)
    surface(line, "panel", line="top")
    return line
