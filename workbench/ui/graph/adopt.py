"""Nodes without a scope that stand between nodes of one group belong to that group.

Converters insert Transpose, Cast and Relu nodes under names of their own. Left outside, they would
make the group feed itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.ui.graph.tree import Branch, Kind, Wire, preorder


@dataclass(slots=True)
class _Chain:
    """Loose ops that feed each other, and what they touch outside."""

    ops: list[Branch] = field(default_factory=list)
    makers: list[Branch] = field(default_factory=list)
    readers: list[Branch] = field(default_factory=list)


def adopt(root: Branch, wires: Sequence[Wire]) -> None:
    """Move loose ops of ``root``, singly or as chains, into the innermost group around all they touch.

    ``wires`` are those of the graph of ``root``; wires of graphs around it count as touching outside.
    """
    loose = [child for child in root.children if child.kind is Kind.OP and not child.children]
    if len(loose) == len(root.children):
        return
    parents = {child: branch for branch in preorder(root) for child in branch.children}
    moved: set[Branch] = set()
    for chain in _chains(loose, wires):
        group = _around([*chain.makers, *chain.readers], parents) if chain.makers and chain.readers else None
        if group is not None and group is not root and group.kind is Kind.GROUP:
            moved.update(chain.ops)
            group.children = sorted([*group.children, *chain.ops], key=lambda branch: branch.first)
    root.children = [child for child in root.children if child not in moved]


def _chains(loose: list[Branch], wires: Sequence[Wire]) -> list[_Chain]:
    """The connected parts of ``loose``."""
    head = {op: op for op in loose}

    def find(op: Branch) -> Branch:
        while head[op] is not op:
            head[op] = head[head[op]]
            op = head[op]
        return op

    for wire in wires:
        if wire.source in head and wire.target in head:
            head[find(wire.source)] = find(wire.target)
    chains: dict[Branch, _Chain] = {}
    for op in loose:
        chains.setdefault(find(op), _Chain()).ops.append(op)
    for wire in wires:
        if wire.target.kind is Kind.OUTPUT:
            continue  # what is a result of the model may still be a step of the group
        if wire.source in head and wire.target not in head:
            chains[find(wire.source)].readers.append(wire.target)
        elif wire.target in head and wire.source not in head:
            chains[find(wire.target)].makers.append(wire.source)
    return list(chains.values())


def _around(ends: list[Branch], parents: dict[Branch, Branch]) -> Branch | None:
    """The innermost group that holds all of ``ends``; None where one is not in the tree."""
    common: list[Branch] | None = None
    for end in ends:
        path: list[Branch] = []
        outer = parents.get(end)
        while outer is not None:
            path.append(outer)
            outer = parents.get(outer)
        path.reverse()
        common = [a for a, b in zip(path if common is None else common, path, strict=False) if a is b]
    return common[-1] if common else None
