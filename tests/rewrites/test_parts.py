from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize(("axis", "sizes"), [(0, "7,N"), (-1, "N,7")])
def test_uneven_parts(axis: int, sizes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[{sizes}] x) => (float[A,B] a, float[C,D] b, float[E,F] c) "
        f"{{ a, b, c = Split <axis = {axis}, num_outputs = 3> (x) }}",
    )
    assert_remedied(path, workers, "parts/split-uneven")


@pytest.mark.parametrize("parts", [[0, 6], [2, 0], [0, 2]])
def test_an_empty_part(parts: list[int], workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2,6] x) => (float[2,A] y)
        { a, b, c = Split <axis = 1> (x, s) n = Neg(a) m = Abs(b) p = Sigmoid(c) y = Concat <axis = 1> (n, m, p) }""",
        weights={"s": np.array([*parts, 6 - sum(parts)])},
    )
    assert_remedied(path, workers, "parts/split-empty", "parts/concat-empty", "graph/constants")
