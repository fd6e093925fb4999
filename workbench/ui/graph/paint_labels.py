"""Shapes beside the edges of the selection, where there is room for them."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from workbench.ui.graph.colors import canvas_colors
from workbench.ui.graph.hierarchy import ROOT
from workbench.ui.graph.layout import LAYER_GAP
from workbench.ui.graph.lettering import MONO, advance, draw_text
from workbench.ui.graph.picture import NOTHING, ONE_LINE_BELOW, Picture, rows_in
from workbench.ui.graph.sizes import HEADER
from workbench.ui.theme.theme import qcolor

_BESIDE: Final = 8
_FROM_NODE: Final = 10
"""Close to the node, where curves that go elsewhere are no longer level with it."""
_HEIGHT: Final = 14
_MOST: Final = 40
_LOOKED_AT: Final = 3 * _MOST
"""Of thousands of lit routes, those that may be told: each is compared with every selected box."""
_SLACK: Final = 8
"""At both of its ends a curve is a thin vertical line."""


def paint_labels(painter: QPainter, picture: Picture) -> None:
    """Label the lit routes and the one under the pointer, at the end that is marked."""
    if picture.zoom < ONE_LINE_BELOW:
        return
    camera = picture.camera
    routes = _at_selection(picture)
    if picture.marks.hover_route != NOTHING and picture.marks.hover_route not in routes:
        routes.append(picture.marks.hover_route)
    painter.save()
    painter.translate(camera.x, camera.y)
    painter.scale(camera.scale, camera.scale)
    taken = _pieces(picture, routes)
    told: set[int] = set()
    for route in routes:
        values = set(picture.hierarchy.value[picture.scene.route_edges(route)].tolist())
        text = "" if values <= told else label(picture, route)
        told |= values
        box = _place(picture, route, advance(text, MONO), taken) if text else None
        if box is not None:
            taken.append(box)
            inside = picture.scene.group[route] != ROOT
            colors = canvas_colors(picture.tokens)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qcolor(colors.group if inside else picture.tokens.canvas, 0.9))
            painter.drawRoundedRect(box.adjusted(-2, 1, 2, -1), 3, 3)
            draw_text(painter, box.left(), box.center().y(), text, MONO, picture.tokens.text2)
    painter.restore()


def _at_selection(picture: Picture) -> list[int]:
    """Lit routes, ``_MOST`` at most, first those that touch a selected box: a value is told once, and best there."""
    scene = picture.scene
    boxes = picture.boxes[[scene.row[item] for item in picture.marks.selected if item in scene.row]]

    def is_far(route: int) -> bool:
        ends = scene.route(route)[[0, -1]]
        beside = (ends[:, None] >= boxes[:, :2] - 1) & (ends[:, None] <= boxes[:, :2] + boxes[:, 2:] + 1)
        return not bool(beside.all(-1).any())

    near: list[int] = []
    far: list[int] = []
    for route in sorted(picture.marks.lit)[:_LOOKED_AT]:
        (far if is_far(route) else near).append(route)
        if len(near) == _MOST:
            break
    return (near + far)[:_MOST]


def _pieces(picture: Picture, routes: list[int]) -> list[QRectF]:
    """What the marked edges themselves occupy near their ends, so that no label lies on them."""
    pieces: list[QRectF] = []
    for route in routes:
        points = picture.scene.route(route).tolist()
        for (x0, y0), (x1, y1) in (points[:2], points[-2:]):
            left, right = min(x0, x1) - 2, max(x0, x1) + 2
            curve = QRectF(left, min(y0, y1), right - left, abs(y1 - y0))
            pieces.append(curve if abs(y1 - y0) > 2 * LAYER_GAP else curve.adjusted(0, _SLACK, 0, -_SLACK))
    return pieces


def label(picture: Picture, route: int) -> str:
    """The shape that flows along a route; of several values the first, and how many more."""
    hierarchy = picture.hierarchy
    values = np.unique(hierarchy.value[picture.scene.route_edges(route)])
    shapes = [hierarchy.shapes[value] for value in values.tolist() if hierarchy.shapes[value]]
    if not shapes:
        return ""
    return shapes[0] if len(values) == 1 else f"{shapes[0]} +{len(values) - 1}"


def _place(picture: Picture, route: int, width: float, taken: list[QRectF]) -> QRectF | None:
    """Right or left of the edge, near the end that is not marked last; None where all is occupied."""
    scene = picture.scene
    points = scene.route(route)
    down = 1 if points[-1, 1] >= points[0, 1] else -1
    path = points.tolist()
    for (x, y), (next_x, _), away in ((path[-1], path[-2], -down), (path[0], path[1], down)):
        middle = y + away * _FROM_NODE
        # Not on the side that the curve comes from.
        sides = [x + _BESIDE] * (next_x <= x) + [x - _BESIDE - width] * (next_x >= x)
        for left in sides:
            box = QRectF(left, middle - _HEIGHT / 2, width, _HEIGHT)
            if not any(box.intersects(other) for other in taken) and _is_free(picture, box):
                return box
    return None


def _is_free(picture: Picture, box: QRectF) -> bool:
    scene = picture.scene
    rows = rows_in(picture.boxes, box.left() - 2, box.top(), box.right() + 2, box.bottom())
    below_header = picture.boxes[rows, 1] + HEADER <= box.top()
    return bool((scene.is_open[rows] & below_header).all())
