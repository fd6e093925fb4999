"""The graph as one painted widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.graph import Graph
from workbench.core.verdict import Verdict
from workbench.ui.graph.overlay import Overlay


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step of the way to the selection: ``key`` for ``select``, ``title`` for people."""

    key: str
    title: str


class GraphView(QWidget):
    """Shows a ``Graph``; ids are those of ``Node.id``.

    A key names whatever can be selected: a node's id, a group's key, "in:NAME" or "out:NAME".
    """

    selected = Signal(tuple)
    """Ids of the nodes selected, in graph order; a group stands for all nodes inside it."""
    activated = Signal(str)
    """Enter or double-click on a node: its id."""
    context_requested = Signal(QPoint, tuple)
    """Global position and the selection for a menu."""
    breadcrumb_changed = Signal(tuple)
    """The ``Crumb``s of the groups around the selection, outermost first."""
    zoom_changed = Signal(float)
    """Zoom, 1.0 is 100 %."""
    ready = Signal()
    """The layout of the graph set last is there."""

    def set_graph(self, graph: Graph | None) -> None:
        """Show ``graph`` (None: nothing), laid out in a worker thread where it is large."""

    def set_verdicts(self, verdicts: Mapping[str, Verdict]) -> None:
        """Verdicts by node id, for the support overlay and the width of nodes."""

    def set_bits(self, bits: Mapping[str, int]) -> None:
        """Bits by id of every quantizable node (0 is float), for the bits overlay."""

    def set_overlay(self, overlay: Overlay) -> None:
        """Show ``overlay`` on nodes and groups, and its legend."""

    def select(self, *keys: str) -> bool:
        """Select nodes or groups: groups around the first open, and it scrolls into view.

        False where the first is not in the graph. Emits ``selected`` where the selection changes.
        """
        return False

    def selection(self) -> tuple[str, ...]:
        """Ids of the nodes selected, as ``selected`` sends them."""
        return ()

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of what is selected, groups as groups."""
        return ()

    def current_key(self) -> str | None:
        """What the keyboard acts on."""
        return None

    def breadcrumb(self) -> tuple[Crumb, ...]:
        """The groups around the selection."""
        return ()

    def fit(self) -> None:
        """The whole graph in the window, clear of legend and zoom."""

    def set_zoom(self, zoom: float) -> None:
        """Zoom about the middle; 1.0 is 100 %."""
