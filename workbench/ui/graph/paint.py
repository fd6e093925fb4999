"""Painting a picture of the graph: canvas, open groups, edges, nodes, labels, in this order."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from workbench.ui.graph.camera import Camera
from workbench.ui.graph.colors import canvas_colors
from workbench.ui.graph.paint_edges import RoutePaths, paint_routes
from workbench.ui.graph.paint_labels import paint_labels
from workbench.ui.graph.paint_nodes import NodePainter
from workbench.ui.graph.picture import Picture, rows_in
from workbench.ui.graph.scene import Floats, Ints
from workbench.ui.theme.theme import qcolor
from workbench.ui.theme.tokens import Tokens

_DOTS: Final = 24
_DENSEST_DOTS: Final = 14
_AROUND: Final = 12
"""Rings, sheets, heads and labels reach this far out of their boxes."""
_INVISIBLE: Final = 0.8
"""Boxes narrower than this many pixels are left out."""


def paint_canvas(painter: QPainter, area: QRectF, camera: Camera, tokens: Tokens) -> None:
    """The background with its dots, which move with the scene."""
    painter.fillRect(area, qcolor(tokens.canvas))
    step = _DOTS * camera.scale
    while step < _DENSEST_DOTS:
        step *= 2
    tile = _tile(round(step * camera.ratio), camera.ratio, canvas_colors(tokens).dot)
    origin = QPointF(area.left() - camera.x, area.top() - camera.y)
    painter.drawTiledPixmap(area, tile, origin)


def paint_picture(painter: QPainter, picture: Picture, paths: RoutePaths, area: QRectF) -> None:
    """Paint what lies in ``area`` (window pixels)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    camera = picture.camera
    paint_canvas(painter, area, camera, picture.tokens)
    around = _AROUND * max(1.0, camera.scale)
    left, top = camera.to_scene(area.left() - around, area.top() - around)
    right, bottom = camera.to_scene(area.right() + around, area.bottom() + around)
    rows = rows_in(picture.boxes, left, top, right, bottom)
    rows = rows[picture.boxes[rows, 2] * camera.scale > _INVISIBLE]
    corners = picture.window_boxes(rows)
    nodes = NodePainter(painter, picture)
    is_open = picture.scene.is_open[rows]
    groups = _boxes(picture, rows[is_open], corners[is_open])
    for number, box in groups:
        nodes.paint_open(number, box)
    paint_routes(painter, picture, paths, (left, top, right, bottom))
    for number, box in groups:
        nodes.paint_header(number, box)
    for number, box in _boxes(picture, rows[~is_open], corners[~is_open]):
        nodes.paint_closed(number, box)
    paint_labels(painter, picture)


def _boxes(picture: Picture, rows: Ints, corners: Floats) -> list[tuple[int, QRectF]]:
    numbers = picture.scene.item[rows].tolist()
    return [
        (number, QRectF(x0, y0, x1 - x0, y1 - y0))
        for number, (x0, y0, x1, y1) in zip(numbers, corners.tolist(), strict=True)
    ]


@lru_cache(maxsize=8)
def _tile(side: int, ratio: float, color: str) -> QPixmap:
    """A square of ``side`` device pixels with one dot at its origin."""
    tile = QPixmap(side, side)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    dot = max(1, round(ratio))
    painter.fillRect(0, 0, dot, dot, qcolor(color))
    painter.end()
    tile.setDevicePixelRatio(ratio)
    return tile
