"""The layout of nested groups: each open group by itself, from the inside out.

An open group has a port on its border for every value that comes in or goes out. Outside, edges
run to the port; inside, they go on from it. Edges keep clear of the group's title.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from workbench.ui.graph.bundles import CLOSED, Side, bundle
from workbench.ui.graph.hierarchy import ROOT, Hierarchy
from workbench.ui.graph.inside import Inside, Route
from workbench.ui.graph.layout import LAYER_GAP, Placed, Point, place
from workbench.ui.graph.ports import Box, Connection
from workbench.ui.graph.sizes import HEADER, INSET, Sizes
from workbench.ui.spread import spread

_UNDER_HEADER: Final = 12
_CURVE: Final = 28
"""Height that a curve between a port and a node needs."""
_PORT_GAP: Final = 12
_MOST_SHIFT: Final = 96
"""How far a group's contents move right to let an edge pass beside the title."""


def arrange(
    hierarchy: Hierarchy,
    opened: Collection[int],
    sizes: Sizes,
    known: Mapping[int, Inside],
    check: Callable[[], None],
) -> dict[int, Inside]:
    """The inside of every open group. ``known`` layouts are taken as they are.

    ``check`` is called before each group is laid out and raises to stop.
    """
    result: dict[int, Inside] = {}
    for group in sorted(_reachable(hierarchy, opened), reverse=True):
        if group in known:
            result[group] = known[group]
        else:
            check()
            result[group] = _inside(hierarchy, group, sizes, result)
    return result


def _reachable(hierarchy: Hierarchy, opened: Collection[int]) -> list[int]:
    """Open groups all of whose outer groups are open, too."""
    pending, found = [ROOT], []
    while pending:
        group = pending.pop()
        found.append(group)
        pending += [child for child in hierarchy.items[group].children if child in opened]
    return found


def _inside(hierarchy: Hierarchy, group: int, sizes: Sizes, layouts: Mapping[int, Inside]) -> Inside:
    children = hierarchy.items[group].children
    bundles = bundle(hierarchy, group, layouts)
    first_exit = len(children) + bundles.entries.count
    boxes = [_box(child, sizes, layouts) for child in children]
    boxes += [Box(0.0, 0.0, 0.0)] * (bundles.entries.count + bundles.exits.count)
    top, bottom = range(len(children), first_exit), range(first_exit, len(boxes))
    connections = [
        Connection(
            source[0],
            target[0],
            _offset(children, source, layouts, leaving=True),
            _offset(children, target, layouts, leaving=False),
        )
        for source, target in bundles.lines
    ]
    placed = place(boxes, connections, top, bottom)
    frame = _plain_frame(placed) if group == ROOT else _frame(placed, connections, top, bottom, sizes.header[group])
    routes = []
    for number, ((_, target), edges) in enumerate(bundles.lines.items()):
        box = target[0]
        ends_here = box < len(children) and any(hierarchy.target[edge] == children[box] for edge in edges)
        has_head = box < len(children) and (target[1] == CLOSED or ends_here)
        path = frame.path(placed.routes[number], connections[number])
        routes.append(Route(path, tuple(edges), placed.shown[number], has_head))
    entry_x = tuple(frame.port_x[port] for port in top)
    exit_x = tuple(frame.port_x[port] for port in bottom)
    return Inside(
        children=children,
        x=tuple(placed.x[i] - boxes[i].left + frame.left for i in range(len(children))),
        y=tuple(placed.y[i] + frame.shift for i in range(len(children))),
        width=frame.width,
        height=frame.height,
        routes=tuple(routes),
        entries=bundles.entries.ports,
        exits=bundles.exits.ports,
        entry_x=entry_x,
        exit_x=exit_x,
        axis=_axis(frame.width, entry_x, exit_x),
    )


def _box(child: int, sizes: Sizes, layouts: Mapping[int, Inside]) -> Box:
    if child in layouts:
        inside = layouts[child]
        return Box(inside.axis, inside.width - inside.axis, inside.height)
    half = float(sizes.width[child]) / 2
    return Box(half, half, float(sizes.height[child]))


