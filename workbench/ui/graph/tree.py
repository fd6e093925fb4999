"""The tree that a graph's nodes are sorted into, while it is being built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from workbench.core.graph import Node


class Kind(IntEnum):
    """What an item of the view is. An OP may hold children: the bodies of an If, Loop or Scan."""

    OP = 0
    GROUP = 1
    INPUT = 2
    OUTPUT = 3


class Naming(IntEnum):
    """Where a group's title comes from: the model, or a word of the window with a number."""

    NAME = 0
    BLOCK = 1
    BLOCKS = 2
    SECTION = 3


@dataclass(slots=True, eq=False)
class Branch:
    """An item and what is inside. ``first`` orders siblings as the graph runs.

    ``label`` of an op says what makes two of them identical: op, attributes, shapes of weights.
    ``identical`` is the number of equal blocks that a group consists of, 0 where it does not.
    """

    key: str
    kind: Kind
    title: str
    detail: str = ""
    first: int = 0
    node: Node | None = None
    naming: Naming = Naming.NAME
    number: int = 0
    label: object = None
    parameters: int = 0
    identical: int = 0
    children: list[Branch] = field(default_factory=list)
    index: int = -1

    @property
    def is_pill(self) -> bool:
        return self.kind in (Kind.INPUT, Kind.OUTPUT)


@dataclass(frozen=True, slots=True)
class Wire:
    """A value that goes from one item to another; ``shape`` is for people, "" where not known."""

    source: Branch
    target: Branch
    value: str
    shape: str


def preorder(root: Branch) -> Iterator[Branch]:
    """``root`` and everything inside, parents first."""
    stack = [root]
    while stack:
        branch = stack.pop()
        yield branch
        stack.extend(reversed(branch.children))
