"""A model file made ready for rules: one opset, plain constants, types known. Worker side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import onnx
import onnx.shape_inference
import onnx.version_converter
import onnx_ir as ir
from onnx_ir.passes import common

from workbench.rewrites.families.graph import FUNCTIONS
from workbench.rewrites.families.graph import OPSET as OPSETS
from workbench.rewrites.identity import ORIGIN, ids, stamp
from workbench.rewrites.inference import set_type
from workbench.rewrites.rule import Rule

OPSET: Final = 18
"""Rules write operators of this version; MNN reads them as it reads those of 17."""
_SMALL_BYTES: Final = 1024
"""Constants up to this size may be shapes or axes, which onnx wants to see; larger ones stay out of its way."""


def prepared(path: Path, chosen: frozenset[str]) -> tuple[ir.Model, list[Rule]]:
    """The model in ``path``, ready for rules, and which of the whole-model rules of ``chosen`` changed it.

    Every node has its own id in its metadata.
    """
    model = read_model(path)
    done = []
    if model.functions and FUNCTIONS.id in chosen:
        _inline(model)
        done.append(FUNCTIONS)
    if model.opset_imports[""] < OPSET and OPSETS.id in chosen:
        raised = _raise_opset(model)
        done += [OPSETS] if raised is not None else []
        model = raised or model
    _infer_types(model)
    return model, done


def read_model(path: Path) -> ir.Model:
    """The model with plain constants and every node's own id in its metadata."""
    model = ir.load(path)
    stamp(model.graph)
    for domain in ("ai.onnx",):
        if domain in model.opset_imports:
            model.opset_imports[""] = max(model.opset_imports.pop(domain), model.opset_imports.get("", 0))
    model.opset_imports.setdefault("", OPSET)
    common.LiftConstantsToInitializersPass(lift_all_constants=True, size_limit=0)(model)
    common.LiftSubgraphInitializersToMainGraphPass()(model)
    common.RemoveInitializersFromInputsPass()(model)
    return model


def _inline(model: ir.Model) -> None:
    """Write the bodies of the model's own functions where they are called; their nodes belong to the call."""
    by_output = _origins(model.graph)
    common.InlinePass()(model)
    _carry_origins(model.graph, by_output)


def _raise_opset(model: ir.Model) -> ir.Model | None:
    """The model in operators of OPSET; None where onnx cannot convert it."""
    by_output = _origins(model.graph)
    tensors = {value.name: value.const_value for value in model.graph.initializers.values()}
    inputs = [value.name for value in model.graph.inputs]
    try:
        proto = _through(lambda hollow: onnx.version_converter.convert_version(hollow, OPSET), model)
    except (onnx.version_converter.ConvertError, RuntimeError):
        return None
    converted: ir.Model = ir.from_proto(proto)
    for value in list(converted.graph.inputs):
        if value.name not in inputs:
            converted.graph.inputs.remove(value)
            if value.name not in converted.graph.initializers:
                value.const_value = tensors[value.name]
                converted.graph.register_initializer(value)
    common.LiftConstantsToInitializersPass(lift_all_constants=True, size_limit=0)(converted)
    _carry_origins(converted.graph, by_output)
    return converted


def _origins(graph: ir.Graph) -> dict[str | None, str]:
    return {value.name: node.metadata_props.get(ORIGIN, "") for _, node in ids(graph) for value in node.outputs}


def _carry_origins(graph: ir.Graph, by_output: dict[str | None, str]) -> None:
    """Nodes that were added belong to the one that reads them."""
    for _, node in reversed(list(ids(graph))):
        own = next((by_output[value.name] for value in node.outputs if value.name in by_output), None)
        readers = (user.metadata_props.get(ORIGIN) for value in node.outputs for user, _ in value.uses())
        found = own or next(filter(None, readers), None)
        if found is not None:
            node.metadata_props[ORIGIN] = found


def _infer_types(model: ir.Model) -> None:
    """Types and shapes of all values, as far as onnx can tell; sizes that are computed are followed."""
    try:
        proto = _through(_inferred, model)
    except (onnx.shape_inference.InferenceError, RuntimeError, ValueError):
        return  # node by node goes on without
    for graph, inferred in zip(model.graphs(), _graphs(proto.graph), strict=False):
        found = {info.name: info.type for info in (*inferred.value_info, *inferred.output)}
        for node in graph:
            for output in node.outputs:
                if output.name in found:
                    set_type(output, found[output.name])


def _inferred(hollow: onnx.ModelProto) -> onnx.ModelProto:
    return onnx.shape_inference.infer_shapes(hollow, check_type=False, strict_mode=False, data_prop=True)


def _graphs(graph: onnx.GraphProto) -> list[onnx.GraphProto]:
    """The graph and all its bodies, in the order in which onnx_ir visits them."""
    found = [graph]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                found += _graphs(attribute.g)
            for body in attribute.graphs:
                found += _graphs(body)
    return found


def _through(function: Callable[[onnx.ModelProto], onnx.ModelProto], model: ir.Model) -> onnx.ModelProto:
    """What onnx's native code makes of ``model`` without its large constants, which it is told as inputs.

    It serializes the whole model, which weights would slow down, and above 2 GB cannot be done.
    """
    graph = model.graph
    kept = {
        name: value.const_value
        for name, value in graph.initializers.items()
        if value.const_value is not None and value.const_value.nbytes > _SMALL_BYTES
    }
    large = [graph.initializers.pop(name) for name in kept]
    count = len(graph.inputs)
    for value in large:
        value.const_value = None
        graph.inputs.append(value)
    try:
        return function(ir.to_proto(model))
    finally:
        del graph.inputs[count:]
        for name, value in zip(kept, large, strict=True):
            value.const_value = kept[name]
            graph.register_initializer(value)
