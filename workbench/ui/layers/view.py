"""The tree view of the layers table: keys, clicks, and which lines are open."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from workbench.ui.layers.columns import LOOKS, Column
from workbench.ui.layers.delegate import LayerDelegate
from workbench.ui.layers.model import Index, LayersModel
from workbench.ui.layers.tree import Item
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme

_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class LayersView(QTreeView):
    """``nodes_selected`` carries ids of operators; groups stand for all they hold."""

    nodes_selected = Signal(tuple)
    activated_node = Signal(str)
    menu_wanted = Signal(QPoint)
    widths_changed = Signal()
    """A person made a column wider or narrower."""

    def __init__(self, model: LayersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._open: set[str] = set()
        self._widths: tuple[int, ...] = ()
        self._is_fitting = False
        self._following = False
        self._selected: tuple[str, ...] = ()
        self.shows_ring = False
        self.setModel(model)
        self._delegate = LayerDelegate(self, model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("Layers"))
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(theme().px(40))
        header.sectionResized.connect(self._section_resized)
        self.setSortingEnabled(True)
        self.expanded.connect(lambda index: self._note_open(index, opened=True))
        self.collapsed.connect(lambda index: self._note_open(index, opened=False))
        model.modelReset.connect(self._restore)
        model.figures_changed.connect(self.viewport().update)
        self.selectionModel().selectionChanged.connect(self._tell)

    # What is shown

    def widths(self) -> tuple[int, ...]:
        """Pixels of every column but the name's."""
        columns = self._model.columns
        return tuple(self.header().sectionSize(at) for at, one in enumerate(columns) if one is not Column.NAME)

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """As ``widths`` told them; () for the usual ones."""
        self._widths = widths
        self.fit_columns()

    def fit_columns(self) -> None:
        """Every column its width; the name takes what is left."""
        header = self.header()
        usual = [theme().px(LOOKS[one].width) for one in self._model.columns if one is not Column.NAME]
        wanted = iter(self._widths if len(self._widths) == len(usual) else usual)
        self._is_fitting = True
        for at, column in enumerate(self._model.columns):
            if column is Column.NAME:
                header.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch)
            else:
                header.setSectionResizeMode(at, QHeaderView.ResizeMode.Interactive)
                header.resizeSection(at, next(wanted))
        self._is_fitting = False

    def _section_resized(self, at: int, _old: int, _new: int) -> None:
        if not self._is_fitting and self._model.columns[at] is not Column.NAME:
            self._widths = self.widths()
            self.widths_changed.emit()

    def open_groups(self, keys: set[str]) -> None:
        """These groups are open from now on, others closed."""
        self._open = set(keys)
        self._restore()

    # Selection

    def selected_nodes(self) -> tuple[str, ...]:
        """Ids in the order of the lines, each once."""
        return self._selected

    def selected_keys(self) -> tuple[str, ...]:
        """Keys as the graph knows them: groups as groups."""
        return tuple(self._model.item(index).key for index in self.selectionModel().selectedRows())

    def select_nodes(self, nodes: tuple[str, ...]) -> None:
        """Show ``nodes`` as selected without telling; a closed group of which all are selected stays closed."""
        if set(nodes) == set(self.selected_nodes()):
            return
        wanted = frozenset(nodes)
        selection = QItemSelection()
        first: QModelIndex | None = None
        for item in self._lines_of(self._model.tree.root, wanted, alone=len(wanted) == 1):
            index = self._model.index_of_item(item)
            selection.select(index, index.siblingAtColumn(len(self._model.columns) - 1))
            first = first or index
        self._following = True
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect)
        if first is not None:
            self.selectionModel().setCurrentIndex(first, flags.NoUpdate)
            self.scrollTo(first)
        self._following = False

    def _lines_of(self, item: Item, wanted: frozenset[str], *, alone: bool) -> list[Item]:
        found: list[Item] = []
        for child in item.children:
            nodes = child.nodes()
            if not child.is_group:
                if nodes[0] in wanted:
                    found.append(child)
            elif not alone and wanted.issuperset(nodes) and not self._stands_for_inner(child, wanted):
                found.append(child)
            elif not wanted.isdisjoint(nodes):
                self.expand(self._model.index_of_item(child))
                found += self._lines_of(child, wanted, alone=alone)
        return found

    def _stands_for_inner(self, group: Item, wanted: frozenset[str]) -> bool:
        """Where a filter leaves of a group no more than of one inside it, and only the inner one is wanted."""
        inner = group.children[0]
        is_shell = len(group.children) == 1 and inner.is_group
        return is_shell and not wanted.issuperset(self._model.whole_nodes(group.key))

    def step_to(self, by: int) -> None:
        """Select the next (1) or the one before (-1) of the operators shown, around the ends."""
        shown = self._model.shown()
        if not shown:
            return
        nodes = [row.node for row in shown]
        selected = self.selected_nodes()
        at = nodes.index(selected[0]) if selected and selected[0] in nodes else (-1 if by > 0 else 0)
        index = self._model.index_of(nodes[(at + by) % len(nodes)])
        self.setCurrentIndex(index)
        self.scrollTo(index)

    # Inside

    def _tell(self) -> None:
        self.viewport().update()
        found: dict[str, None] = {}
        for index in self.selectionModel().selectedRows():
            found.update(dict.fromkeys(self._model.item(index).nodes()))
        self._selected = tuple(found)
        if not self._following:
            self.nodes_selected.emit(self.selected_nodes())

    def _note_open(self, index: QModelIndex, *, opened: bool) -> None:
        key = self._model.item(index).key
        if not self._model.is_filtered:
            (self._open.add if opened else self._open.discard)(key)

    def _restore(self) -> None:
        """After the lines were made anew: open what was open; all of it while a filter is on."""
        self._selected = ()  # a reset drops the selection without a signal
        if self._model.is_filtered:
            self.expandAll()
            return
        for group in self._model.tree.groups:
            if group.key in self._open:
                self.setExpanded(self._model.index_of_item(group), True)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        """A group is one cell over all columns; Qt's own spans keep a persistent index for each."""
        if self._model.item(index).is_group:
            self._delegate.paint_group(painter, options, index)
        else:
            super().drawRow(painter, options, index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.shows_ring = False
        index = self.indexAt(event.position().toPoint())
        item = self._model.item(index)
        if index.isValid() and item.is_group and index.column() == 0:
            chevron = self._delegate.chevron_rect(self.visualRect(index), item)
            if chevron.contains(event.position().toPoint()):
                self.setExpanded(index, not self.isExpanded(index))
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self._activate(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.shows_ring = True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._activate(self.currentIndex())
            return
        if event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.shows_ring = event.reason() in _KEYBOARD
        if not self.currentIndex().isValid() and self._model.rowCount():
            self.selectionModel().setCurrentIndex(self._model.index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        super().focusInEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.fit_columns()

    def _activate(self, index: QModelIndex) -> None:
        item = self._model.item(index)
        if item.is_group:
            self.setExpanded(index.siblingAtColumn(0), not self.isExpanded(index.siblingAtColumn(0)))
        else:
            self.activated_node.emit(item.key)
