"""The stage with a graph on it, whose groups open and close."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.graph import Graph
from workbench.core.verdict import Verdict
from workbench.ui.graph import texts
from workbench.ui.graph.background import Layouts, Task
from workbench.ui.graph.hierarchy import Hierarchy
from workbench.ui.graph.laid_out import LaidOut, lay_out, reopened, resized
from workbench.ui.graph.lettering import measure_fonts
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.picture import NOTHING
from workbench.ui.graph.sizes import Fonts
from workbench.ui.graph.stage import Stage
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import badge_width, verdict_badge

_INLINE_NODES: Final = 300
_INLINE_ITEMS: Final = 400
"""Work up to this much is done at once: it takes less than a picture (46 ms of 1,000 nodes). More goes to a thread."""


_PATIENCE_MS: Final = 400
"""A layout that takes no longer needs no words."""


class Arranger(Stage):
    """Layouts of one graph: the first, and those after groups were opened or verdicts came."""

    ready = Signal()
    """A layout that was asked for is shown."""
    layout_failed = Signal(object)
    """The exception of a layout that failed; what was shown stays."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: frozenset[int] = frozenset()
        self._anchor: int | None = None
        self._pending_hint = ""
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._say_what_takes_long)
        self._layouts = Layouts(self)
        self._layouts.finished.connect(self._accept)
        self._layouts.failed.connect(self.layout_failed)

    def landmark(self) -> int:
        """The item that matters most to the person; subclasses know."""
        return NOTHING

    def laid_out(self) -> None:
        """Called when a layout is shown, before ``ready``."""

    def set_graph(self, graph: Graph | None) -> None:
        """Show ``graph`` (None: nothing), laid out in a worker thread where it is large."""
        self._layouts.stop()
        self._anchor, self._wanted = None, frozenset()
        self._keeps_fit = True
        self._verdicts, self._bits = {}, {}
        self.clear()
        if graph is None:
            self.set_hint("")
            return
        count = sum(1 for _ in graph.all_nodes())
        fonts, badges = _fonts(), self._badge_widths()
        self._run(lambda check: lay_out(graph, fonts, badges, check), inline=count <= _INLINE_NODES)
        if self._laid is None:
            self._pending_hint = tr("Laying out {ops}", ops=texts.count(count))
            self._patience.start(_PATIENCE_MS)
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
            self._anchor = self._fixed_point(laid)
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

    def hierarchy(self) -> Hierarchy | None:
        """The tree of the graph that is shown."""
        return None if self._laid is None else self._laid.hierarchy

    def toggle(self, item: int, *, deep: bool = False) -> None:
        """Open or close a group, with all groups inside it where ``deep``. Ops stay as they are."""
        if self._laid is None or not self._laid.hierarchy.items[item].is_group:
            return
        current = replace(self._laid, opened=self._wanted) if self._layouts.is_busy else self._laid
        self._reopen(current.toggled(item, deep=deep), item)

    def is_open(self, item: int) -> bool:
        """Whether a group is open."""
        return self._laid is not None and item in self._laid.opened

    def _say_what_takes_long(self) -> None:
        if self._laid is None and self._layouts.is_busy:
            self.set_hint(self._pending_hint)

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
        self.laid_out()
        self.ready.emit()

    def _fixed_point(self, laid: LaidOut) -> int | None:
        """What should stay where it is when the layout changes: the current item, else the top one in sight."""
        item = self.landmark()
        box = self.window_box(item)
        if box is not None and box.intersects(self.rect().toRectF()):
            return item
        if self._keeps_fit:
            return None
        tops = laid.scene.boxes[:, 1] * self._camera.scale + self._camera.y
        in_sight = np.flatnonzero(tops >= 0)
        return int(laid.scene.item[in_sight[np.argmin(tops[in_sight])]]) if len(in_sight) else None

    def _badge_widths(self) -> dict[str, float]:
        tokens = theme().tokens
        return {
            key: badge_width(verdict_badge(tokens, verdict.status, fixable=verdict.fix is not None))
            for key, verdict in self._verdicts.items()
        }


@lru_cache(maxsize=1)
def _fonts() -> Fonts:
    return measure_fonts()
