"""Where edges meet the borders of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workbench.ui.spread import spread

_CORNER: Final = 16
"""Edges meet a node at least this far from its corners, where it is wide enough."""
_PORT_GAP: Final = 20


@dataclass(frozen=True, slots=True)
class Box:
    """A node to place. Its x is the point that ``left`` and ``right`` are measured from."""

    left: float
    right: float
    height: float


@dataclass(frozen=True, slots=True)
class Connection:
    """An edge to route; an offset fixes where it meets the box, from the box's x."""

    source: int
    target: int
    leaves_at: float | None = None
    enters_at: float | None = None


def assign_ports(
    boxes: Sequence[Box],
    links: Sequence[Connection],
    x: Sequence[float],
    shown: Sequence[bool],
    toward: Sequence[float],
    *,
    leaving: bool,
) -> list[float]:
    """x at which each edge meets its box: straight above what it goes to where it can, in order, apart."""
    result = [0.0] * len(links)
    free: dict[int, list[int]] = {}
    for number, link in enumerate(links):
        node = link.source if leaving else link.target
        offset = link.leaves_at if leaving else link.enters_at
        if offset is not None or not shown[number]:
            result[number] = x[node] + (offset or 0.0)
        else:
            free.setdefault(node, []).append(number)
    for node, numbers in free.items():
        box = boxes[node]
        corner = min(_CORNER, (box.left + box.right) / 4)
        low, high = x[node] - box.left + corner, x[node] + box.right - corner
        numbers.sort(key=toward.__getitem__)
        wishes = [min(high, max(low, toward[number])) for number in numbers]
        for number, port in zip(numbers, spread(wishes, low, high, _PORT_GAP), strict=True):
            result[number] = float(round(port))
    return result
