from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.engines.mnn.onnx_models import node, normalization, save, weights
from workbench.children.workers import Workers
from workbench.core.errors import InternalError
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.quantize.traps import find_traps

INT8 = QuantPlan(LayerQuant(8))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two convolutions; the normalization after the first makes 3 of its 16 channels very small."""
    constants = {"w": weights(16, 16, 3, 3), "w2": weights(8, 16, 1, 1), **normalization(16)}
    constants["v"][:] = 1
    constants["g"][:] = 1
    constants["g"][:3] = 1e-6
    nodes = [
        node("Conv", ["x", "w"], ["c"], name="first"),
        node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"]),
        node("Conv", ["n", "w2"], ["d"], name="second"),
        node("Relu", ["d"], ["y"]),
    ]
    return save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 16, 4, 4)}, {"y": (1, 8, 2, 2)})


@pytest.mark.parametrize("symmetric", [False, True])
def test_channels_that_a_folded_normalization_makes_too_small_are_found(
    source: Path, workers: Workers, opened, symmetric: bool
) -> None:
    (trap,) = find_traps(opened(source), QuantPlan(LayerQuant(8, symmetric)), workers, Quiet())
    assert (trap.node_id, trap.lost, trap.rows) == ("c", 3, 16)
    assert "first" in str(trap.what)


def test_hqq_and_float_layers_lose_nothing(source: Path, workers: Workers, opened) -> None:
    model = opened(source)
    for plan in (QuantPlan(LayerQuant(8), hqq=True), INT8.with_layer("c", FLOAT), QuantPlan()):
        assert find_traps(model, plan, workers, Quiet()) == ()


def test_rows_of_equal_weights_are_not_lost(workers: Workers, opened, tmp_path: Path) -> None:
    values = np.full((8, 16, 1, 1), 0.25, np.float32)
    values[4:] = 0
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "m.onnx", nodes, {"w": values}, {"x": (1, 16, 2, 2)}, {"y": (1, 8, 2, 2)})
    assert find_traps(opened(source), INT8, workers, Quiet()) == ()


def test_weights_above_what_fp16_holds_are_found(workers: Workers, opened, tmp_path: Path) -> None:
    values = weights(8, 16, 1, 1)
    values[5, 3] = 70000
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "m.onnx", nodes, {"w": values}, {"x": (1, 16, 2, 2)}, {"y": (1, 8, 2, 2)})
    (trap,) = find_traps(opened(source), QuantPlan(half_floats=True), workers, Quiet())
    assert (trap.lost, trap.rows) == (1, 8)
    assert find_traps(opened(source), INT8, workers, Quiet()) == ()


def test_weights_in_a_file_of_their_own_are_read(source: Path, workers: Workers, opened, tmp_path: Path) -> None:
    outside = tmp_path / "outside.onnx"
    onnx.save(onnx.load(source), outside, save_as_external_data=True, location="weights.bin", size_threshold=0)
    (trap,) = find_traps(opened(outside), INT8, workers, Quiet())
    assert trap.lost == 3


def test_a_model_that_has_gone_is_an_error(source: Path, workers: Workers, opened) -> None:
    model = opened(source)
    source.unlink()
    with pytest.raises(InternalError, match="could not be read"):
        find_traps(model, INT8, workers, Quiet())
