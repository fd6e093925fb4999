"""Small ONNX models for the tests of this folder, written where a test asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
INT16 = TensorProto.INT16
INT32 = TensorProto.INT32
INT64 = TensorProto.INT64
BOOL = TensorProto.BOOL

Value = tuple[str, int, Sequence[int | str | None] | None]


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], name: str = "", **attributes: Any) -> Any:
    return helper.make_node(op, inputs, outputs, name=name, **attributes)


def write(
    path: Path,
    nodes: Sequence[Any],
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    weights: Mapping[str, Any] | None = None,
    opset: int = 17,
) -> Path:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(*value) for value in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in (weights or {}).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    onnx.save(model, path)
    return path


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def convolution(path: Path) -> Path:
    """Conv 3x3 and Relu over an image of any size; MNN takes Winograd for it."""
    return write(
        path,
        [
            node("Conv", ["x", "w", "b"], ["c"], "conv", pads=[1, 1, 1, 1]),
            node("Relu", ["c"], ["y"], "relu"),
        ],
        [("x", FLOAT, ["N", 3, "h", "w"])],
        [("y", FLOAT, ["N", 8, "h", "w"])],
        {"w": random(8, 3, 3, 3), "b": random(8, seed=1)},
    )


def wrong_in_the_middle(path: Path) -> Path:
    """Relu, then Mod with fmod (which MNN computes with the divisor's sign), then Neg."""
    return write(
        path,
        [
            node("Neg", ["x"], ["a"], "first"),
            node("Mod", ["a", "three"], ["m"], "modulo", fmod=1),
            node("Exp", ["m"], ["y"], "last"),
        ],
        [("x", FLOAT, [2, 5])],
        [("y", FLOAT, [2, 5])],
        {"three": np.full((1,), 3.0, np.float32)},
    )
