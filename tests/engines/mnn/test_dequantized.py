"""The engine against the reference given the plan's weights: only the engine's own arithmetic is left."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from tests.engines.mnn.layer_models import LAYER_CASES, LayerCase
from tests.engines.mnn.onnx_models import node, normalization, save, weights
from tests.engines.steps import opened as open_file
from tests.engines.steps import subject
from workbench.children.workers import Workers
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Verification
from workbench.engines.mnn.dequantized import with_plan_weights
from workbench.engines.verify import verify

INT8 = QuantPlan(LayerQuant(8))
Verify = Callable[[Path, QuantPlan], Verification]


@pytest.fixture
def verified(workers: Workers, tmp_path: Path) -> Verify:
    def run(path: Path, plan: QuantPlan) -> Verification:
        folder = tmp_path / f"verification{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        what = subject(open_file(path, workers), folder, workers, plan)
        (folder / "runs").mkdir()
        return verify(what, folder / "runs", workers, Quiet(), max_error=inf).verification

    return run


def conv_model(path: Path, values: np.ndarray, **constants: np.ndarray) -> Path:
    """Conv with ``values`` as weights, then a BatchNormalization if its constants are given, then Relu."""
    nodes = [node("Conv", ["x", "w"], ["c"])]
    if constants:
        nodes.append(node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"], epsilon=1e-3))
    nodes.append(node("Relu", ["n" if constants else "c"], ["y"]))
    return save(path, nodes, {"w": values, **constants}, {"x": (1, values.shape[1], 9, 9)}, {"y": None})


def small_steps(path: Path) -> Path:
    """A Conv whose BatchNormalization makes weights so small that their 8-bit step is below a millionth."""
    constants = normalization(16)
    constants["g"][:4] *= np.float32(1e-6)
    constants["v"][:] = 1
    nodes = [
        node("Conv", ["x", "w"], ["c"]),
        node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"], epsilon=1e-3),
        node("Mul", ["n", "large"], ["y"]),  # what follows makes the small channels count
    ]
    large = np.ones((1, 16, 1, 1), np.float32)
    large[0, :4] = 1e6
    constants |= {
        "w": weights(16, 16, 3, 3),
        "large": large,
        "b": np.zeros(16, np.float32),
        "m": np.zeros(16, np.float32),
    }
    return save(path, nodes, constants, {"x": (1, 16, 9, 9)}, {"y": (1, 16, 7, 7)})


@pytest.mark.parametrize("case", LAYER_CASES, ids=lambda case: case.name)
def test_the_engine_computes_with_the_weights_that_the_plan_gives_to_every_kind_of_layer(
    case: LayerCase, verified: Verify, tmp_path: Path
) -> None:
    found = verified(case.build(tmp_path / "model.onnx"), QuantPlan(LayerQuant(4, symmetric=False, block=16)))
    assert found.engine.max_rel_error < 1e-4
    assert found.price.relative_l2 > 1e-3


@pytest.mark.parametrize(
    "plan",
    [
        QuantPlan(half_floats=True),
        QuantPlan(LayerQuant(4), hqq=True),
        QuantPlan(half_floats=True).with_layer("c", LayerQuant(3)),
    ],
)
def test_the_engine_computes_with_fp16_hqq_and_mixed_plans(plan: QuantPlan, verified: Verify, tmp_path: Path) -> None:
    nodes = [
        node("Conv", ["x", "w"], ["c"]),
        node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"], epsilon=1e-3),
        node("HardSigmoid", ["n"], ["h"], alpha=1 / 6),
        node("Mul", ["h", "k"], ["s"]),
        node("Div", ["s", "d"], ["q"]),
        node("ConvTranspose", ["q", "w2"], ["y"]),
    ]
    constants = {
        "w": weights(32, 16, 3, 3),
        **normalization(32),
        "k": weights(1, 32, 1, 1, seed=2),
        "d": np.full((1,), 6, np.float32),
        "w2": weights(32, 16, 2, 2, seed=3),
    }
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 16, 6, 6)}, {"y": (1, 16, 5, 5)})
    found = verified(source, plan)
    assert found.engine.max_rel_error < 5e-5
    assert found.price.relative_l2 > 1e-4


def test_hqq_weights_of_a_layer_in_pieces_and_of_one_made_twice_are_read_back(verified: Verify, tmp_path: Path) -> None:
    nodes = [
        node("Conv", ["x", "w"], ["c"], group=4),
        node("Relu", ["c"], ["r"]),
        node("Conv", ["r", "w2"], ["twice"]),
        node("Add", ["twice", "k"], ["y"]),
    ]
    constants = {"w": weights(32, 8, 3, 3), "w2": weights(16, 32, 1, 1), "k": weights(1, 16, 1, 1)}
    outputs = dict.fromkeys(("y", "twice"), (1, 16, 4, 4))
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 32, 6, 6)}, outputs)
    found = verified(source, QuantPlan(LayerQuant(3), hqq=True))
    assert found.engine.max_rel_error < 5e-5
    assert found.price.relative_l2 > 1e-3


def test_an_outlier_in_every_channel_costs_a_price_but_is_no_fault_of_the_engine(
    verified: Verify, tmp_path: Path
) -> None:
    values = weights(16, 16, 3, 3)
    values[:, 0, 0, 0] *= 1000
    found = verified(conv_model(tmp_path / "model.onnx", values), INT8)
    assert found.engine.right
    assert found.price.relative_l2 > 0.001


def test_a_transposed_convolution_with_unequal_channels_is_cut_across_them_and_pays_for_it(
    verified: Verify, tmp_path: Path
) -> None:
    nodes = [
        node("ConvTranspose", ["x", "w"], ["c"], strides=[2, 2]),
        node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"], epsilon=1e-3),
        node("Relu", ["n"], ["y"]),
    ]
    constants = {"w": weights(24, 24, 2, 2), **normalization(24)}
    constants["g"] = np.logspace(-3, 2, 24).astype(np.float32)
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 24, 5, 5)}, {"y": (1, 24, 10, 10)})
    found = verified(source, INT8)
    assert found.engine.max_rel_error < 1e-4
    assert found.price.relative_l2 > 5e-3


def test_a_row_that_the_engine_destroyed_fails_the_engine_figure_and_hqq_keeps_it(
    verified: Verify, tmp_path: Path
) -> None:
    source = small_steps(tmp_path / "model.onnx")
    assert not verified(source, INT8).engine.right
    kept = verified(source, QuantPlan(LayerQuant(8), hqq=True))
    assert kept.engine.right
    assert kept.engine.max_rel_error < 1e-4


def test_a_weight_that_fp16_cannot_hold_fails_the_engine_figure(verified: Verify, tmp_path: Path) -> None:
    values = weights(8, 8, 1, 1)
    values[3, 3] = 1e5
    assert not verified(conv_model(tmp_path / "model.onnx", values), QuantPlan(half_floats=True)).engine.right


def test_a_normalization_without_epsilon_is_computed_with_another_one_and_that_shows(
    verified: Verify, tmp_path: Path
) -> None:
    nodes = [node("Conv", ["x", "w"], ["c"]), node("BatchNormalization", ["c", "g", "b", "m", "v"], ["y"])]
    constants = {"w": weights(16, 16, 1, 1), **normalization(16)}
    constants["v"][:] = 1e-5  # as large as ONNX's epsilon: with MNN's the result is 1.4 times as large
    source = save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 16, 4, 4)}, {"y": (1, 16, 4, 4)})
    assert verified(source, QuantPlan()).engine.max_rel_error > 0.1
    assert verified(source, INT8).engine.max_rel_error > 0.1


def test_folding_and_its_inverse_cancel_for_a_float_layer(tmp_path: Path) -> None:
    constants = normalization(16)
    constants["g"][2] = 0  # a channel that the normalization makes constant
    model = onnx.load(conv_model(tmp_path / "model.onnx", weights(16, 16, 3, 3), **constants))
    layout = {"op": "Conv", "shape": [16, 16, 3, 3], "group": 1, "transposed": False}
    layer = {"output": "c", "subgraph": "", "layout": layout, "normalization": "n", "bits": 0, "read_back": []}
    feed = {"x": np.random.default_rng(0).standard_normal((1, 16, 9, 9)).astype(np.float32)}
    (before,) = ReferenceEvaluator(model).run(None, feed)
    (after,) = ReferenceEvaluator(with_plan_weights(model, [layer], half_floats=False)).run(None, feed)
    assert_allclose(after, before, rtol=1e-4, atol=1e-5)


def test_weights_that_two_layers_share_are_given_to_each_apart(tmp_path: Path) -> None:
    nodes = [node("MatMul", ["x", "w"], ["a"]), node("MatMul", ["a", "w"], ["y"])]
    values = weights(16, 16)
    model = onnx.load(save(tmp_path / "model.onnx", nodes, {"w": values}, {"x": (1, 16)}, {"y": (1, 16)}))
    layout = {"op": "MatMul", "shape": [16, 16], "group": 1, "transposed": False}
    layer = {"output": "a", "subgraph": "", "layout": layout, "normalization": "", "read_back": []}
    quant = {"bits": 2, "symmetric": True, "block": 0}
    changed = with_plan_weights(model, [layer | quant], half_floats=False)
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in changed.graph.initializer}
    first, second = (held[n.input[1]] for n in changed.graph.node)
    assert_array_equal(second, values)
    assert len(np.unique(np.abs(first), axis=None)) > 1
    assert (first != values).any()


def test_a_layer_that_is_not_in_the_model_is_an_error(tmp_path: Path) -> None:
    model = onnx.load(conv_model(tmp_path / "model.onnx", weights(8, 8, 1, 1)))
    with pytest.raises(KeyError, match="gone"):
        with_plan_weights(model, [{"output": "gone", "subgraph": ""}], half_floats=False)
