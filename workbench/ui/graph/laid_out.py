"""A graph laid out with some of its groups open. Pure, and made in a worker thread where it is long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from workbench.core.graph import Graph
from workbench.ui.graph.arrange import arrange
from workbench.ui.graph.hierarchy import ROOT, Hierarchy, build_hierarchy, first_open
from workbench.ui.graph.inside import Inside
from workbench.ui.graph.scene import Scene, assemble
from workbench.ui.graph.sizes import Fonts, Sizes, measure

Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """``insides`` holds the layout of every open group, to be used again for those that do not change."""

    hierarchy: Hierarchy
    sizes: Sizes
    opened: frozenset[int]
    insides: Mapping[int, Inside]
    scene: Scene

    def toggled(self, group: int, *, deep: bool = False) -> frozenset[int]:
        """What is open after ``group`` is opened or closed, with all inside it where ``deep``."""
        inside = range(group + 1, self.hierarchy.items[group].end) if deep else ()
        changed = {group, *(number for number in inside if self.hierarchy.items[number].is_group)}
        return self.opened - changed if group in self.opened else self.opened | changed

    def revealing(self, item: int) -> frozenset[int]:
        """What must be open to see ``item``."""
        return self.opened | set(self.hierarchy.around(item))

    def stale(self, opened: Collection[int]) -> set[int]:
        """Groups that must be laid out again when ``opened`` takes the place of what is open."""
        stale: set[int] = set()
        for group in self.opened.symmetric_difference(opened):
            stale |= {ROOT, group, *self.hierarchy.around(group)}
        return stale

    def work(self, opened: Collection[int]) -> int:
        """How many items a change of what is open lays out."""
        stale = self.stale(opened)
        return sum(len(self.hierarchy.items[group].children) for group in stale if group in opened or group == ROOT)


def lay_out(graph: Graph, fonts: Fonts, badges: Mapping[str, float], check: Check) -> LaidOut:
    """The first view of ``graph``. ``badges``: widths by node id, where known."""
    hierarchy = build_hierarchy(graph)
    check()
    return _made(hierarchy, _sizes(hierarchy, fonts, badges), first_open(hierarchy), {}, check)


def reopened(old: LaidOut, opened: frozenset[int], check: Check) -> LaidOut:
    """``old`` with other groups open; layouts that are not touched are kept."""
    stale = old.stale(opened)
    known = {group: inside for group, inside in old.insides.items() if group not in stale}
    return _made(old.hierarchy, old.sizes, opened, known, check)


def resized(old: LaidOut, fonts: Fonts, badges: Mapping[str, float], check: Check) -> LaidOut:
    """``old`` with nodes as wide as ``badges`` ask for; itself where none changes."""
    sizes = _sizes(old.hierarchy, fonts, badges)
    if (sizes.width == old.sizes.width).all() and (sizes.header == old.sizes.header).all():
        return old
    return _made(old.hierarchy, sizes, old.opened, {}, check)


def _sizes(hierarchy: Hierarchy, fonts: Fonts, badges: Mapping[str, float]) -> Sizes:
    known = {hierarchy.index[key]: width for key, width in badges.items() if key in hierarchy.index}
    return measure(hierarchy, fonts, known)


def _made(
    hierarchy: Hierarchy, sizes: Sizes, opened: frozenset[int], known: Mapping[int, Inside], check: Check
) -> LaidOut:
    insides = arrange(hierarchy, opened, sizes, known, check)
    scene = assemble(hierarchy, insides, sizes)
    return LaidOut(hierarchy, sizes, opened, insides, scene)
