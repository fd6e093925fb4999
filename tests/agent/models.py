"""Small ONNX models for the agent, and their conversion in a child process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

_CONVERT = """
import sys, _tools
source, target, *flags = sys.argv[1:]
_tools.mnnconvert(["MNNConvert", "-f", "ONNX", "--modelFile", source, "--MNNModel", target, "--bizCode", "x", *flags])
"""


def convert(model: onnx.ModelProto, folder: Path, *flags: str) -> Path:
    """``folder``/model.mnn, beside the model.onnx it was made from. The converter writes into its cwd."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "model.onnx", folder / "model.mnn"
    onnx.save(model, source)
    argv = [sys.executable, "-c", _CONVERT, str(source), str(target), *flags]
    done = subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)
    assert target.is_file(), done.stdout
    return target


def conv_net(*, layers: int = 2, channels: int = 16, size: int = 32) -> onnx.ModelProto:
    """``layers`` 3x3 convolutions with Relu on x [n, channels, size, size]; outputs y (pooled) and the last map."""
    random = np.random.default_rng(7)
    nodes, weights, last = [], [], "x"
    for i in range(layers):
        kernel = random.standard_normal((channels, channels, 3, 3)) * (2 / (9 * channels)) ** 0.5
        weights.append(numpy_helper.from_array(kernel.astype(np.float32), f"w{i}"))
        nodes.append(helper.make_node("Conv", [last, f"w{i}"], [f"conv{i}"], pads=[1] * 4, kernel_shape=[3, 3]))
        nodes.append(helper.make_node("Relu", [f"conv{i}"], [f"map{i}"]))
        last = f"map{i}"
    nodes.append(helper.make_node("GlobalAveragePool", [last], ["y"]))
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", channels, size, size])]
    return _model(nodes, inputs, ["y", last], weights)


def embedding() -> onnx.ModelProto:
    """ids int64 [1, 6] and pixels uint8 [6, 8] to y [1, 6, 8]: the engine takes int32 and uint8."""
    table = np.random.default_rng(3).standard_normal((50, 8)).astype(np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"]),
        helper.make_node("Cast", ["pixels"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["rows", "floats"], ["y"]),
    ]
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, [1, 6]),
        helper.make_tensor_value_info("pixels", TensorProto.UINT8, [6, 8]),
    ]
    return _model(nodes, inputs, ["y"], [numpy_helper.from_array(table, "table")])


def embedding_inputs() -> dict[str, NDArray[np.int32] | NDArray[np.uint8]]:
    pixels = np.random.default_rng(5).integers(0, 256, (6, 8)).astype(np.uint8)
    return {"ids": np.array([[1, 2, 3, 49, 9, 7]], np.int32), "pixels": pixels}


def branch() -> onnx.ModelProto:
    """y = 2 x where the sum of x [1, 4] is positive, else x + 2: an If, which only a Module runs."""
    bodies = []
    for name, op in (("doubled", "Mul"), ("raised", "Add")):
        out = helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4])
        bodies.append(helper.make_graph([helper.make_node(op, ["x", "two"], [name])], name, [], [out]))
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        helper.make_node("Greater", ["sum", "zero"], ["positive"]),
        helper.make_node("If", ["positive"], ["y"], then_branch=bodies[0], else_branch=bodies[1]),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])]
    constants = [numpy_helper.from_array(np.float32(2), "two"), numpy_helper.from_array(np.float32(0), "zero")]
    return _model(nodes, inputs, ["y"], constants)


def endless() -> onnx.ModelProto:
    """A Loop of 2^30 rounds over x [1, 4]: an inference that does not come back."""
    body = helper.make_graph(
        [helper.make_node("Add", ["v", "x"], ["v_next"]), helper.make_node("Identity", ["go"], ["go_on"])],
        "body",
        [
            helper.make_tensor_value_info("round", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v", TensorProto.FLOAT, [1, 4]),
        ],
        [
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v_next", TensorProto.FLOAT, [1, 4]),
        ],
    )
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])]
    constants = [numpy_helper.from_array(np.int64(2**30), "rounds"), numpy_helper.from_array(np.array(True), "yes")]
    return _model([helper.make_node("Loop", ["rounds", "yes", "x"], ["y"], body=body)], inputs, ["y"], constants)


def noise(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(11).standard_normal(shape).astype(np.float32)


def _model(
    nodes: list[onnx.NodeProto],
    inputs: list[onnx.ValueInfoProto],
    outputs: list[str],
    constants: list[onnx.TensorProto],
) -> onnx.ModelProto:
    out = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph(nodes, "graph", inputs, out, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model
