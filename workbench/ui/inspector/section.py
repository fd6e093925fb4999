"""Parts of the inspector: sections that fold, and lines of a name and a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import PANEL_INSET, column, empty, row
from workbench.ui.text import tr
from workbench.ui.theme.fonts import BODY, SEMIBOLD, TABLE, ui_font
from workbench.ui.theme.icons import ROW, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label

HEAD_HEIGHT: Final = 36
_NAME_WIDTH: Final = 112


class SectionHead(QAbstractButton):
    """Chevron, title, and a short fact at the right; pressed it opens or closes."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setText(title)
        self.setAccessibleName(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._fact = ""

    def set_fact(self, text: str) -> None:
        self._fact = plain(text)
        self.setAccessibleDescription(self._fact)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(HEAD_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.fillRect(self.rect(), qcolor(tokens.hover))
        side = px(ROW)
        mark = QRectF(px(12), (self.height() - side) / 2, side, side)
        paint_icon(painter, "chevron-down" if self.isChecked() else "chevron-right", mark, tokens.text2, ROW)
        words = self.rect().adjusted(px(32), 0, -px(PANEL_INSET), 0)
        painter.setFont(ui_font(BODY, SEMIBOLD))
        painter.setPen(qcolor(tokens.text))
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        painter.setFont(ui_font(TABLE))
        painter.setPen(qcolor(tokens.text2))
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), self._fact)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(qcolor(tokens.ring))
            for inset in (0.5, 1.5):
                painter.drawRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))


class Section(QWidget):
    """A head and what it opens."""

    def __init__(self, title: str, *, is_open: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="top")
        self.head = SectionHead(title)
        self.body = QWidget()
        self.content: QVBoxLayout = column(self.body, gap=8, inset=(32, 0, PANEL_INSET, 12))
        layout = column(self, gap=0, inset=(0, 1, 0, 0))
        layout.addWidget(self.head)
        layout.addWidget(self.body)
        self.head.toggled.connect(self.body.setVisible)
        self.head.setChecked(is_open)
        self.body.setVisible(is_open)


class Facts(QWidget):
    """Lines of a name and a value. Values are data: plain text, cut in the middle, whole in the tooltip.

    ``wrap``: values take as many lines as they need. A context menu copies.
    """

    def __init__(self, *, mono: bool = False, wrap: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wrap = wrap
        self._role = "mono" if mono else "table"
        self._facts: tuple[tuple[str, str], ...] = ()
        self._values: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme().px(12))
        self._grid.setVerticalSpacing(theme().px(8))
        self._grid.setColumnMinimumWidth(0, theme().px(_NAME_WIDTH))
        self._grid.setColumnStretch(1, 1)

    def accessible_text(self) -> str:
        """All lines, as they are read."""
        return "\n".join(plain(f"{name}: {value}") for name, value in self._facts)

    def set_facts(self, facts: Iterable[tuple[str, str]]) -> None:
        """Replace all lines."""
        wanted = tuple(facts)
        if wanted == self._facts:
            return
        self._facts = wanted
        self._values = []
        empty(self._grid)
        for at, (name, value) in enumerate(wanted):
            title = ElidedLabel(name, "hint", Qt.TextElideMode.ElideMiddle)
            self._grid.addWidget(title, at, 0, Qt.AlignmentFlag.AlignTop)
            label = self._value(value)
            label.setAccessibleName(plain(f"{name}: {value}"))
            self._grid.addWidget(label, at, 1)
            self._values.append(label)

    def _value(self, value: str) -> QLabel:
        if self._wrap:
            return text_label(plain(value), self._role, wrap=True)
        return ElidedLabel(value, self._role, Qt.TextElideMode.ElideMiddle)

    def value_at(self, at: QPoint) -> str:
        """The value on the line at a point, "" where there is none."""
        for label, (_, value) in zip(self._values, self._facts, strict=True):
            if label.geometry().top() <= at.y() <= label.geometry().bottom():
                return value
        return ""

    def copy_menu(self, at: QPoint) -> QMenu:
        """What can be copied at a point."""
        menu = QMenu(self)
        value, everything = plain(self.value_at(at)), self.accessible_text()
        if value:
            menu.addAction(tr("Copy the value")).triggered.connect(lambda: _copy(value))
        menu.addAction(tr("Copy all lines")).triggered.connect(lambda: _copy(everything))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.copy_menu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


class HeadLine(QWidget):
    """A heading with a fact, and perhaps a tag, at the right."""

    def __init__(self, text: str, fact: str = "", tag: QWidget | None = None) -> None:
        super().__init__()
        layout = row(self)
        self.text: QLabel = text_label(text, "strong")
        self.fact: QLabel = text_label(fact, "hint")
        layout.addWidget(self.text)
        layout.addStretch(1)
        layout.addWidget(self.fact)
        if tag is not None:
            layout.addWidget(tag)
