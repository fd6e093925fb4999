"""A graph as the view shows it: numbered items in a tree, and edges between the innermost.

Items are numbered so that everything inside item ``i`` is ``i + 1 .. items[i].end - 1``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.core.graph import Graph, Node
from workbench.ui.graph.grouping import group_repeats
from workbench.ui.graph.scopes import Found, scope_tree
from workbench.ui.graph.tree import Branch, Kind, Naming, preorder

ROOT: Final = 0
_FIRST_VIEW: Final = 15
"""Fewer items say little: the first view opens the largest groups until there are as many.
Groups of identical blocks come last: closed, they say more in less room."""
_FULL_VIEW: Final = 260

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Item:
    """``ops`` and ``parameters`` count everything inside and the item itself.

    ``title`` and ``detail`` are data of the model: op and name of a node, a group's name, a
    tensor's name and type.
    """

    key: str
    kind: Kind
    title: str
    detail: str
    naming: Naming
    number: int
    node: Node | None
    parent: int
    end: int
    children: tuple[int, ...]
    ops: int
    parameters: int
    identical: int

    @property
    def is_group(self) -> bool:
        return bool(self.children)

    @property
    def is_pill(self) -> bool:
        return self.kind in (Kind.INPUT, Kind.OUTPUT)


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """``source``, ``target`` and ``value`` are parallel: one entry an edge, sorted by source.

    ``by_target`` orders the edges by target. ``shapes`` is text for what flows, by value. ``index``
    leads from keys to items, ``readers`` from Constant nodes that are weights to their readers' keys.
    """

    items: tuple[Item, ...]
    source: Indices
    target: Indices
    value: Indices
    by_target: Indices
    shapes: tuple[str, ...]
    index: Mapping[str, int]
    readers: Mapping[str, str]

    def find(self, key: str) -> int | None:
        """The item of ``key``; for a Constant node that is a weight, the first that reads it."""
        return self.index.get(self.readers.get(key, key))

    def around(self, item: int) -> Iterator[int]:
        """The groups around ``item``, innermost first, without the root."""
        parent = self.items[item].parent
        while parent > ROOT:
            yield parent
            parent = self.items[parent].parent

    def nodes_in(self, item: int) -> Iterator[Node]:
        """The node of ``item`` and of everything inside."""
        for inner in self.items[item : self.items[item].end] if item else self.items:
            if inner.node is not None:
                yield inner.node

    def edges_from(self, item: int) -> Indices:
        """Edges that leave ``item`` or something inside it."""
        low, high = np.searchsorted(self.source, [item, self.items[item].end])
        return np.arange(low, high)

    def edges_to(self, item: int) -> Indices:
        """Edges that enter ``item`` or something inside it."""
        targets = self.target[self.by_target]
        low, high = np.searchsorted(targets, [item, self.items[item].end])
        return self.by_target[low:high]


def build_hierarchy(graph: Graph) -> Hierarchy:
    """Sort ``graph`` into groups: by scope, by repeated block, by section. No Qt, no threads."""
    root, found = scope_tree(graph)
    group_repeats(root, found.wires)
    return _number(root, found)


def first_open(hierarchy: Hierarchy) -> frozenset[int]:
    """The groups to open at first: enough to say something, few enough to read."""
    items = hierarchy.items
    opened = {ROOT}
    visible = len(items[ROOT].children)
    closed = [child for child in items[ROOT].children if items[child].is_group]
    while visible < _FIRST_VIEW:
        fitting = [group for group in closed if visible + len(items[group].children) <= _FULL_VIEW]
        if not fitting:
            break
        largest = max(fitting, key=lambda group: (not items[group].identical, items[group].ops))
        closed.remove(largest)
        closed += [child for child in items[largest].children if items[child].is_group]
        opened.add(largest)
        visible += len(items[largest].children)
    return frozenset(opened)


def _number(root: Branch, found: Found) -> Hierarchy:
    branches = list(preorder(root))
    for number, branch in enumerate(branches):
        branch.index = number
    items = _items(branches)
    values: dict[tuple[int, str], int] = {}
    shapes: dict[int, str] = {}
    rows: list[tuple[int, int, int]] = []
    for wire in found.wires:
        value = values.setdefault((wire.source.index, wire.value), len(values))
        shapes[value] = wire.shape
        rows.append((wire.source.index, wire.target.index, value))
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    return Hierarchy(
        items=items,
        source=table[:, 0],
        target=table[:, 1],
        value=table[:, 2],
        by_target=np.argsort(table[:, 1], kind="stable"),
        shapes=tuple(shapes.values()),
        index={item.key: number for number, item in enumerate(items)},
        readers=found.readers,
    )


def _items(branches: list[Branch]) -> tuple[Item, ...]:
    """``branches`` in their order, each after what it lies in, with the sums of what is inside."""
    ends = [number + 1 for number in range(len(branches))]
    ops = [int(branch.kind is Kind.OP) for branch in branches]
    parameters = [branch.parameters for branch in branches]
    parents = [-1] * len(branches)
    for branch in reversed(branches):
        for child in branch.children:
            parents[child.index] = branch.index
            ends[branch.index] = max(ends[branch.index], ends[child.index])
            ops[branch.index] += ops[child.index]
            parameters[branch.index] += parameters[child.index]
    return tuple(
        Item(
            key=b.key,
            kind=b.kind,
            title=b.title,
            detail=b.detail,
            naming=b.naming,
            number=b.number,
            node=b.node,
            parent=parents[i],
            end=ends[i],
            children=tuple(child.index for child in b.children),
            ops=ops[i],
            parameters=parameters[i],
            identical=b.identical,
        )
        for i, b in enumerate(branches)
    )
