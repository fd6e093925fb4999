from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers

WHERE = "compare/where"


@pytest.mark.parametrize("reduction", ["add", "mul", "max", "min"])
def test_reductions_of_scatter_elements(reduction: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[3,4] x, float[2,4] u) => (float[3,4] y)
        {{ y = ScatterElements <axis = -2, reduction = "{reduction}"> (x, i, u) }}""",
        weights={"i": np.array([[0, -1, 1, -2], [0, 1, 1, 0]])},
    )
    assert_remedied(path, workers, "scatter/reduced", WHERE)


@pytest.mark.parametrize("reduction", ["add", "mul", "max", "min"])
def test_reductions_of_scatter_nd(reduction: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[3,2,4] x, float[3,4] u) => (float[3,2,4] y)
        {{ y = ScatterND <reduction = "{reduction}"> (x, i, u) }}""",
        weights={"i": np.array([[0, -1], [2, 1], [0, 1]])},
    )
    assert_remedied(path, workers, "scatter/reduced", WHERE)


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_integers_are_added(kind: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f'g ({kind}[5] x, {kind}[3] u) => ({kind}[5] y) {{ y = ScatterND <reduction = "add"> (x, i, u) }}',
        weights={"i": np.array([[1], [1], [4]])},
    )
    assert_remedied(path, workers, "scatter/reduced", WHERE)


def test_computed_indices_and_open_sizes(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[N,4] x, float[M,4] u) => (float[N,4] y)
        { s = ArgMax <axis = 1> (u) n = Neg(s) m = Mod(n, two) k = Sub(m, one) e = Concat <axis = 1> (k, k, k, k)
          y = ScatterElements <axis = 1, reduction = "add"> (x, e, u) }""",
        weights={"two": np.array(2), "one": np.array(1)},
    )
    assert_remedied(path, workers, "scatter/reduced")


def test_negative_indices_of_scatter_elements(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[3,N] x, float[2,4] u) => (float[3,N] y) { y = ScatterElements <axis = 0> (x, i, u) }",
        weights={"i": np.array([[0, -1, 1, -2], [-1, 1, 2, 0]])},
    )
    assert_remedied(path, workers, "scatter/elements")
