from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize(
    ("graph", "opset", "more"),
    [
        ("y = Mish(x)", 18, ("arithmetic/softplus",)),
        ("y = Shrink <lambd = 0.5, bias = 0.25> (x)", 18, ("compare/less", "types/cast-like")),
        ("y = RMSNormalization(x, g)", 23, ("types/no-cast",)),
        ("y = Swish(x)", 24, ("types/cast-like",)),
        ("y = CenterCropPad <axes = [1]> (x, six)", 18, ("indices/pad",)),
    ],
)
def test_an_operator_by_its_body(
    graph: str, opset: int, more: tuple[str, ...], workers: Workers, tmp_path: Path
) -> None:
    weights = {"g": np.linspace(-1, 1, 8, dtype=np.float32), "six": np.array([6])}
    read = {name: array for name, array in weights.items() if f" {name})" in graph}
    path = model(tmp_path, f"g (float[2,8] x) => (float[2,M] y) {{ {graph} }}", opset=opset, weights=read)
    assert_remedied(path, workers, "functions/body", *more)


def test_attention(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[1,2,5,4] q, float[1,2,5,4] k, float[1,2,5,4] v) => (float[1,2,5,4] y)
        { y = Attention <is_causal = 1> (q, k, v) }""",
        opset=23,
    )
    rules = ("functions/body", "attributes/axis", "types/no-cast", "types/cast-like", "compare/where")
    assert_remedied(path, workers, *rules)


@pytest.mark.parametrize(
    ("call", "outputs", "rule"),
    [
        ("y = com.microsoft.Gelu(r)", "float[2,8] y", "gelu"),
        ("y = com.microsoft.BiasGelu(x, b)", "float[2,8] y", "gelu"),
        ("y = com.microsoft.FastGelu(x, b)", "float[2,8] y", "fast-gelu"),
        ("y = com.microsoft.QuickGelu <alpha = 1.5> (x)", "float[2,8] y", "quick-gelu"),
        (
            "y, , , s = com.microsoft.SkipLayerNormalization <epsilon = 0.001> (x, r, b, b, b)",
            "float[2,8] y, float[2,8] s",
            "skip-normalization",
        ),
        ("y = com.microsoft.SkipSimplifiedLayerNormalization(x, r, b)", "float[2,8] y", "skip-normalization"),
        ("y = SimplifiedLayerNormalization(x, b)", "float[2,8] y", "simplified-normalization"),
        ("y = com.microsoft.FusedMatMul <transA = 1, alpha = 0.5> (x, r)", "float[8,8] y", "fused-matmul"),
    ],
)
def test_operators_of_onnxruntime(call: str, outputs: str, rule: str, workers: Workers, tmp_path: Path) -> None:
    made = onnx.parser.parse_model(
        f"""<ir_version: 9, opset_import: ["": 18, "com.microsoft": 1]>
        g (float[2,8] x) => ({outputs}) <float[8] b = {{1, 2, 3, 4, 5, 6, 7, 8}}> {{ r = Neg(x) {call} }}"""
    )
    path = tmp_path / "model.onnx"
    onnx.save(made, path)
    assert_remedied(path, workers, f"contrib/{rule}")
