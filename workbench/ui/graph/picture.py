"""Everything that a painting of the graph needs, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from workbench.ui.graph.camera import Camera
from workbench.ui.graph.decor import Decorator
from workbench.ui.graph.hierarchy import Hierarchy
from workbench.ui.graph.scene import Floats, Ints, Scene
from workbench.ui.theme.tokens import Tokens

ONE_LINE_BELOW: Final = 0.70
RECTANGLE_BELOW: Final = 0.35
"""Zoom below which a node shows one line, and below which it is a plain rectangle."""
NOTHING: Final = -1


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked: items selected, the one under the pointer, routes of the selection, the route under it."""

    selected: frozenset[int] = frozenset()
    hover: int = NOTHING
    lit: frozenset[int] = frozenset()
    hover_route: int = NOTHING


@dataclass(frozen=True, slots=True)
class Picture:
    """``boxes`` are the places of items in the scene, which differ from ``scene.boxes`` while they move."""

    hierarchy: Hierarchy
    scene: Scene
    camera: Camera
    decorator: Decorator
    marks: Marks
    boxes: Floats
    edge_opacity: float = 1.0

    @property
    def tokens(self) -> Tokens:
        return self.decorator.tokens

    @property
    def zoom(self) -> float:
        return self.camera.zoom

    def window_boxes(self, rows: Ints) -> Floats:
        """Left, top, right, bottom of boxes in the window, on whole device pixels, (n, 4)."""
        camera = self.camera
        corners = np.column_stack((self.boxes[rows, :2], self.boxes[rows, :2] + self.boxes[rows, 2:]))
        snapped: Floats = np.round(corners * (camera.scale * camera.ratio)) / camera.ratio
        placed: Floats = snapped + np.array([camera.x, camera.y, camera.x, camera.y])
        return placed


def rows_in(boxes: Floats, left: float, top: float, right: float, bottom: float) -> Ints:
    """Rows of ``boxes`` (x, y, width, height) that touch a rectangle."""
    hits = (
        (boxes[:, 0] < right)
        & (boxes[:, 0] + boxes[:, 2] > left)
        & (boxes[:, 1] < bottom)
        & (boxes[:, 1] + boxes[:, 3] > top)
    )
    return np.flatnonzero(hits)


def routes_in(bounds: Floats, left: float, top: float, right: float, bottom: float) -> Ints:
    """Rows of ``bounds`` (left, top, right, bottom) that touch a rectangle."""
    hits = (bounds[:, 0] <= right) & (bounds[:, 2] >= left) & (bounds[:, 1] <= bottom) & (bounds[:, 3] >= top)
    return np.flatnonzero(hits)
