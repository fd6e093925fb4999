"""The bottom dock: tabs over one page; closed, the status strip has its tabs."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QToolButton, QWidget

from workbench.ui.boxes import column, header
from workbench.ui.buttons import icon_button
from workbench.ui.dock.tab import TABS, Tab
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface


class Dock(QWidget):
    """``maximize_wanted`` asks for all of the height, or for the usual; ``closed`` hides it."""

    maximize_wanted = Signal()
    closed = Signal()

    def __init__(self, pages: dict[Tab, QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="top")
        self.setAccessibleName(tr("Bottom dock"))
        self._pages = pages
        self._stack = QStackedWidget()
        self._group = QButtonGroup(self)
        self._tabs: dict[Tab, QToolButton] = {}
        head = QWidget()
        bar = header(head)
        for look in TABS:
            tab = QToolButton()
            tab.setText(say(look.title))
            tab.setProperty("kind", "tab")
            tab.setCheckable(True)
            tab.setFixedHeight(theme().px(40) - 1)
            tab.clicked.connect(lambda _checked=False, which=look.tab: self.show_tab(which))
            self._group.addButton(tab)
            self._tabs[look.tab] = tab
            bar.addWidget(tab)
            bar.addSpacing(theme().px(8))
            self._stack.addWidget(pages[look.tab])
        bar.addStretch(1)
        self.maximize_button = icon_button("maximize", tr("Use the whole height"))
        self.maximize_button.clicked.connect(self.maximize_wanted)
        self.close_button = icon_button("chevron-down", tr("Close the dock"), "Ctrl+J")
        self.close_button.clicked.connect(self.closed)
        bar.addWidget(self.maximize_button)
        bar.addWidget(self.close_button)
        layout = column(self, gap=0)
        layout.addWidget(head)
        layout.addWidget(self._stack, 1)
        self.setMinimumHeight(theme().px(120))
        self._current = Tab.JOBS
        self.show_tab(Tab.JOBS)

    @property
    def current(self) -> Tab:
        return self._current

    def show_tab(self, tab: Tab) -> None:
        self._current = tab
        self._tabs[tab].setChecked(True)
        self._stack.setCurrentWidget(self._pages[tab])

    def set_available(self, tab: Tab, on: bool) -> None:
        """A tab whose page is shown elsewhere is not offered twice."""
        self._tabs[tab].setVisible(on)
        if not on and self._current is tab:
            self.show_tab(Tab.JOBS)
