from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.engines.models import BOOL, FLOAT, INT64, convolution, node, random, write, wrong_in_the_middle
from tests.engines.steps import opened, subject
from workbench.children.outcome import End, Limits
from workbench.children.workers import Workers
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.attempts import run_limits
from workbench.engines.judge import TOLERANCE
from workbench.engines.mnn.run import SESSION, DidNotRun, Feed, Ran, Setting, run_model
from workbench.engines.ort.reference import Reference
from workbench.engines.verify import Verified, verify

DEFAULT = Setting()
LIMITS = Limits(seconds=60)


def verified(path: Path, folder: Path, workers: Workers, plan: QuantPlan = QuantPlan(), **options) -> Verified:
    what = subject(opened(path, workers), folder, workers, plan)
    own = folder / "verified"
    own.mkdir()
    return verify(what, own, workers, Quiet(), **options)


def test_a_right_model_is_ok_with_its_figure(workers: Workers, tmp_path: Path) -> None:
    found = verified(convolution(tmp_path / "m.onnx"), tmp_path, workers)
    assert (found.answer, found.conditions) == (Answer.OK, ())
    figure = found.verification.engine
    assert figure is not None
    assert figure.right
    assert 0.0 < figure.max_rel_error < TOLERANCE
    assert (figure.inputs, figure.sizes) == (9, 2)
    assert found.verification.price is None


def test_a_wrong_model_is_told_with_its_output_input_and_error(workers: Workers, tmp_path: Path) -> None:
    found = verified(wrong_in_the_middle(tmp_path / "m.onnx"), tmp_path, workers)
    assert found.answer is Answer.WRONG
    figure = found.verification.engine
    assert figure is not None
    assert not figure.right
    assert figure.max_rel_error > TOLERANCE
    assert found.wrong[0].row.output == "y"
    assert "Output y" in str(found.verification.reason)
    assert "2x5" in str(found.verification.reason)


def test_a_model_that_is_wrong_at_the_second_size_only_is_wrong(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("LSTM", ["x", "w", "r", "b", "", "h", "c"], ["y", "yh", "yc"], hidden_size=4)],
        [("x", FLOAT, ["seq", 1, 3]), ("h", FLOAT, [1, 1, 4]), ("c", FLOAT, [1, 1, 4])],
        [("y", FLOAT, ["seq", 1, 1, 4]), ("yh", FLOAT, [1, 1, 4]), ("yc", FLOAT, [1, 1, 4])],
        {"w": random(1, 16, 3), "r": random(1, 16, 4, seed=1), "b": random(1, 32, seed=2)},
    )
    found = verified(path, tmp_path, workers)
    assert found.answer is Answer.WRONG
    assert all(judged.row.case >= 6 for judged in found.wrong)


def test_an_engine_that_crashes_is_told_with_its_signal(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], dilations=[2, 2])],
        [("x", FLOAT, [1, 2, 8, 8])],
        [("y", FLOAT, None)],
    )
    found = verified(path, tmp_path, workers)
    assert found.answer is Answer.CRASH
    assert found.stopped is not None
    assert found.stopped.end is End.CRASHED
    assert found.stopped.signal in str(found.verification.reason)
    assert found.stopped.signal.startswith("SIG")


def test_a_result_that_needs_winograd_off_carries_the_condition(workers: Workers, tmp_path: Path) -> None:
    """A high-pass filter over values far from zero: Winograd's sums lose what is left."""
    weights = random(16, 16, 3, 3)
    path = write(
        tmp_path / "m.onnx",
        [node("Add", ["x", "far"], ["a"]), node("Conv", ["a", "w"], ["y"])],
        [("x", FLOAT, [1, 16, 32, 32])],
        [("y", FLOAT, None)],
        {"far": np.float32(1000.0), "w": weights - weights.mean(axis=(1, 2, 3), keepdims=True)},
    )
    found = verified(path, tmp_path, workers)
    assert (found.answer, found.conditions) == (Answer.OK_WITH_CONDITION, ("winograd=off",))


def test_what_only_the_module_path_computes_carries_the_condition(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("LSTM", ["x", "w", "r"], ["y", "yh", "yc"], hidden_size=4)],
        [("x", FLOAT, [5, 1, 3])],
        [("y", FLOAT, [5, 1, 1, 4]), ("yh", FLOAT, [1, 1, 4]), ("yc", FLOAT, [1, 1, 4])],
        {"w": random(1, 16, 3), "r": random(1, 16, 4, seed=1)},
    )
    found = verified(path, tmp_path, workers)
    assert (found.answer, found.conditions) == (Answer.OK_WITH_CONDITION, ("path=module",))


def test_an_integer_beyond_32_bits_is_wrong_not_masked(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Add", ["x", "big"], ["y"])],
        [("x", INT64, [4])],
        [("y", INT64, [4])],
        {"big": np.array([5_000_000_000])},
    )
    assert verified(path, tmp_path, workers).answer is Answer.WRONG


def test_integers_and_booleans_that_are_right_are_ok(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Add", ["x", "two"], ["y"]), node("Greater", ["x", "two"], ["z"])],
        [("x", INT64, [2, 4])],
        [("y", INT64, [2, 4]), ("z", BOOL, [2, 4])],
        {"two": np.array([2])},
    )
    assert verified(path, tmp_path, workers).answer is Answer.OK


