"""The graph with a selection and ways through it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.graph import Graph
from workbench.ui.graph import texts
from workbench.ui.graph.arranger import Arranger
from workbench.ui.graph.chosen import Chosen
from workbench.ui.graph.hierarchy import Item
from workbench.ui.graph.picture import NOTHING
from workbench.ui.graph.ways import Way, first_item, neighbour, outer_edges

_AROUND: Final = 48
_READABLE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step of the way to the selection: ``key`` for ``select``, ``title`` for people."""

    key: str
    title: str


class Explorer(Arranger):
    """What can be done with a graph, by program; the view adds mouse and keys.

    A key names whatever can be selected: a node's id, a group's key, "in:NAME" or "out:NAME".
    """

    selected = Signal(tuple)
    """Ids of the nodes selected, in graph order; a group stands for all nodes inside it."""
    breadcrumb_changed = Signal(tuple)
    """The ``Crumb``s of the groups around the selection, outermost first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = Chosen()
        self._goal: tuple[str, ...] = ()

    def set_graph(self, graph: Graph | None) -> None:
        """Show ``graph`` (None: nothing), laid out in a worker thread where it is large."""
        self._goal = ()
        self._choose(Chosen())
        super().set_graph(graph)

    def landmark(self) -> int:
        return self._shown(self.current_item())

    def laid_out(self) -> None:
        self._remark()
        goal, self._goal = self._goal, ()
        if goal:
            self.select(*goal)

    def select(self, *keys: str) -> bool:
        """Select nodes or groups: groups around the first open, and it scrolls into view.

        False where the first is not in the graph. While a layout is being made it is done after.
        """
        if self._laid is None or self._layouts.is_busy:
            self._goal = keys
            return self._layouts.is_busy
        hierarchy = self._laid.hierarchy
        found = [item for key in keys if (item := hierarchy.find(key)) is not None]
        if not keys:
            self._choose(self._chosen.with_keys(()))
            return True
        if not found or hierarchy.find(keys[0]) is None:
            return False
        opened = self._laid.revealing(found[0])
        if opened != self._laid.opened:
            self._goal = keys
            self._reopen(opened, self._fixed_point(self._laid))
            return True
        known = dict.fromkeys(hierarchy.items[item].key for item in (*found[1:], found[0]))
        self._choose(self._chosen.with_keys(tuple(known)))
        self._bring_into_view(found[0])
        return True

    def selection(self) -> tuple[str, ...]:
        """Ids of the nodes selected, as ``selected`` sends them."""
        if self._laid is None:
            return ()
        hierarchy = self._laid.hierarchy
        items = sorted(hierarchy.index[key] for key in self._chosen.keys)
        found = (node.id for item in items for node in hierarchy.nodes_in(item))
        return tuple(dict.fromkeys(found))

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of what is selected, groups as groups; the current one last."""
        return self._chosen.keys

    def current_item(self) -> int:
        """The number of the item that the keyboard acts on, NOTHING where there is none."""
        if self._laid is None or self._chosen.current is None:
            return NOTHING
        return self._laid.hierarchy.index[self._chosen.current]

    def current(self) -> Item | None:
        """The current item."""
        number = self.current_item()
        return None if self._laid is None or number == NOTHING else self._laid.hierarchy.items[number]

    def breadcrumb(self) -> tuple[Crumb, ...]:
        """The groups around the current item, outermost first."""
        item = self.current_item()
        if self._laid is None or item == NOTHING:
            return ()
        items = self._laid.hierarchy.items
        around = list(self._laid.hierarchy.around(item))[::-1]
        return tuple(Crumb(items[number].key, texts.title(items[number])) for number in around)

    def pick(self, item: int, *, more: bool = False) -> None:
        """Select an item that is shown; with ``more`` add it to the selection, or take it away."""
        if self._laid is None or item == NOTHING:
            if not more:
                self._choose(self._chosen.with_keys(()))
            return
        key = self._laid.hierarchy.items[item].key
        self._choose(self._chosen.with_toggled(key) if more else self._chosen.with_keys((key,)))

    def go(self, way: Way) -> None:
        """Select what lies that way; without a selection, the first item."""
        if self._laid is None:
            return
        item = self._shown(self.current_item())
        if item == NOTHING:
            target = first_item(self._laid.scene)
        else:
            target = neighbour(self._laid.hierarchy, self._laid.scene, item, way)
        if target != NOTHING:
            self.pick(target)
            self._bring_into_view(target)

    def go_up(self) -> None:
        """Select the group around the current item."""
        item = self.current_item()
        around = [] if self._laid is None or item == NOTHING else list(self._laid.hierarchy.around(item))
        if around:
            self.pick(around[0])
            self._bring_into_view(around[0])

    def go_back(self) -> None:
        """The selection before."""
        self._travel(self._chosen.back())

    def go_forward(self) -> None:
        """The selection after, once ``go_back`` was gone."""
        self._travel(self._chosen.forward())

    def clear_selection(self) -> None:
        """Select nothing."""
        self._choose(self._chosen.with_keys(()))

    def _travel(self, chosen: Chosen) -> None:
        current = chosen.current
        if chosen is self._chosen or self._laid is None:
            return
        self._choose(chosen)
        if current is not None:
            item = self._laid.hierarchy.index[current]
            opened = self._laid.revealing(item)
            if opened != self._laid.opened:
                self._reopen(opened, None)
            self._bring_into_view(item)

    def _choose(self, chosen: Chosen) -> None:
        before, self._chosen = self._chosen, chosen
        if before.keys == chosen.keys:
            return
        self._remark()
        self.selected.emit(self.selection())
        self.breadcrumb_changed.emit(self.breadcrumb())

    def _remark(self) -> None:
        """Rings and lit edges of the selection, in the scene of the moment."""
        if self._laid is None:
            return
        hierarchy, scene = self._laid.hierarchy, self._laid.scene
        items = [hierarchy.index[key] for key in self._chosen.keys]
        edges = [edges for item in items for edges in outer_edges(hierarchy, item)]
        lit = scene.routes_of(np.concatenate(edges)) if edges else np.zeros(0, dtype=np.int64)
        shown = frozenset(self._shown(item) for item in items)
        self.set_marks(replace(self._marks, selected=shown, lit=frozenset(lit.tolist()), hover_route=NOTHING))

    def _shown(self, item: int) -> int:
        """``item``, or the closed group that hides it."""
        if self._laid is None or item == NOTHING:
            return NOTHING
        return self._laid.scene.visible_item(self._laid.hierarchy, item)

    def _bring_into_view(self, item: int) -> None:
        """Scroll as little as it takes to see ``item``; zoom in where its text could not be read."""
        if self._laid is None:
            return
        item = self._shown(item)
        box = self.window_box(item)
        if box is None:
            return
        self._keeps_fit = False
        room = self.rect().toRectF().adjusted(_AROUND, _AROUND, -_AROUND, -max(_AROUND, self.bottom_room()))
        x, y, width, height = self._laid.scene.boxes[self._laid.scene.row[item]].tolist()
        if self._camera.zoom < _READABLE:
            near = replace(self._camera, zoom=1.0)
            self.glide_to(near.looking_at(x + width / 2, y + min(height, 64) / 2, self.width(), self.height()))
            return
        high = min(box.height(), room.height())
        dx = max(room.left() - box.left(), 0.0) or min(room.right() - min(box.right(), box.left() + room.width()), 0.0)
        dy = max(room.top() - box.top(), 0.0) or min(room.bottom() - box.top() - high, 0.0)
        if dx or dy:
            self.glide_to(self._camera.panned(dx, dy))
