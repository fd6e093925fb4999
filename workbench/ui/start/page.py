"""The start page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QWidget

from workbench.app.samples import all_samples
from workbench.app.session import Session
from workbench.ui.boxes import column, row, rule
from workbench.ui.icon_label import IconLabel
from workbench.ui.start.devices import DevicesList
from workbench.ui.start.dropzone import DropZone
from workbench.ui.start.lines import StartLine
from workbench.ui.start.recents import RecentList
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label

_WIDE: Final = 1000
_NO_LIMIT: Final = 16_777_215
"""Qt's own QWIDGETSIZE_MAX."""
_LEFT, _RIGHT = 744, 416
"""Widths of the two columns at 1440, in design pixels."""


class StartPage(QScrollArea):
    """``wanted`` carries a window command's id; ``sample_chosen`` the path of a sample."""

    wanted = Signal(str)
    sample_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Start page"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        surface(inside, "panel")
        self.drop_zone = DropZone()
        self.recent = RecentList()
        self.devices = DevicesList(session)
        self.drop_zone.open_button.clicked.connect(lambda: self.wanted.emit("open-model"))
        self.drop_zone.sample_button.clicked.connect(lambda: self.wanted.emit("try-sample"))
        self.recent.open_project.connect(lambda: self.wanted.emit("open-project"))
        self.devices.wanted.connect(self.wanted)
        left, right = QWidget(), QWidget()
        left.setMaximumWidth(theme().px(_LEFT))
        right.setMaximumWidth(theme().px(_RIGHT))
        first = column(left, gap=32)
        first.addWidget(self.drop_zone)
        first.addWidget(self.recent)
        first.addStretch(1)
        second = column(right, gap=32)
        second.addWidget(self.devices)
        second.addWidget(self._samples())
        second.addStretch(1)
        self._left, self._right = left, right
        self._columns: QBoxLayout = row(inside, gap=64, inset=(48, 48, 48, 32))
        self._columns.addStretch(1)
        self._columns.addWidget(left, _LEFT)
        self._columns.addWidget(right, _RIGHT)
        self._columns.addStretch(1)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One column where two have no room."""
        wide = event.size().width() >= theme().px(_WIDE)  # the viewport's; asking it wraps every class of widgets
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() is not direction:
            self._columns.setDirection(direction)
            for side, width in ((self._left, _LEFT), (self._right, _RIGHT)):
                side.setMaximumWidth(theme().px(width) if wide else _NO_LIMIT)
        super().resizeEvent(event)

    def _samples(self) -> QWidget:
        result = QWidget()
        layout = column(result, gap=0)
        layout.addWidget(text_label(tr("Samples"), "title"))
        layout.addSpacing(theme().px(12))
        layout.addWidget(rule())
        for sample in all_samples():
            line = StartLine(say(sample.title), say(sample.about))
            line.facts.addWidget(IconLabel("arrow-right"))
            line.clicked.connect(lambda _checked=False, at=str(sample.model): self.sample_chosen.emit(at))
            layout.addWidget(line)
        foot = row(inset=(8, 20, 0, 0))
        foot.addWidget(IconLabel("shield-check"))
        foot.addWidget(text_label(tr("Works offline. Nothing is uploaded."), "hint"))
        foot.addStretch(1)
        layout.addLayout(foot)
        return result
