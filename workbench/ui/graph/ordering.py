"""Second step of a layered layout: the order within each layer, so that few edges cross."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Final

_SWEEPS: Final = 8
_MANY: Final = 4000
"""With more nodes and bends than this, fewer sweeps: order matters less than waiting."""

Link = tuple[int, float, float]
"""A neighbour, and where the edge meets it and the node itself: -0.5 (left end) to 0.5 (right end)."""


def order_layers(rows: list[list[int]], up: Sequence[list[Link]], down: Sequence[list[Link]]) -> list[list[int]]:
    """``rows`` (the nodes of each layer, first guess) in the best order found by barycentre sweeps.

    ``up[n]`` and ``down[n]`` are n's neighbours in the layers next to its own.
    """
    rows = [list(row) for row in rows]
    position = _positions(rows)
    best = [list(row) for row in rows]
    fewest = _crossings(rows, down, position)
    sweeps = _SWEEPS if len(up) <= _MANY else 2
    for sweep in range(sweeps):
        if fewest == 0:
            break
        downward = sweep % 2 == 0
        links = up if downward else down
        for row in rows[1:] if downward else reversed(rows[:-1]):
            _sort(row, links, position)
        crossings = _crossings(rows, down, position)
        if crossings < fewest:
            fewest, best = crossings, [list(row) for row in rows]
    return best


def _positions(rows: list[list[int]]) -> dict[int, int]:
    return {node: place for row in rows for place, node in enumerate(row)}


def _sort(row: list[int], links: Sequence[list[Link]], position: dict[int, int]) -> None:
    """Nodes without a neighbour keep their place; the others are sorted around them."""
    wish = {
        node: sum(position[other] + there for other, there, _ in links[node]) / len(links[node])
        for node in row
        if links[node]
    }
    moving = iter(sorted(wish, key=wish.__getitem__))
    row[:] = [next(moving) if node in wish else node for node in row]
    position.update((node, place) for place, node in enumerate(row))


def _crossings(rows: list[list[int]], down: Sequence[list[Link]], position: dict[int, int]) -> int:
    total = 0
    for row in rows:
        seen: list[float] = []
        for node in row:
            ends = sorted((here, position[other] + there) for other, there, here in down[node])
            before = 0.0
            fresh: list[float] = []
            for here, end in ends:
                if fresh and here != before:
                    _merge(seen, fresh)
                before = here
                total += len(seen) - bisect_right(seen, end)
                fresh.append(end)
            _merge(seen, fresh)
    return total


def _merge(seen: list[float], fresh: list[float]) -> None:
    """Edges from one point do not cross each other: they count for those that come after."""
    for end in fresh:
        insort(seen, end)
    fresh.clear()
