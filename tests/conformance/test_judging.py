"""The judges themselves: a test that could not find a lie would prove nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.conformance import results
from tests.conformance.arrays import TOLERANCE, Array, difference
from tests.conformance.conditions import covers, paths, winograd
from tests.conformance.engine import Engine
from tests.conformance.forms import FORMS
from tests.conformance.node_tests import applicable, left_out
from tests.conformance.trial import Result

RIGHT = np.array([1.0, -2.0, np.nan, np.inf], np.float32)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (np.zeros((1, 2)), np.zeros(2)),
        (np.array([1, 2, 4]), np.array([1, 2, 3])),
        (np.array([5]), np.array([True])),
        (np.array([1.0, -2.0, 0.0, np.inf]), RIGHT),
        (np.array([1.0, -2.0, np.nan, -np.inf]), RIGHT),
        (np.array([1.01, -2.0, np.nan, np.inf]), RIGHT),
    ],
)
def test_what_differs_is_found(found: Array, expected: Array) -> None:
    assert difference(found, expected, TOLERANCE)


def test_what_is_equal_or_close_is_right() -> None:
    assert difference(RIGHT, RIGHT, TOLERANCE) == ""
    assert difference(RIGHT * np.float32(1.001), RIGHT, TOLERANCE) == ""
    assert difference(np.array([1, 0]), np.array([True, False]), TOLERANCE) == ""


def test_conditions_are_read() -> None:
    assert paths(("path=module",)) == ("module",)
    assert paths(("winograd=off",)) == ("module", "session")
    assert not winograd(("winograd=off",))
    inputs = {"x": np.array([-0.0, 3.0, np.inf], np.float32)}
    assert covers(("path=module", "range=x within 0..3"), inputs)
    assert not covers(("range=x within 0..2",), inputs)
    assert not covers(("finite=x",), inputs)
    assert not covers(("zeros=x positive",), inputs)
    assert covers(("precision=x within 24 bits",), inputs)
    assert not covers(("precision=x within 24 bits",), {"x": np.array([0.1])})


def test_an_engine_that_crashes_is_told_and_started_again(tmp_path: Path) -> None:
    """A MaxPool without strides ends MNN 3.6.1 with SIGFPE."""
    crashing, working = applicable(("test_maxpool_2d_default", "test_relu"))
    with Engine() as engine:
        assert engine_says(engine, crashing, crashing, tmp_path).startswith("crash")
        assert engine_says(engine, working, working, tmp_path) == ""


def test_an_artifact_that_computes_something_else_is_wrong(tmp_path: Path) -> None:
    made, meant = applicable(("test_floor", "test_ceil"))
    with Engine() as engine:
        assert engine_says(engine, made, meant, tmp_path).startswith("error")


def engine_says(engine: Engine, made: object, meant: object, folder: Path) -> str:
    """What is wrong with the model of ``made`` where the outputs of ``meant`` are expected."""
    model = made.model
    onnx.save(model, folder / "m.onnx")
    assert engine.convert(folder / "m.onnx", folder / "m.mnn") == ""
    (name,), (output,) = [value.name for value in model.graph.input], [value.name for value in model.graph.output]
    inputs, outputs = {name: made.inputs[0]}, {output: meant.outputs[0]}
    return engine.wrong(folder / "m.mnn", inputs, outputs, "module", TOLERANCE, winograd=True)


def test_forms_make_parameters_constant_and_axes_open() -> None:
    (test,) = applicable(("test_reduce_sum_keepdims_example",))
    model, arrays = FORMS["inputs"](test)
    assert len(model.graph.input) == len(arrays) == 2
    model, arrays = FORMS["constants"](test)
    assert len(model.graph.input) == len(arrays) == 1
    model, _ = FORMS["open"](test)
    assert all(dim.dim_param for dim in model.graph.input[0].type.tensor_type.shape.dim)


def test_tests_that_say_nothing_of_the_engine_are_left_out() -> None:
    assert left_out("test_relu") == ""
    assert left_out("test_cast_FLOAT_to_FLOAT8E4M3FN") == "type"
    assert left_out("test_sequence_insert_at_back") == "sequence or optional"
    assert left_out("test_string_concat") == "string"
    assert left_out("test_training_dropout") == "random"


def test_results_outlive_a_run_that_was_cut_off(tmp_path: Path) -> None:
    one = Result("a", "A", "inputs", "ok", True, ("path=module",), "", ("own, module: error",), True, "", "", 0.5)
    file = tmp_path / "r.jsonl"
    results.append(file, one)
    results.append(file, replace(one, name="b"))
    file.write_bytes(file.read_bytes()[:-20])
    assert results.read(file) == (one,)
    assert "LIE a" in results.summary((one,))
