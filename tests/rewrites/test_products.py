from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize("transposed", [0, 1])
def test_gemm_with_the_first_matrix_transposed(transposed: int, workers: Workers, tmp_path: Path) -> None:
    weights = np.random.default_rng(0).standard_normal((5, 3) if transposed else (3, 5)).astype(np.float32)
    path = model(
        tmp_path,
        f"g (float[3,N] x) => (float[N,5] y) {{ y = Gemm <transA = 1, transB = {transposed}, alpha = 0.5> (x, w) }}",
        weights={"w": weights},
    )
    assert_remedied(path, workers, "products/gemm-a-transposed")


def test_a_constant_vector_in_matmul(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[N,3,4] x) => (float[N,3] y) { y = MatMul(x, w) }",
        weights={"w": np.linspace(-1, 1, 4, dtype=np.float32)},
    )
    assert_remedied(path, workers, "products/vectors")
