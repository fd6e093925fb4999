"""The groups around each operator, as the graph sorts them."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.ui.graph.hierarchy import Hierarchy
from workbench.ui.graph.texts import title
from workbench.ui.layers.tree import Place


def places_of(hierarchy: Hierarchy) -> Mapping[str, tuple[Place, ...]]:
    """By node id, outermost first; nodes outside every group are missing."""
    result: dict[str, tuple[Place, ...]] = {}
    for number, item in enumerate(hierarchy.items):
        if item.node is not None:
            around = [hierarchy.items[group] for group in hierarchy.around(number)]
            result[item.node.id] = tuple(Place(group.key, title(group)) for group in reversed(around))
    return result
