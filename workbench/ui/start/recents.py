"""Recent models and projects on the start page, with what was known of each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from workbench.core.verdict import Answer, Status
from workbench.ui.boxes import column, empty, row, rule
from workbench.ui.buttons import button
from workbench.ui.numbers import bytes_text, ms_text
from workbench.ui.settings import Recent
from workbench.ui.start.lines import StartLine
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import VerdictBadge
from workbench.ui.widgets.labels import text_label

_STATUS: Final = {
    Answer.OK: Status.RIGHT,
    Answer.OK_WITH_CONDITION: Status.CONDITION,
    Answer.REWRITABLE: Status.WRONG,
    Answer.WRONG: Status.WRONG,
    Answer.CRASH: Status.CRASH,
    Answer.HANG: Status.HANG,
    Answer.UNSUPPORTED: Status.UNSUPPORTED,
    Answer.UNVERIFIED: Status.NOT_CHECKED,
    Answer.INVALID: Status.WRONG,
}


class RecentList(QWidget):
    """``chosen`` carries a path; ``locate`` that of an entry whose file moved."""

    chosen = Signal(str)
    locate = Signal(str)
    open_project = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, gap=0)
        head = row(inset=(0, 0, 0, 4))
        head.addWidget(text_label(tr("Recent"), "title"))
        head.addStretch(1)
        self.project_button = button(tr("Open project"), "", "flat")
        self.project_button.clicked.connect(self.open_project)
        head.addWidget(self.project_button)
        layout.addLayout(head)
        layout.addWidget(rule())
        self._lines = column(gap=0)
        layout.addLayout(self._lines)

    def show_recent(self, entries: Iterable[Recent]) -> None:
        empty(self._lines)
        shown = False
        for entry in entries:
            self._lines.addWidget(self._line(entry))
            shown = True
        if not shown:
            nothing = text_label(tr("Models and projects that you open are listed here."), "hint", wrap=True)
            nothing.setContentsMargins(8, 16, 8, 0)
            self._lines.addWidget(nothing)

    def _line(self, entry: Recent) -> StartLine:
        path = Path(entry.path)
        there = path.exists()
        line = StartLine(path.stem, short_path(path), "box" if there else "file-x", mono=True)
        if there:
            self._facts(line, entry)
            line.clicked.connect(lambda _checked=False, at=entry.path: self.chosen.emit(at))
        else:
            line.facts.addWidget(text_label(tr("The file has moved"), "hint"))
            find = button(tr("Locate"))
            find.clicked.connect(lambda _checked=False, at=entry.path: self.locate.emit(at))
            line.facts.addWidget(find)
        line.facts.addWidget(_fact(when_text(entry.when), 96))
        return line

    def _facts(self, line: StartLine, entry: Recent) -> None:
        if entry.verdict is not None:
            badge = VerdictBadge(_STATUS[Answer(entry.verdict)])
            badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.facts.addWidget(badge)
        speed = ms_text(entry.p50_ms) if entry.p50_ms is not None else tr("not run")
        line.facts.addWidget(_fact(speed, 72))
        line.facts.addWidget(_fact(bytes_text(entry.bytes) if entry.bytes is not None else "", 72))


def _fact(text: str, width: int) -> QLabel:
    label = text_label(text, "hint")
    label.setFixedWidth(theme().px(width))
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return label


def short_path(path: Path) -> str:
    """The path with the home folder as "~"."""
    try:
        return (Path("~") / path.relative_to(Path.home())).as_posix()
    except ValueError:
        return str(path)


def when_text(when: str) -> str:
    """ "Today, 14:32", "Yesterday", or the date as the user's language writes it."""
    try:
        moment = datetime.fromisoformat(when)
    except ValueError:
        return ""
    days = (datetime.now().date() - moment.date()).days
    if days == 0:
        return tr("Today, {time}", time=f"{moment:%H:%M}")
    if days == 1:
        return tr("Yesterday")
    date = QDate(moment.year, moment.month, moment.day)
    return QLocale().toString(date, QLocale.FormatType.ShortFormat)
