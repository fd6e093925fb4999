"""Last touch on x: small jogs in a chain become straight, and what hangs on one edge goes under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.ui.graph.coordinates import Extents
from workbench.ui.graph.ordering import Link
from workbench.ui.graph.ports import Box

_JOG: Final = 40
"""Shifts up to this many pixels read as a fault of drawing, not as a branch."""


def straighten(
    rows: list[list[int]], up: Sequence[list[Link]], down: Sequence[list[Link]], boxes: Sequence[Box],
    extents: Extents, x: list[float],
) -> None:  # fmt: skip
    """Move nodes under (then over) their one neighbour where their row has room. Changes ``x``."""
    for ordered, links, others in ((rows, up, down), (rows[::-1], down, up)):
        for row in ordered:
            for place, node in enumerate(row):
                if len(links[node]) != 1:
                    continue
                other, there, here = links[node][0]
                wish = x[other] + _offset(boxes, other, there) - _offset(boxes, node, here)
                is_loose = not others[node]
                if wish == x[node] or (abs(wish - x[node]) > _JOG and not is_loose):
                    continue
                low, high = _room(row, place, extents, x)
                if is_loose:
                    wish = min(high, max(low, wish))
                if low <= wish <= high:
                    x[node] = wish


def _offset(boxes: Sequence[Box], node: int, share: float) -> float:
    """From a node's x to where an edge meets it; bends are points."""
    if node >= len(boxes):
        return 0.0
    box = boxes[node]
    return (share + 0.5) * (box.left + box.right) - box.left


def _room(row: list[int], place: int, extents: Extents, x: list[float]) -> tuple[float, float]:
    """How far a node may go to either side of where it is."""
    node = row[place]
    low, high = float("-inf"), float("inf")
    if place > 0:
        left = row[place - 1]
        low = x[left] + extents.right[left] + extents.left[node]
    if place < len(row) - 1:
        right = row[place + 1]
        high = x[right] - extents.left[right] - extents.right[node]
    return low, high
