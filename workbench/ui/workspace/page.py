"""Layers, centre and inspector, with splitters; and the selection that all of them share."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.app.session import Session, State, Topic
from workbench.ui.boxes import HEADER_HEIGHT, row
from workbench.ui.inspector.panel import NARROW_WIDTH, WIDTH, Inspector
from workbench.ui.layers.panel import WIDTH as LAYERS_WIDTH
from workbench.ui.layers.panel import LayersPanel
from workbench.ui.layers.strip import WIDTH as STRIP_WIDTH
from workbench.ui.layers.strip import LayersStrip
from workbench.ui.splitter import Splitter
from workbench.ui.step import Step
from workbench.ui.theme.theme import theme
from workbench.ui.workspace.graph_page import GraphPage

LAYERS, CENTRE, INSPECTOR = 0, 1, 2
_CENTRE_LEAST: Final = 320


class Workspace(QWidget):
    """Shows the steps Model to Convert. ``centre`` holds the graph page and the convert page."""

    menu_wanted = Signal(QPoint)

    def __init__(
        self,
        session: Session,
        layers: LayersPanel,
        graph_page: GraphPage,
        convert_page: QWidget,
        inspector: Inspector,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._step = Step.MODEL
        self.layers, self.graph_page, self.inspector = layers, graph_page, inspector
        self.convert_page = convert_page
        self.centre = QStackedWidget()
        self.centre.addWidget(self.graph_page)
        self.centre.addWidget(convert_page)
        self.centre.setMinimumWidth(theme().px(_CENTRE_LEAST))
        self.layers.setMinimumWidth(theme().px(240))
        self.inspector.setMinimumWidth(theme().px(NARROW_WIDTH))
        self.splitter = Splitter(Qt.Orientation.Horizontal, (LAYERS_WIDTH, 620, WIDTH))
        for widget in (self.layers, self.centre, self.inspector):
            self.splitter.addWidget(widget)
        self.splitter.setStretchFactor(CENTRE, 1)
        for side in (LAYERS, INSPECTOR):
            self.splitter.setStretchFactor(side, 0)
        self.splitter.restore_default()
        self._is_narrow = False
        self.wants_inspector = self.wants_layers = True
        self.strip = LayersStrip()
        self.strip.hide()
        self.strip.wanted.connect(self.toggle_layers)
        layout = row(self, gap=0)
        layout.addWidget(self.strip)
        layout.addWidget(self.splitter, 1)
        self.layers.keys_selected.connect(self._keys_selected)
        self.layers.node_activated.connect(self._node_activated)
        self.graph_page.graph.selected.connect(self._graph_selected)
        self.graph_page.graph.activated.connect(lambda _node: self.show_inspector(True))
        self.graph_page.graph.context_requested.connect(lambda at, _nodes: self.menu_wanted.emit(at))
        self.layers.menu_wanted.connect(self.menu_wanted)
        self.inspector.step_wanted.connect(self.layers.view.step_to)
        self.graph_page.graph.installEventFilter(self)
        session.follow(self._selection_changed, Topic.SELECTION)

    def set_step(self, step: Step) -> None:
        self._step = step
        self.layers.set_step(step)
        self.graph_page.set_step(step)
        self.inspector.set_step(step)
        converting = step is Step.CONVERT
        self.centre.setCurrentWidget(self.convert_page if converting else self.graph_page)
        self.inspector.setVisible(self.wants_inspector and not converting)

    def regions(self) -> tuple[QWidget, ...]:
        """What F6 walks through here."""
        return (self.layers, self.strip, self.centre, self.inspector)

    # Panels

    def set_narrow(self, narrow: bool) -> None:
        """Under 1200 the layers are a strip of 40 that opens over the graph."""
        self._is_narrow = narrow
        self.strip.setVisible(narrow)
        self._float_layers(narrow)
        self.inspector.setMinimumWidth(theme().px(NARROW_WIDTH))

    def show_inspector(self, on: bool) -> None:
        """Beside the graph; the convert page needs the room."""
        self.wants_inspector = on
        self.inspector.setVisible(on and self._step is not Step.CONVERT)

    def toggle_layers(self) -> None:
        self.show_layers(self.layers.isHidden())

    def show_layers(self, on: bool = True) -> None:
        """Beside the graph, or over it where the window is narrow."""
        if not self._is_narrow:
            self.wants_layers = on
        self.layers.setVisible(on)
        self._place_layers()

    def _float_layers(self, floating: bool) -> None:
        if floating and self.layers.parentWidget() is self.splitter:
            self.layers.setParent(self)
            self.layers.hide()
        elif not floating and self.layers.parentWidget() is self:
            self.splitter.insertWidget(LAYERS, self.layers)
            self.splitter.setStretchFactor(LAYERS, 0)
            self.splitter.restore_default()
            self.layers.setVisible(self.wants_layers)
        self._place_layers()

    def _place_layers(self) -> None:
        if self.layers.parentWidget() is self:
            px = theme().px
            width = min(px(LAYERS_WIDTH), self.width() - px(120))
            top = self._floor()
            self.layers.setGeometry(px(STRIP_WIDTH), top, width, self.height() - top)
            self.layers.raise_()

    def _floor(self) -> int:
        """Where the graph begins: the answer above it stays in sight."""
        graph = self.graph_page.graph
        return graph.mapTo(self, QPoint(0, 0)).y() if graph.isVisible() else theme().px(HEADER_HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The graph moves down where the answer takes two lines."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Show):
            self._place_layers()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_layers()

    # Selection

    def _keys_selected(self, keys: tuple[str, ...]) -> None:
        self.graph_page.graph.select(*keys)

    def _node_activated(self, node: str) -> None:
        self.reveal(node)

    def _graph_selected(self, nodes: tuple[str, ...]) -> None:
        self._session.select(nodes)

    def reveal(self, node: str) -> None:
        """In sight in the graph and beside it, its groups opened."""
        self.graph_page.graph.select(node)
        self.show_inspector(True)

    def _selection_changed(self, state: State) -> None:
        if set(self.graph_page.graph.selection()) != set(state.selection):
            self.graph_page.graph.select(*state.selection)
