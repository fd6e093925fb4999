"""Devices on the start page: what is there, in what state, and how to get another."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.device import Device
from workbench.core.messages import plain
from workbench.ui.boxes import column, empty, row, rule
from workbench.ui.buttons import button, icon_button
from workbench.ui.device_words import device_detail, device_icon, device_state, device_title
from workbench.ui.start.lines import StartLine
from workbench.ui.text import tr
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import text_label


class DevicesList(QWidget):
    """``wanted`` carries a window command's id; ``chosen`` a serial."""

    wanted = Signal(str)
    chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, gap=0)
        head = row(inset=(0, 0, 0, 4))
        head.addWidget(text_label(tr("Devices"), "title"))
        head.addStretch(1)
        self.refresh = icon_button("refresh-cw", tr("Look for devices"))
        self.refresh.clicked.connect(lambda: self.wanted.emit("refresh-devices"))
        head.addWidget(self.refresh)
        layout.addLayout(head)
        layout.addWidget(rule())
        self._lines = column(gap=0)
        layout.addLayout(self._lines)
        self.problem = text_label("", "hint", wrap=True)
        self.problem.setContentsMargins(0, 8, 0, 0)
        self.problem.hide()
        layout.addWidget(self.problem)
        acts = row(inset=(0, 12, 0, 0))
        self.start_button = button(tr("Start a simulated phone"), "plus")
        self.start_button.clicked.connect(lambda: self.wanted.emit("start-phone"))
        self.connect_button = button(tr("Connect by address"), "", "flat")
        self.connect_button.clicked.connect(lambda: self.wanted.emit("connect"))
        acts.addWidget(self.start_button)
        acts.addStretch(1)
        acts.addWidget(self.connect_button)
        layout.addLayout(acts)
        self._shown: tuple[Device, ...] | None = None
        session.follow(self._changed, Topic.DEVICES)
        self._changed(session.state)

    def show_note(self, text: str) -> None:
        """Why phones are not seen, and the way out; "" where they are."""
        self.problem.setVisible(bool(text))
        self.problem.setText(plain(text))

    def show_starting(self, starting: bool) -> None:
        """A simulated phone is on its way."""
        self.start_button.setEnabled(not starting)
        self.start_button.setText(tr("Starting a simulated phone") if starting else tr("Start a simulated phone"))

    def lines(self) -> list[StartLine]:
        """The devices shown, in their order."""
        return self.findChildren(StartLine)

    def _changed(self, state: State) -> None:
        if state.devices == self._shown:
            return
        self._shown = state.devices
        empty(self._lines)
        if not state.devices:
            self._lines.addWidget(text_label(tr("Phones appear here when they are plugged in."), "hint", wrap=True))
        for device in state.devices:
            self._lines.addWidget(self._line(device))

    def _line(self, device: Device) -> StartLine:
        line = StartLine(device_title(device), device_detail(device), device_icon(device))
        word, tint = device_state(device)
        line.facts.addWidget(TintBadge(word, tint, "" if device.is_ready else "triangle-alert"))
        line.clicked.connect(lambda _checked=False, serial=device.serial: self.chosen.emit(serial))
        line.setEnabled(device.is_ready)
        return line
