from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize(
    ("op", "keepdims", "axes"),
    [
        ("ReduceL1", 0, [1]),
        ("ReduceL2", 1, [-1]),
        ("ReduceSumSquare", 1, [0, 2]),
        ("ReduceLogSum", 0, [1]),
        ("ReduceLogSumExp", 0, [1, 2]),
        ("ReduceLogSumExp", 1, [-2]),
    ],
)
def test_reductions_made_of_others(op: str, keepdims: int, axes: list[int], workers: Workers, tmp_path: Path) -> None:
    sizes = [size for axis, size in enumerate("2N3") if axis not in {a % 3 for a in axes}]
    result = ",".join(sizes) if not keepdims else "A,B,C"
    path = model(
        tmp_path,
        f"g (float[2,N,3] x) => (float[{result}] y) {{ p = Abs(x) y = {op} <keepdims = {keepdims}> (p, a) }}",
        weights={"a": np.array(axes, np.int64)},
    )
    assert_remedied(path, workers, "reductions/composed")


def test_no_axes_that_mean_none(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[2,N,3] x) => (float[2,N,3] y) { y = ReduceMax <noop_with_empty_axes = 1> (x, a) }",
        weights={"a": np.zeros(0, np.int64)},
    )
    assert_remedied(path, workers, "reductions/axes")


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
def test_the_last_of_equal_values(op: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[2,N,3] x) => (int64[2,1,3] y) {{ r = Floor(x) y = {op} <axis = 1, select_last_index = 1> (r) }}",
    )
    assert_remedied(path, workers, "reductions/last-index")
