"""Ways through the graph by keyboard, and what a place in the scene is. Pure."""

from __future__ import annotations

from enum import Enum

import numpy as np

from workbench.ui.graph.hierarchy import ROOT, Hierarchy, Indices
from workbench.ui.graph.picture import NOTHING
from workbench.ui.graph.scene import Scene
from workbench.ui.graph.sizes import HEADER


class Way(Enum):
    """PRODUCER and CONSUMER follow edges, LEFT and RIGHT go to what stands beside."""

    PRODUCER = "producer"
    CONSUMER = "consumer"
    LEFT = "left"
    RIGHT = "right"


def outer_edges(hierarchy: Hierarchy, item: int) -> tuple[Indices, Indices]:
    """Edges that come into ``item`` from outside it, and those that leave it."""
    end = hierarchy.items[item].end
    coming = hierarchy.edges_to(item)
    going = hierarchy.edges_from(item)
    sources, targets = hierarchy.source[coming], hierarchy.target[going]
    return coming[(sources < item) | (sources >= end)], going[(targets < item) | (targets >= end)]


def neighbour(hierarchy: Hierarchy, scene: Scene, item: int, way: Way) -> int:
    """What lies that way from ``item``, NOTHING where nothing does."""
    if way in (Way.LEFT, Way.RIGHT):
        return _beside(scene, item, -1 if way is Way.LEFT else 1)
    coming, going = outer_edges(hierarchy, item)
    ends = hierarchy.source[coming] if way is Way.PRODUCER else hierarchy.target[going]
    shown = {scene.visible_item(hierarchy, end) for end in ends.tolist()} - {ROOT, item}
    candidates = [number for number in shown if number in scene.row]
    if not candidates:
        return NOTHING
    x = _middle(scene, item)
    return min(candidates, key=lambda number: (abs(_middle(scene, number) - x), number))


def first_item(scene: Scene) -> int:
    """Where the keyboard begins: the topmost box."""
    if not len(scene.boxes):
        return NOTHING
    return int(scene.item[np.lexsort((scene.boxes[:, 0], scene.boxes[:, 1]))[0]])


def item_at(scene: Scene, x: float, y: float) -> int:
    """The innermost item at a point of the scene; an open group by its header only."""
    boxes = scene.boxes
    hits = np.flatnonzero(
        (boxes[:, 0] <= x)
        & (x < boxes[:, 0] + boxes[:, 2])
        & (boxes[:, 1] <= y)
        & (y < boxes[:, 1] + np.where(scene.is_open, HEADER, boxes[:, 3]))
    )
    if not len(hits):
        return NOTHING
    return int(scene.item[hits[np.argmin(boxes[hits, 2] * boxes[hits, 3])]])


def _middle(scene: Scene, item: int) -> float:
    box = scene.boxes[scene.row[item]]
    return float(box[0] + box[2] / 2)


def _beside(scene: Scene, item: int, side: int) -> int:
    boxes = scene.boxes
    own = boxes[scene.row[item]]
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    away = middles - (own[:2] + own[2:] / 2)
    level = np.abs(away[:, 1]) <= (boxes[:, 3] + own[3]) / 2
    there = level & (away[:, 0] * side > 0) & ~scene.is_open
    places = np.flatnonzero(there)
    if not len(places):
        return NOTHING
    cost = np.abs(away[places, 0]) + 3 * np.abs(away[places, 1])
    return int(scene.item[places[np.argmin(cost)]])
