"""The sentence of answer over the charts: right or not, and within the budget or not."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from workbench.core.run import Budget, RunSummary
from workbench.core.verdict import Status
from workbench.ui.boxes import PANEL_INSET, row
from workbench.ui.icon_label import IconLabel
from workbench.ui.run.words import run_answer
from workbench.ui.widgets.labels import TwoLines, surface

_MARKS: Final = {
    Status.RIGHT: ("circle-check", "right"),
    Status.WRONG: ("octagon-x", "wrong"),
    Status.NOT_CHECKED: ("circle-dashed", "text3"),
}


class RunAnswer(QWidget):
    """Hidden until a run has ended."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel", line="bottom")
        layout = row(self, gap=8, inset=(PANEL_INSET, 8, PANEL_INSET, 8))
        self._marks = {status: IconLabel(icon, ink=ink) for status, (icon, ink) in _MARKS.items()}
        for mark in self._marks.values():
            layout.addWidget(mark)
        self.sentence = TwoLines("sentence")
        layout.addWidget(self.sentence, 1)
        self.hide()

    def show_run(self, summary: RunSummary | None, budget: Budget) -> None:
        """``summary`` None: no run has ended."""
        self.setVisible(summary is not None)
        if summary is None:
            return
        status, sentence = run_answer(summary, budget)
        for known, mark in self._marks.items():
            mark.setVisible(known is status)
        self.sentence.set_text(sentence)
