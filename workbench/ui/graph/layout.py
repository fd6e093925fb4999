"""A layered layout of one group: nodes in rows from top to bottom, edges downward between them.

Pure: boxes and edges in, places out. Steps: layers, order, x, then ports and routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from workbench.ui.graph.coordinates import Extents, assign_x
from workbench.ui.graph.layering import assign_layers
from workbench.ui.graph.ordering import Link, order_layers
from workbench.ui.graph.ports import Box, Connection, assign_ports
from workbench.ui.graph.straighten import straighten

NODE_GAP: Final = 24
LAYER_GAP: Final = 32
_BEND_GAP: Final = 12
"""Between an edge that passes by and its neighbours, nodes or edges."""
_LONG: Final = 6
_FAN_OUT: Final = 4
"""A longer edge out of a wider fan gets no bends: masks and rotary tables that every layer reads
make a quadratic number of them. Such edges are drawn when one of their ends is selected."""
_MOST_BENDS: Final = 4000

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """``x``, ``y``: each box's own point and its top. ``routes``: points from border to border.

    Between two points of a route runs a curve with vertical ends; at equal x it is a line.
    ``shown`` is False for an edge that is drawn only on selection. Edges against the flow leave
    at the top and enter at the bottom.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    width: float
    height: float
    routes: tuple[tuple[Point, ...], ...]
    shown: tuple[bool, ...]


EMPTY: Final = Placed((), (), 0.0, 0.0, (), ())


def place(
    boxes: Sequence[Box], links: Sequence[Connection], top: Collection[int] = (), bottom: Collection[int] = ()
) -> Placed:
    """Lay out ``boxes``. ``top`` and ``bottom`` boxes stand alone in the first and last row."""
    if not boxes:
        return EMPTY
    count = len(boxes)
    layers, upward = assign_layers(count, [(e.source, e.target) for e in links], top, bottom)
    chains, shown, bend_layers = _bends(links, layers, upward)
    rows: list[list[int]] = [[] for _ in range(max(layers) + 1)]
    for node in _depth_first(count, links, layers):
        rows[layers[node]].append(node)
    for bend, layer in enumerate(bend_layers, start=count):
        rows[layer].append(bend)
    up, down = _neighbours(boxes, links, chains, shown, upward, count + len(bend_layers))
    rows = order_layers(rows, up, down)
    is_bend = [False] * count + [True] * len(bend_layers)
    extents = _extents(boxes, len(bend_layers))
    exact = assign_x(rows, up, down, extents, is_bend)
    straighten(rows, up, down, boxes, extents, exact)
    x = [float(round(value)) for value in exact]
    levels, y = _levels(boxes, rows, links, layers)
    routes = _routes(boxes, links, chains, shown, upward, layers, x, y, levels)
    low = min(x[node] - boxes[node].left for node in range(count))
    low = min([low, *x[count:], *(px for route in routes for px, _ in route)])
    high = max(x[node] + boxes[node].right for node in range(count))
    high = max([high, *x[count:], *(px for route in routes for px, _ in route)])
    return Placed(
        x=tuple(value - low for value in x[:count]),
        y=tuple(y),
        width=high - low,
        height=levels[-1][1],
        routes=tuple(tuple((px - low, py) for px, py in route) for route in routes),
        shown=tuple(shown),
    )


def _bends(
    links: Sequence[Connection], layers: list[int], upward: list[bool]
) -> tuple[list[list[int]], list[bool], list[int]]:
    """For each edge its bends (numbered after the boxes), whether it is drawn, and bends' layers."""
    count = len(layers)
    fan_out = Counter(link.source for link in links)
    spans = [abs(layers[e.target] - layers[e.source]) for e in links]
    chains: list[list[int]] = [[] for _ in links]
    shown = [True] * len(links)
    bend_layers: list[int] = []
    for number in sorted(range(len(links)), key=spans.__getitem__):
        link, span = links[number], spans[number]
        too_wide = span > _LONG and fan_out[link.source] > _FAN_OUT
        if link.source == link.target or span == 0 or too_wide or len(bend_layers) + span > _MOST_BENDS:
            shown[number] = False
            continue
        upper = link.target if upward[number] else link.source
        for step in range(1, span):
            chains[number].append(count + len(bend_layers))
            bend_layers.append(layers[upper] + step)
        if upward[number]:
            chains[number].reverse()
    return chains, shown, bend_layers


