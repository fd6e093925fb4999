"""What the graph says of its items, in the user's language."""

from __future__ import annotations

from workbench.core.messages import plain
from workbench.ui.graph.hierarchy import Item
from workbench.ui.graph.tree import Kind, Naming
from workbench.ui.text import tr

_MAX_CHARACTERS = 400
"""Names are data: one of a megabyte must not slow the painting of a title."""


def title(item: Item) -> str:
    """The op of a node, the name of a group or tensor, on one line."""
    match item.naming:
        case Naming.BLOCK:
            return tr("Block {n}", n=item.number)
        case Naming.BLOCKS:
            return tr("Blocks")
        case Naming.SECTION:
            return tr("Section {n}", n=item.number)
        case Naming.NAME:
            return plain(item.title[:_MAX_CHARACTERS]) or tr("unnamed")


def detail(item: Item) -> str:
    """The name of a node without its leading slash, the type of an input or output."""
    return plain(item.detail[:_MAX_CHARACTERS].removeprefix("/"))


def count(ops: int) -> str:
    """ "1 op", "28 ops"."""
    return tr("1 op") if ops == 1 else tr("{n} ops", n=f"{ops:,}")


def contents(item: Item) -> str:
    """ "28 ops, 218 k parameters"."""
    if not item.parameters:
        return count(item.ops)
    return tr("{ops}, {parameters} parameters", ops=count(item.ops), parameters=amount(item.parameters))


def amount(number: int) -> str:
    """A count with three digits at most: 131 k, 2.4 M."""
    for power, prefix in ((9, "G"), (6, "M"), (3, "k")):
        value = number / 10**power
        if value >= 0.9995:
            return f"{value:.3g} {prefix}"
    return str(number)


def identical(item: Item) -> str:
    """ "×4 identical"."""
    return tr("×{n} identical", n=item.identical)


def spoken(item: Item) -> str:
    """An item for a screen reader."""
    match item.kind:
        case Kind.INPUT:
            return tr("Input {name}, {type}", name=title(item), type=detail(item))
        case Kind.OUTPUT:
            return tr("Output {name}, {type}", name=title(item), type=detail(item))
        case Kind.OP:
            return tr("{op} {name}", op=title(item), name=detail(item))
        case Kind.GROUP:
            return tr("Group {name}, {contents}", name=title(item), contents=contents(item))
