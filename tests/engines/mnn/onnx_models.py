"""Small ONNX models made in tests, each standing for one way that exporters write a layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Arrays = Mapping[str, NDArray]
node = helper.make_node


def weights(*shape: int, seed: int = 0, spread: float = 0.5) -> NDArray[np.float32]:
    """Random weights whose channels differ in size, as real ones do."""
    rng = np.random.default_rng(seed)
    scale = np.exp(spread * rng.standard_normal(shape[:1]))
    values = rng.standard_normal(shape) * scale.reshape(-1, *[1] * (len(shape) - 1))
    return values.astype(np.float32)


def normalization(channels: int, seed: int = 1) -> dict[str, NDArray[np.float32]]:
    """Scale, shift, mean and variance of a BatchNormalization whose channels differ in size."""
    rng = np.random.default_rng(seed)
    scale = np.exp(rng.standard_normal(channels))
    shift, mean = rng.standard_normal((2, channels))
    variance = np.exp(2 * rng.standard_normal(channels))
    return {name: value.astype(np.float32) for name, value in zip("gbmv", (scale, shift, mean, variance), strict=True)}


def save(
    path: Path,
    nodes: Sequence[onnx.NodeProto],
    constants: Arrays,
    inputs: Mapping[str, Sequence[int | str]],
    outputs: Mapping[str, Sequence[int | str]],
) -> Path:
    """An ONNX file of opset 17 with float32 inputs and outputs."""
    graph = helper.make_graph(
        list(nodes),
        "graph",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, path)
    return path


def branch(name: str, nodes: Sequence[onnx.NodeProto], output: str, constants: Arrays) -> onnx.GraphProto:
    """A body for If."""
    return helper.make_graph(
        list(nodes),
        name,
        [],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, key) for key, value in constants.items()],
    )
