"""Who reads what: every tensor has one source, and nodes can be put in order.

ONNX asks for nodes in topological order; onnxruntime sorts them itself, so an unsorted file is
sorted here too. Subgraphs see the names around them and may reuse one (the inner wins).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

from workbench.core.errors import BadInput
from workbench.core.messages import msg
from workbench.formats.onnx.records import GraphRecord, NodeRecord, TensorRecord

Scopes = tuple[frozenset[str], ...]
_CYCLE_SHOWN: Final = 6
_EXPORT_AGAIN: Final = msg("Export the model again; this file breaks ONNX's rules.")


def settle(graph: GraphRecord, where: str, scopes: Scopes = ()) -> bool:
    """Check the names of ``graph`` and its subgraphs, and sort their nodes in place.

    True where something had to be sorted. Raises BadInput that names the node and the tensor for a
    name given twice, an input or output that nothing produces, and a cycle.
    """
    given = _given(graph, where)
    producers = _producers(graph, given, where)
    visible = (*scopes, frozenset(given), frozenset(producers))
    moved = False
    needs: list[set[int]] = []
    for node in graph.nodes:
        for body in node.graphs.values():
            moved |= settle(body, where, visible)
        used = set(_used(node))
        for name in used:
            if not any(name in scope for scope in visible):
                raise _dangling(node, name, where)
        needs.append({producers[name] for name in used if name in producers})
    for output in graph.outputs:
        if not any(output.name in scope for scope in visible):
            raise BadInput(
                msg("Nothing produces the output {tensor}", tensor=output.name), where=where, hint=_EXPORT_AGAIN
            )
    if all(max(need, default=-1) < index for index, need in enumerate(needs)):
        return moved
    graph.nodes = [graph.nodes[index] for index in _sorted(graph, needs, where)]
    return True


def _given(graph: GraphRecord, where: str) -> set[str]:
    """Names that the graph has without computing them. An input may have an initializer as its default."""
    for names in ([v.name for v in graph.inputs], [t.name for t in _constants(graph)]):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise BadInput(
                    msg("Two inputs or initializers are called {tensor}", tensor=name), where=where, hint=_EXPORT_AGAIN
                )
            seen.add(name)
    return {value.name for value in graph.inputs} | {tensor.name for tensor in _constants(graph)}


def _constants(graph: GraphRecord) -> Iterator[TensorRecord]:
    yield from graph.initializers
    for sparse in graph.sparse:
        yield sparse.values


def _producers(graph: GraphRecord, given: set[str], where: str) -> dict[str, int]:
    producers: dict[str, int] = {}
    for index, node in enumerate(graph.nodes):
        for name in filter(None, node.outputs):
            if name in given or name in producers:
                raise BadInput(
                    msg("Node {node} produces {tensor}, which already exists", node=node.title, tensor=name),
                    where=where,
                    hint=_EXPORT_AGAIN,
                )
            producers[name] = index
    return producers


def _used(node: NodeRecord) -> Iterator[str]:
    """Names that ``node`` reads, those of its subgraphs from around it included."""
    yield from filter(None, node.inputs)
    for body in node.graphs.values():
        own = {value.name for value in body.inputs} | {tensor.name for tensor in _constants(body)}
        own.update(name for inner in body.nodes for name in inner.outputs)
        for inner in body.nodes:
            yield from (name for name in _used(inner) if name not in own)
        yield from (output.name for output in body.outputs if output.name not in own)


def _dangling(node: NodeRecord, name: str, where: str) -> BadInput:
    return BadInput(
        msg("Node {node} ({op}) reads {tensor}, which nothing produces", node=node.title, op=node.op, tensor=name),
        where=where,
        hint=_EXPORT_AGAIN,
    )


def _sorted(graph: GraphRecord, needs: list[set[int]], where: str) -> list[int]:
    """Indices in topological order, as near to the file's order as that allows (Kahn's algorithm)."""
    readers: list[list[int]] = [[] for _ in needs]
    missing = [len(need) for need in needs]
    for index, need in enumerate(needs):
        for source in need:
            readers[source].append(index)
    ready = [index for index, count in enumerate(missing) if not count]
    order: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for reader in readers[index]:
            missing[reader] -= 1
            if not missing[reader]:
                heapq.heappush(ready, reader)
    if len(order) < len(needs):
        raise _cycle(graph, needs, set(range(len(needs))).difference(order), where)
    return order


def _cycle(graph: GraphRecord, needs: list[set[int]], stuck: set[int], where: str) -> BadInput:
    """Walk back from any node that could not be placed: each has a source that could not be placed either."""
    trail: list[int] = []
    seen: dict[int, int] = {}
    at = min(stuck)
    while at not in seen:
        seen[at] = len(trail)
        trail.append(at)
        at = min(needs[at] & stuck)
    loop = [graph.nodes[index].title for index in reversed(trail[seen[at] :])]
    shown = [*loop[:_CYCLE_SHOWN], *(["..."] if len(loop) > _CYCLE_SHOWN else []), loop[0]]
    nodes = " \N{RIGHTWARDS ARROW} ".join(shown)
    return BadInput(
        msg("The graph has a cycle, so no node of it can run first: {nodes}", nodes=nodes),
        where=where,
        hint=_EXPORT_AGAIN,
    )


def give_ids(graph: GraphRecord, path: str = "", taken: set[str] | None = None) -> None:
    """Set every node's id and every subgraph's path.

    An id is the subgraph's path and the node's first non-empty output name; a path is the owner's
    id and the attribute. Ids stay unique whatever the names are.
    """
    taken = set() if taken is None else taken
    graph.path = path
    for index, node in enumerate(graph.nodes):
        output = next(filter(None, node.outputs), f"{node.op}#{index}")
        node.id = wanted = f"{path}/{output}" if path else output
        copy = 1
        while node.id in taken:
            copy += 1
            node.id = f"{wanted}#{copy}"
        taken.add(node.id)
        for attribute, body in node.graphs.items():
            give_ids(body, f"{node.id}/{attribute}", taken)