def test_noise_excuses_what_the_reference_cannot_resolve_itself(workers: Workers, tmp_path: Path) -> None:
    """1e4 of weights that cancel to nearly nothing: the sum's last bits are noise on both sides."""
    weights = random(64, 16)
    path = write(
        tmp_path / "m.onnx",
        [
            node("MatMul", ["x", "w"], ["a"]),
            node("MatMul", ["x", "v"], ["b"]),
            node("Sub", ["a", "b"], ["y"]),
        ],
        [("x", FLOAT, [4, 64])],
        [("y", FLOAT, [4, 16])],
        {"w": weights * 1e4, "v": weights * 1e4 + random(64, 16, seed=1) * 1e-3},
    )
    found = verified(path, tmp_path, workers)
    assert found.answer is Answer.OK
    assert found.verification.engine is not None
    assert found.verification.engine.right


def test_too_few_inputs_that_the_reference_accepts_are_unverified(workers: Workers, tmp_path: Path) -> None:
    what = subject(opened(convolution(tmp_path / "m.onnx"), workers), tmp_path, workers)
    few = replace(what.reference, cases=what.reference.cases[:3])
    found = verify(replace(what, reference=few), tmp_path, workers, Quiet())
    assert found.answer is Answer.UNVERIFIED
    assert "3 made-up inputs" in str(found.verification.reason)


@pytest.fixture
def layered(tmp_path: Path) -> Path:
    return write(
        tmp_path / "m.onnx",
        [node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["y"])],
        [("x", FLOAT, [1, 8, 16, 16])],
        [("y", FLOAT, [1, 16, 16, 16])],
        {"w": random(16, 8, 3, 3)},
    )


def test_a_quantized_model_has_two_figures(layered: Path, workers: Workers, tmp_path: Path) -> None:
    found = verified(layered, tmp_path, workers, QuantPlan(LayerQuant(4)))
    engine, price = found.verification.engine, found.verification.price
    assert engine is not None
    assert price is not None
    assert found.answer.is_yes
    assert engine.max_rel_error < TOLERANCE
    assert engine.right
    assert 0.01 < price.relative_l2 < 0.2
    assert (price.right, price.tolerance) == (True, 0.2)


def test_a_plan_over_the_allowed_price_is_a_no_though_the_engine_is_right(
    layered: Path, workers: Workers, tmp_path: Path
) -> None:
    found = verified(layered, tmp_path, workers, QuantPlan(LayerQuant(4)), max_error=0.01)
    assert found.answer is Answer.WRONG
    assert found.verification.engine is not None
    assert found.verification.engine.right
    assert found.verification.price is not None
    assert not found.verification.price.right
    assert "0.01 is allowed" in str(found.verification.reason)


def test_a_channel_with_too_small_a_step_fails_the_engine_figure(workers: Workers, tmp_path: Path) -> None:
    weights = random(8, 6, 3, 3)
    weights[3] *= 1e-5
    path = write(
        tmp_path / "m.onnx",
        [node("Conv", ["x", "w"], ["c"]), node("Mul", ["c", "up"], ["y"])],
        [("x", FLOAT, [1, 6, 10, 10])],
        [("y", FLOAT, [1, 8, 8, 8])],
        {"w": weights, "up": np.array([1, 1, 1, 1e5, 1, 1, 1, 1], np.float32).reshape(1, 8, 1, 1)},
    )
    found = verified(path, tmp_path, workers, QuantPlan(LayerQuant(8)))
    assert found.answer is Answer.WRONG
    assert found.verification.engine is not None
    assert not found.verification.engine.right


def run(path: Path, folder: Path, workers: Workers, setting: Setting = DEFAULT) -> tuple[Ran | DidNotRun, Reference]:
    what = subject(opened(path, workers), folder, workers)
    feeds = [Feed(case.inputs, case.outputs, {}) for case in what.reference.cases]
    own = folder / "run"
    own.mkdir()
    names = [tensor.name for tensor in what.graph.inputs], [tensor.name for tensor in what.graph.outputs]
    limits = run_limits(what.reference)
    return run_model(what.converted.path, *names, setting, feeds, own, workers, Quiet(), limits), what.reference


@pytest.mark.parametrize("setting", [Setting(), Setting(winograd=False), Setting(SESSION), Setting(SESSION, False)])
def test_every_setting_runs_every_input_of_both_sizes(workers: Workers, tmp_path: Path, setting: Setting) -> None:
    ran, reference = run(convolution(tmp_path / "m.onnx"), tmp_path, workers, setting)
    assert isinstance(ran, Ran)
    assert ran.failures == ()
    assert [row.case for row in ran.rows] == list(range(len(reference.cases)))
    assert max(row.comparison.max_abs / row.comparison.largest for row in ran.rows if row.comparison.largest) < 1e-3


def test_a_run_that_computes_nothing_is_a_failure_not_an_empty_success(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [
            node("QuantizeLinear", ["x", "s", "z"], ["q"]),
            node("DequantizeLinear", ["q", "s", "z"], ["d"]),
            node("Conv", ["d", "w"], ["y"]),
        ],
        [("x", FLOAT, [1, 3, 8, 8])],
        [("y", FLOAT, None)],
        {"s": np.float32(0.1), "z": np.uint8(128), "w": random(4, 3, 3, 3)},
    )
    ran, reference = run(path, tmp_path, workers)
    assert isinstance(ran, Ran)
    assert len(ran.failures) == len(reference.cases)
    assert "nothing" in ran.failures[0].text


def test_a_file_that_is_no_model_does_not_run(workers: Workers, tmp_path: Path) -> None:
    (tmp_path / "m.mnn").write_bytes(b"not a model at all" * 10)
    ran = run_model(tmp_path / "m.mnn", ["x"], ["y"], Setting(), [], tmp_path, workers, Quiet(), LIMITS)
    assert isinstance(ran, DidNotRun)
    assert ran.end in (End.REFUSED, End.CRASHED)
