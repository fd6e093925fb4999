"""The status strip: the dock's tabs while it is closed, and facts at the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.core.messages import plain
from workbench.ui.boxes import row, rule
from workbench.ui.dock.dock import TABS, Tab
from workbench.ui.text import say, tr
from workbench.ui.theme.icons import ROW, icon
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import surface, text_label

HEIGHT: Final = 28


class StatusStrip(QWidget):
    """``tab_chosen`` carries a Tab of the dock."""

    tab_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "chrome", line="top")
        self.setFixedHeight(theme().px(HEIGHT))
        self.setAccessibleName(tr("Status"))
        layout = row(self, gap=2, inset=(8, 1, 16, 0))
        self._tabs: dict[Tab, QToolButton] = {}
        for look in TABS:
            tab = QToolButton()
            tab.setText(say(look.title))
            tab.setIcon(icon(look.icon, ROW))
            tab.setIconSize(QSize(theme().px(ROW + 6), theme().px(ROW)))
            tab.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            tab.setProperty("kind", "strip")
            tab.setFixedHeight(theme().px(24))
            tab.clicked.connect(lambda _checked=False, which=look.tab: self.tab_chosen.emit(which))
            self._tabs[look.tab] = tab
            layout.addWidget(tab)
            if look.tab is Tab.JOBS:
                self.count = TintBadge("")
                self.count.hide()
                layout.addWidget(self.count)
        layout.addStretch(1)
        self._facts = row(gap=12)
        layout.addLayout(self._facts)
        self._shown: tuple[str, ...] = ()
        self._running = 0
        self._is_dock_open = False

    def show_facts(self, facts: Iterable[str]) -> None:
        wanted = tuple(plain(fact) for fact in facts if fact)
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._facts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, fact in enumerate(wanted):
            if at:
                line = rule(vertical=True)
                line.setFixedHeight(theme().px(12))
                self._facts.addWidget(line)
            self._facts.addWidget(text_label(fact, "hint"))

    def show_jobs(self, running: int) -> None:
        """How many jobs are at work, beside the Jobs tab."""
        self._running = running
        self.count.set_badge(str(running))
        self.count.setVisible(bool(running) and not self._is_dock_open)

    def set_dock_open(self, opened: bool, *, live_elsewhere: bool) -> None:
        """The tabs are in one place: in the dock while it is open."""
        self._is_dock_open = opened
        for which, tab in self._tabs.items():
            tab.setVisible(not opened and not (which is Tab.LIVE and live_elsewhere))
        self.show_jobs(self._running)
