"""Where things are in a graph view, and what is selected there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt

from workbench.core.graph import Graph
from workbench.ui.graph.view import GraphView

LEFT = Qt.MouseButton.LeftButton
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier

Show = Callable[[Graph], GraphView]
"""Shows a graph in a view of 900 x 760 that has the focus: the fixture ``show``."""


def item(view: GraphView, title: str) -> int:
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    return next(n for n, found in enumerate(hierarchy.items) if title in (found.title, found.detail, found.key))


def point(view: GraphView, title: str) -> QPoint:
    """A place on the item that is neither its arrow nor its badge."""
    box = view.window_box(item(view, title))
    assert box is not None
    return QPoint(round(box.left() + box.width() * 0.3), round(box.top() + min(12.0, box.height() / 2)))


def titles(view: GraphView) -> list[str]:
    hierarchy = view.hierarchy()
    assert hierarchy is not None
    return [hierarchy.items[hierarchy.index[key]].title for key in view.selected_keys()]
