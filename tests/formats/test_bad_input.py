"""Every file that no engine may see is refused in one line that names the thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.formats.conftest import Open, Refused
from tests.formats.models import array, conv_model, if_model, model, value
from workbench.children.outcome import Outcome
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.steps import Quiet
from workbench.formats.onnx.importer import IMPORTER
from workbench.formats.registry import open_model

DATA = Path(__file__).parent.parent / "data" / "onnx"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("external_data_missing", "The external data file weights.bin of tensor w is missing"),
        ("external_data_traversal", "Tensor w asks for ../outside.bin, which is outside the model's folder"),
        ("truncated_protobuf", "The file is cut off: it has 3533 bytes and announces 7061"),
        ("lfs_pointer_as_onnx", "This is a Git LFS pointer, not the model itself"),
        ("dangling_input", "Node y (Add) reads ghost, which nothing produces"),
        ("cyclic_graph", "The graph has a cycle, so no node of it can run first: b → a → b"),
    ],
)
def test_files_that_people_reported_are_refused_by_name(refused: Refused, name: str, what: str) -> None:
    assert str(refused(DATA / f"{name}.onnx").what) == what


def relu_model(**changes: object) -> onnx.ModelProto:
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [value("x")], [value("y")])
    for name, change in changes.items():
        setattr(proto, name, change)
    return proto


def without_graph() -> onnx.ModelProto:
    return onnx.ModelProto(ir_version=9, producer_name="tests", opset_import=[helper.make_opsetid("", 17)])


def with_inputs(*inputs: onnx.ValueInfoProto) -> onnx.ModelProto:
    return model([helper.make_node("Relu", ["x"], ["y"])], inputs, [value("y")])


def broken_weight(**changes: object) -> onnx.ModelProto:
    weight = array("w", np.zeros((4, 3, 3, 3)))
    for name, change in changes.items():
        if name == "dims":
            del weight.dims[:]
            weight.dims.extend(change)  # type: ignore[arg-type]
        else:
            setattr(weight, name, change)
    return conv_model(weight)


def without_outputs() -> onnx.ModelProto:
    proto = relu_model()
    del proto.graph.output[:]
    return proto


def without_opsets() -> onnx.ModelProto:
    proto = relu_model()
    del proto.opset_import[:]
    return proto


def sequences(*pairs: tuple[str, str]) -> onnx.ModelProto:
    nodes = [helper.make_node("Neg", [before], [after], name=f"n{i}") for i, (before, after) in enumerate(pairs)]
    return model(nodes, [value("x")], [value(pairs[-1][1], None)])


def dangling_in_branch() -> onnx.ModelProto:
    proto = if_model()
    proto.graph.node[0].attribute[1].g.node[0].input[0] = "ghost"
    return proto


def own_output_in_branch() -> onnx.ModelProto:
    proto = if_model()
    for attribute in proto.graph.node[0].attribute:
        attribute.g.node[-1].input[0] = "y"
    return proto


def duplicate_in_branch() -> onnx.ModelProto:
    proto = if_model()
    body = next(a.g for a in proto.graph.node[0].attribute if a.name == "else_branch")
    body.node[0].output[0] = "z"
    return proto


def typed_weight(count: int) -> onnx.ModelProto:
    return conv_model(TensorProto(name="w", data_type=1, dims=[4, 3, 3, 3], float_data=[0.5] * count))


def short_attribute_tensor() -> onnx.ModelProto:
    tensor = TensorProto(data_type=1, dims=[9], raw_data=bytes(8))
    nodes = [helper.make_node("Constant", [], ["k"], value=tensor), helper.make_node("Add", ["x", "k"], ["y"])]
    return model(nodes, [value("x")], [value("y", None)])


BROKEN: dict[str, tuple[Callable[[], onnx.ModelProto], str]] = {
    "no graph": (without_graph, "This ONNX file holds no graph"),
    "no outputs": (without_outputs, "The graph has no outputs"),
    "no opset": (without_opsets, "The model does not say which opset it uses"),
    "opset too new": (
        lambda: model([helper.make_node("Relu", ["x"], ["y"])], [value("x")], [value("y")], opset=999),
        "Opset 999 is not known here; the newest known is",
    ),
    "opset negative": (
        lambda: model([helper.make_node("Relu", ["x"], ["y"])], [value("x")], [value("y")], opset=-3),
        "Opset -3 is not known here",
    ),
    "IR too new": (lambda: relu_model(ir_version=999), "IR version 999 is newer than"),
    "raw data short": (
        lambda: broken_weight(raw_data=bytes(428)),
        "Initializer w (float32[4, 3, 3, 3]) takes 432 bytes, but the file has 428",
    ),
    "raw data long": (lambda: broken_weight(raw_data=bytes(436)), "takes 432 bytes, but the file has 436"),
    "no data": (
        lambda: conv_model(TensorProto(name="w", data_type=1, dims=[4, 3, 3, 3])),
        "Initializer w (float32[4, 3, 3, 3]) needs 108 values, but the file has 0",
    ),
    "typed data short": (lambda: typed_weight(107), "needs 108 values, but the file has 107"),
    "typed data in another type's field": (
        lambda: conv_model(TensorProto(name="w", data_type=1, dims=[4, 3, 3, 3], int64_data=[1] * 108)),
        "needs 108 values, but the file has 0",
    ),
    "attribute tensor short": (short_attribute_tensor, "Initializer k.value (float32[9]) takes 36 bytes, but"),
    "negative shape": (
        lambda: broken_weight(dims=[-4, 3, 3, 3]),
        "Initializer w has an impossible shape: float32[-4, 3, 3, 3]",
    ),
    "absurd shape": (lambda: broken_weight(dims=[1 << 40, 1 << 40]), "Initializer w has an impossible shape"),
    "unknown element type": (lambda: broken_weight(data_type=77), "Tensor w is of type 77, which ONNX does not know"),
    "undefined element type": (lambda: broken_weight(data_type=0), "Tensor w is of type 0, which ONNX does not know"),
    "unknown type of an input": (lambda: with_inputs(value("x", (1,), 99)), "Tensor x is of type 99"),
    "input without a type": (
        lambda: with_inputs(onnx.ValueInfoProto(name="x")),
        "The input x has no element type",
    ),
    "input without a name": (lambda: with_inputs(value("x"), value("")), "An input or output of the graph has no name"),
    "initializer without a name": (lambda: broken_weight(name=""), "Node /conv (Conv) reads w, which nothing produces"),
    "unread initializer without a name": (
        lambda: model([helper.make_node("Relu", ["x"], ["y"])], [value("x")], [value("y")], [array("", [1])]),
        "An initializer has no name",
    ),
    "node without an operator": (
        lambda: model([helper.make_node("", ["x"], ["y"])], [value("x")], [value("y")]),
        "Node y has no operator",
    ),
    "two inputs of one name": (lambda: with_inputs(value("x"), value("x")), "Two inputs or initializers are called x"),
    "output of nothing": (
        lambda: model([helper.make_node("Relu", ["x"], ["y"])], [value("x")], [value("ghost")]),
        "Nothing produces the output ghost",
    ),
    "tensor produced twice": (
        lambda: sequences(("x", "a"), ("x", "a"), ("a", "y")),
        "Node n1 produces a, which already exists",
    ),
    "input produced again": (lambda: sequences(("x", "a"), ("a", "x")), "Node n1 produces x, which already exists"),
    "node that reads itself": (lambda: sequences(("y", "y")), "so no node of it can run first: n0 → n0"),
    "long cycle": (
        lambda: sequences(("h", "a"), *((chr(97 + i), chr(98 + i)) for i in range(7))),
        "The graph has a cycle, so no node of it can run first: n",
    ),
    "dangling input in a branch": (dangling_in_branch, "Node z (MatMul) reads ghost, which nothing produces"),
    "branch that reads its own result": (own_output_in_branch, "so no node of it can run first: y → y"),
    "tensor produced twice in a branch": (duplicate_in_branch, "Node z produces z, which already exists"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_models_are_refused_by_name(refused: Refused, tmp_path: Path, name: str) -> None:
    make, what = BROKEN[name]
    path = tmp_path / "model.onnx"
    path.write_bytes(make().SerializeToString())
    assert what in str(refused(path).what)


def test_control_characters_in_names_do_not_reach_a_terminal(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    nodes = [helper.make_node("Relu", ["gh\x1b]0;ost\x07\nsecond line"], ["y"])]
    path.write_bytes(model(nodes, [value("x")], [value("y")]).SerializeToString())
    what = str(refused(path).what)
    assert what == "Node y (Relu) reads gh\ufffd]0;ost\ufffd second line, which nothing produces"


@pytest.mark.parametrize("depth", [70, 2000])
def test_graphs_nested_without_end_are_refused(refused: Refused, tmp_path: Path, depth: int) -> None:
    content = helper.make_graph([], "", [], [value("y")]).SerializeToString()
    for _ in range(depth):
        attribute = _field(1, b"body") + b"\xa0\x01\x05" + _field(6, content)
        content = _field(1, _field(4, b"Loop") + _field(5, attribute))
    path = tmp_path / "model.onnx"
    path.write_bytes(b"\x08\x09" + _field(7, content))
    assert "damaged at byte" in str(refused(path).what)


def _field(number: int, content: bytes) -> bytes:
    size, out = len(content), bytearray([number << 3 | 2])
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes((*out, size)) + content


def test_a_name_that_is_not_text_is_refused(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(relu_model().SerializeToString().replace(b"Relu", b"Re\xfff"))
    assert "damaged at byte" in str(refused(path).what)


def test_a_protobuf_of_another_program_is_refused(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(_field(1, _field(1, b"node") + _field(2, b"Placeholder")))  # a TensorFlow GraphDef
    assert "This is not an ONNX model, or it is damaged at byte 0" in str(refused(path).what)


def test_every_cut_of_a_file_is_told_as_a_cut(refused: Refused, tmp_path: Path) -> None:
    whole = conv_model().SerializeToString()
    path = tmp_path / "model.onnx"
    for size in range(40, len(whole) - 4, 37):
        path.write_bytes(whole[:size])
        assert str(refused(path).what).startswith(f"The file is cut off: it has {size} bytes and announces")


def test_a_model_opens_after_a_hundred_refusals(opened: Open, refused: Refused, tmp_path: Path) -> None:
    for _ in range(100):
        refused(DATA / "cyclic_graph.onnx")
    (tmp_path / "good.onnx").write_bytes(conv_model().SerializeToString())
    assert opened(tmp_path / "good.onnx").graph.nodes


class Crashing(Workers):
    """Workers whose ONNX reader dies in shape inference, or at once."""

    def run(self, module: str, function: str, request: Mapping[str, Any], *args: Any, **kwargs: Any) -> Outcome:
        return super().run("tests.formats.crashing_worker", function, request, *args, **kwargs)


def test_shape_inference_that_crashes_costs_only_the_shapes(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(conv_model().SerializeToString())
    with Crashing() as workers:
        read = open_model(path, (IMPORTER,), workers, Quiet())
    assert list(map(str, read.notes)) == [
        "Shapes were not inferred: onnx's shape inference ended with SIGSEGV on this model."
    ]
    assert [node.op for node in read.graph.nodes] == ["Conv", "Relu"]
    assert "c" not in read.graph.tensors


def test_a_reader_that_crashes_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deadly.onnx"
    path.write_bytes(conv_model().SerializeToString())
    with Crashing() as workers, pytest.raises(BadInput, match="its reader ended with SIGSEGV") as caught:
        open_model(path, (IMPORTER,), workers, Quiet())
    assert caught.value.where == str(path)
