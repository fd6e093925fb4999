"""The pass: every node folded, inferred and rewritten, in the order of the graph, until nothing changes.

Worker side. What replaces a node is visited next, before anything that reads it, so one round
nearly always suffices. No rule acts on what it made itself, which ends every chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import onnx_ir as ir
from numpy.typing import NDArray

from workbench.rewrites.build import Build, Constants, Names
from workbench.rewrites.folding import folded
from workbench.rewrites.identity import ORIGIN, bodies, ids, origin
from workbench.rewrites.inference import infer_outputs
from workbench.rewrites.rule import Rule, operator

_MOST_ROUNDS: Final = 8
_MOST_NODES: Final = 200_000
_MADE_BY: Final = "made_by"
_TRACES: Final = "traces"
_INFERRED_FROM: Final = "inferred_from"


@dataclass(slots=True)
class Trace:
    """One rule that was applied to one node. ``node``: the original's id; ``new``: ids in the rewritten graph."""

    rule: Rule
    node: str
    new: list[str] = field(default_factory=list)


class RuleFailed(Exception):
    """A rule's own fault on some node; the model can be rewritten without it."""

    def __init__(self, rule: Rule, text: str) -> None:
        super().__init__(text)
        self.rule = rule


class Sweep:
    """Rewrites one model in place by ``rules``.

    ``folds``: compute constants. ``traces``: what was done, in order; ``folded``: how many of the model's own
    nodes became constants.
    """

    def __init__(
        self, model: ir.Model, rules: Mapping[str, Sequence[Rule]], names: Names, constants: Constants, *, folds: bool
    ) -> None:
        self.traces: list[Trace] = []
        self._model = model
        self._rules = rules
        self._names = names
        self._constants = constants
        self._opset = model.graph.opset_imports[""]
        self._changed = False
        self._visited = 0
        self._folds = folds
        self.folded = 0

    def run(self) -> None:
        """Rewrite until nothing changes."""
        for _ in range(_MOST_ROUNDS):
            self._changed = False
            self._graph(self._model.graph)
            if not self._changed:
                return

    def told(self) -> list[Trace]:
        """The traces with the ids of the nodes that they left in the graph as it is now."""
        for node_id, node in ids(self._model.graph):
            for number in node.meta.get(_TRACES, ()):
                self.traces[number].new.append(node_id)
        return self.traces

    def _graph(self, graph: ir.Graph) -> None:
        for node in graph:
            self._visited += 1
            if self._visited < _MOST_NODES:  # a rule that unrolls may multiply a graph; what is left then stays
                self._node(graph, node)

    def _node(self, graph: ir.Graph, node: ir.Node) -> None:
        self._infer(node)
        arrays = folded(node, self._opset) if self._folds and not _is_kept_constant(node) else None
        if arrays is not None:
            self._fold(graph, node, arrays)
            return
        for rule in self._rules.get(operator(node), ()):
            if (rule.id, operator(node)) in node.meta.get(_MADE_BY, ()):
                continue
            build = Build(self._constants, self._names, self._opset, in_body=graph is not self._model.graph)
            try:
                replacement = rule.apply(node, build)
            except Exception as error:
                raise RuleFailed(rule, f"{rule.id} at {origin(node)}: {error!r}") from error
            if replacement is not None:
                values: list[ir.Value | None] = [replacement] if isinstance(replacement, ir.Value) else [*replacement]
                self._replace(graph, node, values, build, rule)
                return
        for _, body in bodies(node):
            self._graph(body)

    def _infer(self, node: ir.Node) -> None:
        """Infer what is open, where what is known of the inputs is not what it was the last time."""
        if all(
            output.type is not None and output.shape is not None and output.shape.is_static() for output in node.outputs
        ):
            return
        known = tuple(None if v is None else (v.dtype, v.shape, v.const_value is None) for v in node.inputs)
        if node.meta.get(_INFERRED_FROM) != known:
            node.meta[_INFERRED_FROM] = known
            infer_outputs(node, self._opset)

    def _fold(self, graph: ir.Graph, node: ir.Node, arrays: Sequence[NDArray[Any] | None]) -> None:
        """Constants in place of the node's outputs; a graph's output stays the output of a node."""
        self.folded += _MADE_BY not in node.meta
        self._changed = True
        build = Build(self._constants, self._names, self._opset)
        values: list[ir.Value | None] = [None if a is None else self._constants.add(np.asarray(a)) for a in arrays]
        _take_over(graph, node, values, build, {ORIGIN: origin(node)}, dict(node.meta))

    def _replace(self, graph: ir.Graph, node: ir.Node, values: list[ir.Value | None], build: Build, rule: Rule) -> None:
        self._changed = True
        self.traces.append(Trace(rule, origin(node)))
        made_by = node.meta.get(_MADE_BY, frozenset()) | {(rule.id, operator(node))}
        traces = (*node.meta.get(_TRACES, ()), len(self.traces) - 1)
        _take_over(graph, node, values, build, {ORIGIN: origin(node)}, {_MADE_BY: made_by, _TRACES: traces})


def _is_kept_constant(node: ir.Node) -> bool:
    """The one Identity that a constant output of a graph needs."""
    return node.op_type == "Identity" and node.outputs[0].is_graph_output()


def _take_over(
    graph: ir.Graph,
    node: ir.Node,
    values: list[ir.Value | None],
    build: Build,
    metadata: Mapping[str, str],
    meta: Mapping[str, Any],
) -> None:
    """Put the nodes of ``build`` in the place of ``node``; ``values`` take over names and readers of its outputs."""
    made = {id(output) for new in build.nodes for output in new.outputs}
    for position, output in enumerate(node.outputs):
        value = values[position] if position < len(values) else None
        if value is None:
            assert not output.uses(), f"{node.op_type} leaves out output {position}, which is read"
            assert not output.is_graph_output(), f"{node.op_type} leaves out output {position} of the graph"
            continue
        if id(value) in made:
            made.discard(id(value))  # it has one name to take over
        elif output.is_graph_output():
            value = build.op("Identity", value)
        if value.producer() is not None and value.producer() in build.nodes:
            name, output.name = output.name, None
            value.name = name
            _keep_type(value, output)
        ir.convenience.replace_all_uses_with(output, value, replace_graph_outputs=True)
    for new in build.nodes:
        for part in _with_bodies(new):
            part.metadata_props.update(metadata)
            part.meta.update(meta)
    graph.insert_after(node, build.nodes)
    graph.remove(node, safe=True)


def _with_bodies(node: ir.Node) -> Iterator[ir.Node]:
    """The node and those of its bodies, which came from the same original."""
    yield node
    for _, body in bodies(node):
        for inner in body:
            yield from _with_bodies(inner)


def _keep_type(value: ir.Value, old: ir.Value) -> None:
    """What was known of the output that ``value`` stands for now."""
    if old.type is not None:
        value.type = old.type
    if old.shape is not None and (value.shape is None or not value.shape.is_static()):
        value.shape = old.shape
