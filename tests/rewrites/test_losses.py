from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers

# The labels are computed, because made-up ones may be no classes.
LABELS = "l = ArgMax <axis = 1, keepdims = 0> (o)"


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("attributes", ["", ", ignore_index = 2"])
def test_softmax_loss(reduction: str, attributes: str, workers: Workers, tmp_path: Path) -> None:
    sizes = "[4,6]" if reduction == "none" else "[]"
    path = model(
        tmp_path,
        f"""g (float[4,5,6] x, float[4,5,6] o) => (float{sizes} y, float[4,5,6] p)
        {{ {LABELS} y, p = SoftmaxCrossEntropyLoss <reduction = "{reduction}"{attributes}> (x, l) }}""",
    )
    assert_remedied(path, workers, "losses/softmax")


def test_softmax_loss_with_weights_and_open_sizes(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[N,5,M] x, float[N,5,M] o) => (float[] y)
        {{ {LABELS} y = SoftmaxCrossEntropyLoss <ignore_index = 1> (x, l, w) }}""",
        weights={"w": np.array([0.5, 1, 2, 0.25, 1], np.float32)},
    )
    assert_remedied(path, workers, "losses/softmax")


@pytest.mark.parametrize("ignored", [0, 2])
def test_likelihood_loss_that_ignores_a_label(ignored: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (float[4,5,6] x, float[4,5,6] o) => (float[] y)
        {{ {LABELS} y = NegativeLogLikelihoodLoss <ignore_index = {ignored}> (x, l) }}""",
    )
    assert_remedied(path, workers, "losses/likelihood")
