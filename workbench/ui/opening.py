"""Shown while the first model is read: stages, progress, Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.ui.boxes import column, row
from workbench.ui.buttons import button
from workbench.ui.convert.stages import StageList
from workbench.ui.jobbook import JobKind, JobRecord
from workbench.ui.progress import progress_bar, show_fraction
from workbench.ui.text import say, tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label
from workbench.ui.work import Work

_WIDTH = 560


class OpeningPage(QWidget):
    """Follows the job that opens a model."""

    def __init__(self, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "panel")
        self.title = text_label("", "page", wrap=True)
        self.progress = progress_bar(tr("Progress of opening"))
        self.stages = StageList()
        self.cancel = button(tr("Cancel"), "x", page=True)
        body = QWidget()
        body.setMaximumWidth(theme().px(_WIDTH))
        layout = column(body, gap=16)
        for widget in (self.title, self.progress, self.stages):
            layout.addWidget(widget)
        layout.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignLeft)
        centre = row()
        centre.addStretch(1)
        centre.addWidget(body, 8)
        centre.addStretch(1)
        whole = column(self, inset=32)
        whole.addStretch(1)
        whole.addLayout(centre)
        whole.addStretch(2)
        work.changed.connect(self._changed)

    def _changed(self, record: JobRecord) -> None:
        if record.kind is not JobKind.OPEN:
            return
        self.title.setText(tr("Stopping") if record.is_stopping else say(record.title))
        self.cancel.setEnabled(not record.is_stopping)
        show_fraction(self.progress, record.fraction)
        self.stages.show_job(record)
