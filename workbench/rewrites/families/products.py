"""Products of matrices in shapes that MNN 3.6.1 gets wrong."""

from __future__ import annotations

from typing import Any, Final

import onnx_ir as ir

from workbench.core.messages import msg
from workbench.rewrites.build import Build
from workbench.rewrites.facts import rank_of
from workbench.rewrites.rule import Replacement, Rule


def _gemm_of_a_transposed(node: ir.Node, build: Build) -> Replacement:
    if not node.attributes.get_int("transA", 0):
        return None
    a, *others = node.inputs
    assert a is not None
    kept: dict[str, Any] = {
        name: node.attributes[name] for name in ("alpha", "beta", "transB") if name in node.attributes
    }
    return build.op("Gemm", build.transpose(a, 1, 0), *others, **kept)


def _matmul_of_vectors(node: ir.Node, build: Build) -> Replacement:
    a, b = node.inputs
    assert a is not None
    assert b is not None
    vectors = (rank_of(a) == 1, rank_of(b) == 1)
    if not any(vectors):
        return None
    if all(vectors):
        return build.reduce("ReduceSum", build.op("Mul", a, b), (0,), keepdims=False)
    if vectors[0]:
        return build.squeeze(build.op("MatMul", build.unsqueeze(a, 0), b), -2)
    return build.squeeze(build.op("MatMul", a, build.unsqueeze(b, 1)), -1)


RULES: Final = (
    Rule(
        "products/gemm-a-transposed",
        ("Gemm",),
        msg("The first matrix of Gemm is transposed beforehand"),
        _gemm_of_a_transposed,
    ),
    Rule("products/vectors", ("MatMul",), msg("A vector in MatMul is made a matrix"), _matmul_of_vectors),
)
