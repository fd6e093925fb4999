from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers

CONVOLUTION = ("attributes/convolution",)


def integers(*shape: int, dtype: str = "int8") -> np.ndarray:
    info = np.iinfo(dtype)
    return np.random.default_rng(0).integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16"])
def test_quantize_rounds_ties_as_the_reference_does(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[4,N] x) => ({kind}[4,N] y) {{ y = QuantizeLinear(x, s, z) }}",
        opset=21,
        weights={"s": np.float32(0.1), "z": np.array(3, kind)},
    )
    assert_remedied(path, workers, "quantized/quantize", "types/integers")


def test_quantize_with_a_scale_for_each_channel(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[2,3,N] x) => (uint8[2,3,N] y) { y = QuantizeLinear <axis = 1> (x, s, z) }",
        weights={"s": np.array([0.1, 0.01, 2], np.float32), "z": np.array([0, 128, 255], np.uint8)},
    )
    assert_remedied(path, workers, "quantized/quantize", "types/integers")


def test_dequantize_with_scales_for_blocks(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (uint8[4,6] x) => (float[4,6] y) { y = DequantizeLinear <axis = 1, block_size = 4> (x, s, z) }",
        opset=21,
        weights={"s": np.full((4, 2), 0.5, np.float32), "z": integers(4, 2, dtype="uint8")},
    )
    assert_remedied(path, workers, "quantized/dequantize", "types/integers")


def test_quantize_and_dequantize_around_a_product(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[N,8] x) => (float[N,4] y) {
        q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z) w = DequantizeLinear(k, t) y = MatMul(d, w) }""",
        weights={"s": np.float32(0.05), "z": np.uint8(128), "k": integers(8, 4), "t": np.float32(0.02)},
    )
    rules = ("quantized/quantize", "quantized/dequantize", "types/integers")
    assert_remedied(path, workers, *rules)


def test_quantization_by_the_range_of_the_data(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[3,N] x) => (uint8[3,N] y, float s, uint8 z) { y, s, z = DynamicQuantizeLinear(x) }",
    )
    assert_remedied(path, workers, "quantized/dynamic", "types/integers")


def test_a_product_of_integers(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (uint8[N,8] x) => (int32[N,4] y) { y = MatMulInteger(x, w, z, v) }",
        weights={"w": integers(8, 4), "z": np.uint8(7), "v": integers(4)},
    )
    assert_remedied(path, workers, "quantized/matmul", "types/integers")


def test_a_convolution_of_integers(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (uint8[1,2,N,8] x) => (int32[1,3,A,B] y) { y = ConvInteger <pads = [1, 1, 1, 1]> (x, w, z) }",
        weights={"w": integers(3, 2, 3, 3, dtype="uint8"), "z": np.uint8(7)},
    )
    assert_remedied(path, workers, "quantized/convolution", "types/integers", *CONVOLUTION)


def test_a_quantized_product(workers: Workers, tmp_path: Path) -> None:
    scales = {"xs": np.float32(0.02), "ws": np.float32(0.03), "ys": np.float32(0.6)}
    zeros = {"xz": np.uint8(7), "wz": np.uint8(120), "yz": np.uint8(100)}
    path = model(
        tmp_path,
        "g (uint8[N,8] x) => (uint8[N,4] y) { y = QLinearMatMul(x, xs, xz, w, ws, wz, ys, yz) }",
        weights={"w": integers(8, 4, dtype="uint8"), **scales, **zeros},
    )
    assert_remedied(path, workers, "quantized/linear-matmul", "types/integers")


def test_a_quantized_convolution(workers: Workers, tmp_path: Path) -> None:
    scales = {"xs": np.float32(0.02), "ws": np.array([0.03, 0.01, 0.2], np.float32), "ys": np.float32(0.6)}
    zeros = {"xz": np.uint8(7), "wz": np.zeros(3, np.int8), "yz": np.uint8(100)}
    path = model(
        tmp_path,
        """g (uint8[1,2,N,8] x) => (uint8[1,3,A,B] y)
        { y = QLinearConv <strides = [2, 2]> (x, xs, xz, w, ws, wz, ys, yz, b) }""",
        weights={"w": integers(3, 2, 3, 3), "b": integers(3, dtype="int32") >> 16, **scales, **zeros},
    )
    assert_remedied(path, workers, "quantized/linear-convolution", "types/integers", *CONVOLUTION)


@pytest.mark.parametrize(("time", "rule"), [("5", "lstm-unrolled"), ("T", "lstm-loop")])
def test_an_lstm_of_integers(time: str, rule: str, workers: Workers, tmp_path: Path) -> None:
    made = onnx.parser.parse_model(
        f"""<ir_version: 9, opset_import: ["": 18, "com.microsoft": 1]>
        g (float[{time},2,3] x) => (float[{time},2,2,4] y, float[2,2,4] h, float[2,2,4] c)
        {{ y, h, c = com.microsoft.DynamicQuantizeLSTM <direction = "bidirectional", hidden_size = 4>
        (x, w, r, b, , , , , ws, wz, rs, rz) }}"""
    )
    arrays = {
        "w": integers(2, 3, 16),
        "r": integers(2, 4, 16),
        "b": np.random.default_rng(0).standard_normal((2, 32)).astype(np.float32),
        "ws": np.array([0.004, 0.006], np.float32),
        "rs": np.array([0.001, 0.0015], np.float32),
        "wz": np.array([1, -3], np.int8),
        "rz": np.zeros(2, np.int8),
    }
    made.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in arrays.items())
    path = tmp_path / "model.onnx"
    onnx.save(made, path)
    assert_remedied(path, workers, f"quantized/{rule}")
