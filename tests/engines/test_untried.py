"""Bodies that ordinary inputs do not run, outputs that they do not move: tried by others, or told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.engines.models import BOOL, FLOAT, INT64, node, random, write
from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.convert import ConvertReport, convert
from workbench.engines.witness import witness_path
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

SIZE = [1, 3, 16, 16]


def converted(source: Path, workers: Workers) -> ConvertReport:
    model = open_onnx(source, workers, Quiet())
    out = source.with_suffix(".mnn")
    return convert(model, source, QuantPlan(), out, contracts_of(model), workers, Quiet())


def branch(name: str, pad: str) -> onnx.GraphProto:
    """A convolution with stride; MNN 3.6.1 pads SAME_LOWER wrong."""
    conv = node("Conv", ["x", "w"], [name], kernel_shape=[3, 3], strides=[2, 2], auto_pad=pad)
    return helper.make_graph([conv], name, [], [helper.make_tensor_value_info(name, FLOAT, None)])


def chosen_by(
    condition: list[Any], folder: Path, constants: dict[str, Any], shape: list[int | str], pad: str = "SAME_LOWER"
) -> Path:
    """``condition`` computes c, which takes a branch that pads ``pad``, else one that pads right."""
    taken = {"then_branch": branch("t", pad), "else_branch": branch("e", "SAME_UPPER")}
    return write(
        folder / "m.onnx",
        [*condition, node("If", ["c"], ["y"], **taken)],
        [("x", FLOAT, shape)],
        [("y", FLOAT, None)],
        {"w": random(8, 3, 3, 3), **constants},
    )


BRIGHT = [node("ReduceMean", ["x"], ["m"], keepdims=0), node("Greater", ["m", "k"], ["c"])]
WIDE = [
    node("Shape", ["x"], ["s"]),
    node("Gather", ["s", "last"], ["width"]),
    node("Greater", ["width", "k"], ["c"]),
]


def test_a_wrong_branch_that_only_bright_images_take_is_found(workers: Workers, tmp_path: Path) -> None:
    report = converted(chosen_by(BRIGHT, tmp_path, {"k": np.float32(150)}, SIZE), workers)
    assert report.verdict is Answer.WRONG
    assert "y/then_branch" in str(report.reason)


def test_a_branch_that_is_wrong_on_few_values_is_tried_with_several(workers: Workers, tmp_path: Path) -> None:
    """Round is half away from zero in MNN 3.6.1, which images of one brightness do not show."""
    taken = {
        name: helper.make_graph([node(op, ["x"], [name])], name, [], [helper.make_tensor_value_info(name, FLOAT, SIZE)])
        for name, op in (("then_branch", "Round"), ("else_branch", "Relu"))
    }
    path = write(
        tmp_path / "m.onnx",
        [
            node("ReduceMin", ["x"], ["least"], keepdims=0),
            node("Greater", ["least", "k"], ["c"]),
            node("If", ["c"], ["y"], **taken),
        ],
        [("x", FLOAT, SIZE)],
        [("y", FLOAT, SIZE)],
        {"k": np.float32(50)},
    )
    assert converted(path, workers).verdict is Answer.WRONG


def test_a_right_branch_that_only_bright_images_take_needs_no_condition(workers: Workers, tmp_path: Path) -> None:
    report = converted(chosen_by(BRIGHT, tmp_path, {"k": np.float32(150)}, SIZE, "SAME_UPPER"), workers)
    assert report.ok
    assert not any(condition.startswith("untried") for condition in report.conditions)


def test_a_wrong_branch_that_only_wide_images_take_is_found(workers: Workers, tmp_path: Path) -> None:
    constants = {"k": np.int64(600), "last": np.int64(3)}
    report = converted(chosen_by(WIDE, tmp_path, constants, [1, 3, "h", "w_"]), workers)
    assert report.verdict is Answer.WRONG
    assert "640" in str(report.reason)


def test_a_branch_that_no_input_was_found_to_run_is_told(workers: Workers, tmp_path: Path) -> None:
    report = converted(chosen_by(BRIGHT, tmp_path, {"k": np.float32(1e9)}, SIZE, "SAME_UPPER"), workers)
    assert report.verdict is Answer.OK_WITH_CONDITION
    assert "untried=y/then_branch" in report.conditions


def test_a_branch_that_no_input_was_found_to_run_is_tried_by_itself(workers: Workers, tmp_path: Path) -> None:
    source = chosen_by(BRIGHT, tmp_path, {"k": np.float32(1e9)}, SIZE)
    report = converted(source, workers)
    assert report.verdict is Answer.WRONG
    assert "y/then_branch, and by itself it is wrong" in str(report.reason)
    assert not source.with_suffix(".mnn").exists()


def test_a_branch_behind_a_constant_is_dead_and_not_told(workers: Workers, tmp_path: Path) -> None:
    dead = [node("Greater", ["k", "k"], ["c"])]
    report = converted(chosen_by(dead, tmp_path, {"k": np.float32(1)}, SIZE), workers)
    assert report.ok
    assert not any(condition.startswith("untried") for condition in report.conditions)


def test_a_loop_that_ordinary_inputs_do_not_enter_is_run(workers: Workers, tmp_path: Path) -> None:
    """As many rounds as there are values above 300; Round is half away from zero in MNN 3.6.1."""
    body = helper.make_graph(
        [node("Identity", ["going"], ["goes"]), node("Mod", ["x", "three"], ["next"], fmod=1)],
        "body",
        [helper.make_tensor_value_info(*v) for v in (("i", INT64, []), ("going", BOOL, []), ("now", FLOAT, [16]))],
        [helper.make_tensor_value_info(*v) for v in (("goes", BOOL, []), ("next", FLOAT, [16]))],
    )
    path = write(
        tmp_path / "m.onnx",
        [
            node("Greater", ["x", "k"], ["far"]),
            node("Cast", ["far"], ["ones"], to=INT64),
            node("ReduceSum", ["ones"], ["count"], keepdims=0),
            node("Loop", ["count", "", "x"], ["y"], body=body),
        ],
        [("x", FLOAT, [16])],
        [("y", FLOAT, [16])],
        {"k": np.float32(300), "three": np.full(1, 3, np.float32)},
    )
    report = converted(path, workers)
    assert report.verdict is Answer.WRONG
    assert "y/body" in str(report.reason)


def test_an_output_that_only_far_inputs_move_is_moved_and_leaves_a_witness(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Sub", ["x", "far"], ["a"]), node("Relu", ["a"], ["y"])],
        [("x", FLOAT, [4, 16])],
        [("y", FLOAT, [4, 16])],
        {"far": np.float32(5000)},
    )
    report = converted(path, workers)
    assert (report.verdict, report.conditions) == (Answer.OK, ())
    assert witness_path(path.with_suffix(".mnn")).is_file()


def test_an_output_that_nothing_moves_is_told(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Sub", ["x", "far"], ["a"]), node("Relu", ["a"], ["y"])],
        [("x", FLOAT, [4, 16])],
        [("y", FLOAT, [4, 16])],
        {"far": np.float32(1e12)},
    )
    report = converted(path, workers)
    assert (report.verdict, report.conditions) == (Answer.OK_WITH_CONDITION, ("constant=y",))
    assert witness_path(path.with_suffix(".mnn")).is_file()


def test_an_output_of_constants_is_what_it_is(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Neg", ["x"], ["y"]), node("Relu", ["table"], ["z"])],
        [("x", FLOAT, [4, 16])],
        [("y", FLOAT, [4, 16]), ("z", FLOAT, [2])],
        {"table": np.ones(2, np.float32)},
    )
    assert converted(path, workers).conditions == ()


@pytest.mark.parametrize("value", [True, False])
def test_both_branches_of_a_boolean_input_are_run(value: bool, workers: Workers, tmp_path: Path) -> None:
    pads = ("SAME_LOWER", "SAME_UPPER") if value else ("SAME_UPPER", "SAME_LOWER")
    taken = {"then_branch": branch("t", pads[0]), "else_branch": branch("e", pads[1])}
    path = write(
        tmp_path / "m.onnx",
        [node("If", ["c"], ["y"], **taken)],
        [("x", FLOAT, SIZE), ("c", BOOL, [])],
        [("y", FLOAT, None)],
        {"w": random(8, 3, 3, 3)},
    )
    assert converted(path, workers).verdict is Answer.WRONG


def test_values_that_only_far_inputs_choose_are_tried(workers: Workers, tmp_path: Path) -> None:
    """Mod with fmod takes the divisor's sign in MNN 3.6.1; only values below -1000 are taken from it."""
    path = write(
        tmp_path / "m.onnx",
        [
            node("Greater", ["low", "x"], ["far"]),
            node("Mod", ["x", "three"], ["m"], fmod=1),
            node("Where", ["far", "m", "half"], ["y"]),
        ],
        [("x", FLOAT, [1, 64])],
        [("y", FLOAT, [1, 64])],
        {"low": np.full((1, 64), -1000, np.float32), "three": np.full(1, 3, np.float32), "half": random(1, 64)},
    )
    report = converted(path, workers)
    assert report.verdict is Answer.WRONG
    assert "far" in str(report.reason)


def test_a_branch_that_one_ordinary_input_runs_is_tried_with_more(workers: Workers, tmp_path: Path) -> None:
    """Of the ordinary inputs only pixels, whole numbers, are as bright, and what Round takes from those is nothing."""
    shape = helper.make_tensor_value_info
    rest = [node("Round", ["x"], ["r"]), node("Sub", ["x", "r"], ["t"])]
    path = write(
        tmp_path / "m.onnx",
        [
            *BRIGHT,
            node(
                "If",
                ["c"],
                ["y"],
                then_branch=helper.make_graph(rest, "then", [], [shape("t", FLOAT, SIZE)]),
                else_branch=helper.make_graph([node("Relu", ["x"], ["e"])], "else", [], [shape("e", FLOAT, SIZE)]),
            ),
        ],
        [("x", FLOAT, SIZE)],
        [("y", FLOAT, SIZE)],
        {"k": np.float32(50)},
    )
    assert converted(path, workers).verdict is Answer.WRONG
