from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from tests.engines.models import BOOL, FLOAT, INT64, convolution, node, random, write, wrong_in_the_middle
from tests.engines.steps import opened
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, CheckReport, Status, Verdict
from workbench.engines.check import check
from workbench.formats.onnx.contract import contracts_of


def checked(path: Path, workers: Workers, **options) -> CheckReport:
    model = opened(path, workers).model
    return check(model, path, contracts_of(model), workers, Quiet(), **options)


def by_name(report: CheckReport) -> dict[str, Verdict]:
    return {verdict.name: verdict for verdict in report.nodes}


def statuses(report: CheckReport) -> dict[str, Status]:
    return {verdict.name: verdict.status for verdict in report.nodes}


def test_every_node_of_a_right_model_is_right(workers: Workers, tmp_path: Path) -> None:
    report = checked(convolution(tmp_path / "m.onnx"), workers)
    assert report.verdict is Answer.OK
    assert statuses(report) == {"conv": Status.RIGHT, "relu": Status.RIGHT}
    assert report.first_diverging_node is None
    assert report.shapes == {"x": (1, 3, 32, 32)}
    assert (report.engine_name, report.engine_version) == ("MNN", "3.6.1")
    assert by_name(report)["conv"].evidence["sizes"] == 2


def test_the_wrong_node_is_named_and_nothing_is_said_of_those_after_it(workers: Workers, tmp_path: Path) -> None:
    report = checked(wrong_in_the_middle(tmp_path / "m.onnx"), workers)
    assert report.verdict is Answer.WRONG
    assert report.first_diverging_node == "m"
    assert statuses(report) == {"first": Status.RIGHT, "modulo": Status.WRONG, "last": Status.NOT_CHECKED}
    wrong = by_name(report)["modulo"]
    assert wrong.evidence["max_rel_error"] > 0.1
    assert "divisor's sign" in str(wrong.reason)
    assert "modulo" in str(report.reason)
    assert report.verification is not None
    assert report.verification.first_diverging_node == "m"


def test_unsupported_operators_are_told_without_a_run(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Neg", ["x"], ["a"], "neg"), node("IsNaN", ["a"], ["y"], "nan")],
        [("x", FLOAT, [3])],
        [("y", BOOL, [3])],
    )
    report = checked(path, workers)
    assert report.verdict is Answer.UNSUPPORTED
    assert statuses(report) == {"neg": Status.NOT_CHECKED, "nan": Status.UNSUPPORTED}
    assert "IsNaN" in str(by_name(report)["nan"].reason)
    assert report.shapes == {}


def test_a_node_that_crashes_the_engine_is_named_with_the_signal(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [
            node("Neg", ["x"], ["a"], "neg"),
            node("MaxPool", ["a"], ["p"], "pool", kernel_shape=[2, 2], dilations=[2, 2]),
            node("Neg", ["p"], ["y"], "last"),
        ],
        [("x", FLOAT, [1, 2, 8, 8])],
        [("y", FLOAT, None)],
    )
    report = checked(path, workers)
    assert report.verdict is Answer.CRASH
    assert statuses(report) == {"neg": Status.RIGHT, "pool": Status.CRASH, "last": Status.NOT_CHECKED}
    pool = by_name(report)["pool"]
    assert "dilations" in str(pool.reason)
    assert "SIG" in str(pool.evidence["measured"])
    assert report.first_diverging_node == "p"


def test_a_node_on_which_the_engine_never_ends_is_named(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Neg", ["i"], ["n"], "neg"), node("OneHot", ["n", "depth", "values"], ["y"], "hot")],
        [("i", INT64, [4])],
        [("y", FLOAT, None)],
        {"depth": np.float32(10.0), "values": np.array([0.0, 1.0], np.float32)},
    )
    report = checked(path, workers)
    assert report.verdict is Answer.HANG
    assert statuses(report) == {"neg": Status.RIGHT, "hot": Status.HANG}
    assert "depth" in str(by_name(report)["hot"].reason)
    assert "does not end" in str(by_name(report)["hot"].evidence["measured"])


def test_a_body_shares_the_fate_of_its_operator(workers: Workers, tmp_path: Path) -> None:
    bodies = [
        helper.make_graph(
            [node("Mod", ["x", "k"], [f"{name}_out"], name, fmod=1)],
            name,
            [],
            [helper.make_tensor_value_info(f"{name}_out", FLOAT, [5])],
        )
        for name in ("yes", "no")
    ]
    path = write(
        tmp_path / "m.onnx",
        [
            node("Greater", ["s", "zero"], ["c"], "greater"),
            node("If", ["c"], ["y"], "if", then_branch=bodies[0], else_branch=bodies[1]),
        ],
        [("x", FLOAT, [5]), ("s", INT64, [])],
        [("y", FLOAT, [5])],
        {"zero": np.array(0), "k": np.array([3.0], np.float32)},
    )
    report = checked(path, workers)
    assert report.verdict is Answer.WRONG
    found = statuses(report)
    assert found["greater"] is Status.RIGHT
    assert found["if"] is found["yes"] is found["no"] is Status.WRONG
    assert report.first_diverging_node == "y"


