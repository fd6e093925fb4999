"""One model for every way in which a layer with weights meets the converter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from tests.engines.mnn.onnx_models import Arrays, branch, node, normalization, save, weights

_IMAGE = {"x": (1, 32, 6, 6)}
_BATCH_NORM = ("g", "b", "m", "v")


@dataclass(frozen=True)
class LayerCase:
    """``operators``: what MNN calls the operators with weights, in the main graph and its bodies."""

    name: str
    build: Callable[[Path], Path]
    operators: tuple[str, ...]


def _case(
    name: str,
    operators: tuple[str, ...],
    nodes: list[onnx.NodeProto],
    constants: Arrays,
    inputs: dict[str, tuple[int, ...]] | None = None,
    output: str = "y",
) -> LayerCase:
    # A value nobody declares the shape of, so one table serves every rank.
    def build(path: Path) -> Path:
        return save(path, nodes, constants, inputs or _IMAGE, {output: None})  # type: ignore[dict-item]

    return LayerCase(name, build, operators)


def _if_case() -> LayerCase:
    def build(path: Path) -> Path:
        then = branch("then_body", [node("Conv", ["x", "tw"], ["t"])], "t", {"tw": weights(16, 32, 1, 1)})
        other = branch("else_body", [node("Conv", ["x", "w"], ["e"])], "e", {})
        nodes = [
            node("ReduceSum", ["x"], ["s"], keepdims=0),
            node("Greater", ["s", "zero"], ["c"]),
            node("If", ["c"], ["i"], then_branch=then, else_branch=other),
            node("Relu", ["i"], ["y"]),
        ]
        constants = {"zero": np.float32(0).reshape(()), "w": weights(16, 32, 1, 1, seed=3)}
        return save(path, nodes, constants, _IMAGE, {"y": (1, 16, 6, 6)})

    return LayerCase("layers in the bodies of an If", build, ("t", "e"))


def _constant_node_case() -> LayerCase:
    held = numpy_helper.from_array(weights(16, 32, 3, 3), "held")
    nodes = [
        helper.make_node("Constant", [], ["w"], value=held),
        node("Conv", ["x", "w"], ["c"]),
        node("Relu", ["c"], ["y"]),
    ]
    return _case("Conv of a Constant node", ("c",), nodes, {})


def _default_epsilon_case() -> LayerCase:
    nodes = [
        node("Conv", ["x", "w"], ["c"]),
        node("BatchNormalization", ["c", *_BATCH_NORM], ["n"]),
        node("Relu", ["n"], ["y"]),
    ]
    return _case("BatchNormalization without epsilon", ("c",), nodes, {"w": weights(16, 32, 1, 1), **normalization(16)})


def _batch_norm(value: str, result: str) -> onnx.NodeProto:
    return node("BatchNormalization", [value, *_BATCH_NORM], [result], epsilon=1e-3)


def _gemm(name: str, *, trans_b: int, **attributes: float) -> LayerCase:
    shape = (24, 32) if trans_b else (32, 24)
    nodes = [node("Gemm", ["x", "w", "k"], ["y"], transB=trans_b, **attributes)]
    return _case(name, ("y__matmul_converted",), nodes, {"w": weights(*shape), "k": weights(24)}, {"x": (3, 32)})


_MATMUL = {"w": weights(32, 24), "k": weights(24)}
_SEQUENCE = {"x": (2, 5, 32)}

LAYER_CASES = (
    _case("Conv", ("c",), [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])], {"w": weights(16, 32, 3, 3)}),
    _case(
        "Conv, BatchNormalization, Relu",
        ("c",),
        [node("Conv", ["x", "w", "k"], ["c"]), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(16, 32, 3, 3), "k": weights(16), **normalization(16)},
    ),
    _case(
        "Conv, constant Add, BatchNormalization",
        ("a",),
        [
            node("Conv", ["x", "w"], ["c"]),
            node("Add", ["c", "k"], ["a"]),
            _batch_norm("a", "n"),
            node("Relu", ["n"], ["y"]),
        ],
        {"w": weights(16, 32, 1, 1), "k": weights(1, 16, 1, 1), **normalization(16)},
    ),
    _case(
        "a Conv that is an output before its BatchNormalization",
        ("c",),
        [
            node("Conv", ["x", "w"], ["c"]),
            node("Relu", ["c"], ["r"]),
            _batch_norm("c", "n"),
            node("Mul", ["n", "r"], ["y"]),
        ],
        {"w": weights(16, 32, 1, 1), **normalization(16)},
    ),
    _case(
        "grouped Conv, BatchNormalization",
        tuple(f"c__group__{k}" for k in range(2)),
        [node("Conv", ["x", "w"], ["c"], group=2), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(16, 16, 3, 3), **normalization(16)},
    ),
    _case(
        "depthwise Conv, BatchNormalization",
        ("c",),
        [node("Conv", ["x", "w"], ["c"], group=32), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(32, 1, 3, 3), **normalization(32)},
    ),
    _case(
        "1-D Conv, BatchNormalization",
        ("c",),
        [node("Conv", ["x", "w"], ["c"], kernel_shape=[3]), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(16, 32, 3), **normalization(16)},
        {"x": (1, 32, 9)},
    ),
    _case(
        "1-D Conv, BatchNormalization, 1-D Conv",
        ("c", "d"),
        [
            node("Conv", ["x", "w"], ["c"], kernel_shape=[3]),
            _batch_norm("c", "n"),
            node("Relu", ["n"], ["r"]),
            node("Conv", ["r", "w2"], ["d"], kernel_shape=[1]),
            node("Relu", ["d"], ["e"]),
            node("Mul", ["e", "e"], ["y"]),
        ],
        {"w": weights(16, 32, 3), "w2": weights(8, 16, 1), **normalization(16)},
        {"x": (1, 32, 9)},
    ),
    _case(
        "3-D Conv",
        tuple(f"c__{k}" for k in range(3)),
        [
            node("Conv", ["x", "w"], ["c"], kernel_shape=[3, 3, 3], strides=[1] * 3, dilations=[1] * 3, pads=[1] * 6),
            node("Neg", ["c"], ["y"]),
        ],
        {"w": weights(8, 16, 3, 3, 3)},
        {"x": (1, 16, 4, 4, 4)},
    ),
    _case(
        "ConvTranspose, BatchNormalization",
        ("c",),
        [node("ConvTranspose", ["x", "w"], ["c"], strides=[2, 2]), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(32, 24, 2, 2), **normalization(24)},
    ),
    _case(
        "grouped ConvTranspose, BatchNormalization",
        tuple(f"c__group__{k}" for k in range(2)),
        [node("ConvTranspose", ["x", "w"], ["c"], group=2), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(32, 12, 2, 2), **normalization(24)},
    ),
    _case(
        "depthwise ConvTranspose, BatchNormalization",
        ("c",),
        [node("ConvTranspose", ["x", "w"], ["c"], group=32), _batch_norm("c", "n"), node("Relu", ["n"], ["y"])],
        {"w": weights(32, 1, 2, 2), **normalization(32)},
    ),
    _gemm("Gemm", trans_b=0),
    _gemm("Gemm, transB", trans_b=1),
    _gemm("Gemm, transB and beta", trans_b=1, beta=0.5),
    _case("MatMul", ("y__matmul_converted",), [node("MatMul", ["x", "w"], ["y"])], _MATMUL, _SEQUENCE),
    _case(
        "MatMul, Add",
        ("y__matmul_converted",),
        [node("MatMul", ["x", "w"], ["m"]), node("Add", ["k", "m"], ["y"])],
        _MATMUL,
        _SEQUENCE,
    ),
    _case(
        "MatMul of a transposed constant",
        ("y__matmul_converted",),
        [node("Transpose", ["w"], ["wt"], perm=[1, 0]), node("MatMul", ["x", "wt"], ["y"])],
        {"w": weights(24, 32)},
        _SEQUENCE,
    ),
    _constant_node_case(),
    _default_epsilon_case(),
    _if_case(),
)
