from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_one_hot(axis: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[2,3] x) => (float[A,B,C] y) {{ i = Cast <to = 7> (x) y = OneHot <axis = {axis}> (i, d, v) }}",
        weights={"d": np.array(5), "v": np.array([0.5, 2.0], np.float32)},
    )
    assert_remedied(path, workers, "selection/one-hot")


def test_one_hot_with_a_depth_that_is_a_float(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (int64[N] i) => (float[N,7] y) { y = OneHot(i, d, v) }",
        weights={"d": np.array([7.0], np.float32), "v": np.array([0.0, 1.0], np.float32)},
    )
    assert_remedied(path, workers, "selection/one-hot")


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_hardmax(axis: int, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, f"g (float[N,3,M] x) => (float[N,3,M] y) {{ y = Hardmax <axis = {axis}> (x) }}")
    assert_remedied(path, workers, "selection/hardmax")


@pytest.mark.parametrize("sizes", ["4,5", "B,T"])
def test_sequences_of_which_one_has_no_length(sizes: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[{sizes}] x) => (float[{sizes}] y)
        {{ l = ArgMax <axis = 1, keepdims = 0> (x) y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, l) }}""",
    )
    assert_remedied(path, workers, "selection/reverse-sequence", "indices/gather-elements", "compare/where")
