"""Third step of a layered layout: x of every node, long edges straight, neighbours apart.

After U. Brandes and B. Köpf, "Fast and Simple Horizontal Coordinate Assignment" (2001): nodes are
aligned with their median neighbour, once for each of four directions, and the four results are
averaged. Compaction is by longest path over the aligned blocks, which keeps neighbours apart in
each of the four, and therefore in the average of the middle two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.ui.graph.ordering import Link


@dataclass(frozen=True, slots=True)
class Extents:
    """What a node needs to the left and to the right of its x, gaps to its neighbours included."""

    left: Sequence[float]
    right: Sequence[float]


def assign_x(
    rows: list[list[int]],
    up: Sequence[list[Link]],
    down: Sequence[list[Link]],
    extents: Extents,
    is_bend: Sequence[bool],
) -> list[float]:
    """x of every node: of its centre, or of the point that ``extents`` are measured from."""
    crossed = _conflicts(rows, up, is_bend)
    spine_up, spine_down = _mutual(_spine(rows, up, is_bend), _spine(rows[::-1], down, is_bend))
    results: list[list[float]] = []
    for downward in (True, False):
        for leftward in (True, False):
            ordered = rows if downward else rows[::-1]
            ordered = ordered if leftward else [row[::-1] for row in ordered]
            links = spine_up if downward else spine_down
            sides = extents if leftward else Extents(extents.right, extents.left)
            root = _align(ordered, links, crossed)
            x = _compact(ordered, root, sides)
            results.append(x if leftward else [-value for value in x])
    return _balance(results, extents)


def _spine(rows: list[list[int]], links: Sequence[list[Link]], is_bend: Sequence[bool]) -> list[list[Link]]:
    """Of each node's neighbours the one at the end of the longest chain of nodes: a network's main
    path runs straight, what joins it comes from the side."""
    length = [0] * len(links)
    spine: list[list[Link]] = [[] for _ in links]
    for row in rows:
        for node in row:
            longest = max((length[other] for other, *_ in links[node]), default=0)
            length[node] = longest + (not is_bend[node])
            spine[node] = [link for link in links[node] if length[link[0]] == longest]
    return spine


def _mutual(up: list[list[Link]], down: list[list[Link]]) -> tuple[list[list[Link]], list[list[Link]]]:
    """Only what both ends prefer: else an edge that joins from the side takes the main path's place."""
    above = {(link[0], node) for node, links in enumerate(up) for link in links}
    below = {(node, link[0]) for node, links in enumerate(down) for link in links}
    both = above & below
    agreed_up = [[link for link in links if (link[0], node) in both] for node, links in enumerate(up)]
    agreed_down = [[link for link in links if (node, link[0]) in both] for node, links in enumerate(down)]
    return agreed_up, agreed_down


def _conflicts(rows: list[list[int]], up: Sequence[list[Link]], is_bend: Sequence[bool]) -> set[tuple[int, int]]:
    """Edges that cross a straight piece of a long edge: the long edge wins."""
    crossed: set[tuple[int, int]] = set()
    for above, row in pairwise(rows):
        place = {node: position for position, node in enumerate(above)}
        low, start = 0, 0
        for position, node in enumerate(row):
            inner = next((other for other, *_ in up[node] if is_bend[node] and is_bend[other]), None)
            if inner is None and position < len(row) - 1:
                continue
            high = place[inner] if inner is not None else len(above)
            for scanned in row[start : position + 1]:
                for other, *_ in up[scanned]:
                    outside = place[other] < low or place[other] > high
                    if outside and not (is_bend[other] and is_bend[scanned]):
                        crossed.add((other, scanned))
            start, low = position + 1, high
    return crossed


def _align(ordered: list[list[int]], links: Sequence[list[Link]], crossed: set[tuple[int, int]]) -> list[int]:
    """The block of every node, as the node that heads it."""
    count = len(links)
    root, align = list(range(count)), list(range(count))
    place = {node: position for row in ordered for position, node in enumerate(row)}
    for row in ordered[1:]:
        reached = -1
        for node in row:
            others = sorted(((place[other], other) for other, *_ in links[node]))
            if not others:
                continue
            middle = len(others) - 1
            for index in dict.fromkeys((middle // 2, (middle + 1) // 2)):
                position, other = others[index]
                free = (other, node) not in crossed and (node, other) not in crossed
                if align[node] == node and free and reached < position:
                    align[other] = node
                    root[node] = root[other]
                    align[node] = root[node]
                    reached = position
    return root


def _compact(ordered: list[list[int]], root: list[int], sides: Extents) -> list[float]:
    """x of every block as far left as its neighbours allow, then right again up to the next one."""
    after: dict[int, dict[int, float]] = {}
    waiting: dict[int, int] = dict.fromkeys(root, 0)
    for row in ordered:
        for left, right in pairwise(row):
            a, b = root[left], root[right]
            apart = sides.right[left] + sides.left[right]
            known = after.setdefault(a, {})
            if b not in known:
                waiting[b] += 1
            known[b] = max(known.get(b, 0.0), apart)
    x = dict.fromkeys(waiting, 0.0)
    order = [head for head, before in waiting.items() if not before]
    for head in order:
        for other, apart in after.get(head, {}).items():
            x[other] = max(x[other], x[head] + apart)
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    for head in reversed(order):
        limits = [x[other] - apart for other, apart in after.get(head, {}).items()]
        if limits:
            x[head] = max(x[head], min(limits))
    return [x[head] for head in root]


def _balance(results: list[list[float]], extents: Extents) -> list[float]:
    """Shift the four to one border, the narrowest one's, and take the mean of the middle two."""

    def span(x: list[float]) -> tuple[float, float]:
        low = min(value - left for value, left in zip(x, extents.left, strict=True))
        high = max(value + right for value, right in zip(x, extents.right, strict=True))
        return low, high

    spans = [span(x) for x in results]
    low, high = min(spans, key=lambda ends: ends[1] - ends[0])
    shifted = []
    for number, (x, ends) in enumerate(zip(results, spans, strict=True)):
        shift = low - ends[0] if number % 2 == 0 else high - ends[1]
        shifted.append([value + shift for value in x])
    middle = [sorted(values)[1:3] for values in zip(*shifted, strict=True)]
    return [(a + b) / 2 - low for a, b in middle]
