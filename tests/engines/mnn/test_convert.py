from __future__ import annotations

import threading
from pathlib import Path

import onnx
import pytest
from onnx import helper

from tests.engines.mnn.onnx_models import node, save, weights
from workbench.children.outcome import Limits
from workbench.children.workers import Workers
from workbench.core.errors import Cancelled, UsageError
from workbench.core.graph import Graph, Model
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.engines.mnn import convert as convert_step
from workbench.engines.mnn.convert import convert_model
from workbench.engines.mnn.converted import Converted, NotConverted, WhyNot
from workbench.engines.mnn.mnn_file import MnnFile
from workbench.engines.mnn.stored_values import stored_weights

INT8, INT4 = LayerQuant(8), LayerQuant(4)


@pytest.fixture
def two_layers(tmp_path: Path) -> Path:
    """Two convolutions of 32 to 32 channels, called first and second, that make c and d."""
    nodes = [
        node("Conv", ["x", "w"], ["c"], name="first"),
        node("Relu", ["c"], ["r"], name="between"),
        node("Conv", ["r", "w2"], ["d"], name="second"),
        node("Relu", ["d"], ["y"], name="last"),
    ]
    constants = {"w": weights(32, 32, 1, 1), "w2": weights(32, 32, 1, 1, seed=5)}
    return save(tmp_path / "model.onnx", nodes, constants, {"x": (1, 32, 4, 4)}, {"y": (1, 32, 4, 4)})


def forms(result: Converted) -> dict[str, str]:
    with MnnFile(result.path) as file:
        return {op.name: f"{op.weights.form}{op.weights.bits or ''}" for op in file.ops() if op.weights}


def conversion(path: Path, workers: Workers, folder: Path, **options):
    """A conversion of a file that the reader would refuse: what the converter makes of it."""
    folder.mkdir(exist_ok=True)
    model = Model(str(path), "onnx", 0, "", {}, Graph("g", "", (), (), (), (), {}))
    return convert_model(model, path, QuantPlan(), folder, workers, Quiet(), **options)


def test_a_float_model_is_converted_with_the_arguments_that_are_told(two_layers: Path, converted) -> None:
    result = converted(two_layers)
    assert forms(result) == {"c": "float", "d": "float"}
    assert result.argv == (("-f", "ONNX", "--modelFile", "in.onnx", "--MNNModel", "out.mnn", "--bizCode", "workbench"),)
    assert result.bytes == result.path.stat().st_size
    assert "Converted Success!" in result.lines
    assert (result.layers_applied, result.plan_weights, result.notes) == ((), {}, ())


def test_each_layer_gets_the_bits_of_the_plan(two_layers: Path, converted) -> None:
    plan = QuantPlan(INT8).with_layer("d", LayerQuant(3, symmetric=True, block=16))
    result = converted(two_layers, plan)
    applied = {a.op_name: (a.node, a.bits, a.asymmetric, a.blocks) for a in result.layers_applied}
    assert applied == {"c": ("c", 8, True, 1), "d": ("d", 3, False, 2)}


def test_a_layer_kept_float_overrides_the_default(two_layers: Path, converted) -> None:
    assert forms(converted(two_layers, QuantPlan(INT8).with_layer("c", FLOAT))) == {"c": "float", "d": "int8"}


def test_half_floats_alone_take_one_call_and_beside_integers_two(two_layers: Path, converted) -> None:
    half = converted(two_layers, QuantPlan(half_floats=True))
    assert forms(half) == {"c": "half", "d": "half"}
    assert {a.bits for a in half.layers_applied} == {16}
    mixed = converted(two_layers, QuantPlan(half_floats=True).with_layer("c", INT4))
    assert forms(mixed) == {"c": "int4", "d": "half"}
    assert [call[call.index("-f") + 1] for call in mixed.argv] == ["ONNX", "MNN"]


def test_hqq_keeps_the_bits_of_each_layer(two_layers: Path, converted) -> None:
    result = converted(two_layers, QuantPlan(INT4, hqq=True).with_layer("d", FLOAT))
    assert forms(result) == {"c": "int4", "d": "float"}
    (saved,) = (layer["read_back"] for layer in result.plan_weights["layers"])
    assert [Path(file).exists() for file in saved] == [True]


