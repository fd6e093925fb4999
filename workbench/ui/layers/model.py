"""The item model behind the layers table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.core.messages import plain
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.verdict import Status, Verdict
from workbench.ui.layers.cells import SORT_KEYS, TEXTS, quant_text, size_of
from workbench.ui.layers.columns import LOOKS, Column
from workbench.ui.layers.filter import Facts, Filter
from workbench.ui.layers.row import Row
from workbench.ui.layers.tree import Item, Place, flat, grouped
from workbench.ui.numbers import bytes_text
from workbench.ui.text import say, tr
from workbench.ui.theme.tokens import SEVERITY
from workbench.ui.widgets.badge import status_count, status_word
from workbench.ui.widgets.labels import as_tooltip

Index = QModelIndex | QPersistentModelIndex
ITEM: Final = Qt.ItemDataRole.UserRole
_NO_INDEX: Final = QModelIndex()
_GRAPH_ORDER: Final = -1
_QUIET: Final = (Status.RIGHT, Status.NOT_CHECKED)
"""A group of which this is the worst says the word alone."""


class LayersModel(QAbstractItemModel):
    """Groups and operators. Sorted by a column it is flat; ``sort(-1)`` is the graph's own order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._places: Mapping[str, tuple[Place, ...]] = {}
        self._columns: tuple[Column, ...] = (Column.NAME, Column.OP)
        self._only_quantizable = False
        self._filter = Filter()
        self._status: Status | None = None
        self._plan = QuantPlan()
        self._verdicts: Mapping[str, Verdict] = {}
        self._sort: tuple[int, bool] = (_GRAPH_ORDER, False)
        self._root = flat(())
        self._by_node: dict[str, Item] = {}

    # What is shown

    def set_rows(self, rows: tuple[Row, ...], places: Mapping[str, tuple[Place, ...]]) -> None:
        self._rows, self._places = rows, places
        self._rebuild()

    def set_columns(self, columns: tuple[Column, ...], *, only_quantizable: bool) -> None:
        if (columns, only_quantizable) == (self._columns, self._only_quantizable):
            return
        self._columns, self._only_quantizable = columns, only_quantizable
        self._sort = (_GRAPH_ORDER, False)
        self._rebuild()

    def set_filter(self, wanted: Filter, status: Status | None) -> None:
        self._filter, self._status = wanted, status
        self._rebuild()

    def set_plan(self, plan: QuantPlan) -> None:
        self._plan = plan
        self._figures_changed(Column.BITS, Column.SIZE)

    def set_verdicts(self, verdicts: Mapping[str, Verdict]) -> None:
        self._verdicts = verdicts
        self._figures_changed(Column.VERDICT)

    # What others ask

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._columns

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row, of this step or not."""
        return self._rows

    @property
    def is_filtered(self) -> bool:
        return self._status is not None or not self._filter.is_empty

    def listed(self) -> tuple[Row, ...]:
        """Every row of the step, filtered or not."""
        return tuple(row for row in self._rows if row.can_quantize or not self._only_quantizable)

    def shown(self) -> tuple[Row, ...]:
        """The rows that pass the filter, in the order shown."""
        return tuple(item.row for item in self._root.walk() if item.row is not None)

    def statuses(self) -> dict[Status, int]:
        """How many listed rows have each status, worst first."""
        counts = dict.fromkeys(SEVERITY, 0)
        for row in self.listed():
            counts[self.status(row.node)] += 1
        return {status: count for status, count in counts.items() if count}

    def status(self, node: str) -> Status:
        verdict = self._verdicts.get(node)
        return verdict.status if verdict is not None else Status.NOT_CHECKED

    def has_fix(self, item: Item) -> bool:
        return any(node in self._verdicts and self._verdicts[node].fix is not None for node in item.nodes())

    def worst(self, item: Item) -> Status:
        """The status of a row, the worst of a group."""
        statuses = {self.status(node) for node in item.nodes()}
        return next(status for status in SEVERITY if status in statuses)

    def quants(self, item: Item) -> frozenset[LayerQuant]:
        """The precisions of the layers that this line stands for; none where nothing can be quantized."""
        rows = (item.row,) if item.row is not None else item.leaves
        return frozenset(self._plan.of(row.node) for row in rows if row.can_quantize)

    def item(self, index: Index) -> Item:
        return index.internalPointer() if index.isValid() else self._root

    def root(self) -> Item:
        return self._root

    def index_of(self, node: str) -> QModelIndex:
        """The row of a node; invalid where the filter leaves it out."""
        item = self._by_node.get(node)
        return self.index_of_item(item) if item is not None else QModelIndex()

    def index_of_item(self, item: Item) -> QModelIndex:
        return self.createIndex(item.position, 0, item)

    def facts(self, row: Row) -> Facts:
        return Facts(row, self._plan.of(row.node), self.status(row.node))

    # Qt's interface

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        item = self.item(parent)
        if 0 <= row < len(item.children) and 0 <= column < len(self._columns):
            return self.createIndex(row, column, item.children[row])
        return QModelIndex()

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]  # QObject.parent() is another
        above = self.item(index).parent
        if above is None or above is self._root:
            return QModelIndex()
        return self.createIndex(above.position, 0, above)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return len(self.item(parent).children) if parent.column() <= 0 else 0

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        item = self.item(index)
        column = self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(item, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.NAME and item.row is not None:
            return as_tooltip(item.row.name, item.row.node)
        if role == Qt.ItemDataRole.TextAlignmentRole and LOOKS[column].is_number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == ITEM:
            return item
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        look = LOOKS[self._columns[section]]
        if role == Qt.ItemDataRole.DisplayRole:
            return say(look.title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if look.is_number else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sort = (column, order is Qt.SortOrder.DescendingOrder)
        self._rebuild()

    def text(self, item: Item, column: Column) -> str:
        """A cell as text, for painting, copying and screen readers."""
        if column is Column.NAME:
            return plain(item.title)
        return TEXTS[column](self.facts(item.row)) if item.row is not None else self._group_text(item, column)

    def _group_text(self, item: Item, column: Column) -> str:
        if column is Column.VERDICT:
            worst = self.worst(item)
            count = sum(self.status(row.node) is worst for row in item.leaves)
            return status_word(worst) if worst in _QUIET else status_count(worst, count)
        if column is Column.SIZE:
            return bytes_text(sum(size_of(self.facts(row)) for row in item.leaves))
        if column is Column.BITS:
            quants = self.quants(item)
            return quant_text(next(iter(quants))) if len(quants) == 1 else tr("mixed") if quants else ""
        return ""

    # Inside

    def _rebuild(self) -> None:
        self.beginResetModel()
        rows = self.listed()
        if self.is_filtered:
            rows = tuple(row for row in rows if self._accepts(row))
        column, descending = self._sort
        if 0 <= column < len(self._columns):
            key = SORT_KEYS[self._columns[column]]
            self._root = flat(sorted(rows, key=lambda row: key(self.facts(row)), reverse=descending))
        else:
            self._root = grouped(rows, self._places)
        self._by_node = {item.row.node: item for item in self._root.walk() if item.row is not None}
        self.endResetModel()

    def _accepts(self, row: Row) -> bool:
        facts = self.facts(row)
        return (self._status is None or facts.status is self._status) and self._filter.accepts(facts)

    def _figures_changed(self, *columns: Column) -> None:
        if self.is_filtered or (0 <= self._sort[0] < len(self._columns) and self._columns[self._sort[0]] in columns):
            self._rebuild()
            return
        shown = [self._columns.index(column) for column in columns if column in self._columns]
        if not shown:
            return
        for group in (self._root, *(item for item in self._root.walk() if item.is_group)):
            if group.children:
                first, last = group.children[0], group.children[-1]
                self.dataChanged.emit(
                    self.createIndex(0, min(shown), first), self.createIndex(last.position, max(shown), last)
                )
