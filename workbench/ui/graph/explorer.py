"""The stage with a graph on it: groups that open and close, a selection, ways through the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.graph import Graph
from workbench.core.verdict import Verdict
from workbench.ui.graph import texts
from workbench.ui.graph.background import Layouts, Task
from workbench.ui.graph.chosen import Chosen
from workbench.ui.graph.hierarchy import Hierarchy
from workbench.ui.graph.laid_out import LaidOut, lay_out, reopened, resized
from workbench.ui.graph.lettering import measure_fonts
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.picture import NOTHING
from workbench.ui.graph.sizes import Fonts
from workbench.ui.graph.stage import Stage
from workbench.ui.graph.ways import Way, first_item, neighbour, outer_edges
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import badge_width, verdict_badge

_INLINE_NODES: Final = 1500
_INLINE_ITEMS: Final = 400
"""Work up to this much is done at once: it takes less than a frame or two. More goes to a thread."""
_AROUND: Final = 48
_READABLE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step of the way to the selection: ``key`` for ``select``, ``title`` for people."""

    key: str
    title: str


class Explorer(Stage):
    """What can be done with a graph, by program; the view adds mouse and keys.

    A key names whatever can be selected: a node's id, a group's key, "in:NAME" or "out:NAME".
    """

    selected = Signal(tuple)
    """Ids of the nodes selected, in graph order; a group stands for all nodes inside it."""
    breadcrumb_changed = Signal(tuple)
    """The ``Crumb``s of the groups around the selection, outermost first."""
    ready = Signal()
    """A layout that was asked for is shown."""
    layout_failed = Signal(object)
    """The exception of a layout that failed; what was shown stays."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = Chosen()
        self._goal: tuple[str, ...] = ()
        self._wanted: frozenset[int] = frozenset()
        self._anchor: int | None = None
        self._layouts = Layouts(self)
        self._layouts.finished.connect(self._accept)
        self._layouts.failed.connect(self.layout_failed)
        self.destroyed.connect(self._layouts.stop)

    def set_graph(self, graph: Graph | None) -> None:
        """Show ``graph`` (None: nothing), laid out in a worker thread where it is large."""
        self._layouts.stop()
        self._goal, self._anchor, self._wanted = (), None, frozenset()
        self._keeps_fit = True
        self._verdicts, self._bits = {}, {}
        self._choose(Chosen())
        self.clear()
        if graph is None:
            self.set_hint("")
            return
        count = sum(1 for _ in graph.all_nodes())
        fonts, badges = _fonts(), self._badge_widths()
        self._run(lambda check: lay_out(graph, fonts, badges, check), inline=count <= _INLINE_NODES)
        if self._laid is None:
            self.set_hint(tr("Laying out {ops}", ops=texts.count(count)))
        elif not len(self._laid.scene.boxes):
            self.set_hint(tr("This graph has no ops"))

    def set_verdicts(self, verdicts: Mapping[str, Verdict]) -> None:
        """Verdicts by node id, for the support overlay and the width of nodes."""
        self._verdicts = dict(verdicts)
        laid = self._laid
        self.decorate()
        if laid is not None:
            fonts, badges = _fonts(), self._badge_widths()
            inline = len(laid.hierarchy.items) <= _INLINE_NODES
            self._anchor = self._landmark(laid)
            self._run(lambda check: resized(laid, fonts, badges, check), inline=inline)

    def set_bits(self, bits: Mapping[str, int]) -> None:
        """Bits by id of every node that can be quantized (0 is float), for the bits overlay."""
        self._bits = dict(bits)
        self.decorate()

    def set_overlay(self, overlay: Overlay) -> None:
        """Show ``overlay`` on nodes and groups."""
        self._overlay = overlay
        self.decorate()

    def overlay(self) -> Overlay:
        """The overlay in use."""
        return self._overlay

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
            self._reopen(opened, self._landmark(self._laid))
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

    def current_key(self) -> str | None:
        """What the keyboard acts on."""
        return self._chosen.current

    def current_item(self) -> int:
        """The number of the current item, NOTHING where there is none."""
        if self._laid is None or self._chosen.current is None:
            return NOTHING
        return self._laid.hierarchy.index[self._chosen.current]

    def hierarchy(self) -> Hierarchy | None:
        """The tree of the graph that is shown."""
        return None if self._laid is None else self._laid.hierarchy

    def breadcrumb(self) -> tuple[Crumb, ...]:
        """The groups around the current item, outermost first."""
        item = self.current_item()
        if self._laid is None or item == NOTHING:
            return ()
        items = self._laid.hierarchy.items
        around = list(self._laid.hierarchy.around(item))[::-1]
        return tuple(Crumb(items[number].key, texts.title(items[number])) for number in around)

    def toggle(self, item: int, *, deep: bool = False) -> None:
        """Open or close a group, with all groups inside it where ``deep``. Ops stay as they are."""
        if self._laid is None or not self._laid.hierarchy.items[item].is_group:
            return
        current = replace(self._laid, opened=self._wanted) if self._layouts.is_busy else self._laid
        self._reopen(current.toggled(item, deep=deep), item)

    def is_open(self, item: int) -> bool:
        """Whether a group is open."""
        return self._laid is not None and item in self._laid.opened

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

    def _reopen(self, opened: frozenset[int], anchor: int | None) -> None:
        laid = self._laid
        if laid is None:
            return
        self._wanted, self._anchor = opened, anchor
        self._keeps_fit = False
        inline = laid.work(opened) <= _INLINE_ITEMS and not self._layouts.is_busy
        self._run(lambda check: reopened(laid, opened, check), inline=inline)

    def _run(self, task: Task, *, inline: bool) -> None:
        if inline:
            self._layouts.stop()
            self._accept(task(lambda: None))
        else:
            self._layouts.start(task)

    def _accept(self, laid: LaidOut) -> None:
        anchor, self._anchor = self._anchor, None
        if laid is not self._laid:
            self._hint = "" if len(laid.scene.boxes) else tr("This graph has no ops")
            self._wanted = laid.opened
            self.show_layout(laid, anchor)
            self._remark()
        goal, self._goal = self._goal, ()
        if goal:
            self.select(*goal)
        self.ready.emit()

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

    def _landmark(self, laid: LaidOut) -> int | None:
        """What should stay where it is when the layout changes: the current item, else the top one in sight."""
        item = self._shown(self.current_item())
        box = self.window_box(item)
        if box is not None and box.intersects(self.rect().toRectF()):
            return item
        if self._keeps_fit:
            return None
        tops = laid.scene.boxes[:, 1] * self._camera.scale + self._camera.y
        in_sight = np.flatnonzero(tops >= 0)
        return int(laid.scene.item[in_sight[np.argmin(tops[in_sight])]]) if len(in_sight) else None

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

    def _badge_widths(self) -> dict[str, float]:
        tokens = theme().tokens
        return {
            key: badge_width(verdict_badge(tokens, verdict.status, fixable=verdict.fix is not None))
            for key, verdict in self._verdicts.items()
        }


@lru_cache(maxsize=1)
def _fonts() -> Fonts:
    return measure_fonts()
