"""The item model behind the layers table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from workbench.core.messages import plain
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.verdict import Status, Verdict
from workbench.ui.layers.cells import SORT_KEYS, TEXTS, quant_text, size_of
from workbench.ui.layers.columns import LOOKS, Column
from workbench.ui.layers.filter import Facts, Filter
from workbench.ui.layers.outline import NOTHING, Outline
from workbench.ui.layers.row import Row
from workbench.ui.layers.tree import Item, Tree, flat, grouped
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


@dataclass(frozen=True, slots=True)
class Summary:
    """What the rows of one line come to. ``bytes``: of their weights at their precisions."""

    worst: Status
    statuses: Counter[Status]
    has_fix: bool
    quants: frozenset[LayerQuant]
    bytes: int


class LayersModel(QAbstractItemModel):
    """Groups and operators. Sorted by a column it is flat; ``sort(-1)`` is the graph's own order.

    ``figures_changed``: precisions or verdicts of any rows are others, the rows are the same.
    """

    figures_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outline = NOTHING
        self._columns: tuple[Column, ...] = (Column.NAME, Column.OP)
        self._only_quantizable = False
        self._filter = Filter()
        self._status: Status | None = None
        self._plan = QuantPlan()
        self._verdicts: Mapping[str, Verdict] = {}
        self._sort: tuple[int, bool] = (_GRAPH_ORDER, False)
        self._tree = NOTHING.whole
        self._summaries: dict[Item, Summary] = {}

    # What is shown

    def set_outline(self, outline: Outline) -> None:
        self._outline = outline
        self._rebuild()

    def set_columns(self, columns: tuple[Column, ...], *, only_quantizable: bool) -> None:
        if (columns, only_quantizable) == (self._columns, self._only_quantizable):
            return
        self._columns, self._only_quantizable = columns, only_quantizable
        self._sort = (_GRAPH_ORDER, False)
        self._rebuild()

    def set_filter(self, wanted: Filter, status: Status | None) -> None:
        if wanted.is_empty and status is None and not self.is_filtered:
            return
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
        return self._outline.rows

    @property
    def is_filtered(self) -> bool:
        return self._status is not None or not self._filter.is_empty

    def listed(self) -> tuple[Row, ...]:
        """Every row of the step, filtered or not."""
        return (self._outline.plan if self._only_quantizable else self._outline.whole).rows

    def shown(self) -> tuple[Row, ...]:
        """The rows that pass the filter, in the order shown."""
        return self._tree.rows

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
        return self.summary(item).has_fix

    def worst(self, item: Item) -> Status:
        """The status of a row, the worst of a group."""
        return self.summary(item).worst

    def quants(self, item: Item) -> frozenset[LayerQuant]:
        """The precisions of the layers that this line stands for; none where nothing can be quantized."""
        return self.summary(item).quants

    def summary(self, item: Item) -> Summary:
        """What a line stands for; kept until a figure changes, since a group may hold thousands of rows."""
        found = self._summaries.get(item)
        if found is None:
            rows = (item.row,) if item.row is not None else item.leaves
            found = self._summaries[item] = self._summed(rows)
        return found

    def _summed(self, rows: Sequence[Row]) -> Summary:
        statuses = Counter(self.status(row.node) for row in rows)
        verdicts = (self._verdicts.get(row.node) for row in rows)
        return Summary(
            next(status for status in SEVERITY if status in statuses),
            statuses,
            any(verdict is not None and verdict.fix is not None for verdict in verdicts),
            frozenset(self._plan.of(row.node) for row in rows if row.can_quantize),
            sum(size_of(self.facts(row)) for row in rows),
        )

    def item(self, index: Index) -> Item:
        return index.internalPointer() if index.isValid() else self._tree.root

    @property
    def tree(self) -> Tree:
        """The lines shown."""
        return self._tree

    def whole_nodes(self, group: str) -> tuple[str, ...]:
        """Every operator of a group, of this step or not, filtered or not."""
        return next((item.nodes() for item in self._outline.whole.groups if item.key == group), ())

    def index_of(self, node: str) -> QModelIndex:
        """The row of a node; invalid where the filter leaves it out."""
        item = self._tree.items.get(node)
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
        if above is None or above is self._tree.root:
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
        summary = self.summary(item)
        if column is Column.VERDICT:
            worst = summary.worst
            return status_word(worst) if worst in _QUIET else status_count(worst, summary.statuses[worst])
        if column is Column.SIZE:
            return bytes_text(summary.bytes)
        if column is Column.BITS:
            quants = summary.quants
            return quant_text(next(iter(quants))) if len(quants) == 1 else tr("mixed") if quants else ""
        return ""

    # Inside

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._tree = self._make_tree()
        self._summaries = {}
        self.endResetModel()

    def _make_tree(self) -> Tree:
        column, descending = self._sort
        is_sorted = 0 <= column < len(self._columns)
        if not self.is_filtered and not is_sorted:
            return self._outline.plan if self._only_quantizable else self._outline.whole
        rows = [row for row in self.listed() if not self.is_filtered or self._accepts(row)]
        if not is_sorted:
            return Tree.of(grouped(rows, self._outline.places))
        key = SORT_KEYS[self._columns[column]]
        return Tree.of(flat(sorted(rows, key=lambda row: key(self.facts(row)), reverse=descending)))

    def _accepts(self, row: Row) -> bool:
        facts = self.facts(row)
        return (self._status is None or facts.status is self._status) and self._filter.accepts(facts)

    def _figures_changed(self, *columns: Column) -> None:
        if self.is_filtered or (0 <= self._sort[0] < len(self._columns) and self._columns[self._sort[0]] in columns):
            self._rebuild()
            return
        self._summaries = {}
        self.figures_changed.emit()
