"""Where onnxruntime differs from the standard, nobody can say what is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from workbench.children.workers import Workers
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.ort.reference import NoReference, Reference, run_reference
from workbench.engines.trial import Task, try_model
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

FLOAT = onnx.TensorProto.FLOAT


def resized(scale: float, folder: Path, workers: Workers) -> Reference | NoReference:
    node = helper.make_node(
        "Resize", ["x", "", "scales"], ["y"], mode="linear", coordinate_transformation_mode="align_corners"
    )
    graph = helper.make_graph(
        [node],
        "model",
        [helper.make_tensor_value_info("x", FLOAT, [1, 1, 2, 4])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [numpy_helper.from_array(np.array([1, 1, scale, scale], np.float32), "scales")],
    )
    source = folder / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), source)
    model = open_onnx(source, workers, Quiet())
    return run_reference(source, contracts_of(model), folder, workers, Quiet())


def test_a_resize_that_leaves_part_of_a_pixel_is_disputed(workers: Workers, tmp_path: Path) -> None:
    found = resized(0.6, tmp_path, workers)
    assert isinstance(found, Reference)
    assert found.disputed == "y"


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_a_resize_to_whole_pixels_has_one(scale: float, workers: Workers, tmp_path: Path) -> None:
    found = resized(scale, tmp_path, workers)
    assert isinstance(found, Reference)
    assert "onnx.reference" in found.label
    assert found.disputed == ""


def test_what_is_disputed_and_otherwise_right_is_unverified(workers: Workers, tmp_path: Path) -> None:
    resized(0.6, tmp_path, workers)
    model = open_onnx(tmp_path / "model.onnx", workers, Quiet())
    own = tmp_path / "trial"
    own.mkdir()
    trial = try_model(Task(model, tmp_path / "model.onnx", contracts_of(model)), own, workers, Quiet())
    assert trial.answer is Answer.UNVERIFIED
    assert "disagree on output y" in str(trial.reason)
