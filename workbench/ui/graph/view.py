"""The graph of a model as one widget: mouse, keys, legend and zoom over the explorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from workbench.core.verdict import Verdict
from workbench.ui.graph import texts
from workbench.ui.graph.camera import larger_zoom, smaller_zoom
from workbench.ui.graph.explorer import Crumb, Explorer
from workbench.ui.graph.floats import SHADOW, Legend, ZoomControl
from workbench.ui.graph.keys import action_for
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.paint_edges import route_at
from workbench.ui.graph.picture import NOTHING, RECTANGLE_BELOW
from workbench.ui.graph.pointer import Pointer
from workbench.ui.graph.sizes import TITLE_LEFT
from workbench.ui.graph.stage import MARGIN
from workbench.ui.graph.tip import item_tip
from workbench.ui.graph.ways import item_at
from workbench.ui.text import tr
from workbench.ui.widgets.roles import install_roles

__all__ = ["Crumb", "GraphView"]

_EDGE_REACH: Final = 5
_CHEVRON_HEIGHT: Final = 32
_PINCH: Final = Qt.NativeGestureType.ZoomNativeGesture
_TAB_REASONS: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class GraphView(Explorer):
    """Shows a ``Graph``; ids are those of ``Node.id``. See ``Explorer`` for what it can be asked."""

    accessible_role = QAccessible.Role.Graphic
    paints_focus = True

    activated = Signal(str)
    """Enter or a double-click on a node: its id."""
    context_requested = Signal(QPoint, tuple)
    """Global position, and ids of the nodes selected, for a menu."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        install_roles()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 160)
        self.setAccessibleName(tr("Graph"))
        self._pointer = Pointer(self)
        self._focus_shows = False
        self._legend = Legend(self)
        self._legend.changed.connect(self._place_floats)
        self._zoom = ZoomControl(self)
        self._zoom.zoom_in.connect(self.zoom_in)
        self._zoom.zoom_out.connect(self.zoom_out)
        self._zoom.zoom_reset.connect(lambda: self.set_zoom(1.0))
        self._zoom.fit.connect(self.fit)
        self.zoom_changed.connect(self._zoom.set_zoom)
        self.selected.connect(self._tell_screen_reader)
        self.installEventFilter(self)
        self.set_overlay(Overlay.SUPPORT)

    def set_overlay(self, overlay: Overlay) -> None:
        """Show ``overlay`` on nodes and groups, and its legend."""
        super().set_overlay(overlay)
        self._legend.show_overlay(overlay)
        self._place_floats()

    def set_verdicts(self, verdicts: Mapping[str, Verdict]) -> None:
        """What is known of the nodes; the legend has the words that are needed."""
        super().set_verdicts(verdicts)
        self._place_floats()

    def bottom_room(self) -> float:
        return float(self._zoom.height() - 2 * SHADOW + 2 * MARGIN)

    def fit(self) -> None:
        """The whole graph in the window, clear of legend and zoom."""
        self._keeps_fit = False
        self.glide_to(self.fit_camera())

    def set_zoom(self, zoom: float) -> None:
        """Zoom about the middle; 1.0 is 100 %."""
        self._keeps_fit = False
        self.move_camera(self._camera.zoomed(zoom, self.width() / 2, self.height() / 2))

    def zoom_in(self) -> None:
        """The next larger of the usual zooms."""
        self.set_zoom(larger_zoom(self._camera.zoom))

    def zoom_out(self) -> None:
        """The next smaller of the usual zooms."""
        self.set_zoom(smaller_zoom(self._camera.zoom))

    def zoom_at(self, factor: float, at: QPointF) -> None:
        """Zoom about a point of the window."""
        self._keeps_fit = False
        self.move_camera(self._camera.zoomed(self._camera.zoom * factor, at.x(), at.y()))

    def pan(self, dx: float, dy: float) -> None:
        """Shift the graph by window pixels."""
        self._keeps_fit = False
        self.move_camera(self._camera.panned(dx, dy))

    def enter(self) -> None:
        """Enter: a node's properties, or a group opened or closed."""
        found = self.current()
        if found is not None and found.is_group:
            self.toggle(self.current_item())
        else:
            self.activate()

    def activate(self) -> None:
        """Ask for the properties of the current node."""
        found = self.current()
        if found is not None and found.node is not None:
            self.activated.emit(found.node.id)

    def open_up(self, item: int, *, deep: bool) -> None:
        """A double-click: a group opens or closes, a node asks for its properties."""
        self.pick(item)
        if self._laid is not None and self._laid.hierarchy.items[item].is_group:
            self.toggle(item, deep=deep)
        else:
            self.activate()

    def copy_name(self) -> None:
        """The current item's name to the clipboard, as the model has it."""
        found = self.current()
        if found is not None:
            QApplication.clipboard().setText(found.node.title if found.node is not None else found.title)

    def item_under(self, at: QPointF) -> int:
        """What is at a point of the window."""
        return NOTHING if self._laid is None else item_at(self._laid.scene, *self._camera.to_scene(at.x(), at.y()))

    def is_chevron(self, item: int, at: QPointF) -> bool:
        """Whether a point is on the arrow that opens a group."""
        box = self.window_box(item)
        if self._laid is None or box is None or self._camera.zoom < RECTANGLE_BELOW * 2:
            return False
        scale = self._camera.scale
        inside = at.x() - box.left() < (TITLE_LEFT - 4) * scale and at.y() - box.top() < _CHEVRON_HEIGHT * scale
        return inside and self._laid.hierarchy.items[item].is_group

    def hover(self, at: QPointF | None) -> None:
        """Mark what is under the pointer: an item, else an edge."""
        item = route = NOTHING
        if at is not None and self._laid is not None:
            item = self.item_under(at)
            if item == NOTHING and self._camera.zoom >= RECTANGLE_BELOW:
                scene_at = self._camera.to_scene(at.x(), at.y())
                route = route_at(self._laid.scene, *scene_at, _EDGE_REACH / self._camera.scale)
        marks = replace(self._marks, hover=item, hover_route=route)
        if marks != self._marks:
            self.set_marks(marks)

    def show_dragging(self, is_dragging: bool) -> None:
        """The hand that holds the canvas."""
        if is_dragging:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        else:
            self.unsetCursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._motion.finish()
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointer.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._motion.finish()
        self._pointer.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hover(None)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        item = self.item_under(QPointF(event.pos()))
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            box = self.window_box(self._shown(self.current_item()))
            at = self.mapToGlobal(box.center().toPoint()) if box is not None else at
        elif item != NOTHING and item not in self._marks.selected:
            self.pick(item)
        self.context_requested.emit(at, self.selection())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = action_for(event)
        if action is None:
            super().keyPressEvent(event)
            return
        self._motion.finish()
        action(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Events of the view that Qt has no handler for.

        A filter, not ``event``: an exception under a handler that an overridden ``event`` calls
        has crashed the interpreter (PySide6 6.11.3, PepException_GetArgs).
        """
        if watched is not self:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # The window has shortcuts of its own on Alt+Left, Ctrl+C: here they are the graph's.
            if action_for(event) is not None:
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tooltip(QPointF(event.pos())), self)
            return True
        elif isinstance(event, QNativeGestureEvent) and event.gestureType() == _PINCH:
            self.zoom_at(1.0 + event.value(), event.position())
            return True
        return False

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._focus_shows = event.reason() in _TAB_REASONS
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focus_shows = False
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._focus_shows and not self._marks.selected:
            self.paint_focus(QPainter(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_floats()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.LanguageChange) and hasattr(self, "_zoom"):
            self.setAccessibleName(tr("Graph"))
            self._zoom.retranslate()
            self._legend.show_overlay(self._overlay)
            self._place_floats()

    def _place_floats(self) -> None:
        """Legend lower left, zoom lower right: beside it as short as it must be, unfolded over it."""
        self._zoom.adjustSize()
        away = MARGIN - SHADOW
        beside = (whole := self.width() - 2 * away) - self._zoom.width()
        bottom = self.height() - away - self._zoom.height()
        self._zoom.move(self.width() - away - self._zoom.width(), bottom)
        present = frozenset(verdict.status for verdict in self._verdicts.values())
        self._legend.fit_into(whole if self._legend.is_unfolded else beside, present)
        self._legend.move(away, bottom - (self._zoom.height() - SHADOW) * (self._legend.width() > beside))
        self._legend.setVisible(self._overlay is not Overlay.NONE)

    def _tooltip(self, at: QPointF) -> str:
        item = self.item_under(at)
        if self._laid is None or item == NOTHING:
            return ""
        found = self._laid.hierarchy.items[item]
        return item_tip(found, self._verdicts.get(found.node.id) if found.node is not None else None)

    def _tell_screen_reader(self) -> None:
        found = self.current()
        self.setAccessibleDescription("" if found is None else texts.spoken(found))
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
