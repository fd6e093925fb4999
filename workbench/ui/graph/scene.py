"""What there is to paint: boxes and routes of every open group in one plane, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.ui.graph.hierarchy import ROOT, Hierarchy
from workbench.ui.graph.inside import Inside, Route
from workbench.ui.graph.sizes import Sizes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scene:
    """Design pixels, y downward. Row i of ``boxes`` (x, y, width, height) belongs to ``item[i]``;
    outer groups come before what is inside. ``row`` leads back from an item.

    Route r has the points ``points[starts[r]:starts[r + 1]]`` and stands for the hierarchy's
    edges ``edges[edge_starts[r]:edge_starts[r + 1]]``. ``bounds`` (left, top, right, bottom).
    ``entries``: by open group, the x within it where edges cross its header, ascending.
    ``group`` is the open group that a route lies in. Routes not ``shown`` are drawn on selection.
    """

    boxes: Floats
    item: Ints
    is_open: NDArray[np.bool_]
    row: Mapping[int, int]
    points: Floats
    starts: Ints
    bounds: Floats
    shown: NDArray[np.bool_]
    has_head: NDArray[np.bool_]
    group: Ints
    edges: Ints
    edge_starts: Ints
    entries: Mapping[int, tuple[float, ...]]
    width: float
    height: float

    def route(self, number: int) -> Floats:
        """The points of a route, (n, 2)."""
        return self.points[self.starts[number] : self.starts[number + 1]]

    def route_edges(self, number: int) -> Ints:
        """The hierarchy's edges that a route stands for."""
        return self.edges[self.edge_starts[number] : self.edge_starts[number + 1]]

    def routes_of(self, edges: Ints) -> Ints:
        """Routes that stand for any of ``edges``, ascending."""
        owner = np.repeat(np.arange(len(self.shown)), np.diff(self.edge_starts))
        return np.unique(owner[np.isin(self.edges, edges)])

    def visible_item(self, hierarchy: Hierarchy, item: int) -> int:
        """``item`` itself, or the closed group around it that is shown in its place."""
        while item not in self.row and item > ROOT:
            item = hierarchy.items[item].parent
        return item


def assemble(hierarchy: Hierarchy, insides: Mapping[int, Inside], sizes: Sizes) -> Scene:
    """Put the insides of all open groups in their places."""
    boxes: list[tuple[float, float, float, float]] = []
    item: list[int] = []
    routes: list[tuple[float, float, Route]] = []
    group_of: list[int] = []
    pending = [(ROOT, 0.0, 0.0)]
    while pending:
        group, left, top = pending.pop()
        inside = insides[group]
        if group != ROOT:
            item.append(group)
            boxes.append((left, top, inside.width, inside.height))
        routes += [(left, top, route) for route in inside.routes]
        group_of += [group] * len(inside.routes)
        for child, x, y in zip(inside.children, inside.x, inside.y, strict=True):
            if child in insides:
                pending.append((child, left + x, top + y))
            else:
                item.append(child)
                boxes.append((left + x, top + y, float(sizes.width[child]), float(sizes.height[child])))
    root = insides[ROOT]
    moved = [np.add(route.points, (left, top)) for left, top, route in routes]
    kept = [route for _, _, route in routes]
    return Scene(
        boxes=np.array(boxes, dtype=float).reshape(-1, 4),
        item=np.array(item, dtype=np.int64),
        is_open=np.array([number in insides for number in item], dtype=bool),
        row={number: place for place, number in enumerate(item)},
        points=np.concatenate(moved) if moved else np.zeros((0, 2)),
        starts=np.cumsum([0, *(len(points) for points in moved)]),
        bounds=np.array([(*points.min(0), *points.max(0)) for points in moved]).reshape(-1, 4),
        shown=np.array([route.shown for route in kept], dtype=bool),
        has_head=np.array([route.has_head for route in kept], dtype=bool),
        group=np.array(group_of, dtype=np.int64),
        edges=np.array([edge for route in kept for edge in route.edges], dtype=np.int64),
        edge_starts=np.cumsum([0, *(len(route.edges) for route in kept)]),
        entries={group: tuple(sorted(inside.entry_x)) for group, inside in insides.items()},
        width=root.width,
        height=root.height,
    )
