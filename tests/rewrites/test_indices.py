from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize("mode", ["constant", "edge"])
def test_negative_pads_cut(mode: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f'g (float[2,4,6] x) => (float[2,3,A] y) {{ y = Pad <mode = "{mode}"> (x, p) }}',
        weights={"p": np.array([0, -1, 0, 0, 0, -2])},
    )
    assert_remedied(path, workers, "indices/pad")


def test_pads_of_some_axes(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[2,N,6] x) => (float[2,N,7] y) { y = Pad(x, p, , a) }",
        weights={"p": np.array([0, 1]), "a": np.array([-1])},
    )
    assert_remedied(path, workers, "indices/pad")


def test_a_pad_that_wraps_around(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        'g (float[2,4,6] x) => (float[2,5,9] y) { y = Pad <mode = "wrap"> (x, p) }',
        opset=19,
        weights={"p": np.array([0, 1, 2, 0, 0, 1])},
    )
    assert_remedied(path, workers, "indices/pad-around")


def test_negative_indices_of_gather_elements(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[3,4] x) => (float[2,4] y) { y = GatherElements <axis = 0> (x, i) }",
        weights={"i": np.array([[0, -1, 1, -2], [-3, 1, 1, 0]])},
    )
    assert_remedied(path, workers, "indices/gather-elements")


def test_computed_negative_indices_of_gather_elements(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[3,N] x, int64[2,N] i) => (float[2,N] y) { k = Mod(i, d) y = GatherElements <axis = 0> (x, k) }",
        weights={"d": np.array(-3)},
    )
    assert_remedied(path, workers, "indices/gather-elements")
