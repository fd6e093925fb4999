"""The rows of the table grouped as the graph groups them, or flat where a column sorts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.ui.layers.row import Row


@dataclass(frozen=True, slots=True)
class Place:
    """A group around a node: the graph's key of it, and its name."""

    key: str
    title: str


@dataclass(slots=True, eq=False)
class Item:
    """A line: an operator (``row``) or a group. ``depth`` counts the groups around it."""

    parent: Item | None
    position: int
    key: str
    title: str
    row: Row | None = None
    depth: int = 0
    children: list[Item] = field(default_factory=list)
    leaves: list[Row] = field(default_factory=list)

    @property
    def is_group(self) -> bool:
        return self.row is None

    def nodes(self) -> tuple[str, ...]:
        """Ids of the operators this line stands for."""
        return (self.row.node,) if self.row is not None else tuple(row.node for row in self.leaves)

    def walk(self) -> Iterator[Item]:
        """This line's children and theirs, top down."""
        stack = list(reversed(self.children))
        while stack:
            item = stack.pop()
            yield item
            stack.extend(reversed(item.children))


@dataclass(frozen=True, slots=True)
class Tree:
    """Lines to show. ``rows`` in the order shown, ``items`` of operators by node id, ``groups`` top down."""

    root: Item
    rows: tuple[Row, ...]
    items: Mapping[str, Item]
    groups: tuple[Item, ...]

    @classmethod
    def of(cls, root: Item) -> Tree:
        lines = tuple(root.walk())
        items = {item.row.node: item for item in lines if item.row is not None}
        rows = tuple(item.row for item in lines if item.row is not None)
        return cls(root, rows, items, tuple(item for item in lines if item.is_group))


def flat(rows: Sequence[Row]) -> Item:
    """A root whose children are ``rows`` in their order."""
    root = Item(None, 0, "", "")
    for row in rows:
        _add_row(root, row, row.name)
    return root


def grouped(rows: Sequence[Row], places: Mapping[str, tuple[Place, ...]]) -> Item:
    """A root with groups in the order in which the graph reaches them; rows in the graph's order.

    ``places``: the groups around a node, outermost first; nodes that are missing stand alone.
    """
    root = Item(None, 0, "", "")
    groups: dict[str, Item] = {}
    for row in rows:
        parent = root
        for place in places.get(row.node, ()):
            group = groups.get(place.key)
            if group is None:
                group = Item(parent, len(parent.children), place.key, place.title, depth=_depth(parent))
                parent.children.append(group)
                groups[place.key] = group
            parent = group
        _add_row(parent, row, _short(row.name, parent.title))
        while parent.parent is not None:
            parent.leaves.append(row)
            parent = parent.parent
    return root


def _add_row(parent: Item, row: Row, title: str) -> None:
    parent.children.append(Item(parent, len(parent.children), row.node, title, row, depth=_depth(parent)))


def _depth(parent: Item) -> int:
    return 0 if parent.parent is None else parent.depth + 1


def _short(name: str, group: str) -> str:
    """``name`` without what the group's title says already: "decoder/rnn/LSTM" in "decoder" is "rnn/LSTM"."""
    name = name.removeprefix("/")
    if not group:
        return name
    found = name.rfind(f"/{group}/")
    if found >= 0:
        return name[found + len(group) + 2 :]
    return name.removeprefix(f"{group}/") or name
