"""Groups that names do not tell: repeated blocks, runs of identical groups, sections of long lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import isqrt
from typing import Final

from workbench.ui.graph.repeats import Repeat, find_repeats
from workbench.ui.graph.tree import Branch, Kind, Naming, Wire, preorder

MAX_CHILDREN: Final = 400
"""A group with more is cut into sections: a layout of more is slow to make and hard to read."""

_LONG_LIST: Final = 40
"""A list of ops up to this length reads well without blocks."""
_LEAST_BLOCK: Final = 4
"""Ops in a block; shorter ones (Conv, Relu, Conv, Relu) are noise."""
_LEAST_SECTION: Final = 32
_MOSTLY: Final = 0.9

_LocalWire = tuple[Branch, Branch, str]


def group_repeats(root: Branch, wires: Sequence[Wire]) -> None:
    """Sort ``root``'s descendants further: blocks, stacks and sections. Marks groups of identical blocks."""
    branches = list(preorder(root))
    classes: dict[Branch, int] = {}
    local = _local_wires(branches, wires)
    numbers: dict[Hashable, int] = {}
    for branch in reversed(branches):
        own = local.get(branch, [])
        classes[branch] = _class(branch, own, classes, numbers)
        if branch.children:
            _wrap_repeats(branch, own, classes, numbers, is_root=branch is root)
            _cut(branch)
    _mark_identical(root, classes)


def _local_wires(branches: Iterable[Branch], wires: Sequence[Wire]) -> dict[Branch, list[_LocalWire]]:
    """By group: the wires between its children, each lifted to the children that hold its ends."""
    parents: dict[Branch, Branch] = {}
    depths: dict[Branch, int] = {}
    for branch in branches:
        depth = depths.setdefault(branch, 0)
        for child in branch.children:
            parents[child] = branch
            depths[child] = depth + 1
    result: dict[Branch, list[_LocalWire]] = {}
    for wire in wires:
        source, target = wire.source, wire.target
        while depths[source] > depths[target]:
            source = parents[source]
        while depths[target] > depths[source]:
            target = parents[target]
        if source is target:
            continue
        while parents[source] is not parents[target]:
            source, target = parents[source], parents[target]
        result.setdefault(parents[source], []).append((source, target, wire.value))
    return result


def _class(branch: Branch, wires: list[_LocalWire], classes: dict[Branch, int], numbers: dict[Hashable, int]) -> int:
    """A number that two branches share where they hold the same ops, weights and wiring."""
    inside = tuple(sorted(classes[child] for child in branch.children))
    pairs = tuple(sorted((classes[source], classes[target]) for source, target, _ in wires))
    label = branch.label if branch.kind is Kind.OP else branch.kind
    return numbers.setdefault((label, inside, pairs), len(numbers))


def _wrap_repeats(
    group: Branch,
    wires: list[_LocalWire],
    classes: dict[Branch, int],
    numbers: dict[Hashable, int],
    *,
    is_root: bool,
) -> None:
    items = [child for child in group.children if not child.is_pill]
    if len(items) <= _LONG_LIST and not any(item.kind is Kind.GROUP for item in items):
        return
    places = {child: place for place, child in enumerate(items)}
    follow: list[set[int]] = [set() for _ in items]
    for source, target, _ in wires:
        if source in places and target in places:
            follow[places[source]].add(places[target])
    found = find_repeats([classes[item] for item in items], _crossings(len(items), wires, places))
    wrapped = list(items)
    for repeat in reversed(found):
        span = items[repeat.start : repeat.stop]
        if not _worth(repeat, span, len(items)) or not _is_convex(repeat, follow):
            continue
        if len(span) == len(items) and repeat.period == 1 and not is_root:
            continue  # the group itself is the stack
        wrapped[repeat.start : repeat.stop] = [_stack(group, span, repeat, classes, numbers)]
    if len(wrapped) != len(items):
        pills = [child for child in group.children if child.is_pill]
        group.children = sorted([*wrapped, *pills], key=lambda child: child.first)


