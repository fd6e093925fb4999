"""Models that were once called right and were not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.convert import ConvertReport, convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

FLOAT = onnx.TensorProto.FLOAT


def converted(
    nodes: list[onnx.NodeProto],
    shape: list[int | str],
    constants: dict[str, NDArray[np.float32]],
    folder: Path,
    workers: Workers,
) -> ConvertReport:
    graph = helper.make_graph(
        nodes,
        "model",
        [helper.make_tensor_value_info("x", FLOAT, shape)],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [numpy_helper.from_array(values, name) for name, values in constants.items()],
    )
    source = folder / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    return convert(model, source, QuantPlan(), folder / "out.mnn", contracts_of(model), workers, Quiet())


def test_a_convolution_that_pads_wrongly_at_odd_sizes(workers: Workers, tmp_path: Path) -> None:
    """MNN 3.6.1 pads SAME_LOWER as SAME_UPPER: right at even sides, wrong where a pixel is left over."""
    weights = np.random.default_rng(3).standard_normal((4, 3, 2, 2)).astype(np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[2, 2], strides=[2, 2], auto_pad="SAME_LOWER")
    report = converted([node], ["N", 3, "H", "W"], {"w": weights}, tmp_path, workers)
    assert not report.ok


def test_an_error_on_ordinary_values_beside_one_input_far_out(workers: Workers, tmp_path: Path) -> None:
    """Round is half away from zero in MNN 3.6.1; a fourth power of pixels must not make that small."""
    nodes = [
        helper.make_node("Mul", ["x", "x"], ["squared"]),
        helper.make_node("Mul", ["squared", "squared"], ["fourth"]),
        helper.make_node("Round", ["x"], ["rounded"]),
        helper.make_node("Add", ["fourth", "rounded"], ["y"]),
    ]
    report = converted(nodes, [1, 64], {}, tmp_path, workers)
    assert not report.ok


def test_a_model_whose_reference_moves_as_far_as_its_values(workers: Workers, tmp_path: Path) -> None:
    weights = np.random.default_rng(5).standard_normal((16, 16)).astype(np.float32) * np.float32(1e7)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["product"]),
        helper.make_node("Sin", ["product"], ["chaos"]),
        helper.make_node("Round", ["x"], ["rounded"]),
        helper.make_node("Add", ["chaos", "rounded"], ["y"]),
    ]
    report = converted(nodes, [4, 16], {"w": weights}, tmp_path, workers)
    assert not report.ok


def with_boxes(scores: list[onnx.NodeProto], folder: Path, workers: Workers) -> ConvertReport:
    """Four columns of boxes up to 640, then ``scores`` of x, in one output."""
    weights = 2.0 * np.random.default_rng(7).standard_normal((16, 4)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["product"]),
        helper.make_node("Sigmoid", ["product"], ["share"]),
        helper.make_node("Mul", ["share", "side"], ["boxes"]),
        *scores,
        helper.make_node("Concat", ["boxes", "scores"], ["y"], axis=1),
    ]
    constants = {"w": weights, "side": np.full((1,), 640.0, np.float32), "limit": np.full((1,), -0.5, np.float32)}
    return converted(nodes, [4, 16], constants, folder, workers)


def test_wrong_scores_beside_large_boxes(workers: Workers, tmp_path: Path) -> None:
    """Less is wrong for negatives in MNN 3.6.1; 1 is less than 2e-3 of 640."""
    scores = [
        helper.make_node("Less", ["x", "limit"], ["less"]),
        helper.make_node("Cast", ["less"], ["scores"], to=FLOAT),
    ]
    report = with_boxes(scores, tmp_path, workers)
    assert not report.ok
    assert "part" in str(report.reason)


def test_right_scores_beside_large_boxes_are_right(workers: Workers, tmp_path: Path) -> None:
    report = with_boxes([helper.make_node("Sigmoid", ["x"], ["scores"])], tmp_path, workers)
    assert (report.ok, report.conditions) == (True, ())


def test_a_length_that_counts_only_where_it_varies(workers: Workers, tmp_path: Path) -> None:
    """MNN 3.6.1 compares negative numbers wrong: seen only where a length is 2 or more, so that all is not masked."""
    nodes = [
        helper.make_node("Cast", ["seq_len"], ["length"], to=FLOAT),
        helper.make_node("Sub", ["one", "length"], ["below"]),
        helper.make_node("Less", ["below", "minus_half"], ["longer"]),
        helper.make_node("Cast", ["longer"], ["kept"], to=FLOAT),
        helper.make_node("Mul", ["x", "kept"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "model",
        [
            helper.make_tensor_value_info("x", FLOAT, [2, 8]),
            helper.make_tensor_value_info("seq_len", onnx.TensorProto.INT64, [2, 1]),
        ],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [
            numpy_helper.from_array(np.array(1.0, np.float32), "one"),
            numpy_helper.from_array(np.array(-0.5, np.float32), "minus_half"),
        ],
    )
    source = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), tmp_path / "out.mnn", contracts_of(model), workers, Quiet())
    assert not report.ok


def test_a_determinant_whose_first_pivot_is_zero(workers: Workers, tmp_path: Path) -> None:
    report = converted([helper.make_node("Det", ["x"], ["y"])], [2, 2], {}, tmp_path, workers)
    assert not report.ok


def test_boxes_of_one_score(workers: Workers, tmp_path: Path) -> None:
    node = helper.make_node("NonMaxSuppression", ["x", "scores", "most", "overlap"], ["y"])
    graph = helper.make_graph(
        [node],
        "model",
        [
            helper.make_tensor_value_info("x", FLOAT, [1, 10, 4]),
            helper.make_tensor_value_info("scores", FLOAT, [1, 1, 10]),
        ],
        [helper.make_tensor_value_info("y", onnx.TensorProto.INT64, None)],
        [
            numpy_helper.from_array(np.array([3]), "most"),
            numpy_helper.from_array(np.array([0.5], np.float32), "overlap"),
        ],
    )
    source = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), tmp_path / "out.mnn", contracts_of(model), workers, Quiet())
    assert not report.ok


def test_a_constant_that_the_converter_leaves_undefined_behind_a_softmax_over_one(
    workers: Workers, tmp_path: Path
) -> None:
    """Whatever is added to the score, the softmax is 1: no input shows it, and the file holds memory all the same."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("ConstantOfShape", ["shape"], ["zeros"]),
        helper.make_node("Add", ["x", "zeros"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["y"], axis=1),
    ]
    report = converted(nodes, [4, 1], {}, tmp_path, workers)
    assert not report.ok
    assert "zeros" in str(report.reason)