@pytest.mark.parametrize(
    ("plan", "what", "hint"),
    [
        (QuantPlan().with_layer("fist", INT8), "does not have", "first"),
        (QuantPlan().with_layer("r", INT8), "between has no weights", "stays floating point"),
        (QuantPlan().with_layer("c", LayerQuant(8, block=48)), "blocks of 48 do not fit", "Blocks of 16, 32 fit"),
        (QuantPlan(LayerQuant(8, symmetric=True), hqq=True), "asymmetrically only", "asymmetric"),
        (QuantPlan(hqq=True), "HQQ needs layers with bits", "bits"),
    ],
    ids=["no such layer", "no weights", "block", "hqq symmetric", "hqq float"],
)
def test_a_plan_that_the_converter_would_not_carry_out_is_refused(
    two_layers: Path, convert, plan: QuantPlan, what: str, hint: str
) -> None:
    with pytest.raises(UsageError) as raised:
        convert(two_layers, plan)
    assert what in str(raised.value.what)
    assert hint in str(raised.value.hint)


def test_a_default_block_that_does_not_fit_a_layer_is_told(two_layers: Path, converted) -> None:
    result = converted(two_layers, QuantPlan(LayerQuant(8, block=48)))
    assert "first, second" in str(result.notes[0])
    assert {a.blocks for a in result.layers_applied} == {1}


def test_a_layer_that_the_converter_did_not_quantize_is_named(workers: Workers, opened, tmp_path: Path) -> None:
    nodes = [node("Conv", ["x", "w"], ["c"], name="real"), node("Relu", ["c"], ["y"])]
    source = save(tmp_path / "m.onnx", nodes, {"w": weights(8, 8, 1, 1)}, {"x": (1, 8, 2, 2)}, {"y": (1, 8, 2, 2)})
    model = opened(source)
    renamed = tmp_path / "renamed.onnx"  # what is converted is not what was read: no operator has the layer's name
    doc = onnx.load(source)
    doc.graph.node[0].output[0] = doc.graph.node[1].input[0] = "other"
    onnx.save(doc, renamed)
    folder = tmp_path / "conversion"
    folder.mkdir()
    result = convert_model(model, renamed, QuantPlan(INT8), folder, workers, Quiet())
    assert isinstance(result, NotConverted)
    assert (result.why, result.nodes) == (WhyNot.NOT_APPLIED, ("c",))
    assert "real" in str(result.what)


def test_a_plan_that_the_converter_passed_over_is_no_conversion(
    two_layers: Path, opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convert_step, "WORKER", "tests.engines.mnn.careless_worker")
    folder = tmp_path / "conversion"
    folder.mkdir()
    plan = QuantPlan(INT8).with_layer("d", LayerQuant(4, symmetric=True, block=16))
    with Workers() as workers:
        result = convert_model(opened(two_layers), two_layers, plan, folder, workers, Quiet())
    assert isinstance(result, NotConverted)
    assert (result.why, result.nodes) == (WhyNot.NOT_APPLIED, ("c", "d"))
    assert str(result.what) == (
        "The converter did not apply the plan to first and 1 more: float instead of 8 bit, one scale a channel"
    )


