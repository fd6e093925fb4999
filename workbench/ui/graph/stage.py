"""The painted plane: shows a layout through a camera, with marks and an overlay. Knows no input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.verdict import Verdict
from workbench.ui.graph.camera import Camera, fitting
from workbench.ui.graph.canvas import Canvas
from workbench.ui.graph.decor import Decorator
from workbench.ui.graph.laid_out import LaidOut
from workbench.ui.graph.lettering import HINT, advance, draw_text
from workbench.ui.graph.motion import MOVE_MS, Motion
from workbench.ui.graph.overlay import Overlay
from workbench.ui.graph.paint import paint_canvas, paint_picture
from workbench.ui.graph.paint_edges import RoutePaths
from workbench.ui.graph.picture import Marks, Picture
from workbench.ui.graph.scene import Floats
from workbench.ui.graph.tallies import support, widths
from workbench.ui.theme.theme import qcolor, theme

MARGIN: Final = 16
_READABLE: Final = 0.7
_MOST_MOVING: Final = 600
"""With more boxes than this in sight, a change of layout jumps: frames would come too late."""
_AROUND: Final = 8


class Stage(QWidget):
    """Scene, camera and marks, and their painting."""

    zoom_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._laid: LaidOut | None = None
        self._paths: RoutePaths | None = None
        self._boxes: Floats = np.zeros((0, 4))
        self._edge_opacity = 1.0
        self._camera = Camera(unit=theme().scale, ratio=self.devicePixelRatioF())
        self._marks = Marks()
        self._overlay = Overlay.NONE
        self._verdicts: Mapping[str, Verdict] = {}
        self._bits: Mapping[str, int] = {}
        self._decorator: Decorator | None = None
        self._canvas = Canvas()
        self._motion = Motion(self)
        self._hint = ""
        self._keeps_fit = True

    def picture(self) -> Picture | None:
        """What is shown, None without a graph."""
        if self._laid is None or self._decorator is None:
            return None
        return Picture(
            self._laid.hierarchy,
            self._laid.scene,
            self._camera,
            self._decorator,
            self._marks,
            self._boxes,
            self._edge_opacity,
        )

    def camera(self) -> Camera:
        """Zoom and place."""
        return self._camera

    def bottom_room(self) -> float:
        """Height that floats take at the bottom, in window pixels."""
        return 0.0

    def repaint_all(self) -> None:
        """Everything that is kept is out of date."""
        self._canvas.invalidate()
        self.update()

    def set_hint(self, text: str) -> None:
        """A line in the middle of the empty canvas."""
        self._hint = text
        self.repaint_all()

    def decorate(self) -> None:
        """Make the overlay anew from theme and knowledge of the moment."""
        if self._laid is not None:
            hierarchy = self._laid.hierarchy
            self._decorator = Decorator(
                hierarchy,
                theme().tokens,
                self._overlay,
                support(hierarchy, self._verdicts),
                widths(hierarchy, self._bits),
            )
        self.repaint_all()

    def move_camera(self, camera: Camera) -> None:
        """Look through ``camera``: a pan shifts what is painted, all else paints anew."""
        old, self._camera = self._camera, camera
        if (old.zoom, old.unit, old.ratio) == (camera.zoom, camera.unit, camera.ratio):
            self._canvas.scroll(camera.x - old.x, camera.y - old.y)
        else:
            self._canvas.invalidate()
        if old.zoom != camera.zoom:
            self.zoom_changed.emit(camera.zoom)
        self.update()

    def glide_to(self, camera: Camera) -> None:
        """Move the camera there in a short move."""
        start = self._camera
        if start != camera:
            self._motion.run(theme().ms(MOVE_MS), lambda share: self.move_camera(start.between(camera, share)))

    def set_marks(self, marks: Marks) -> None:
        """Show other marks; only what they touch is painted anew."""
        old, self._marks = self._marks, marks
        same_lines = (old.selected, old.lit, old.hover_route) == (marks.selected, marks.lit, marks.hover_route)
        if not same_lines:
            self._canvas.invalidate()
        elif old.hover != marks.hover:
            for item in (old.hover, marks.hover):
                self._canvas_box(item)
        self.update()

    def window_box(self, item: int) -> QRectF | None:
        """Where ``item`` is in the window; None where it is not shown."""
        if self._laid is None or item not in self._laid.scene.row:
            return None
        x, y, width, height = self._laid.scene.boxes[self._laid.scene.row[item]].tolist()
        left, top = self._camera.to_window(x, y)
        return QRectF(left, top, width * self._camera.scale, height * self._camera.scale)

    def first_camera(self) -> Camera:
        """The whole graph where it can be read so, else its beginning."""
        whole = self.fit_camera()
        if self._laid is None or whole.zoom >= _READABLE:
            return whole
        scene = self._laid.scene
        room = (self.width() - 2 * MARGIN) / max(1.0, scene.width) / whole.unit
        zoom = min(1.0, max(_READABLE, room))
        camera = replace(whole, zoom=zoom)
        top = scene.boxes[np.argmin(scene.boxes[:, 1])]
        x = scene.width / 2 if scene.width * camera.scale <= self.width() else float(top[0] + top[2] / 2)
        return replace(camera, x=self.width() / 2 - x * camera.scale, y=float(MARGIN)).snapped()

    def fit_camera(self) -> Camera:
        """The whole graph, clear of what floats."""
        size = (self._laid.scene.width, self._laid.scene.height) if self._laid is not None else (1.0, 1.0)
        margins = (MARGIN, MARGIN, MARGIN, max(MARGIN, self.bottom_room()))
        return fitting(self.width(), self.height(), margins, size, self._current_base())

    def show_layout(self, laid: LaidOut, anchor: int | None) -> None:
        """Show ``laid``, the corner of ``anchor`` where it was; without one, from the beginning."""
        self._motion.finish()
        old, before = self._laid, self.window_box(anchor) if anchor is not None else None
        old_camera, old_boxes = self._camera, self._boxes
        is_new_graph = old is None or old.hierarchy is not laid.hierarchy
        self._laid, self._paths, self._boxes = laid, RoutePaths(laid.scene), laid.scene.boxes
        if is_new_graph:
            self._marks = Marks()
        self.decorate()
        after = self.window_box(anchor) if anchor is not None else None
        if before is None or after is None:
            if is_new_graph or self._keeps_fit:
                self.move_camera(self.first_camera())
        else:
            self.move_camera(self._camera.panned(before.left() - after.left(), before.top() - after.top()))
        if old is not None and not is_new_graph and len(laid.scene.boxes) <= _MOST_MOVING:
            self._animate(_starts(old, old_boxes, old_camera, laid, self._camera))
        self.repaint_all()

    def clear(self) -> None:
        """Show nothing."""
        self._motion.finish()
        self._laid = self._paths = self._decorator = None
        self._boxes = np.zeros((0, 4))
        self._marks = Marks()
        self.repaint_all()

    def _animate(self, start: Floats) -> None:
        end = self._boxes

        def step(share: float) -> None:
            self._boxes = start + (end - start) * share if share < 1.0 else end
            self._edge_opacity = share * share
            self.repaint_all()

        self._motion.run(theme().ms(MOVE_MS), step)

    def _canvas_box(self, item: int) -> None:
        box = self.window_box(item)
        if box is not None:
            self._canvas.invalidate(box.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND))

    def _current_base(self) -> Camera:
        return replace(self._camera, unit=theme().scale, ratio=self.devicePixelRatioF())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        if ratio != self._camera.ratio:
            self._camera = replace(self._camera, ratio=ratio).snapped()
        self._canvas.paint(painter, self.size(), ratio, self._draw)

    def _draw(self, painter: QPainter, area: QRectF) -> None:
        picture = self.picture()
        if picture is not None and self._paths is not None and len(picture.scene.boxes):
            paint_picture(painter, picture, self._paths, area)
            return
        paint_canvas(painter, area, self._camera, theme().tokens)
        if self._hint:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            unit = theme().scale
            painter.scale(unit, unit)
            x = (self.width() / unit - advance(self._hint, HINT)) / 2
            draw_text(painter, x, self.height() / unit / 2, self._hint, HINT, theme().tokens.text2)

    def paint_focus(self, painter: QPainter) -> None:
        """A ring inside the border, for focus that came by keyboard and has nothing to sit on."""
        painter.setPen(QPen(qcolor(theme().tokens.ring), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._laid is None:
            return
        if self._keeps_fit:
            self.move_camera(self.first_camera())
            return
        grown = event.size() - event.oldSize()
        self.move_camera(self._camera.panned(grown.width() / 2, grown.height() / 2))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange):
            middle = self._camera.to_scene(self.width() / 2, self.height() / 2)
            base = self._current_base()
            self._camera = base.looking_at(*middle, self.width(), self.height())
            self.decorate()


def _starts(old: LaidOut, old_boxes: Floats, old_camera: Camera, new: LaidOut, camera: Camera) -> Floats:
    """Where the boxes of ``new`` come from: their old place, or the group that they were in."""
    start = new.scene.boxes.copy()
    for place, item in enumerate(new.scene.item.tolist()):
        row = old.scene.row.get(item)
        if row is not None:
            x, y, width, height = old_boxes[row].tolist()
        else:
            around = old.scene.visible_item(old.hierarchy, item)
            outer = old.scene.row.get(around)
            if outer is None:
                continue
            x, y, outer_width, outer_height = old_boxes[outer].tolist()
            width, height = start[place, 2:].tolist()
            x, y = x + (outer_width - width) / 2, y + (outer_height - height) / 2
        x, y = camera.to_scene(*old_camera.to_window(x, y))
        start[place] = (x, y, width, height)
    return start
