"""The Jobs tab: what runs, with progress and Cancel, and how everything ended."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.ui.dock.job_acts import AGAIN, ANSWERED, Act, JobActs, acts_of
from workbench.ui.jobbook import JobKind, JobRecord, JobState
from workbench.ui.numbers import seconds_text
from workbench.ui.text import say, tr
from workbench.ui.theme.fonts import MEDIUM, REGULAR, TABLE, ui_font
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.badge import HEIGHT, Badge, paint_badge, tint_badge
from workbench.ui.widgets.labels import as_tooltip, text_label
from workbench.ui.work import Trouble, Work

_ROW: Final = 32
_JOB, _OUTCOME, _WHERE, _TOOK, _STARTED, _ACT = range(6)
_WIDTHS: Final = {_JOB: 280, _OUTCOME: 128, _TOOK: 80, _STARTED: 88, _ACT: 152}
_NO_INDEX: Final = QModelIndex()
_TICK_MS: Final = 500

Index = QModelIndex | QPersistentModelIndex


class JobsModel(QAbstractTableModel):
    """Newest first."""

    def __init__(self, work: Work) -> None:
        super().__init__(work)
        self._work = work
        self._rows: tuple[JobRecord, ...] = work.book.listed()
        work.changed.connect(self._changed)

    def record(self, at: int) -> JobRecord:
        return self._rows[at]

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return len(range(6))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DisplayRole:
            return (tr("Job"), tr("Outcome"), tr("What"), tr("Took"), tr("Started"), "")[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        record = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _cell(record, index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (_JOB, _WHERE):
            return as_tooltip(_cell(record, index.column()))
        return None

    def tick(self) -> None:
        """The times of what runs."""
        for at, record in enumerate(self._rows):
            if not record.state.is_over:
                self.dataChanged.emit(self.index(at, _TOOK), self.index(at, _TOOK))

    def _changed(self, record: JobRecord) -> None:
        listed = self._work.book.listed()
        if tuple(row.job for row in listed) != tuple(row.job for row in self._rows):
            self.beginResetModel()
            self._rows = listed
            self.endResetModel()
            return
        self._rows = listed
        at = next(at for at, row in enumerate(listed) if row.job == record.job)
        self.dataChanged.emit(self.index(at, 0), self.index(at, _ACT))


def outcome_badge(record: JobRecord) -> Badge:
    """How a job stands, in a word."""
    tokens = theme().tokens
    match record.state:
        case JobState.DONE if record.is_no:
            return tint_badge(tokens.wrong, tr("Answer: no"), "octagon-x")
        case JobState.DONE:
            return Badge(tr("Done"), tokens.right.fg, icon="circle-check")
        case JobState.FAILED:
            return tint_badge(tokens.wrong, tr("Failed"), "octagon-x")
        case JobState.STOPPED:
            return Badge(tr("Cancelled"), tokens.text2, icon="circle-dashed", bold=False)
        case JobState.STOPPING:
            return Badge(tr("Stopping"), tokens.text2, icon="loader-circle", bold=False)
        case JobState.WAITING | JobState.RUNNING:
            share = f" {record.fraction:.0%}".replace("%", " %") if record.fraction is not None else ""
            return Badge(tr("Running") + share, tokens.accent_text, icon="loader-circle")


def _cell(record: JobRecord, column: int) -> str:
    if column == _JOB:
        return say(record.title)
    if column == _OUTCOME:
        return outcome_badge(record).text
    if column == _WHERE:
        if record.error is not None:
            where = f"{record.error.where}: " if record.error.where else ""
            return where + say(record.error.what)
        told = record.note if record.state is JobState.DONE else record.text
        return say(told) if told is not None else ""
    if column == _TOOK:
        return seconds_text(record.elapsed())
    return f"{record.started:%H:%M:%S}" if column == _STARTED else ""


class _Delegate(QStyledItemDelegate):
    def __init__(self, view: QTableView, model: JobsModel) -> None:
        super().__init__(view)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(80), theme().px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        px, tokens = theme().px, theme().tokens
        rect: QRect = option.rect
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), qcolor(tokens.grid))
        first = index.column() == _JOB
        painter.setFont(ui_font(TABLE, MEDIUM if first else REGULAR))
        painter.setPen(qcolor(tokens.text if first else tokens.text2))
        words = rect.adjusted(px(16 if first else 8), 0, -px(8), 0)
        text = painter.fontMetrics().elidedText(
            _cell(self._model.record(index.row()), index.column()), Qt.TextElideMode.ElideRight, words.width()
        )
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.restore()


class _OutcomeDelegate(_Delegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), qcolor(theme().tokens.grid))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.left() + theme().px(8), rect.top())
        painter.scale(theme().scale, theme().scale)
        paint_badge(painter, 0, (_ROW - HEIGHT) / 2, outcome_badge(self._model.record(index.row())))
        painter.restore()


class JobsTab(QWidget):
    """The table, or a line that says that nothing has run yet.

    ``asked_why`` carries the Trouble of a job that failed, ``wanted`` a window command's id.
    """

    asked_why = Signal(object)
    wanted = Signal(str)

    def __init__(self, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self.model = JobsModel(work)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Jobs"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme().px(_ROW))
        self.table.setItemDelegate(_Delegate(self.table, self.model))
        self.table.setItemDelegateForColumn(_OUTCOME, _OutcomeDelegate(self.table, self.model))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_WHERE, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, theme().px(width))
        nothing = text_label(tr("Nothing has run yet."), "hint")
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(nothing)
        self._stack.addWidget(self.table)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.model.tick)
        self._timer.start()
        self.model.modelReset.connect(self._rows_changed)
        self.model.dataChanged.connect(self._buttons)
        self._rows_changed()

    def _rows_changed(self) -> None:
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)
        self._buttons()

    def _buttons(self) -> None:
        """Beside each row what can be done about it."""
        newest = set[JobKind]()
        for at in range(self.model.rowCount()):
            record = self.model.record(at)
            acts = acts_of(record, is_newest=record.kind not in newest)
            newest.add(record.kind)
            index = self.model.index(at, _ACT)
            here = self.table.indexWidget(index)
            if (here.acts if isinstance(here, JobActs) else ()) == acts:
                continue
            made = JobActs(record, acts) if acts else None
            if made is not None:
                made.chosen.connect(partial(self._act, record))
            self.table.setIndexWidget(index, made)  # type: ignore[arg-type]  # null removes it

    def _act(self, record: JobRecord, act: Act) -> None:
        match act:
            case Act.CANCEL:
                self._work.cancel(record.kind)
            case Act.AGAIN:
                self.wanted.emit(AGAIN[record.kind])
            case Act.WHY if record.error is not None:
                self.asked_why.emit(Trouble(record.error, record.kind))
            case Act.WHY:
                self.wanted.emit(ANSWERED[record.kind])