def test_unsupported_operators_are_told_with_their_nodes(workers: Workers, convert, tmp_path: Path) -> None:
    nodes = [node("IsNaN", ["x"], ["n"]), node("Cast", ["n"], ["f"], to=1), node("Mish", ["f"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {}, {"x": (2, 3)}, {"y": (2, 3)})
    model = onnx.load(path)
    model.opset_import[0].version = 18
    onnx.save(model, path)
    result = convert(path)
    assert (result.why, set(result.nodes)) == (WhyNot.UNSUPPORTED, {"n", "y"})
    assert "IsNaN, Mish" in str(result.what)


def test_an_operator_of_another_domain_is_refused_though_the_converter_takes_it(convert, tmp_path: Path) -> None:
    foreign = helper.make_node("Relu", ["x"], ["y"], domain="my.domain")
    path = save(tmp_path / "m.onnx", [foreign], {}, {"x": (2, 3)}, {"y": (2, 3)})
    model = onnx.load(path)
    model.opset_import.append(helper.make_opsetid("my.domain", 1))
    onnx.save(model, path)
    result = convert(path)
    assert (result.why, result.nodes) == (WhyNot.UNSUPPORTED, ("y",))
    assert "my.domain::Relu" in str(result.what)


def test_a_crashed_converter_reports_its_signal_and_what_it_said_last(workers: Workers, tmp_path: Path) -> None:
    dangling = save(tmp_path / "m.onnx", [node("Add", ["x", "gone"], ["y"])], {}, {"x": (2, 3)}, {"y": (2, 3)})
    result = conversion(dangling, workers, tmp_path / "a")
    assert result.why is WhyNot.CRASHED
    assert "SIGSEGV" in str(result.what) or "SIGABRT" in str(result.what)
    assert "Start to Optimize the MNN Net..." in result.lines


@pytest.mark.parametrize(("content", "reason"), [(b"", "ERROR"), (b"garbage" * 9, "ERROR"), (None, "Not Exist")])
def test_a_file_that_is_no_model_fails_with_the_converters_reason(
    workers: Workers, tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "m.onnx"
    if content is not None:
        path.write_bytes(content)
    result = conversion(path, workers, tmp_path / "a")
    assert result.why is WhyNot.FAILED
    assert reason in str(result.what)


def test_a_model_left_by_an_earlier_conversion_is_not_taken_for_a_new_one(
    two_layers: Path, workers: Workers, converted, tmp_path: Path
) -> None:
    old = converted(two_layers).path
    (tmp_path / "bad.onnx").write_bytes(b"garbage")
    assert conversion(tmp_path / "bad.onnx", workers, old.parent).why is WhyNot.FAILED
    assert not old.exists()


def test_a_converter_that_takes_too_long_or_too_much_is_ended(
    two_layers: Path, workers: Workers, tmp_path: Path
) -> None:
    large = save(
        tmp_path / "large.onnx",
        [node("MatMul", ["x", "w"], ["y"])],
        {"w": weights(4096, 4096)},
        {"x": (1, 4096)},
        {"y": (1, 4096)},
    )
    slow = conversion(large, workers, tmp_path / "a", limits=Limits(seconds=0.001))
    assert slow.why is WhyNot.TIMED_OUT
    fat = conversion(large, workers, tmp_path / "b", limits=Limits(rss_bytes=1 << 20))
    assert fat.why is WhyNot.OUT_OF_MEMORY


class CancelledAtOnce(Quiet):
    """A context whose user cancels as soon as the converter runs."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()

    def check(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled

    def on_cancel(self, stop):
        self.cancelled.set()
        stop()
        return lambda: None


def test_cancel_ends_the_converter(two_layers: Path, workers: Workers, opened, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        convert_model(opened(two_layers), two_layers, QuantPlan(), tmp_path, workers, CancelledAtOnce())
    assert workers.pids() == ()


def test_a_constant_of_shape_without_value_is_noted(convert, tmp_path: Path) -> None:
    def notes(**attributes: onnx.TensorProto) -> tuple[str, ...]:
        nodes = [
            node("Shape", ["x"], ["s"]),
            node("ConstantOfShape", ["s"], ["z"], name="zeros", **attributes),
            node("Add", ["x", "z"], ["y"]),
        ]
        result = convert(save(tmp_path / "m.onnx", nodes, {}, {"x": (2, 3)}, {"y": (2, 3)}))
        assert isinstance(result, Converted)
        return tuple(map(str, result.notes))

    (note,) = notes()
    assert "zeros" in note
    assert notes(value=helper.make_tensor("v", onnx.TensorProto.FLOAT, [1], [1.0])) == ()


def test_extra_arguments_reach_the_converter(two_layers: Path, workers: Workers, opened, tmp_path: Path) -> None:
    folder = tmp_path / "conversion"
    folder.mkdir()
    extra = ("--saveExternalData=1",)
    result = convert_model(opened(two_layers), two_layers, QuantPlan(INT8), folder, workers, Quiet(), extra=extra)
    assert isinstance(result, Converted)
    assert result.argv[0][-1] == extra[0]
    assert result.weights is not None
    assert result.bytes == result.path.stat().st_size + result.weights.stat().st_size
    assert forms(result) == {"c": "int8", "d": "int8"}


def test_the_weights_file_belongs_to_its_model(two_layers: Path, workers: Workers, opened, tmp_path: Path) -> None:
    folder = tmp_path / "conversion"
    folder.mkdir()
    result = convert_model(
        opened(two_layers), two_layers, QuantPlan(), folder, workers, Quiet(), extra=("--saveExternalData=1",)
    )
    assert isinstance(result, Converted)
    with MnnFile(result.path) as file:
        values = next(stored_weights(file, op.weights) for op in file.ops() if op.weights)
    assert (values == weights(32, 32, 1, 1).ravel()).all()
