from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


def weights(*shape: int) -> dict[str, np.ndarray]:
    return {"w": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}


def test_log_softmax_without_an_axis(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,N] x) => (float[2,N] y) { y = LogSoftmax(x) }")
    assert_remedied(path, workers, "attributes/axis")


@pytest.mark.parametrize("op", ["Conv", "ConvTranspose"])
def test_a_convolution_in_space_without_attributes(op: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path, f"g (float[1,2,6,N,6] x) => (float[1,2,A,B,C] y) {{ y = {op}(x, w) }}", weights=weights(2, 2, 3, 3, 3)
    )
    assert_remedied(path, workers, "attributes/convolution")


@pytest.mark.parametrize("op", ["Conv", "ConvTranspose"])
def test_a_convolution_over_lines_at_the_end(op: str, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[1,2,N] x) => (float[1,2,M] y)
        {{ y = {op} <strides = [2], pads = [1, 0], kernel_shape = [3]> (x, w) }}""",
        weights=weights(2, 2, 3),
    )
    assert_remedied(path, workers, "attributes/lines", "attributes/convolution")


def test_the_lines_filter_may_be_computed(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[1,2,9] x, float[3,2,3] w) => (float[1,3,7] y) { y = Conv(x, w) }")
    assert_remedied(path, workers, "attributes/lines", "attributes/convolution")


@pytest.mark.parametrize(("outputs", "more"), [("y", ""), ("y, m", ", bool[2,8] m")])
def test_dropout_at_the_end(outputs: str, more: str, workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, f"g (float[2,8] x) => (float[2,8] y{more}) {{ {outputs} = Dropout(x) }}")
    assert_remedied(path, workers, "attributes/dropout")
