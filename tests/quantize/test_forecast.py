"""The forecast against files that the converter really wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engines.mnn.onnx_models import node, normalization, save, weights
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.graph import Model
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted
from workbench.quantize.forecast import forecast_bytes

PLANS = (
    QuantPlan(),
    QuantPlan(half_floats=True),
    QuantPlan(LayerQuant(8)),
    QuantPlan(LayerQuant(4, symmetric=True)),
    QuantPlan(LayerQuant(3, block=32)),
    QuantPlan(LayerQuant(6), half_floats=True).with_layer("c3", FLOAT),
)


def image_network(path: Path) -> Path:
    """Sixteen convolutions with their normalizations: plain, depthwise, grouped and transposed."""
    nodes, constants, value = [], {}, "x"
    groups = {3: 64, 7: 4, 11: 64}
    for i in range(16):
        group = groups.get(i, 1)
        size = 1 if i % 2 else 3
        constants[f"w{i}"] = weights(64, 64 // group, size, size, seed=i)
        constants |= {f"{key}{i}": array for key, array in normalization(64, seed=i).items()}
        op = "ConvTranspose" if i == 15 else "Conv"
        nodes += [
            node(op, [value, f"w{i}"], [f"c{i}"], group=group, pads=[size // 2] * 4, kernel_shape=[size, size]),
            node("BatchNormalization", [f"c{i}", *(f"{key}{i}" for key in "gbmv")], [f"n{i}"]),
            node("Relu", [f"n{i}"], [f"r{i}"]),
        ]
        value = f"r{i}"
    nodes.append(node("Sigmoid", [value], ["y"]))
    return save(path, nodes, constants, {"x": (1, 64, 16, 16)}, {"y": (1, 64, 16, 16)})


def text_network(path: Path) -> Path:
    """Eight blocks of products with constant matrices, as in a transformer, and an embedding."""
    nodes, constants, value = [], {"table": weights(1, 300, 128), "e": weights(1, 128)}, "x"
    for i in range(8):
        constants |= {
            f"w{i}": weights(128, 256, seed=i),
            f"k{i}": weights(256),
            f"v{i}": weights(128, 256, seed=i + 50),
        }
        nodes += [
            node("MatMul", [value, f"w{i}"], [f"c{i}"]),
            node("Add", [f"c{i}", f"k{i}"], [f"a{i}"]),
            node("Tanh", [f"a{i}"], [f"t{i}"]),
            node("Gemm", [f"t{i}", f"v{i}"], [f"g{i}"], transB=1),
            node("Add", [f"g{i}", value], [f"s{i}"]),
        ]
        value = f"s{i}"
    nodes += [node("Add", [value, "e"], ["z"]), node("Mul", ["table", "z"], ["y"])]
    return save(path, nodes, constants, {"x": (1, 128)}, {"y": (1, 300, 128)})


@pytest.fixture
def size(workers: Workers) -> Callable[[Model, QuantPlan], int]:
    def converted_bytes(model: Model, plan: QuantPlan) -> int:
        with scratch_folder() as folder:
            result = convert_model(model, Path(model.path), plan, folder, workers, Quiet())
            assert isinstance(result, Converted), result
            return result.bytes

    return converted_bytes


@pytest.mark.parametrize("build", [image_network, text_network])
def test_the_forecast_is_within_a_few_per_cent_and_within_one_once_the_model_was_converted(
    build: Callable[[Path], Path], size: Callable[[Model, QuantPlan], int], opened, tmp_path: Path
) -> None:
    model = opened(build(tmp_path / "model.onnx"))
    float_bytes = size(model, QuantPlan())
    for plan in PLANS:
        written = size(model, plan)
        guessed = forecast_bytes(model.graph, plan)
        measured = forecast_bytes(model.graph, plan, float_bytes)
        assert abs(guessed.bytes / written - 1) < 0.04, plan
        assert abs(measured.bytes / written - 1) < 0.01, plan
        assert (guessed.exact, measured.exact) == (False, True)
        assert measured.bytes == measured.rest + sum(measured.layers.values())


def test_every_layer_has_its_share(opened, tmp_path: Path) -> None:
    graph = opened(image_network(tmp_path / "model.onnx")).graph
    shares = forecast_bytes(graph, QuantPlan(LayerQuant(4)).with_layer("c0", FLOAT)).layers
    assert len(shares) == 16
    assert shares["c0"] == (64 * 64 * 9 + 64) * 4
    assert shares["c2"] < shares["c0"] / 7