def _depth_first(count: int, links: Sequence[Connection], layers: list[int]) -> list[int]:
    """A first order in which what belongs together stands together."""
    below: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        below[link.source].append(link.target)
    order: list[int] = []
    seen = [False] * count
    for start in sorted(range(count), key=layers.__getitem__):
        stack = [start]
        while stack:
            node = stack.pop()
            if not seen[node]:
                seen[node] = True
                order.append(node)
                stack.extend(reversed(below[node]))
    return order


def _share(box: Box, offset: float | None) -> float:
    """Where on a box an offset lies, -0.5 to 0.5."""
    width = box.left + box.right
    return 0.0 if offset is None or width <= 0 else (offset + box.left) / width - 0.5


def _neighbours(
    boxes: Sequence[Box],
    links: Sequence[Connection],
    chains: list[list[int]],
    shown: list[bool],
    upward: list[bool],
    total: int,
) -> tuple[list[list[Link]], list[list[Link]]]:
    up: list[list[Link]] = [[] for _ in range(total)]
    down: list[list[Link]] = [[] for _ in range(total)]
    for link, chain, is_shown, rises in zip(links, chains, shown, upward, strict=True):
        if not is_shown:
            continue
        ends = {link.source: _share(boxes[link.source], link.leaves_at)}
        ends[link.target] = _share(boxes[link.target], link.enters_at)
        path = [link.source, *chain, link.target]
        for a, b in pairwise(path[::-1] if rises else path):
            above, below = ends.get(a, 0.0), ends.get(b, 0.0)
            down[a].append((b, below, above))
            up[b].append((a, above, below))
    return up, down


def _extents(boxes: Sequence[Box], bends: int) -> Extents:
    half = NODE_GAP / 2
    left = [box.left + half for box in boxes] + [_BEND_GAP / 2] * bends
    right = [box.right + half for box in boxes] + [_BEND_GAP / 2] * bends
    return Extents(left, right)


def _levels(
    boxes: Sequence[Box], rows: list[list[int]], links: Sequence[Connection], layers: list[int]
) -> tuple[list[tuple[float, float]], list[float]]:
    """Top and bottom of every layer, and each box's top: small boxes beside a tall one stay near what they feed."""
    fed = {link.target for link in links}
    y = [0.0] * len(boxes)
    levels: list[tuple[float, float]] = []
    top = 0.0
    for row in rows:
        height = max((boxes[node].height for node in row if node < len(boxes)), default=0.0)
        for node in row:
            if node < len(boxes):
                spare = height - boxes[node].height
                share = 0.5 if height <= 64 else float(node not in fed)
                y[node] = top + round(spare * share)
        levels.append((top, top + height))
        top += height + LAYER_GAP
    return levels, y


def _routes(
    boxes: Sequence[Box],
    links: Sequence[Connection],
    chains: list[list[int]],
    shown: list[bool],
    upward: list[bool],
    layers: list[int],
    x: list[float],
    y: list[float],
    levels: list[tuple[float, float]],
) -> list[tuple[Point, ...]]:
    bends = [[x[bend] for bend in chain] for chain in chains]
    goals = [b[0] if b else x[e.target] + (e.enters_at or 0.0) for e, b in zip(links, bends, strict=True)]
    leaves = assign_ports(boxes, links, x, shown, goals, leaving=True)
    origins = [b[-1] if b else leave for b, leave in zip(bends, leaves, strict=True)]
    enters = assign_ports(boxes, links, x, shown, origins, leaving=False)
    routes: list[tuple[Point, ...]] = []
    for number, link in enumerate(links):
        a, b = link.source, link.target
        rising = upward[number]
        start = (leaves[number], y[a] if rising else y[a] + boxes[a].height)
        end = (enters[number], y[b] + boxes[b].height if rising else y[b])
        if not shown[number]:
            routes.append((start, end))
            continue
        step = -1 if rising else 1
        first, last = (0, 1) if rising else (1, 0)
        middle: list[Point] = [(start[0], levels[layers[a]][first])]
        for place, bend_x in enumerate(bends[number], start=1):
            near, far = levels[layers[a] + step * place][last], levels[layers[a] + step * place][first]
            middle += [(bend_x, near), (bend_x, far)]
        middle.append((end[0], levels[layers[b]][last]))
        routes.append(_without_doubles([start, *middle, end]))
    return routes


def _without_doubles(points: list[Point]) -> tuple[Point, ...]:
    """No point twice, and none in the middle of a straight line."""
    result: list[Point] = []
    for point in points:
        if result and point == result[-1]:
            continue
        if len(result) >= 2 and result[-2][0] == result[-1][0] == point[0]:
            result[-1] = point
        else:
            result.append(point)
    return tuple(result)
