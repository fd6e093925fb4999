"""The layers found in the ONNX graph, and MNN's names for them, against what the converter made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.mnn.layer_models import LAYER_CASES, LayerCase
from tests.engines.mnn.onnx_models import node, normalization, save, weights
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.engines.mnn.mnn_file import MnnFile
from workbench.engines.mnn.names import quantizable_layers


def operators(path: Path) -> tuple[str, ...]:
    """Names of the operators of a .mnn that hold weights."""
    with MnnFile(path) as file:
        return tuple(op.name for op in file.ops() if op.weights)


@pytest.mark.parametrize("case", LAYER_CASES, ids=lambda case: case.name)
def test_every_operator_with_weights_belongs_to_a_layer(case: LayerCase, converted, tmp_path: Path) -> None:
    source = case.build(tmp_path / "model.onnx")
    result = converted(source, QuantPlan(LayerQuant(8)))
    assert set(operators(result.path)) == set(case.operators)
    assert {applied.op_name for applied in result.layers_applied} == set(case.operators)


@pytest.mark.parametrize("case", LAYER_CASES, ids=lambda case: case.name)
def test_a_layer_tells_the_sizes_that_the_converter_writes(case: LayerCase, converted, opened, tmp_path: Path) -> None:
    source = case.build(tmp_path / "model.onnx")
    with MnnFile(converted(source).path) as file:
        stored = {op.name: op.weights for op in file.ops() if op.weights}
    for layer in quantizable_layers(opened(source).graph):
        parts = [stored[name] for name in layer.op_names if name in stored]
        assert sum(len_of(part) for part in parts) == 4 * layer.parameters
        assert sum(part.out_channels for part in parts) % layer.out_channels == 0


def len_of(stored) -> int:
    return stored.weights.length


def test_nodes_without_constant_matrices_are_no_layers(opened, tmp_path: Path) -> None:
    nodes = [
        node("MatMul", ["x", "x2"], ["dynamic"]),
        node("MatMul", ["w", "x2"], ["constant_first"]),
        node("MatMul", ["x", "batched"], ["batch_of_matrices"]),
        node("Gemm", ["x", "w"], ["scaled"], alpha=2.0),
        node("Relu", ["x"], ["y"]),
    ]
    constants = {"w": weights(8, 8), "batched": weights(2, 8, 8)}
    names = ["dynamic", "constant_first", "batch_of_matrices", "scaled", "y"]
    source = save(tmp_path / "m.onnx", nodes, constants, {"x": (8, 8), "x2": (8, 8)}, dict.fromkeys(names))
    assert quantizable_layers(opened(source).graph) == ()


def test_weights_that_more_than_four_convolutions_share_are_no_layers_as_the_converter_keeps_them_apart(
    opened, converted, tmp_path: Path
) -> None:
    def shared(count: int) -> Path:
        nodes = [node("Conv", [f"v{i}", "w"], [f"v{i + 1}"]) for i in range(count)]
        nodes.append(node("Relu", [f"v{count}"], ["y"]))
        path = tmp_path / f"shared{count}.onnx"
        return save(path, nodes, {"w": weights(8, 8, 1, 1)}, {"v0": (1, 8, 4, 4)}, {"y": (1, 8, 4, 4)})

    for count, layers in ((4, 4), (5, 0)):
        source = shared(count)
        assert len(quantizable_layers(opened(source).graph)) == layers
        assert len(converted(source, QuantPlan(LayerQuant(8))).layers_applied) == layers


def test_a_convolution_read_twice_has_two_operators_and_both_are_quantized(converted, tmp_path: Path) -> None:
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Add", ["c", "k"], ["y"])]
    constants = {"w": weights(16, 16, 1, 1), "k": weights(1, 16, 1, 1)}
    source = save(tmp_path / "m.onnx", nodes, constants, {"x": (1, 16, 4, 4)}, dict.fromkeys("yc", (1, 16, 4, 4)))
    applied = converted(source, QuantPlan(LayerQuant(4))).layers_applied
    assert sorted((a.node, a.op_name, a.bits) for a in applied) == [("c", "c", 4), ("c", "y", 4)]


def test_a_normalization_that_others_read_past_is_not_folded(opened, tmp_path: Path) -> None:
    def model(*extra_outputs: str) -> Path:
        nodes = [node("Conv", ["x", "w"], ["c"]), node("BatchNormalization", ["c", "g", "b", "m", "v"], ["y"])]
        constants = {"w": weights(16, 16, 1, 1), **normalization(16)}
        outputs = dict.fromkeys(("y", *extra_outputs), (1, 16, 4, 4))
        return save(tmp_path / "m.onnx", nodes, constants, {"x": (1, 16, 4, 4)}, outputs)

    assert quantizable_layers(opened(model()).graph)[0].normalization == "y"
    assert quantizable_layers(opened(model("c")).graph)[0].normalization == ""


def test_a_layer_that_no_output_depends_on_is_dropped_by_the_converter_and_is_no_layer(
    opened, converted, tmp_path: Path
) -> None:
    nodes = [
        node("Conv", ["x", "w"], ["dead"]),
        node("Conv", ["x", "w2"], ["c"]),
        node("Relu", ["c"], ["y"]),
    ]
    constants = {"w": weights(8, 8, 1, 1), "w2": weights(8, 8, 1, 1, seed=2)}
    source = save(tmp_path / "m.onnx", nodes, constants, {"x": (1, 8, 2, 2)}, {"y": (1, 8, 2, 2)})
    assert [layer.node_id for layer in quantizable_layers(opened(source).graph)] == ["c"]
    assert operators(converted(source, QuantPlan(LayerQuant(8))).path) == ("c",)


def test_a_layer_under_an_odd_name_is_quantized(converted, tmp_path: Path) -> None:
    odd = '{"1": "one ü"} \\ \U0001f642/$(x)'
    nodes = [node("Conv", ["x", "w"], [odd]), node("Relu", [odd], ["y"])]
    source = save(tmp_path / "m.onnx", nodes, {"w": weights(8, 8, 1, 1)}, {"x": (1, 8, 2, 2)}, {"y": (1, 8, 2, 2)})
    (applied,) = converted(source, QuantPlan(LayerQuant(8))).layers_applied
    assert (applied.node, applied.op_name, applied.bits) == (odd, odd, 8)
