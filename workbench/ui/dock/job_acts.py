"""What can be done about a job, beside its row: cancel it, ask why, try again."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.messages import Message, msg
from workbench.ui.boxes import row
from workbench.ui.buttons import button
from workbench.ui.jobbook import JobKind, JobRecord, JobState
from workbench.ui.text import say, tr


class Act(Enum):
    """The value is the word on the button."""

    CANCEL = msg("Cancel")
    WHY = msg("Why?")
    AGAIN = msg("Try again")

    @property
    def word(self) -> Message:
        return self.value


AGAIN: Final = {
    JobKind.CHECK: "check",
    JobKind.CONVERT: "convert",
    JobKind.RUN: "run",
    JobKind.PHONE: "start-phone",
    JobKind.CONNECT: "connect",
    JobKind.SAVE: "save-project",
    JobKind.REPORT: "write-report",
    JobKind.EXPORT: "export",
    JobKind.NETRON: "open-netron",
}
"""The window command that does a job of the kind again."""
ANSWERED: Final = {JobKind.CHECK: "step-check", JobKind.CONVERT: "step-convert", JobKind.RUN: "step-run"}
"""The command that goes where a job of the kind says why its answer is no."""


def acts_of(record: JobRecord, *, is_newest: bool) -> tuple[Act, ...]:
    """What is offered for ``record``; only the newest of a kind can be done again as it was."""
    if record.state in (JobState.WAITING, JobState.RUNNING):
        return (Act.CANCEL,)
    again = (Act.AGAIN,) if is_newest and record.kind in AGAIN else ()
    if record.state is JobState.FAILED:
        return (*again, Act.WHY)
    if record.state is JobState.STOPPED:
        return again
    return (Act.WHY,) if record.is_no and record.kind in ANSWERED else ()


class JobActs(QWidget):
    """The links of one row. ``chosen`` carries an Act."""

    chosen = Signal(object)

    def __init__(self, record: JobRecord, acts: tuple[Act, ...]) -> None:
        super().__init__()
        self.acts = acts
        layout = row(self, gap=4, inset=(0, 0, 12, 0))
        layout.addStretch(1)
        self.links = {act: button(say(act.word), "", "link") for act in acts}
        for act, link in self.links.items():
            link.setAccessibleName(tr("{act} {job}", act=say(act.word), job=say(record.title)))
            link.clicked.connect(partial(self.chosen.emit, act))
            layout.addWidget(link)
