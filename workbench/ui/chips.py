"""Filter chips: one of a row is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from workbench.ui.flowlayout import FlowLayout
from workbench.ui.numbers import count_text
from workbench.ui.theme.fonts import MEDIUM, SEMIBOLD, TABLE, ui_font
from workbench.ui.theme.icons import ROW, color_of, paint_icon
from workbench.ui.theme.theme import qcolor, theme

HEIGHT: Final = 26
_PADDING: Final = 10
_GAP: Final = 5


@dataclass(frozen=True, slots=True)
class ChipLook:
    """``ink`` is the token of the icon. ``count`` is shown after the word."""

    key: str
    word: str
    count: int
    icon: str = ""
    ink: str = "text2"


class Chip(QAbstractButton):
    """A pill with an icon, a word and a count."""

    def __init__(self, look: ChipLook) -> None:
        super().__init__()
        self.look = look
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setText(look.word)
        self.setAccessibleName(f"{look.word} {count_text(look.count)}")

    def sizeHint(self) -> QSize:
        px = theme().px
        bold = QFontMetricsF(ui_font(TABLE, SEMIBOLD))
        words = bold.horizontalAdvance(self.look.word) + bold.horizontalAdvance(count_text(self.look.count))
        icon = px(ROW + _GAP) if self.look.icon else 0
        return QSize(round(words + icon + px(2 * _PADDING + _GAP)), px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        on = self.isChecked()
        fill = tokens.sel if on else tokens.hover if self.underMouse() else tokens.raised
        outline = tokens.ring if self.hasFocus() else tokens.sel if on else tokens.border
        painter.setBrush(qcolor(fill))
        painter.setPen(QPen(qcolor(outline), 2 if self.hasFocus() else 1))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        left = float(px(_PADDING))
        if self.look.icon:
            side = px(ROW)
            place = QRectF(left, (self.height() - side) / 2, side, side)
            paint_icon(painter, self.look.icon, place, color_of(tokens, self.look.ink), ROW)
            left += side + px(_GAP)
        font = ui_font(TABLE, SEMIBOLD if on else MEDIUM)
        metrics = QFontMetricsF(font)
        baseline = (self.height() + metrics.capHeight()) / 2
        painter.setFont(font)
        painter.setPen(qcolor(tokens.accent_text if on else tokens.text))
        painter.drawText(QPointF(left, baseline), self.look.word)
        left += metrics.horizontalAdvance(self.look.word) + px(_GAP)
        painter.setPen(qcolor(tokens.accent_text if on else tokens.text2))
        painter.drawText(QPointF(left, baseline), count_text(self.look.count))


class ChipRow(QWidget):
    """``chosen`` carries the key of the chip that is on; the first one is on at first."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: list[Chip] = []
        self._layout = FlowLayout(self, gap=theme().px(6))

    def set_chips(self, looks: Iterable[ChipLook]) -> None:
        """Show ``looks``; the choice stays where its chip stays."""
        wanted = tuple(looks)
        if wanted == tuple(chip.look for chip in self._chips):
            return
        before = self.choice()
        for chip in self._chips:
            self._layout.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [Chip(look) for look in wanted]
        for chip in self._chips:
            chip.clicked.connect(lambda _checked=False, key=chip.look.key: self.choose(key))
            self._layout.addWidget(chip)
            chip.show()
        keys = [look.key for look in wanted]
        self._mark(before if before in keys else keys[0] if keys else "")
        if before not in keys and keys:
            self.chosen.emit(keys[0])

    def choice(self) -> str:
        return next((chip.look.key for chip in self._chips if chip.isChecked()), "")

    def chip(self, key: str) -> Chip:
        return next(chip for chip in self._chips if chip.look.key == key)

    def choose(self, key: str) -> None:
        self._mark(key)
        self.chosen.emit(key)

    def _mark(self, key: str) -> None:
        for chip in self._chips:
            chip.setChecked(chip.look.key == key)
