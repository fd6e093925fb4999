"""The status strip: the dock's tabs while it is closed, and facts at the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import empty, row, rule
from workbench.ui.dock.tab import TABS, Tab, TabLook
from workbench.ui.text import say, tr
from workbench.ui.theme.fonts import SEMIBOLD, TABLE, ui_font
from workbench.ui.theme.icons import ROW, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.badge import NODE_HEIGHT as HEIGHT_OF_BADGE
from workbench.ui.widgets.badge import Badge, badge_width, paint_badge
from workbench.ui.widgets.labels import surface, text_label

HEIGHT: Final = 28


class StripTab(QAbstractButton):
    """Icon, word, and a count while something is at work."""

    def __init__(self, look: TabLook) -> None:
        super().__init__()
        self._look = look
        self._count = 0
        self.setText(say(look.title))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        self._count = count
        name = self.text()
        self.setAccessibleName(tr("{tab}, {n} at work", tab=name, n=count) if count else name)
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        px = theme().px
        width = px(8 + ROW + 6 + 8) + QFontMetrics(ui_font(TABLE, SEMIBOLD)).horizontalAdvance(self.text())
        if self._count:
            width += px(6 + badge_width(self._badge()))
        return QSize(width, px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QPen(qcolor(tokens.ring), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(tokens.hover))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(5), px(5))
        side = px(ROW)
        place = QRectF(px(8), (self.height() - side) / 2, side, side)
        paint_icon(painter, self._look.icon, place, tokens.text2, ROW)
        painter.setFont(ui_font(TABLE, SEMIBOLD))
        painter.setPen(qcolor(tokens.text2))
        words = self.rect().adjusted(px(8 + ROW + 6), 0, 0, 0)
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        if self._count:
            badge = self._badge()
            painter.translate(self.width() - px(8 + badge_width(badge)), (self.height() - px(HEIGHT_OF_BADGE)) / 2)
            painter.scale(theme().scale, theme().scale)
            paint_badge(painter, 0, 0, badge, HEIGHT_OF_BADGE)

    def _badge(self) -> Badge:
        tokens = theme().tokens
        return Badge(str(self._count), tokens.accent_text, tokens.accent_soft)


class StatusStrip(QWidget):
    """``tab_chosen`` carries a Tab of the dock."""

    tab_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "chrome", line="top")
        self.setFixedHeight(theme().px(HEIGHT))
        self.setAccessibleName(tr("Status"))
        layout = row(self, gap=2, inset=(8, 1, 16, 0))
        self._tabs: dict[Tab, StripTab] = {}
        for look in TABS:
            tab = StripTab(look)
            tab.clicked.connect(lambda _checked=False, which=look.tab: self.tab_chosen.emit(which))
            self._tabs[look.tab] = tab
            layout.addWidget(tab)
        layout.addStretch(1)
        self._facts = row(gap=12)
        layout.addLayout(self._facts)
        self._shown: tuple[str, ...] = ()

    def show_facts(self, facts: Iterable[str]) -> None:
        wanted = tuple(plain(fact) for fact in facts if fact)
        if wanted == self._shown:
            return
        self._shown = wanted
        empty(self._facts)
        for at, fact in enumerate(wanted):
            if at:
                line = rule(vertical=True)
                line.setFixedHeight(theme().px(12))
                self._facts.addWidget(line)
            self._facts.addWidget(text_label(fact, "hint"))

    def show_jobs(self, running: int) -> None:
        """How many jobs are at work, in the Jobs tab."""
        self._tabs[Tab.JOBS].set_count(running)

    def set_dock_open(self, opened: bool, *, live_elsewhere: bool) -> None:
        """The tabs are in one place: in the dock while it is open."""
        for which, tab in self._tabs.items():
            tab.setVisible(not opened and not (which is Tab.LIVE and live_elsewhere))
