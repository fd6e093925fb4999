"""Types and shapes of one node's outputs, by onnx's own inference. Worker side.

The whole model is inferred once, when it is read; what rules add is inferred node by node.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import onnx
import onnx.defs
import onnx.shape_inference
import onnx_ir as ir

_MOST_BYTES: Final = 1024
"""Larger constants are no shapes."""


def infer_outputs(node: ir.Node, opset: int) -> None:
    """Set what onnx can tell of the types of ``node``'s outputs; what is known already stays."""
    schema = _schema(node.op_type, node.domain, opset)
    if schema is None or any(value is not None and value.type is None for value in node.inputs):
        return
    types = {value.name: type_proto(value) for value in node.inputs if value is not None and value.name}
    constants = {
        value.name: ir.serde.serialize_tensor(value.const_value)
        for value in node.inputs
        if value is not None and value.name and value.const_value is not None and value.const_value.nbytes < _MOST_BYTES
    }
    try:
        found = onnx.shape_inference.infer_node_outputs(
            schema,
            ir.serde.serialize_node(node),
            types,
            constants,
            opset_imports=[onnx.helper.make_opsetid(node.domain, opset)],
        )
    except (onnx.shape_inference.InferenceError, onnx.checker.ValidationError, RuntimeError, ValueError):
        return  # onnx cannot tell: the values stay without a type, and rules that need one do not apply
    for output in node.outputs:
        if output.name in found:
            set_type(output, found[output.name])


@cache
def _schema(op: str, domain: str, opset: int) -> onnx.defs.OpSchema | None:
    try:
        return onnx.defs.get_schema(op, opset, domain) if domain == "" else onnx.defs.get_schema(op, domain)
    except onnx.defs.SchemaError:
        return None


def type_proto(value: ir.Value) -> onnx.TypeProto:
    """The value's type as onnx takes it; the type must be known."""
    proto = onnx.TypeProto()
    assert value.type is not None
    ir.serde.serialize_type_into(proto, value.type)
    if value.shape is not None:
        ir.serde.serialize_shape_into(proto, value.shape)
    return proto


def set_type(value: ir.Value, proto: onnx.TypeProto) -> None:
    """Add to ``value`` what ``proto`` says and is not known yet: type, rank, sizes."""
    if not proto.HasField("tensor_type"):
        return
    if value.type is None:
        value.type = ir.TensorType(ir.DataType(proto.tensor_type.elem_type))
    if not proto.tensor_type.HasField("shape"):
        return
    sizes = proto.tensor_type.shape.dim
    dims = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in sizes]
    if value.shape is None:
        value.shape = ir.Shape(dims)
    elif len(value.shape) == len(dims):
        value.shape = ir.Shape([_sharper(*pair) for pair in zip(value.shape, dims, strict=True)])


def _sharper(old: int | ir.SymbolicDim, new: int | str | None) -> int | str | ir.SymbolicDim | None:
    return new if isinstance(new, int) and not isinstance(old, int) else old
