"""Edges of the hierarchy gathered into the lines that one open group shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from workbench.ui.graph.hierarchy import Hierarchy, Indices
from workbench.ui.graph.inside import Inside

_MOST_PORTS: Final = 16
"""Further values share the last port: a border of a hundred arrows says nothing."""

CLOSED: Final = -1
Side = tuple[int, int]
"""Number of a box (child or port), and its port where it is an open group, else CLOSED."""


@dataclass(slots=True)
class Ports:
    """Ports of one side of a border, while they are found."""

    ports: dict[int, int]

    def port(self, value: int) -> int:
        return self.ports.setdefault(value, min(len(set(self.ports.values())), _MOST_PORTS - 1))

    @property
    def count(self) -> int:
        return len(set(self.ports.values()))


@dataclass(frozen=True, slots=True)
class Bundles:
    """``lines``: from and to which side, and the edges of the hierarchy that run there.

    Boxes are numbered: children of the group, then its ports in, then its ports out.
    """

    lines: dict[tuple[Side, Side], list[int]]
    entries: Ports
    exits: Ports


def bundle(hierarchy: Hierarchy, group: int, layouts: Mapping[int, Inside]) -> Bundles:
    """Edges of the hierarchy by what they look like in ``group``: one line from box to box.

    Boxes are numbered: children, then ports in, then ports out.
    """
    items, end = hierarchy.items, hierarchy.items[group].end
    count = len(items[group].children)
    starts = np.array(items[group].children, dtype=np.int64)
    entries, exits = Ports({}), Ports({})
    lines: dict[tuple[Side, Side], list[int]] = {}
    coming: list[tuple[int, Side, int]] = []
    going: list[tuple[Side, int, int]] = []

    def place(number: int) -> int:
        return int(np.searchsorted(starts, number, side="right")) - 1

    def side(number: int, value: int, *, leaving: bool) -> Side:
        box = place(number)
        layout = layouts.get(int(starts[box]))
        if layout is None:
            return box, CLOSED
        return box, (layout.exits if leaving else layout.entries)[value]

    for edge, source, target, value in _rows(hierarchy, hierarchy.edges_from(group)):
        if source == group:
            exits.port(value)
        elif not group < target < end:
            going.append((side(source, value, leaving=True), exits.port(value), edge))
        elif place(source) != place(target):
            ends = side(source, value, leaving=True), side(target, value, leaving=False)
            lines.setdefault(ends, []).append(edge)
    for edge, source, target, value in _rows(hierarchy, hierarchy.edges_to(group)):
        if group <= source < end:
            continue
        port = entries.port(value)
        if target != group:
            coming.append((port, side(target, value, leaving=False), edge))
    for port, target_side, edge in coming:
        lines.setdefault(((count + port, CLOSED), target_side), []).append(edge)
    for source_side, port, edge in going:
        lines.setdefault((source_side, (count + entries.count + port, CLOSED)), []).append(edge)
    return Bundles(lines, entries, exits)


def _rows(hierarchy: Hierarchy, edges: Indices) -> list[tuple[int, int, int, int]]:
    columns = (edges, hierarchy.source[edges], hierarchy.target[edges], hierarchy.value[edges])
    return list(zip(*(column.tolist() for column in columns), strict=True))