def test_a_fault_of_two_nodes_together_is_told_as_that(workers: Workers, tmp_path: Path) -> None:
    """MNN adds a constant of three axes to a convolution's packed channels as if they were not packed."""
    path = write(
        tmp_path / "m.onnx",
        [
            node("Conv", ["x", "w"], ["c"], "conv"),
            node("Squeeze", ["c", "axis"], ["s"], "squeeze"),
            node("Tanh", ["s"], ["t"], "tanh"),
            node("Add", ["one", "t"], ["a"], "add"),
            node("Mul", ["s", "a"], ["y"], "mul"),
        ],
        [("x", FLOAT, [1, 8, 16, 1])],
        [("y", FLOAT, [1, 12, 12])],
        {"w": random(12, 8, 5, 1), "axis": np.array([3]), "one": np.ones((1, 1, 1), np.float32)},
    )
    report = checked(path, workers)
    assert report.verdict is Answer.WRONG
    assert report.first_diverging_node is not None
    assert "by itself" in str(report.reason)


def test_static_says_what_is_known_without_running_anything(workers: Workers, tmp_path: Path) -> None:
    report = checked(wrong_in_the_middle(tmp_path / "m.onnx"), workers, static=True)
    assert report.verdict is Answer.UNVERIFIED
    assert not report.verdict.is_yes
    assert by_name(report)["modulo"].status is Status.WRONG
    assert by_name(report)["modulo"].evidence["condition"] == "input 0 float32"
    assert by_name(report)["first"].status is Status.NOT_CHECKED
    assert "Mod" in str(report.reason)
    assert "Supported" in str(by_name(report)["first"].reason)


def test_a_model_that_the_reference_cannot_run_is_unverified(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Reshape", ["x", "to"], ["y"], "reshape")],
        [("x", FLOAT, [3]), ("to", INT64, [2])],
        [("y", FLOAT, None)],
    )
    report = checked(path, workers)
    assert report.verdict is Answer.UNVERIFIED
    assert "--inputs" in str(report.reason) or "accepts" in str(report.reason)


def test_bad_inputs_are_bad_input_not_a_verdict(workers: Workers, tmp_path: Path) -> None:
    path = convolution(tmp_path / "m.onnx")
    with pytest.raises(BadInput, match="No such shape"):
        checked(path, workers, shapes={"x": (1, 2, 3, 4)})


def test_the_users_size_is_the_one_that_is_checked(workers: Workers, tmp_path: Path) -> None:
    report = checked(convolution(tmp_path / "m.onnx"), workers, shapes={"x": (1, 3, 17, 19)})
    assert report.shapes == {"x": (1, 3, 17, 19)}


def test_memory_that_nobody_wrote_is_wrong_every_time(workers: Workers, tmp_path: Path) -> None:
    """Without a value MNN fills the constant with what the heap holds: often zeros, which would be right."""
    path = write(
        tmp_path / "m.onnx",
        [
            node("Shape", ["x"], ["s"], "shape"),
            node("ConstantOfShape", ["s"], ["z"], "zeros"),
            node("Add", ["x", "z"], ["y"], "add"),
        ],
        [("x", FLOAT, [4, 30])],
        [("y", FLOAT, [4, 30])],
    )
    for _ in range(3):
        assert checked(path, workers).verdict is Answer.WRONG


def test_a_right_number_at_the_cost_of_the_heap_is_a_crash(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx", [node("MatMul", ["a", "b"], ["y"], "dot")], [("a", FLOAT, [3]), ("b", FLOAT, [3])],
        [("y", FLOAT, [])],
    )  # fmt: skip
    report = checked(path, workers)
    assert not report.verdict.is_yes
    assert by_name(report)["dot"].status is Status.CRASH


def test_sizes_that_only_the_user_knows_are_kept_in_made_up_inputs(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Reshape", ["x", "to"], ["y"], "reshape")],
        [("x", FLOAT, [2, 6]), ("to", INT64, [2])],
        [("y", FLOAT, None)],
    )
    np.savez(tmp_path / "in.npz", x=random(2, 6), to=np.array([3, 4]))
    report = checked(path, workers, given=tmp_path / "in.npz")
    assert report.verdict.is_yes
    assert report.verification is not None
    assert report.verification.engine is not None
    assert report.verification.engine.inputs > 6


def test_a_crash_on_one_input_only_is_told_with_that_input(workers: Workers, tmp_path: Path) -> None:
    """Only one kind of made-up integers is negative, which makes a crop of the padding."""
    path = write(
        tmp_path / "m.onnx",
        [node("Neg", ["x"], ["n"], "neg"), node("Pad", ["n", "pads"], ["y"], "pad")],
        [("x", FLOAT, [4, 6]), ("pads", INT64, [4])],
        [("y", FLOAT, None)],
    )
    report = checked(path, workers)
    assert not report.verdict.is_yes
    assert by_name(report)["neg"].status is Status.RIGHT
    assert by_name(report)["pad"].status in (Status.CRASH, Status.WRONG)
    assert "'signed'" in str(report.reason)
