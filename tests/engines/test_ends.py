"""Inputs at the ends of what an input may hold: what is wrong there is a condition of the yes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.models import FLOAT, INT32, INT64, Value, node, random, write
from workbench.children.workers import Workers
from workbench.core.plan import QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer, condition_in_words
from workbench.engines.convert import ConvertReport, convert
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx

DOUBLE = 11
UINT32 = 12


def converted(
    nodes: list[Any],
    inputs: list[Value],
    output: int,
    constants: dict[str, Any],
    folder: Path,
    workers: Workers,
    given: dict[str, Any] | None = None,
) -> ConvertReport:
    source = write(folder / "m.onnx", nodes, inputs, [("y", output, None)], constants)
    model = open_onnx(source, workers, Quiet())
    file = None
    if given is not None:
        file = folder / "given.npz"
        np.savez(file, **given)
    out = folder / "m.mnn"
    return convert(model, source, QuantPlan(), out, contracts_of(model), workers, Quiet(), given=file)


def limit_of(report: ConvertReport) -> str:
    assert report.verdict is Answer.OK_WITH_CONDITION, str(report.reason)
    (condition,) = report.conditions
    assert str(condition_in_words(condition)) != condition
    return condition


def test_a_product_that_overflows_32_bits(workers: Workers, tmp_path: Path) -> None:
    report = converted([node("Mul", ["x", "x"], ["y"])], [("x", INT64, [8])], INT64, {}, tmp_path, workers)
    assert limit_of(report) == "range=x within -30000..30000"


def test_the_users_own_integers_do_not_hide_the_limit(workers: Workers, tmp_path: Path) -> None:
    given = {"x": np.arange(8)}
    report = converted([node("Mul", ["x", "x"], ["y"])], [("x", INT64, [8])], INT64, {}, tmp_path, workers, given)
    assert limit_of(report) == "range=x within 0..30000"


def test_integers_that_pass_through_float(workers: Workers, tmp_path: Path) -> None:
    nodes = [node("Max", ["x", "low"], ["a"]), node("Min", ["a", "high"], ["y"])]
    constants = {"low": np.int32(0), "high": np.int32(2**30 + 1)}
    report = converted(nodes, [("x", INT32, [8])], INT32, constants, tmp_path, workers)
    assert limit_of(report) == "range=x within -30000..30000"


@pytest.mark.parametrize(("dtype", "low"), [(INT64, -(2**31) + 1), (UINT32, 0)])
def test_integers_that_the_engine_cannot_hold(dtype: int, low: int, workers: Workers, tmp_path: Path) -> None:
    report = converted([node("Cast", ["x"], ["y"], to=FLOAT)], [("x", dtype, [8])], FLOAT, {}, tmp_path, workers)
    assert limit_of(report) == f"range=x within {low}..{2**31 - 1}"


def test_32_bit_integers_that_are_right_to_their_ends_need_no_condition(workers: Workers, tmp_path: Path) -> None:
    report = converted(
        [node("Add", ["x", "k"], ["y"])], [("x", INT32, [8])], INT32, {"k": np.int32(0)}, tmp_path, workers
    )
    assert (report.verdict, report.conditions) == (Answer.OK, ())


def test_an_integer_that_decides_a_size_stays_small(workers: Workers, tmp_path: Path) -> None:
    """2^31 elements would take all memory."""
    nodes = [node("Range", ["zero", "n", "one"], ["a"]), node("Cast", ["a"], ["y"], to=FLOAT)]
    constants = {"zero": np.int64(0), "one": np.int64(1)}
    report = converted(nodes, [("n", INT64, [])], FLOAT, constants, tmp_path, workers)
    assert report.ok
    assert not any(condition.startswith("range") for condition in report.conditions)


def test_seconds_since_1970_need_more_than_float(workers: Workers, tmp_path: Path) -> None:
    constants = {"start": np.float64(1.7e9)}
    report = converted([node("Sub", ["x", "start"], ["y"])], [("x", DOUBLE, [8])], DOUBLE, constants, tmp_path, workers)
    assert limit_of(report) == "precision=x within 24 bits"


def test_values_below_where_the_engine_begins_its_maximum(workers: Workers, tmp_path: Path) -> None:
    pool = node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    report = converted([pool], [("x", FLOAT, [1, 4, 16, 16])], FLOAT, {}, tmp_path, workers)
    assert limit_of(report) == "range=x within -1000000..1000000"


def test_floats_that_become_integers_the_engine_cannot_hold(workers: Workers, tmp_path: Path) -> None:
    report = converted([node("Cast", ["x"], ["y"], to=INT64)], [("x", FLOAT, [8])], INT64, {}, tmp_path, workers)
    assert limit_of(report) == "range=x within -30000000..30000000"


def test_a_nan_that_the_model_looks_for(workers: Workers, tmp_path: Path) -> None:
    nodes = [
        node("Equal", ["x", "x"], ["same"]),
        node("Where", ["same", "x", "zero"], ["y"]),
    ]
    constants = {"zero": np.zeros(16, np.float32)}
    report = converted(nodes, [("x", FLOAT, [16])], FLOAT, constants, tmp_path, workers)
    assert limit_of(report) == "finite=x"


def test_a_negative_zero_is_not_zero_for_the_engine(workers: Workers, tmp_path: Path) -> None:
    nodes = [node("Equal", ["x", "zero"], ["same"]), node("Cast", ["same"], ["y"], to=FLOAT)]
    constants = {"zero": np.zeros(16, np.float32)}
    report = converted(nodes, [("x", FLOAT, [16])], FLOAT, constants, tmp_path, workers)
    assert "zeros=x positive" in report.conditions


@pytest.mark.parametrize("op", ["GatherElements", "ScatterElements"])
def test_indices_that_count_from_the_end(op: str, workers: Workers, tmp_path: Path) -> None:
    inputs: list[Value] = [("x", FLOAT, [1, 8]), ("i", INT64, [1, 3])]
    updates = ["u"] if op == "ScatterElements" else []
    nodes = [node(op, ["x", "i", *updates], ["y"], axis=1)]
    report = converted(nodes, inputs, FLOAT, {"u": random(1, 3)} if updates else {}, tmp_path, workers)
    assert limit_of(report) == "range=i within 0..7"


def test_lengths_of_nothing(workers: Workers, tmp_path: Path) -> None:
    nodes = [node("ReverseSequence", ["x", "lens"], ["y"], batch_axis=0, time_axis=1)]
    inputs: list[Value] = [("x", FLOAT, [None, None]), ("lens", INT64, [None])]
    report = converted(nodes, inputs, FLOAT, {}, tmp_path, workers)
    assert "range=lens within 1..17" in report.conditions


def test_negative_rows_of_a_table_are_right(workers: Workers, tmp_path: Path) -> None:
    nodes = [node("Gather", ["table", "i"], ["y"])]
    report = converted(nodes, [("i", INT64, [8])], FLOAT, {"table": random(30, 4)}, tmp_path, workers)
    assert (report.verdict, report.conditions) == (Answer.OK, ())


def test_a_cache_that_is_empty_before_the_first_step(workers: Workers, tmp_path: Path) -> None:
    """MNN 3.6.1 multiplies an empty matrix to something else than an empty one."""
    nodes = [node("MatMul", ["past", "w"], ["m"]), node("Concat", ["m", "x"], ["y"], axis=1)]
    inputs: list[Value] = [("x", FLOAT, [1, 1, 8]), ("past", FLOAT, [1, "t", 8])]
    report = converted(nodes, inputs, FLOAT, {"w": random(8, 8)}, tmp_path, workers)
    assert limit_of(report) == "size=t at least 1"


def test_a_network_that_makes_no_difference_there_needs_no_condition(workers: Workers, tmp_path: Path) -> None:
    nodes = [
        node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        node("Relu", ["c"], ["r"]),
        node("MaxPool", ["r"], ["y"], kernel_shape=[2, 2], strides=[2, 2]),
    ]
    report = converted(nodes, [("x", FLOAT, [1, 3, 16, 16])], FLOAT, {"w": random(8, 3, 3, 3)}, tmp_path, workers)
    assert (report.verdict, report.conditions) == (Answer.OK, ())
