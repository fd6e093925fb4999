"""Finding an operator by its id, in the graph and in the bodies of If, Loop and Scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.graph import Graph, Node


def graph_of(graph: Graph, node_id: str) -> tuple[Graph, Node] | None:
    """The node of that id and the graph, or body of an If, Loop or Scan, that holds it."""
    for node in graph.nodes:
        if node.id == node_id:
            return graph, node
    for body in graph.subgraphs:
        found = graph_of(body.graph, node_id)
        if found is not None:
            return found
    return None
