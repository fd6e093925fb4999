"""Ids of nodes as the importer gives them, on the graph that is being rewritten. Worker side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import onnx_ir as ir

ORIGIN: Final = "workbench.origin"
"""The metadata of a node that holds the id of the original's node which it stands for."""


def ids(graph: ir.Graph, path: str = "", taken: set[str] | None = None) -> Iterator[tuple[str, ir.Node]]:
    """Every node with its id: the path of its graph and its first non-empty output name.

    The same rule as ``formats/onnx/order.py``, which names the nodes of the files that are read.
    """
    taken = set() if taken is None else taken
    for index, node in enumerate(graph):
        output = next((value.name for value in node.outputs if value.name), f"{node.op_type}#{index}")
        node_id = wanted = f"{path}/{output}" if path else output
        copy = 1
        while node_id in taken:
            copy += 1
            node_id = f"{wanted}#{copy}"
        taken.add(node_id)
        yield node_id, node
        for name, body in bodies(node):
            yield from ids(body, f"{node_id}/{name}", taken)


def bodies(node: ir.Node) -> Iterator[tuple[str, ir.Graph]]:
    """The graphs that a node holds, with the attribute's name as paths spell it."""
    for name, attribute in node.attributes.items():
        if attribute.type == ir.AttributeType.GRAPH:
            yield name, attribute.as_graph()
        elif attribute.type == ir.AttributeType.GRAPHS:
            for index, body in enumerate(attribute.as_graphs()):
                yield f"{name}[{index}]", body


def stamp(graph: ir.Graph) -> None:
    """Write every node's own id into it, so that what replaces it can tell where it came from."""
    for node_id, node in ids(graph):
        node.metadata_props[ORIGIN] = node_id


def origin(node: ir.Node) -> str:
    """The id of the original's node that this one stands for."""
    return node.metadata_props.get(ORIGIN, "")
