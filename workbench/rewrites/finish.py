"""The last steps of the pass, and the file. Worker side."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import onnx_ir as ir
from onnx_ir.passes import common

from workbench.rewrites.build import is_ours
from workbench.rewrites.facts import array_of
from workbench.rewrites.identity import bodies

_REDUCTIONS: Final = ("ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")
_LABEL: Final = 17
"""The last opset in which these reductions have their axes as an attribute, which is what MNN reads."""
_LARGEST_MESSAGE: Final = 1 << 30
_HIGHEST_IR: Final = 10


def tidy(model: ir.Model) -> None:
    """Without what nothing reads and what does nothing."""
    for graph in list(model.graphs()):
        _drop_identities(graph)
    _drop_unread(model.graph)
    for name, value in list(model.graph.initializers.items()):
        if not value.uses() and not value.is_graph_output():
            del model.graph.initializers[name]
    common.TopologicalSortPass()(model)


def _drop_unread(graph: ir.Graph) -> None:
    """Nodes that nothing reads; their outputs stay complete, which onnx_ir's pass does not leave them."""
    for node in reversed(graph):
        if any(output.uses() or output.is_graph_output() for output in node.outputs):
            for _, body in bodies(node):
                _drop_unread(body)
        else:
            graph.remove(node, safe=True)


def _drop_identities(graph: ir.Graph) -> None:
    """onnx_ir's pass fails on a value of an outer graph that a branch hands out."""
    for node in graph:
        source = node.inputs[0] if node.op_type == "Identity" and node.domain == "" else None
        if source is None:
            continue
        output = node.outputs[0]
        if output.is_graph_output():
            producer = source.producer()
            if producer is None or producer.graph is not graph or source.is_graph_output() or not is_ours(source):
                continue  # an Identity of the model's own keeps what it reads under its own name, and so its id
            name, output.name = output.name, None
            source.name = name
        ir.convenience.replace_all_uses_with(output, source, replace_graph_outputs=True)
        graph.remove(node, safe=True)


def label_reductions(graph: ir.Graph) -> bool:
    """Write the axes of reductions as attributes; whether there were any."""
    found = False
    for node in graph:
        for _, body in bodies(node):
            found |= label_reductions(body)
        if node.domain != "" or node.op_type not in _REDUCTIONS or len(node.inputs) < 2 or node.inputs[1] is None:
            continue
        axes = array_of(node.inputs[1])
        if axes is None:
            continue
        node.resize_inputs(1)
        node.attributes.add(ir.AttrInt64s("axes", [int(axis) for axis in axes.ravel()]))
        node.attributes.pop("noop_with_empty_axes", None)
        found = True
    return found


def write(model: ir.Model, path: Path) -> None:
    """The model as a file, its weights beside it where they are too many."""
    if label_reductions(model.graph):
        model.graph.opset_imports[""] = _LABEL
    model.ir_version = min(model.ir_version, _HIGHEST_IR)
    weights = sum(v.const_value.nbytes for v in model.graph.initializers.values() if v.const_value is not None)
    ir.save(model, path, external_data=f"{path.name}.data" if weights > _LARGEST_MESSAGE else None)
