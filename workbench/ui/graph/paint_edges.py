"""Painting the routes of a scene: curves with heads, or plain lines from afar."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from workbench.ui.graph.picture import NOTHING, RECTANGLE_BELOW, Picture, routes_in
from workbench.ui.graph.scene import Floats, Ints, Scene
from workbench.ui.theme.theme import qcolor

_WIDTH: Final = 1.25
_LIT_WIDTH: Final = 2.0
_HEAD: Final = 7.0
_HEAD_LENGTH: Final = 6.0
_TIP: Final = 1.0
"""The tip stops short of the border, or the two would blot."""
_MOST_LINES: Final = 6000
"""From afar, more lines than this only darken the same pixels."""


class RoutePaths:
    """Curves of one scene, made when first seen."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._paths: dict[int, QPainterPath] = {}
        self._heads: dict[int, QPolygonF] = {}

    def path(self, number: int) -> QPainterPath:
        """The curve, without the part that the head covers."""
        if number not in self._paths:
            points = self._scene.route(number).copy()
            if self._scene.has_head[number]:
                points[-1, 1] -= _direction(points) * (_HEAD_LENGTH + _TIP)
            self._paths[number] = curve(points)
        return self._paths[number]

    def head(self, number: int) -> QPolygonF:
        """The arrow head, its tip just before the node."""
        if number not in self._heads:
            points = self._scene.route(number)
            down = _direction(points)
            x, tip = points[-1, 0], points[-1, 1] - down * _TIP
            back = tip - down * _HEAD_LENGTH
            corners = (QPointF(x, tip), QPointF(x - _HEAD / 2, back), QPointF(x + _HEAD / 2, back))
            self._heads[number] = QPolygonF(corners)
        return self._heads[number]


def curve(points: Floats) -> QPainterPath:
    """Through ``points`` with vertical tangents."""
    path = QPainterPath(QPointF(*points[0]))
    for (x0, y0), (x1, y1) in pairwise(points.tolist()):
        if x0 == x1:
            path.lineTo(x1, y1)
        else:
            middle = (y0 + y1) / 2
            path.cubicTo(x0, middle, x1, middle, x1, y1)
    return path


def _direction(points: Floats) -> int:
    """1 where a route comes down to its end, -1 where it comes up."""
    return 1 if points[-1, 1] >= points[-2, 1] else -1


def paint_routes(
    painter: QPainter, picture: Picture, paths: RoutePaths, area: tuple[float, float, float, float]
) -> None:
    """Paint what of the routes lies in ``area`` (left, top, right, bottom of the scene)."""
    scene, marks, tokens = picture.scene, picture.marks, picture.tokens
    visible = routes_in(scene.bounds, *area)
    lit = np.array(sorted(marks.lit), dtype=np.int64)
    plain = visible[scene.shown[visible]]
    painter.save()
    if picture.zoom < RECTANGLE_BELOW:
        _paint_lines(painter, picture, plain, tokens.edge, 1.0)
        _paint_lines(painter, picture, np.intersect1d(visible, lit), tokens.ring, _LIT_WIDTH)
    else:
        _to_scene(painter, picture)
        _paint_curves(painter, picture, paths, np.setdiff1d(plain, lit), tokens.edge, _WIDTH)
        if marks.hover_route != NOTHING:
            _paint_curves(painter, picture, paths, np.array([marks.hover_route]), tokens.text3, _LIT_WIDTH)
        _paint_curves(painter, picture, paths, np.intersect1d(visible, lit), tokens.ring, _LIT_WIDTH)
    painter.restore()


def _to_scene(painter: QPainter, picture: Picture) -> None:
    """Scene coordinates; a line of odd width stands on the middle of a device pixel."""
    camera = picture.camera
    half = 0.5 if camera.ratio == int(camera.ratio) and int(camera.ratio) % 2 else 0.0
    painter.translate(camera.x + half, camera.y)
    painter.scale(camera.scale, camera.scale)


def _paint_curves(
    painter: QPainter, picture: Picture, paths: RoutePaths, routes: Ints, color: str, width: float
) -> None:
    ink = qcolor(color, picture.edge_opacity)
    pen = QPen(ink, width * max(1.0, 0.8 / picture.zoom))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    numbers: list[int] = routes.tolist()
    for number in numbers:
        painter.drawPath(paths.path(number))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for number in numbers:
        if picture.scene.has_head[number]:
            painter.drawPolygon(paths.head(number))


def _paint_lines(painter: QPainter, picture: Picture, routes: Ints, color: str, width: float) -> None:
    camera, scene = picture.camera, picture.scene
    routes = routes[:: len(routes) // _MOST_LINES + 1]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(routes) < _MOST_LINES // 4)
    painter.setPen(QPen(qcolor(color, picture.edge_opacity), width))
    points = scene.points * camera.scale + (camera.x, camera.y)
    lines = [
        QLineF(*start, *end)
        for route in routes.tolist()
        for start, end in pairwise(points[scene.starts[route] : scene.starts[route + 1]].tolist())
    ]
    painter.drawLines(lines)


def route_at(scene: Scene, x: float, y: float, reach: float) -> int:
    """The route that passes within ``reach`` of a point, the nearest one; NOTHING if none does."""
    best, found = reach, NOTHING
    for number in routes_in(scene.bounds, x - reach, y - reach, x + reach, y + reach).tolist():
        if scene.shown[number]:
            away = _distance(scene.route(number), x, y)
            if away < best:
                best, found = away, number
    return found


def _distance(points: Floats, x: float, y: float) -> float:
    """From a point to a route, by sampling its curves."""
    share = np.linspace(0.0, 1.0, 17)
    ease = share * share * (3 - 2 * share)
    starts, ends = points[:-1, None, :], points[1:, None, :]
    xs = starts[..., 0] + (ends[..., 0] - starts[..., 0]) * ease
    # The cubic's y over its parameter: controls at half height give 1.5 t - 1.5 t^2 + t^3.
    rise = 1.5 * share - 1.5 * share**2 + share**3
    ys = starts[..., 1] + (ends[..., 1] - starts[..., 1]) * rise
    here = np.stack((xs, ys), axis=-1)
    pieces = here[:, 1:] - here[:, :-1]
    toward = np.array([x, y]) - here[:, :-1]
    lengths = np.maximum((pieces**2).sum(-1), 1e-9)
    along = np.clip((toward * pieces).sum(-1) / lengths, 0.0, 1.0)
    return float(np.sqrt(((toward - along[..., None] * pieces) ** 2).sum(-1)).min())
