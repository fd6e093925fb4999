"""Small models, built where they are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64

Size = int | str | None


def value(name: str, shape: Sequence[Size] | None = (1, 3, 8, 8), dtype: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def array(name: str, values: object, dtype: str = "float32") -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(values, dtype), name)


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    initializers: Sequence[onnx.TensorProto] = (),
    *,
    opset: int = 17,
    ir_version: int = 9,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    graph = helper.make_graph(list(nodes), "graph", list(inputs), list(outputs), list(initializers))
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir_version, producer_name="tests")


def conv_model(weight: onnx.TensorProto | None = None) -> onnx.ModelProto:
    """x [1, 3, 8, 8] to y [1, 4, 6, 6] through one Conv with weight w [4, 3, 3, 3], and a Relu."""
    if weight is None:
        weight = array("w", np.linspace(-1, 1, 108).reshape(4, 3, 3, 3))
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="/conv"), helper.make_node("Relu", ["c"], ["y"])]
    return model(nodes, [value("x")], [value("y", None)], [weight])


def external_weight(location: str, offset: int | str = 0, length: int | str = 432) -> onnx.TensorProto:
    """The weight of ``conv_model`` in another file."""
    tensor = TensorProto(name="w", data_type=FLOAT, dims=[4, 3, 3, 3], data_location=TensorProto.EXTERNAL)
    for key, entry in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(entry))
    return tensor


def if_model() -> onnx.ModelProto:
    """y = a MatMul by a captured initializer in one branch, and a Constant MatMul in the other."""
    result = value("z", (1, 4))
    then = helper.make_graph([helper.make_node("MatMul", ["x", "outer"], ["z"])], "then", [], [result])
    constant = helper.make_node("Constant", [], ["inner"], value=array("", np.eye(4)))
    other = helper.make_graph([constant, helper.make_node("MatMul", ["x", "inner"], ["z"])], "else", [], [result])
    branch = helper.make_node("If", ["flag"], ["y"], then_branch=then, else_branch=other)
    inputs = [value("x", (1, 4)), value("flag", (), TensorProto.BOOL)]
    return model([branch], inputs, [value("y", (1, 4))], [array("outer", np.eye(4))])
