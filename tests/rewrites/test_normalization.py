from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


def test_a_batch_normalization_with_computed_parameters(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2,3,N] x, float[3] s, float[3] b, float[3] m, float[3] q) => (float[2,3,N] y)
        { v = Abs(q) y = BatchNormalization(x, s, b, m, v) }""",
    )
    assert_remedied(path, workers, "normalization/batch")


def test_a_batch_normalization_that_trains(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[2,3,N] x) => (float[2,3,N] y, float[3] m, float[3] v)
        { y, m, v = BatchNormalization <training_mode = 1, momentum = 0.7> (x, s, b, b, s) }""",
        weights={"s": np.array([1, 2, 3], np.float32), "b": np.array([-1, 0, 1], np.float32)},
    )
    assert_remedied(path, workers, "normalization/batch")


@pytest.mark.parametrize(("axis", "power"), [(1, 1), (0, 2)])
def test_the_norm_of_nothing_but_zeros(axis: int, power: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path, f"g (float[3,N] x) => (float[3,N] y) {{ y = LpNormalization <axis = {axis}, p = {power}> (x) }}"
    )
    assert_remedied(path, workers, "normalization/lp")
