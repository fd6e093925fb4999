"""Every file that no engine may see is refused in one line that names the thing."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.formats.conftest import Open
from tests.formats.models import array, conv_model, external_weight, if_model, model, value
from workbench.children.outcome import Outcome
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.steps import Quiet
from workbench.formats.onnx.importer import IMPORTER
from workbench.formats.registry import open_model

DATA = Path(__file__).parent.parent / "data" / "onnx"
Refused = Callable[[Path], BadInput]


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


EXTERNAL: dict[str, tuple[onnx.TensorProto, str]] = {
    "missing": (external_weight("other.bin"), "The external data file other.bin of tensor w is missing"),
    "short": (external_weight("w.bin", 100), "file w.bin is too short: tensor w ends at byte 532 of 500"),
    "offset beyond": (external_weight("w.bin", 1 << 40), "is too short: tensor w ends at byte"),
    "negative offset": (external_weight("w.bin", -8), "has the external offset -8, which is no position in a file"),
    "offset in words": (external_weight("w.bin", "zero"), "Tensor w has the external offset zero"),
    "offset beyond 64 bits": (external_weight("w.bin", "9" * 40), "which is no position in a file"),
    "length of another shape": (
        external_weight("w.bin", 0, 400),
        "Tensor w (float32[4, 3, 3, 3]) takes 432 bytes, but its external data has 400",
    ),
    "no location": (external_weight(""), "Tensor w is external, but the model does not say in which file"),
    "absolute": (external_weight("/etc/passwd"), "Tensor w asks for /etc/passwd, which is outside the model's folder"),
    "drive": (external_weight("C:\\w.bin"), "which is outside the model's folder"),
    "share": (external_weight("\\\\host\\w.bin"), "which is outside the model's folder"),
    "up with a backslash": (external_weight("..\\w.bin"), "which is outside the model's folder"),
    "up and down again": (external_weight("sub/../../folder/w.bin"), "which is outside the model's folder"),
    "link that leaves": (external_weight("link.bin"), "Tensor w asks for link.bin, which is outside the"),
    "folder": (external_weight("sub"), "The external data file sub cannot be read: not a regular file"),
    "socket": (external_weight("socket"), "The external data file socket cannot be read: not a regular file"),
    "loop of links": (external_weight("loop"), "The external data file loop cannot be read"),
    "name too long": (external_weight("n" * 5000), "cannot be read"),
    "file as a folder": (external_weight("w.bin/inner"), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXTERNAL)
def test_external_data_that_cannot_be_trusted_is_refused(refused: Refused, tmp_path: Path, name: str) -> None:
    weight, what = EXTERNAL[name]
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "w.bin").write_bytes(bytes(500))
    (tmp_path / "outside.bin").write_bytes(bytes(500))
    (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
    (folder / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(folder, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/socket")  # a short path: AF_UNIX takes 108 bytes
        os.close(here)
    path = folder / "model.onnx"
    path.write_bytes(conv_model(weight).SerializeToString())
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


@pytest.mark.parametrize(
    ("head", "what", "hint"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer", "git lfs pull"),
        (b"PK\x03\x04" + bytes(60), "zip archive, such as PyTorch writes", "torch.onnx.export"),
        (b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.", "Python pickle", "torch.onnx.export"),
        (b"\x1c\x00\x00\x00TFL3" + bytes(60), "TensorFlow Lite", "ONNX"),
        (b"GGUF\x03\x00\x00\x00" + bytes(60), "GGUF", "Hugging Face"),
        (b"\x40\x00\x00\x00\x00\x00\x00\x00" + b'{"w":{"dtype":"F32"}}', "safetensors", "ONNX"),
        (b"\x89HDF\r\n\x1a\n" + bytes(60), "HDF5", "tf2onnx"),
        (b"\n<!DOCTYPE html><html><body>404", "web page", "Download the file itself"),
        (b"\x1f\x8b\x08\x00" + bytes(60), "compressed archive", "Unpack"),
        (b'{"nodes": []}', "JSON", "lies beside it"),
        ("# 模型\nsome notes".encode(), "text file", "model file"),
        (bytes(4096), "nothing but zeros", "again"),
    ],
)
@pytest.mark.parametrize("suffix", [".onnx", ".model", ""])
def test_other_files_are_told_what_they_are(
    refused: Refused, tmp_path: Path, head: bytes, what: str, hint: str, suffix: str
) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_bytes(head)
    error = refused(path)
    assert what in str(error.what)
    assert hint in str(error.hint)


def test_a_converted_model_is_told_to_be_run(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.mnn"
    head = "20000000 1c002400 08000000 0c001000 14000500 06001800 1c000700 00002000 1c000000 00000300"
    path.write_bytes(bytes.fromhex(head) + bytes(80))  # as MNN 3.6.1 writes: root offset, vtable, table
    assert "MNN model" in str(refused(path).what)


def test_a_file_of_no_known_kind_names_the_kinds_that_are(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.xyz"
    path.write_bytes(bytes(range(255, 0, -1)) * 4)
    error = refused(path)
    assert str(error.what) == "This is no model of a kind that is known here"
    assert "ONNX" in str(error.hint)


def test_garbage_with_the_right_suffix_is_damaged_onnx(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(bytes(range(255, 0, -1)) * 4)
    assert "This is not an ONNX model, or it is damaged" in str(refused(path).what)


def test_missing_folder_and_empty_are_told_apart(refused: Refused, tmp_path: Path) -> None:
    assert "no such file" in str(refused(tmp_path / "absent.onnx").what)
    assert "folder" in str(refused(tmp_path).what)
    (tmp_path / "empty.onnx").touch()
    assert "empty" in str(refused(tmp_path / "empty.onnx").what)
    assert "cannot be read" in str(refused(tmp_path / ("n" * 300)).what)
    assert "cannot be read" in str(refused(tmp_path / "nul\0.onnx").what)
    os.mkfifo(tmp_path / "pipe.onnx")
    assert "pipe" in str(refused(tmp_path / "pipe.onnx").what)


def test_an_unreadable_file_says_why(refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(conv_model().SerializeToString())

    def denied(self: Path, *args: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", denied)  # tests may run as root, whom no mode bits stop
    assert str(refused(path).what) == "The file cannot be read: Permission denied"


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
    assert read.notes == ("Shapes were not inferred: onnx's shape inference ended with SIGSEGV on this model.",)
    assert [node.op for node in read.graph.nodes] == ["Conv", "Relu"]
    assert "c" not in read.graph.tensors


def test_a_reader_that_crashes_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deadly.onnx"
    path.write_bytes(conv_model().SerializeToString())
    with Crashing() as workers, pytest.raises(BadInput, match="its reader ended with SIGSEGV") as caught:
        open_model(path, (IMPORTER,), workers, Quiet())
    assert caught.value.where == str(path)
