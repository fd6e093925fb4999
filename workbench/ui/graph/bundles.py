"""Edges of the hierarchy gathered into the lines that one open group shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.ui.graph.hierarchy import Hierarchy
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

    def side(box: int, value: int, *, leaving: bool) -> Side:
        layout = layouts.get(int(starts[box]))
        if layout is None:
            return box, CLOSED
        return box, (layout.exits if leaving else layout.entries)[value]

    leaving = hierarchy.edges_from(group)
    sources, targets = hierarchy.source[leaving], hierarchy.target[leaving]
    is_inner = (targets > group) & (targets < end)
    from_box = np.searchsorted(starts, sources, side="right") - 1
    to_box = np.searchsorted(starts, targets, side="right") - 1
    seen = ~is_inner | (from_box != to_box)
    for edge, box, other, inner, own, value in _rows(
        leaving, from_box, to_box, is_inner, sources == group, hierarchy.value[leaving], mask=seen
    ):
        if own:
            exits.port(value)
        elif inner:
            ends = side(box, value, leaving=True), side(other, value, leaving=False)
            lines.setdefault(ends, []).append(edge)
        else:
            going.append((side(box, value, leaving=True), exits.port(value), edge))
    entering = hierarchy.edges_to(group)
    sources, targets = hierarchy.source[entering], hierarchy.target[entering]
    outside = (sources < group) | (sources >= end)
    to_box = np.searchsorted(starts, targets, side="right") - 1
    for edge, box, own, value in _rows(entering, to_box, targets == group, hierarchy.value[entering], mask=outside):
        port = entries.port(value)
        if not own:
            coming.append((port, side(box, value, leaving=False), edge))
    for port, target_side, edge in coming:
        lines.setdefault(((count + port, CLOSED), target_side), []).append(edge)
    for source_side, port, edge in going:
        lines.setdefault((source_side, (count + entries.count + port, CLOSED)), []).append(edge)
    return Bundles(lines, entries, exits)


def _rows(*columns: NDArray[Any], mask: NDArray[np.bool_]) -> list[tuple[Any, ...]]:
    """Plain rows of the columns where ``mask`` is true."""
    return list(zip(*(column[mask].tolist() for column in columns), strict=True))