def _worth(repeat: Repeat, span: list[Branch], siblings: int) -> bool:
    if repeat.period == 1:
        return span[0].kind is Kind.GROUP
    holds_groups = any(item.kind is Kind.GROUP for item in span[: repeat.period])
    return holds_groups or (siblings > _LONG_LIST and repeat.period >= _LEAST_BLOCK)


def _is_convex(repeat: Repeat, follow: list[set[int]]) -> bool:
    """No way leads out of the span and back in: put into one group, the graph stays without cycles."""
    span = range(repeat.start, repeat.stop)
    pending = [place for inner in span for place in follow[inner] if place not in span]
    seen = set(pending)
    while pending:
        for place in follow[pending.pop()]:
            if place in span:
                return False
            if place not in seen:
                seen.add(place)
                pending.append(place)
    return True


def _crossings(count: int, wires: list[_LocalWire], places: dict[Branch, int]) -> list[int]:
    """Before each place: how many values made earlier are used there or later."""
    last: dict[tuple[int, str], int] = {}
    for source, target, value in wires:
        if source in places and target in places:
            key = places[source], value
            last[key] = max(last.get(key, 0), places[target])
    steps = [0] * (count + 1)
    for (made, _), used in last.items():
        if used > made:
            steps[made + 1] += 1
            steps[used + 1 if used < count else count] -= 1
    result, alive = [], 0
    for step in steps[:count]:
        alive += step
        result.append(alive)
    return result


def _stack(
    group: Branch,
    span: list[Branch],
    repeat: Repeat,
    classes: dict[Branch, int],
    numbers: dict[Hashable, int],
) -> Branch:
    """One group over ``span``: the repeated groups themselves, or a group for each block."""
    stem = _stem([item.title for item in span[:: repeat.period]])
    naming = Naming.NAME if stem and repeat.period == 1 else Naming.BLOCKS
    stack = Branch(f"{group.key}\n#{span[0].key}", Kind.GROUP, stem, first=span[0].first, naming=naming)
    if repeat.period == 1:
        stack.children = span
        return stack
    for number in range(repeat.count):
        inside = span[number * repeat.period : (number + 1) * repeat.period]
        key = f"{stack.key}\n{number}"
        block = Branch(key, Kind.GROUP, "", first=inside[0].first, naming=Naming.BLOCK, number=number + 1)
        block.children = inside
        classes[block] = numbers.setdefault(("block", tuple(classes[item] for item in inside)), len(numbers))
        stack.children.append(block)
    return stack


def _stem(titles: Sequence[str]) -> str:
    """What numbered titles share: "layers" of layers.0, layers.1."""
    shared = 0
    for characters in zip(*titles, strict=False):
        if len(set(characters)) > 1:
            break
        shared += 1
    return titles[0][:shared].rstrip("0123456789._-/")


def _cut(group: Branch) -> None:
    while sum(not child.is_pill for child in group.children) > MAX_CHILDREN:
        items = [child for child in group.children if not child.is_pill]
        pills = [child for child in group.children if child.is_pill]
        size = max(_LEAST_SECTION, isqrt(len(items)))
        sections = []
        for number, start in enumerate(range(0, len(items), size), start=1):
            inside = items[start : start + size]
            key = f"{group.key}\n§{inside[0].key}"
            section = Branch(key, Kind.GROUP, "", first=inside[0].first, naming=Naming.SECTION, number=number)
            section.children = inside
            sections.append(section)
        group.children = sorted([*sections, *pills], key=lambda child: child.first)


def _mark_identical(root: Branch, classes: dict[Branch, int]) -> None:
    for branch in preorder(root):
        groups = [child for child in branch.children if child.kind is Kind.GROUP]
        loose = sum(not child.is_pill for child in branch.children) - len(groups)
        equal = len({classes.get(group, id(group)) for group in groups}) == 1
        if len(groups) >= 2 and equal and branch.kind is Kind.GROUP:
            inside = sum(branch.kind is Kind.OP for group in groups for branch in preorder(group))
            if inside >= _MOSTLY * (inside + loose):
                branch.identical = len(groups)