def _offset(children: tuple[int, ...], side: Side, layouts: Mapping[int, Inside], *, leaving: bool) -> float | None:
    """Where a line meets its box, from the x of the box; None where it may choose."""
    box, port = side
    if box >= len(children):
        return 0.0
    if port == CLOSED:
        return None
    inside = layouts[children[box]]
    return (inside.exit_x if leaving else inside.entry_x)[port] - inside.axis


@dataclass(frozen=True, slots=True)
class _Frame:
    """How places from the layout become places in the group.

    ``left`` and ``shift`` are added to x and y; ``first`` is the top of the first row of nodes;
    ``port_x`` holds the x of every port.
    """

    left: float
    shift: float
    first: float
    width: float
    height: float
    port_x: Mapping[int, float]

    def path(self, points: tuple[Point, ...], line: Connection) -> tuple[Point, ...]:
        """A route through the header straight down, then on to its node."""
        moved = [(x + self.left, y + self.shift) for x, y in points]
        if line.target in self.port_x:
            moved[-1] = (self.port_x[line.target], self.height)
        if line.source in self.port_x:
            port, (x, y) = self.port_x[line.source], moved[1]
            start = [(port, 0.0)] if port == x else [(port, 0.0), (port, float(HEADER))]
            break_at = [(x, self.first)] if port != x and y > self.first else []
            moved = [*start, *break_at, *moved[1:]]
        return tuple(moved)


def _plain_frame(placed: Placed) -> _Frame:
    """The root has neither header nor border."""
    return _Frame(0.0, 0.0, 0.0, placed.width, placed.height, {})


def _frame(placed: Placed, connections: list[Connection], top: range, bottom: range, header: float) -> _Frame:
    """``header``: how far the title reaches. Contents move right for it, then the ports do."""
    left = float(INSET)
    if top:
        left += min(_MOST_SHIFT, max(0.0, round(header - left - min(placed.x[port] for port in top))))
    width = max(left + placed.width, header) + INSET
    order = sorted(top, key=lambda port: placed.x[port])
    wishes = [max(header, placed.x[port] + left) for port in order]
    entries = spread(wishes, header, max(header, width - INSET), _PORT_GAP)
    port_x = {port: float(round(x)) for port, x in zip(order, entries, strict=True)}
    port_x |= {port: placed.x[port] + left for port in bottom}
    port_x |= _under_entry(port_x, connections, top, bottom)
    lines = [
        (c, route) for c, route, is_shown in zip(connections, placed.routes, placed.shown, strict=True) if is_shown
    ]
    curved_in = any(port_x[c.source] != route[1][0] + left for c, route in lines if c.source in top)
    curved_out = any(route[-2][0] != route[-1][0] for c, route in lines if c.target in bottom)
    first = float(HEADER + (_CURVE if curved_in else _UNDER_HEADER))
    shift = first - (LAYER_GAP if top else 0.0)
    last = placed.height - (LAYER_GAP if bottom else 0.0) + shift
    return _Frame(left, shift, first, width, last + (_CURVE if curved_out else INSET), port_x)


def _under_entry(
    port_x: Mapping[int, float], connections: list[Connection], top: range, bottom: range
) -> dict[int, float]:
    """A port out that nothing inside leads to, the group being an op itself, goes straight under an entry."""
    fed = {line.target for line in connections}
    loose = [port for port in bottom if port not in fed]
    others = [port_x[port] for port in bottom if port in fed]
    free = [port_x[port] for port in top if all(abs(port_x[port] - x) >= _PORT_GAP for x in others)]
    return dict(zip(loose, free, strict=False))


def _axis(width: float, entry_x: tuple[float, ...], exit_x: tuple[float, ...]) -> float:
    """The port nearest the middle, one that goes straight through if there is one."""
    through = [x for x in entry_x if x in exit_x] or entry_x or exit_x or (float(round(width / 2)),)
    return min(through, key=lambda x: abs(x - width / 2))
