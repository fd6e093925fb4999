"""The device of the run: which, in what state, and what is known of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.app.session import Session, State, Topic
from workbench.core.protocol import Hello
from workbench.ui.boxes import PANEL_INSET, column, header, row
from workbench.ui.buttons import icon_button
from workbench.ui.device_words import device_detail, device_icon, device_state, device_title
from workbench.ui.icon_label import IconLabel
from workbench.ui.inspector.section import Facts
from workbench.ui.text import tr
from workbench.ui.theme.icons import RAIL
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label


class DevicePart(QWidget):
    """``wanted`` carries a window command's id."""

    wanted = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hello: Hello | None = None
        self._serial = ""
        layout = column(self, gap=0)
        head = QWidget()
        bar = header(head)
        bar.addWidget(text_label(tr("Device"), "strong"))
        bar.addStretch(1)
        self.refresh = icon_button("refresh-cw", tr("Look for devices"))
        self.refresh.clicked.connect(lambda: self.wanted.emit("refresh-devices"))
        bar.addWidget(self.refresh)
        layout.addWidget(head)
        body = QWidget()
        inside = column(body, gap=12, inset=(PANEL_INSET, 12, PANEL_INSET, 16))
        self.card = QWidget()
        surface(self.card, "sunken")
        card = row(self.card, gap=12, inset=12)
        self.mark = IconLabel("smartphone", RAIL)
        card.addWidget(self.mark)
        words = column(gap=3)
        top = row()
        self.title = ElidedLabel("", "strong")
        self.badge = TintBadge("")
        top.addWidget(self.title, 1)
        top.addWidget(self.badge)
        words.addLayout(top)
        self.detail = text_label("", "hint", wrap=True)
        words.addWidget(self.detail)
        card.addLayout(words, 1)
        self.none = text_label(tr("Phones appear here when they are plugged in."), "hint", wrap=True)
        self.facts = Facts()
        for widget in (self.card, self.none, self.facts):
            inside.addWidget(widget)
        layout.addWidget(body)
        surface(self, "panel", line="bottom")
        session.follow(self.show_state, Topic.DEVICES)
        self.show_state(session.state)

    def show_state(self, state: State) -> None:
        device = state.chosen_device
        self.card.setVisible(device is not None)
        self.none.setVisible(device is None)
        if device is None:
            self.facts.setVisible(False)
            return
        self.title.set_text(device_title(device))
        word, tint = device_state(device)
        self.badge.set_badge(word, tint)
        self.detail.setText(device_detail(device))
        self.mark.show_icon(device_icon(device))
        if device.serial != self._serial:  # what another device said of itself is not this one's
            self._serial, self._hello = device.serial, None
        self._show_facts()

    def show_hello(self, hello: Hello) -> None:
        """What the agent says of the device when a run starts."""
        self._hello = hello
        self._show_facts()

    def _show_facts(self) -> None:
        hello = self._hello
        self.facts.setVisible(hello is not None and not self.card.isHidden())
        if hello is None:
            return
        self.facts.set_facts(
            [
                (tr("Cores"), str(hello.cores)),
                (tr("CPU flags"), ", ".join(hello.cpu_flags) or tr("none known")),
                (tr("Back ends"), ", ".join(hello.backends).upper()),
                (tr("Engine"), f"MNN {hello.engine}"),
            ]
        )
