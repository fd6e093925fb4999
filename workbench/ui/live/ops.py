"""The time of every operator of a run, the slowest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.core.messages import plain
from workbench.core.numbers import decimals_of
from workbench.core.op import Op
from workbench.ui.live.words import number
from workbench.ui.text import tr
from workbench.ui.theme.fonts import MEDIUM, REGULAR, TABLE, mono_font, ui_font
from workbench.ui.theme.theme import qcolor, theme
from workbench.ui.widgets.labels import text_label

Index = QModelIndex | QPersistentModelIndex
_ROW: Final = 28
_INSET: Final = 8
_BAR: Final = (72, 6)
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_VALUE: Final = Qt.ItemDataRole.UserRole
"""The value that a column is sorted by, and that the bar is drawn from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One operator; ``share`` of the sum of all, 0 to 1."""

    op: Op
    share: float
    decimals: int


@dataclass(frozen=True, slots=True)
class _Column:
    title: Callable[[], str]
    text: Callable[[Row], str]
    value: Callable[[Row], str | float]
    alignment: Qt.AlignmentFlag


_COLUMNS: Final = (
    _Column(lambda: tr("Type"), lambda row: plain(row.op.type), lambda row: row.op.type.lower(), _LEFT),
    _Column(lambda: tr("Op"), lambda row: plain(row.op.name), lambda row: row.op.name.lower(), _LEFT),
    _Column(lambda: tr("ms"), lambda row: number(row.op.ms, row.decimals), lambda row: row.op.ms, _RIGHT),
    _Column(
        lambda: tr("Share of the sum"), lambda row: f"{number(100 * row.share, 1)} %", lambda row: row.share, _RIGHT
    ),
)
TYPE, NAME, MS, SHARE = range(4)


def rows_of(ops: tuple[Op, ...]) -> tuple[Row, ...]:
    """``ops`` with their shares; all with the decimals that give the slowest three digits, and one more."""
    total = sum(op.ms for op in ops)
    decimals = min(decimals_of(max((op.ms for op in ops), default=1.0)) + 1, 5)
    return tuple(Row(op, op.ms / total if total > 0 else 0.0, decimals) for op in ops)


class OpsModel(QAbstractTableModel):
    """The rows in the engine's order."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()

    def set_ops(self, ops: tuple[Op, ...]) -> None:
        self.beginResetModel()
        self.rows = rows_of(ops)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], _COLUMNS[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.text(row)
        if role == _VALUE:
            return column.value(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.alignment
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section].title()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _COLUMNS[section].alignment
        return None


class _Cells(QStyledItemDelegate):
    """Text where the column heads have theirs; shares with a bar on the scale of the largest."""

    largest: float = 1.0

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        inset = theme().px(_INSET)
        left = 2 * inset if index.column() == TYPE else inset
        box = QRectF(option.rect).adjusted(left, 0, -inset, 0)
        tokens = theme().tokens
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.column() == SHARE:
            _paint_bar(painter, box, float(index.data(_VALUE)) / self.largest)
        name = index.column() == NAME
        painter.setFont(mono_font() if name else ui_font(TABLE, MEDIUM if index.column() == MS else REGULAR))
        painter.setPen(qcolor(tokens.text2 if name else tokens.text))
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, int(box.width()))
        painter.drawText(box, int(_COLUMNS[index.column()].alignment), text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if index.column() == SHARE:
            return QSize(theme().px(_BAR[0] + 96), theme().px(_ROW))
        text = QFontMetrics(ui_font(TABLE, MEDIUM)).horizontalAdvance(str(index.data()))
        return QSize(text + 3 * theme().px(_INSET) + 1, theme().px(_ROW))


def _paint_bar(painter: QPainter, box: QRectF, filled: float) -> None:
    tokens = theme().tokens
    wide, high = (theme().px(side) for side in _BAR)
    track = QRectF(box.left(), box.center().y() - high / 2, wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    for colour, length in ((tokens.grid, wide), (tokens.series[0], filled * wide)):
        painter.setBrush(qcolor(colour))
        round_ = min(high, length) / 2
        painter.drawRoundedRect(QRectF(track.left(), track.top(), length, high), round_, round_)


class OpsTable(QWidget):
    """A sortable table of the operators' times; says so where none were measured."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = OpsModel()
        self._sorted = QSortFilterProxyModel()
        self._sorted.setSourceModel(self.model)
        self._sorted.setSortRole(_VALUE)
        self.view = _make_view(self._sorted)
        self._cells = _Cells(self.view)
        self.view.setItemDelegate(self._cells)
        self._sum = text_label(role="hint")
        self._empty = text_label(
            tr("No times of single ops. Ask for them in the run settings and run again."), "hint", wrap=True
        )
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._page())

    def show_ops(self, ops: tuple[Op, ...]) -> None:
        """Show ``ops`` of a run, the slowest first."""
        self.model.set_ops(ops)
        self._cells.largest = max((row.share for row in self.model.rows), default=1.0) or 1.0
        self._pages.setCurrentIndex(1 if ops else 0)
        if not ops:
            return
        total = sum(op.ms for op in ops)
        self._sum.setText(
            tr(
                "{count} ops, {total} ms in all: medians of {runs} profiled runs, apart from those of the charts",
                count=number(len(ops), 0),
                total=number(total, decimals_of(total)),
                runs=number(max(op.n for op in ops), 0),
            )
        )
        self.view.sortByColumn(MS, Qt.SortOrder.DescendingOrder)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_pages"):
            _resize_rows(self.view)

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        self._sum.setContentsMargins(16, 8, 16, 8)
        column.addWidget(self._sum)
        return page


def _make_view(model: QSortFilterProxyModel) -> QTableView:
    view = QTableView()
    view.setModel(model)
    view.setSortingEnabled(True)
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setAccessibleName(tr("Times of the ops"))
    view.verticalHeader().hide()
    header = view.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
    for column in (TYPE, MS, SHARE):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    header.setMinimumSectionSize(theme().px(72))
    _resize_rows(view)
    return view


def _resize_rows(view: QTableView) -> None:
    view.verticalHeader().setDefaultSectionSize(theme().px(_ROW))
