"""Operators that ONNX itself defines by others, written as ONNX defines them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import onnx
import onnx.defs
import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.cloning import call
from workbench.rewrites.inference import type_proto
from workbench.rewrites.rule import Replacement, Rule

_OPERATORS: Final = (
    "AffineGrid",
    "Attention",
    "BlackmanWindow",
    "CausalConvWithState",
    "CenterCropPad",
    "GroupNormalization",
    "HammingWindow",
    "HannWindow",
    "LinearAttention",
    "Mish",
    "RMSNormalization",
    "Shrink",
    "SwiGLU",
    "Swish",
)


@dataclass(frozen=True, slots=True)
class _Body:
    """``outputs``: the names of all outputs in order; those that a call leaves out are not the function's."""

    function: ir.Function
    outputs: tuple[str, ...]


def _body(node: ir.Node, build: Build) -> Replacement:
    body = _body_of(node, build.opset)
    if body is None:
        return None
    attributes = dict(node.attributes.items())
    schema = onnx.defs.get_schema(node.op_type, build.opset, node.domain)
    for name, attribute in schema.attributes.items():
        if name not in attributes and attribute.default_value.name:
            attributes[name] = ir.serde.deserialize_attribute(attribute.default_value)
    made = call(body.function, node.inputs, attributes, build)
    by_name = dict(zip((value.name for value in body.function.outputs), made, strict=True))
    return [by_name.get(name) for name in body.outputs[: len(node.outputs)]]


def _body_of(node: ir.Node, opset: int) -> _Body | None:
    """What the newest standard up to ``opset`` says; it may depend on the types of the inputs."""
    schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
    if schema.has_function:
        return _plain_body(node.op_type, node.domain, opset)
    if not schema.has_context_dependent_function or any(v is not None and v.type is None for v in node.inputs):
        return None
    types = [(onnx.TypeProto() if value is None else type_proto(value)).SerializeToString() for value in node.inputs]
    version = _version(schema.context_dependent_function_opset_versions, opset)
    body = schema.get_context_dependent_function_with_opset_version(
        version, ir.to_proto(node).SerializeToString(), types
    )
    return _read(body)


@cache
def _plain_body(op: str, domain: str, opset: int) -> _Body | None:
    schema = onnx.defs.get_schema(op, opset, domain)
    return _read(schema.get_function_with_opset_version(_version(schema.function_opset_versions, opset)))


def _version(versions: list[int], opset: int) -> int:
    return max((version for version in versions if version <= opset), default=min(versions))


def _read(body: bytes) -> _Body | None:
    proto = onnx.FunctionProto.FromString(body)
    if not proto.node:
        return None
    outputs = tuple(proto.output)
    made = {name for node in proto.node for name in node.output}
    del proto.output[:]
    proto.output.extend(name for name in outputs if name in made)
    return _Body(ir.serde.deserialize_function(proto), outputs)


RULES: Final = (
    Rule(
        "functions/body",
        _OPERATORS,
        msg("The operator is written with the operators by which ONNX defines it"),
        _body,
    ),
)
