"""A job as a list of stages: done, at work, failed."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.boxes import column, empty, row
from workbench.ui.jobbook import JobRecord, JobState
from workbench.ui.numbers import seconds_text
from workbench.ui.text import say
from workbench.ui.theme.icons import RAIL, paint_icon
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import text_label

_MARK: Final = 20


class Mark(StrEnum):
    DONE = "done"
    WORKING = "working"
    FAILED = "failed"
    STOPPED = "stopped"


class StageMark(QWidget):
    """A round mark, and the line down to the next one."""

    def __init__(self, mark: Mark, *, is_last: bool) -> None:
        super().__init__()
        self.mark = mark
        self._is_last = is_last
        self.setFixedWidth(theme().px(_MARK))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(_MARK), theme().px(48))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, tokens = theme().px, theme().tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = px(_MARK)
        circle = QRectF(1, 1, side - 2, side - 2)
        color = {
            Mark.DONE: tokens.right.fg,
            Mark.WORKING: tokens.accent,
            Mark.FAILED: tokens.wrong.fg,
            Mark.STOPPED: tokens.text3,
        }[self.mark]
        if not self._is_last:
            painter.fillRect(QRectF(side / 2 - 1, side + px(4), 2, self.height() - side - px(4)), qcolor(color))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.mark is Mark.WORKING:
            painter.setPen(QPen(qcolor(tokens.border), 2))
            painter.drawEllipse(circle)
            painter.setPen(QPen(qcolor(color), 2.5))
            painter.drawArc(circle, 90 * 16, -250 * 16)
            return
        icon = {Mark.DONE: "circle-check", Mark.FAILED: "octagon-x", Mark.STOPPED: "circle-dashed"}[self.mark]
        paint_icon(painter, icon, QRectF(0, 0, side, side), color, RAIL)


class StageList(QWidget):
    """The stages that a job has told of so far. None is foretold: what follows depends on the model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = column(self, gap=0)
        self._shown: tuple[JobRecord, bool] | None = None

    def show_job(self, record: JobRecord, *, refused: bool = False) -> None:
        """``refused``: the job ended well and its answer is no, found in its last stage."""
        if (record, refused) == self._shown:
            return
        self._shown = (record, refused)
        empty(self._layout)
        count = len(record.stages)
        for at, stage in enumerate(record.stages):
            is_last = at == count - 1
            mark = (Mark.FAILED if refused else _last_mark(record.state)) if is_last else Mark.DONE
            line = QWidget()
            cells = row(line, gap=16)
            cells.addWidget(StageMark(mark, is_last=is_last))
            cells.addWidget(_text(say(stage.text), strong=mark is not Mark.DONE), 1, Qt.AlignmentFlag.AlignTop)
            took = seconds_text(stage.seconds) if stage.seconds is not None else ""
            cells.addWidget(text_label(took, "hint"), 0, Qt.AlignmentFlag.AlignTop)
            line.setMinimumHeight(theme().px(36))
            self._layout.addWidget(line)


def _last_mark(state: JobState) -> Mark:
    return {JobState.DONE: Mark.DONE, JobState.FAILED: Mark.FAILED, JobState.STOPPED: Mark.STOPPED}.get(
        state, Mark.WORKING
    )


def _text(words: str, *, strong: bool) -> QWidget:
    return text_label(words, "strong" if strong else "", wrap=True)