def test_a_comparison_of_two_negative_numbers(workers: Workers, tmp_path: Path) -> None:
    graph = helper.make_graph(
        [helper.make_node("Less", ["a", "b"], ["y"])],
        "model",
        [helper.make_tensor_value_info(name, FLOAT, [3, 20]) for name in "ab"],
        [helper.make_tensor_value_info("y", onnx.TensorProto.BOOL, None)],
    )
    source = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), tmp_path / "out.mnn", contracts_of(model), workers, Quiet())
    assert not report.ok


def test_a_comparison_with_one_negative_number(workers: Workers, tmp_path: Path) -> None:
    graph = helper.make_graph(
        [
            helper.make_node("Less", ["a", "least"], ["below"]),
            helper.make_node("Where", ["below", "least", "a"], ["y"]),
        ],
        "model",
        [helper.make_tensor_value_info("a", FLOAT, [3, 20]), helper.make_tensor_value_info("least", FLOAT, [])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
    )
    source = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), tmp_path / "out.mnn", contracts_of(model), workers, Quiet())
    assert not report.ok


def test_a_model_whose_outputs_are_empty_on_every_made_up_input(workers: Workers, tmp_path: Path) -> None:
    """Where nothing was compared nothing is right: on the axis that gives values MNN 3.6.1 crashes."""
    graph = helper.make_graph(
        [helper.make_node("ReduceMax", ["data", "axes"], ["y"], keepdims=1)],
        "model",
        [
            helper.make_tensor_value_info("data", onnx.TensorProto.BOOL, [2, 0, 4]),
            helper.make_tensor_value_info("axes", onnx.TensorProto.INT64, [1]),
        ],
        [helper.make_tensor_value_info("y", onnx.TensorProto.BOOL, [2, 1, 4])],
    )
    source = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), source)
    model = open_onnx(source, workers, Quiet())
    report = convert(model, source, QuantPlan(), tmp_path / "out.mnn", contracts_of(model), workers, Quiet())
    assert not report.ok
    assert "empty" in str(report.reason)
