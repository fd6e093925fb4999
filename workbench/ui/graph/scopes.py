"""A model's graph as a tree by the scopes in its node names, with wires between the items.

Exporters name nodes by module: ``/model/layers.0/self_attn/q_proj/MatMul``. The bodies of If, Loop
and Scan lie inside the node that holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from workbench.core.graph import Graph, Initializer, Node, Shape, Subgraph, Tensor
from workbench.ui.graph.adopt import adopt
from workbench.ui.graph.tree import Branch, Kind, Wire

_MAX_DEPTH: Final = 24
"""Scopes nested deeper stay one name: names are data, and could hold thousands of slashes."""

_SHORT_TYPES: Final = {
    "float32": "f32", "float16": "f16", "float64": "f64", "bfloat16": "bf16",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip


@dataclass(slots=True)
class Found:
    """What building the tree finds. ``readers``: ids of Constant nodes that are weights, and who reads each first."""

    wires: list[Wire] = field(default_factory=list)
    readers: dict[str, str] = field(default_factory=dict)
    counted: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Names:
    """Names that a graph and those around it can see: makers of values, weights, and types.

    ``constants``: by value, the id of the Constant node that it is a weight from.
    """

    graph: Graph
    makers: dict[str, Branch]
    weights: dict[str, Initializer]
    constants: dict[str, str]
    outer: _Names | None = None

    def inside_out(self) -> Iterator[_Names]:
        names: _Names | None = self
        while names is not None:
            yield names
            names = names.outer

    def maker(self, value: str) -> tuple[Branch, str] | None:
        """Who makes ``value``, and its shape as text."""
        for names in self.inside_out():
            if value in names.makers:
                tensor = names.graph.tensors.get(value)
                return names.makers[value], shape_text(tensor.shape) if tensor else ""
        return None

    def weight(self, value: str) -> Initializer | None:
        return next((names.weights[value] for names in self.inside_out() if value in names.weights), None)

    def constant(self, value: str) -> str | None:
        return next((names.constants[value] for names in self.inside_out() if value in names.constants), None)


def shape_text(shape: Shape) -> str:
    """``[1,3,H,?]``; empty where the rank is not known."""
    if shape is None:
        return ""
    return "[" + ",".join("?" if dim is None else str(dim) for dim in shape) + "]"


def _type_text(tensor: Tensor) -> str:
    """``f32 [1,3,224,224]``."""
    short = _SHORT_TYPES.get(tensor.dtype, tensor.dtype)
    return f"{short} {shape_text(tensor.shape)}".strip()


def scope_tree(graph: Graph) -> tuple[Branch, Found]:
    """The tree of ``graph`` under a root that stands for the whole, and its wires.

    Constant nodes that hold a weight are no items: like initializers, they belong to their readers.
    """
    root = Branch("", Kind.GROUP, graph.name)
    found = Found()
    _fill(root, graph, None, found)
    return root, found


def _fill(root: Branch, graph: Graph, outer: _Names | None, found: Found) -> None:
    bodies: dict[str, list[Subgraph]] = {}
    for body in graph.subgraphs:
        bodies.setdefault(body.owner, []).append(body)
    weights = {i.name: i for i in graph.initializers}
    constants = {node.outputs[0]: node.id for node in graph.nodes if _is_weight(node, weights)}
    nodes = [node for node in graph.nodes if not _is_weight(node, weights)]
    names = _Names(graph, {}, weights, constants, outer)
    first_wire = len(found.wires)
    pills = _pills(graph, names)
    leaves = [_leaf(node, position, names, found) for position, node in enumerate(nodes)]
    for node, leaf in zip(nodes, leaves, strict=True):
        names.makers.update((value, leaf) for value in node.outputs if value)
    for node, leaf in zip(nodes, leaves, strict=True):
        _wire(leaf, node.inputs, names, found)
        for body in bodies.get(node.id, ()):
            inside = Branch(f"{leaf.key}\n{body.attribute}", Kind.GROUP, body.attribute, first=len(leaf.children))
            _fill(inside, body.graph, names, found)
            leaf.children.append(inside)
    for pill in pills:
        if pill.kind is Kind.OUTPUT:
            _wire(pill, (pill.title,), names, found)
    _sort_into_scopes(root, nodes, leaves)
    own = set(leaves)
    adopt(root, [wire for wire in found.wires[first_wire:] if wire.source in own or wire.target in own])
    _squeeze(root)
    root.children.extend(pills)
    root.children.sort(key=lambda branch: branch.first)


def _is_weight(node: Node, weights: Mapping[str, Initializer]) -> bool:
    return node.op == "Constant" and len(node.outputs) == 1 and node.outputs[0] in weights


def _pills(graph: Graph, names: _Names) -> list[Branch]:
    pills: list[Branch] = []
    taken: set[str] = set()
    ends = [(Kind.INPUT, "in", -1, tensor) for tensor in graph.inputs if tensor.name not in names.weights]
    ends += [(Kind.OUTPUT, "out", len(graph.nodes), tensor) for tensor in graph.outputs]
    for kind, word, first, tensor in ends:
        key = f"{graph.path}{word}:{tensor.name}"
        while key in taken:
            key += "'"
        taken.add(key)
        pill = Branch(key, kind, tensor.name, _type_text(tensor), first)
        pills.append(pill)
        if kind is Kind.INPUT:
            names.makers[tensor.name] = pill
    return pills


def _leaf(node: Node, position: int, names: _Names, found: Found) -> Branch:
    weights = [names.weight(value) for value in node.inputs]
    parameters = 0
    for weight in weights:
        # A weight that several nodes share belongs to the first: the sum over a model is its size.
        if weight is not None and weight.is_parameter and id(weight) not in found.counted:
            found.counted.add(id(weight))
            parameters += weight.elements
    shapes = tuple(None if w is None else (w.dtype, w.shape) for w in weights)
    label = (node.op, node.domain, _frozen(node.attributes), shapes)
    return Branch(node.id, Kind.OP, node.op, node.title, position, node=node, label=label, parameters=parameters)


def _frozen(attributes: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(attributes.items(), key=lambda item: item[0]))


def _wire(target: Branch, values: tuple[str, ...], names: _Names, found: Found) -> None:
    for value in values:
        made = names.maker(value) if value else None
        if made is not None and made[0] is not target:
            found.wires.append(Wire(made[0], target, value, made[1]))
        elif made is None and (constant := names.constant(value)) is not None:
            found.readers.setdefault(constant, target.key)


def _scopes(node: Node) -> list[str]:
    name = node.name or next((value for value in node.outputs if value), "")
    name = name.split(";")[0]  # TFLite's fusions are called by all their parts: "a/b/Relu;a/b/Conv"
    parts = [part for part in name.split("/") if part][:-1]
    if len(parts) > _MAX_DEPTH:
        parts[_MAX_DEPTH - 1 :] = ["/".join(parts[_MAX_DEPTH - 1 :])]
    return parts


def _sort_into_scopes(root: Branch, nodes: Sequence[Node], leaves: list[Branch]) -> None:
    groups: dict[str, Branch] = {"": root}
    for node, leaf in zip(nodes, leaves, strict=True):
        group, path = root, ""
        for part in _scopes(node):
            path = f"{path}/{part}"
            if path not in groups:
                groups[path] = Branch(f"{root.key}\n{path}", Kind.GROUP, part, first=leaf.first)
                group.children.append(groups[path])
            group = groups[path]
        group.children.append(leaf)


def _squeeze(group: Branch) -> None:
    """Groups of one are no groups: an only child takes its parent's place, under both names."""
    for position, child in enumerate(group.children):
        if child.kind is not Kind.GROUP:
            continue
        _squeeze(child)
        if len(child.children) == 1:
            only = child.children[0]
            if only.kind is Kind.GROUP:
                only.title = f"{child.title}/{only.title}"
            only.first = child.first
            group.children[position] = only
