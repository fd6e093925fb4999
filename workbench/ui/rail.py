"""The rail of steps: what is done, what needs somebody, what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from workbench.ui.boxes import column
from workbench.ui.buttons import icon_button
from workbench.ui.step import STEPS, Step, StepLook
from workbench.ui.text import say, tr
from workbench.ui.theme.fonts import SEMIBOLD, SMALL, ui_font
from workbench.ui.theme.icons import BADGE, RAIL, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import surface

WIDTH: Final = 72
NARROW_WIDTH: Final = 56
_DOT_FONT: Final = 10


@dataclass(frozen=True, slots=True)
class StepState:
    """``count``: things that need somebody, 0 for none; it takes the place of the check mark."""

    is_open: bool = False
    is_done: bool = False
    count: int = 0


class RailButton(QAbstractButton):
    """One step: icon, word, and a mark at the icon's upper right corner."""

    def __init__(self, look: StepLook, number: int) -> None:
        super().__init__()
        self._look = look
        self._number = number
        self._state = StepState()
        self._narrow = False
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(say(look.title))
        self.set_state(StepState())

    def set_state(self, state: StepState) -> None:
        self._state = state
        self.setEnabled(state.is_open)
        title = say(self._look.title)
        if state.count:
            self.setAccessibleName(tr("{step}, {n} to look at", step=title, n=state.count))
        elif state.is_done:
            self.setAccessibleName(tr("{step}, done", step=title))
        else:
            self.setAccessibleName(title)
        keys = QKeySequence(f"Ctrl+{self._number}").toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{say(self._look.hint)} ({keys})")
        self.update()

    def set_narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        px = theme().px
        return QSize(px(40), px(40)) if self._narrow else QSize(px(WIDTH - 16), px(56))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        ink = tokens.text2
        if not self.isEnabled():
            ink = tokens.text3
        elif self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.sel))
            painter.drawRoundedRect(box, px(8), px(8))
            ink = tokens.accent_text
        elif self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.hover))
            painter.drawRoundedRect(box, px(8), px(8))
        side = px(RAIL)
        left = round((box.width() - side) / 2)
        top = round((box.height() - side) / 2) if self._narrow else px(9)
        paint_icon(painter, self._look.icon, QRectF(left, top, side, side), ink, RAIL)
        self._paint_mark(painter, left + side, top)
        if not self._narrow:
            painter.setFont(ui_font(SMALL, SEMIBOLD))
            painter.setPen(qcolor(ink))
            words = QRectF(0, px(33), box.width(), px(18))
            painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), self.text())
        if self.hasFocus():
            painter.setPen(qcolor(tokens.ring))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for inset in (0.5, 1.5):
                painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), px(7), px(7))

    def _paint_mark(self, painter: QPainter, right: int, top: int) -> None:
        px, tokens = theme().px, theme().tokens
        if self._state.count:
            text = str(min(self._state.count, 99))
            painter.setFont(ui_font(_DOT_FONT, SEMIBOLD))
            width = max(px(16), painter.fontMetrics().horizontalAdvance(text) + px(8))
            dot = QRectF(right - px(4), top - px(6), width, px(16))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.wrong_solid.bg))
            painter.drawRoundedRect(dot, dot.height() / 2, dot.height() / 2)
            painter.setPen(qcolor(tokens.wrong_solid.fg))
            painter.drawText(dot, int(Qt.AlignmentFlag.AlignCenter), text)
        elif self._state.is_done:
            side = px(BADGE)
            mark = QRectF(right - px(5), top - px(3), side, side)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.sel if self.isChecked() else tokens.chrome))
            painter.drawEllipse(mark.adjusted(-1.5, -1.5, 1.5, 1.5))
            paint_icon(painter, "circle-check", mark, tokens.right.fg, BADGE)


class Rail(QWidget):
    """Emits ``chosen`` with the Step that was clicked, ``help_wanted`` and ``settings_wanted``."""

    chosen = Signal(object)
    help_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "chrome", line="right")
        self.setAccessibleName(tr("Steps"))
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: dict[Step, RailButton] = {}
        layout = column(self, gap=4, inset=(0, 8, 0, 12))
        for number, look in enumerate(STEPS, start=1):
            button = RailButton(look, number)
            button.clicked.connect(lambda _checked=False, step=look.step: self._click(step))
            self._buttons[look.step] = button
            layout.addWidget(button, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)
        self.help_button = icon_button("circle-help", tr("Keys and commands"), "F1", size=RAIL)
        self.help_button.clicked.connect(self.help_wanted)
        self.settings_button = icon_button("settings", tr("Theme and language"), size=RAIL)
        self.settings_button.clicked.connect(self.settings_wanted)
        for extra in (self.help_button, self.settings_button):
            layout.addWidget(extra, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._current: Step | None = None
        self.set_narrow(False)

    def button(self, step: Step) -> RailButton:
        return self._buttons[step]

    def set_states(self, states: dict[Step, StepState]) -> None:
        for step, state in states.items():
            self._buttons[step].set_state(state)

    def set_current(self, step: Step | None) -> None:
        """The step that is shown; None on the start page."""
        self._current = step
        for own, button in self._buttons.items():
            button.setChecked(own is step)

    def set_narrow(self, narrow: bool) -> None:
        self.setFixedWidth(theme().px(NARROW_WIDTH if narrow else WIDTH))
        for button in self._buttons.values():
            button.set_narrow(narrow)
        self.help_button.setVisible(not narrow)

    def _click(self, step: Step) -> None:
        self.set_current(self._current)
        self.chosen.emit(step)
