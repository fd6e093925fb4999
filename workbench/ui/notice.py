"""A notice on the amber tint: something that changes what the numbers mean."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.messages import msg, plain
from workbench.ui.boxes import column, row
from workbench.ui.icon_label import IconLabel
from workbench.ui.text import say
from workbench.ui.widgets.labels import surface, text_label

_TITLES: Final = {
    "fallback": msg("Not the back end that was asked for"),
    "threads_capped": msg("Fewer threads than asked for"),
    "disturbed": msg("Something else used the processor"),
    "throttled": msg("The device slowed itself down"),
}


def warning_title(code: str) -> str:
    """What a warning of the agent is about, "" for one that is not known here."""
    known = _TITLES.get(code)
    return say(known) if known is not None else ""


class Notice(QWidget):
    """``title`` in bold, "" for none; ``text`` as it is, over as many lines as it takes."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "condition")
        layout = row(self, gap=10, inset=12)
        layout.addWidget(IconLabel("triangle-alert", ink="condition"), 0, Qt.AlignmentFlag.AlignTop)
        words = column(gap=4)
        if title:
            words.addWidget(text_label(title, "strong", wrap=True))
        words.addWidget(text_label(plain(text), "table", wrap=True))
        layout.addLayout(words, 1)
        self.setAccessibleName(plain(f"{title} {text}".strip()))
