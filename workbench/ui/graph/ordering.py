"""Second step of a layered layout: the order within each layer, so that few edges cross."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Final

_SWEEPS: Final = 8
_MANY: Final = 4000
"""With more nodes and bends than this, fewer sweeps: order matters less than waiting."""

Link = tuple[int, float]
"""A neighbour, and where on its width the edge meets it: -0.5 (left end) to 0.5 (right end)."""


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
        node: sum(position[other] + shift for other, shift in links[node]) / len(links[node])
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
            ends = sorted(position[other] + shift for other, shift in down[node])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total
