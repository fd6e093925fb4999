"""Painting a picture of the graph: canvas, open groups, edges, nodes, labels, in this order."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF
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
_SQUARES: Final = 8
_AROUND: Final = 12
"""Rings, sheets, heads and labels reach this far out of their boxes."""
_INVISIBLE: Final = 0.8
"""Boxes narrower than this many pixels are left out."""


def paint_canvas(painter: QPainter, area: QRectF, camera: Camera, tokens: Tokens) -> None:
    """The background with its dots, which move with the scene."""
    step = _DOTS * camera.scale
    while step < _DENSEST_DOTS:
        step *= 2
    side, ratio = round(step * camera.ratio), camera.ratio
    tile = _tile(side, max(1, round(ratio)), tokens.canvas, canvas_colors(tokens).dot)
    # In device pixels and opaque: Qt then copies, where it would else blend or transform.
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    place = QRectF(area.left() * ratio, area.top() * ratio, area.width() * ratio, area.height() * ratio)
    origin = QPointF(place.left() - camera.x * ratio, place.top() - camera.y * ratio)
    painter.drawTiledPixmap(place, tile, origin)
    painter.restore()


def paint_picture(painter: QPainter, picture: Picture, paths: RoutePaths, area: QRectF) -> None:
    """Paint what lies in ``area`` (window pixels)."""
    camera = picture.camera
    paint_canvas(painter, area, camera, picture.tokens)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    around = _AROUND * max(1.0, camera.scale)
    left, top = camera.to_scene(area.left() - around, area.top() - around)
    right, bottom = camera.to_scene(area.right() + around, area.bottom() + around)
    rows = rows_in(picture.boxes, left, top, right, bottom)
    rows = rows[picture.boxes[rows, 2] * camera.scale > _INVISIBLE]
    corners = picture.window_boxes(rows)
    nodes = NodePainter(painter, picture, area)
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
def _tile(side: int, dot: int, ground: str, color: str) -> QPixmap:
    """Squares of ``side`` device pixels, a dot of ``dot`` at the origin of each."""
    tile = QPixmap(side * _SQUARES, side * _SQUARES)
    tile.fill(qcolor(ground))
    painter = QPainter(tile)
    for row in range(_SQUARES):
        for column in range(_SQUARES):
            painter.fillRect(column * side, row * side, dot, dot, qcolor(color))
    painter.end()
    return tile
