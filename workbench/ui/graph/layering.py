"""First step of a layered layout: a layer for every node, so that edges run downward."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Edge = tuple[int, int]


def assign_layers(
    count: int, edges: Sequence[Edge], top: Collection[int] = (), bottom: Collection[int] = ()
) -> tuple[list[int], list[bool]]:
    """Layers from 0, and for each edge whether it runs upward: it is part of a cycle.

    Longest path from the sources; what hangs on one consumer alone moves down to it. ``top`` and
    ``bottom`` nodes get the first and the last layer for themselves. Cycles come from grouping
    (two ops of one group with a third between them): they are cut at the lowest numbered node.
    """
    order = _order(count, edges, top)
    place = [0] * count
    for position, node in enumerate(order):
        place[node] = position
    upward = [place[a] >= place[b] for a, b in edges]
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for (a, b), flipped in zip(edges, upward, strict=True):
        if a != b:
            source, target = (b, a) if flipped else (a, b)
            below[source].append(target)
            above[target].append(source)
    start = 1 if top else 0
    pinned = set(top)
    layers = [0 if node in pinned else start for node in range(count)]
    for node in order:
        for follower in below[node]:
            layers[follower] = max(layers[follower], layers[node] + 1)
    _hang(order, above, below, layers, pinned)
    last = max((layers[node] for node in range(count) if node not in bottom), default=-1) + 1
    for node in bottom:
        layers[node] = last
    return layers, upward


def _order(count: int, edges: Sequence[Edge], first: Collection[int]) -> list[int]:
    """A topological order; where a cycle blocks it, the lowest node not yet placed goes next."""
    below: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for a, b in edges:
        if a != b:
            below[a].append(b)
            waiting[b] += 1
    order: list[int] = []
    placed = [False] * count
    ready = [*first, *(node for node in range(count) if not waiting[node] and node not in set(first))]
    lowest = 0
    while len(order) < count:
        if not ready:
            while placed[lowest]:
                lowest += 1
            ready.append(lowest)
        following: list[int] = []
        for node in ready:
            if placed[node]:
                continue
            placed[node] = True
            order.append(node)
            for follower in below[node]:
                waiting[follower] -= 1
                if waiting[follower] == 0 and not placed[follower]:
                    following.append(follower)
        ready = following
    return order


def _hang(
    order: list[int], above: list[list[int]], below: list[list[int]], layers: list[int], pinned: set[int]
) -> None:
    """Move sources, and chains that only they feed, down to their one consumer."""
    loose = [False] * len(order)
    for node in order:
        loose[node] = node not in pinned and all(loose[source] and len(below[source]) == 1 for source in above[node])
    for node in reversed(order):
        if loose[node] and below[node]:
            layers[node] = min(layers[follower] for follower in below[node]) - 1
