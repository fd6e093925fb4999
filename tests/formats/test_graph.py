"""What a good ONNX file becomes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.formats.conftest import Open, OpenProto
from tests.formats.models import INT64, array, conv_model, if_model, model, value
from workbench.core.graph import Initializer, Tensor


def test_nodes_have_the_id_that_mnn_uses(opened_proto: OpenProto) -> None:
    nodes = opened_proto(conv_model()).graph.nodes
    assert [(node.id, node.name, node.op) for node in nodes] == [("c", "/conv", "Conv"), ("y", "", "Relu")]


def test_a_node_is_called_by_its_first_named_output(opened_proto: OpenProto) -> None:
    lstm = helper.make_node("LSTM", ["x", "w", "r"], ["", "h"], hidden_size=2)
    weights = [array("w", np.ones((1, 8, 3))), array("r", np.ones((1, 8, 2)))]
    graph = opened_proto(model([lstm], [value("x", (5, 1, 3))], [value("h", None)], weights)).graph
    assert graph.nodes[0].id == "h"
    assert graph.nodes[0].outputs == ("", "h")


def test_inline_weights_are_located_without_being_read(opened_proto: OpenProto, tmp_path: Path) -> None:
    proto = conv_model()
    (weight,) = opened_proto(proto).graph.initializers
    assert (weight.name, weight.dtype, weight.shape, weight.nbytes) == ("w", "float32", (4, 3, 3, 3), 432)
    assert weight.data is not None
    assert weight.data.file == ""
    stored = (tmp_path / "model.onnx").read_bytes()[weight.data.offset : weight.data.offset + weight.data.length]
    assert stored == proto.graph.initializer[0].raw_data


def test_weights_in_typed_fields_are_counted(opened_proto: OpenProto) -> None:
    weight = helper.make_tensor("w", TensorProto.FLOAT, [4, 3, 3, 3], [0.5] * 108)
    graph = opened_proto(conv_model(weight)).graph
    assert graph.initializers == (Initializer("w", "float32", (4, 3, 3, 3), 432),)
    assert graph.parameters == 108


@pytest.mark.parametrize(
    "number",
    [n for n in TensorProto.DataType.values() if n not in (TensorProto.UNDEFINED, TensorProto.STRING)],
    ids=TensorProto.DataType.Name,
)
def test_every_element_type_is_measured_raw_and_typed(opened_proto: OpenProto, number: int) -> None:
    for raw in (True, False):
        dtype = helper.tensor_dtype_to_np_dtype(number)
        elements = np.zeros(5, dtype)
        tensor = onnx.numpy_helper.from_array(elements, "w") if raw else helper.make_tensor("w", number, [5], elements)
        graph = opened_proto(
            model([helper.make_node("Identity", ["w"], ["y"])], [], [value("y", (5,), number)], [tensor])
        )
        (weight,) = graph.graph.initializers
        assert weight.dtype == dtype.name
        assert weight.nbytes == len(onnx.numpy_helper.from_array(elements).raw_data)
        assert (weight.data is not None) == raw


def test_strings_are_measured(opened_proto: OpenProto) -> None:
    tensor = helper.make_tensor("w", TensorProto.STRING, [2], [b"ab", b"cde"])
    output = value("y", (2,), TensorProto.STRING)
    graph = opened_proto(model([helper.make_node("Identity", ["w"], ["y"])], [], [output], [tensor])).graph
    assert graph.initializers == (Initializer("w", "string", (2,), 5),)


def test_constant_nodes_are_initializers_too(opened_proto: OpenProto) -> None:
    constant = helper.make_node("Constant", [], ["w"], value=array("", np.ones((8, 2))))
    graph = opened_proto(
        model([constant, helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", (1, 8))], [value("y", None)])
    ).graph
    assert [(i.name, i.shape, i.nbytes) for i in graph.initializers] == [("w", (8, 2), 64)]
    assert graph.initializers[0].data is not None
    assert graph.nodes[0].attributes == {"value": "float32[8, 2]"}


def test_shapes_are_inferred(opened_proto: OpenProto) -> None:
    tensors = opened_proto(conv_model()).graph.tensors
    assert tensors["c"] == Tensor("c", "float32", (1, 4, 6, 6))
    assert tensors["w"] == Tensor("w", "float32", (4, 3, 3, 3))
    assert tensors["y"].shape == (1, 4, 6, 6)


def test_inference_looks_into_shape_constants_even_if_they_are_external(opened: Open, tmp_path: Path) -> None:
    target = TensorProto(name="w", data_type=INT64, dims=[2], data_location=TensorProto.EXTERNAL)
    target.external_data.add(key="location", value="shape.bin")
    (tmp_path / "shape.bin").write_bytes(np.array([6, 4], np.int64).tobytes())
    path = tmp_path / "model.onnx"
    reshape = helper.make_node("Reshape", ["x", "w"], ["r"])
    nodes = [reshape, helper.make_node("Relu", ["r"], ["y"])]
    path.write_bytes(model(nodes, [value("x", (24,))], [value("y", None)], [target]).SerializeToString())
    assert opened(path).graph.tensors["r"].shape == (6, 4)


def test_large_weights_do_not_hinder_inference(opened_proto: OpenProto) -> None:
    gather = helper.make_node("Gather", ["table", "ids"], ["g"])
    nodes = [gather, helper.make_node("Relu", ["g"], ["y"])]
    table = array("table", np.zeros((300, 500)))
    graph = opened_proto(model(nodes, [value("ids", ("n",), INT64)], [value("y", None)], [table])).graph
    assert graph.tensors["g"].shape == ("n", 500)


def test_names_that_inference_invents_stay_unknown(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("NonZero", ["x"], ["n"]), helper.make_node("Transpose", ["n"], ["y"])]
    graph = opened_proto(model(nodes, [value("x", (2, 3))], [value("y", None, INT64)])).graph
    assert graph.tensors["n"].shape == (2, None)
    assert graph.tensors["y"].shape == (None, 2)


def test_dynamic_axes_keep_their_names(opened_proto: OpenProto) -> None:
    relu = helper.make_node("Relu", ["x"], ["y"])
    graph = opened_proto(model([relu], [value("x", ("batch", 3, "?", None))], [value("y", None)])).graph
    assert graph.inputs == (Tensor("x", "float32", ("batch", 3, None, None)),)


def test_bodies_of_control_flow_are_subgraphs(opened_proto: OpenProto) -> None:
    graph = opened_proto(if_model()).graph
    assert [(body.owner, body.attribute, body.graph.path) for body in graph.subgraphs] == [
        ("y", "else_branch", "y/else_branch"),
        ("y", "then_branch", "y/then_branch"),
    ]
    assert [node.id for node in graph.all_nodes()] == [
        "y",
        "y/else_branch/inner",
        "y/else_branch/z",
        "y/then_branch/z",
    ]
    assert {i.name for i in graph.all_initializers()} == {"outer", "inner"}
    assert graph.subgraphs[0].graph.tensors["z"].shape == (1, 4)


def test_attributes_read_as_an_exporter_wrote_them(opened_proto: OpenProto) -> None:
    custom = helper.make_node(
        "Custom", ["x"], ["y"], domain="my.domain",
        epsilon=1e-5, alpha=0.1, axis=-1, mode="linear", pads=[0, 1, 2], scales=[1.0, 0.3], names=["a", "b"],
    )  # fmt: skip
    custom.attribute.append(helper.make_attribute("blob", b"\xff\x00"))
    (node,) = opened_proto(model([custom], [value("x")], [value("y")], domains=["my.domain"])).graph.nodes
    assert node.domain == "my.domain"
    assert node.attributes == {
        "epsilon": 1e-5,
        "alpha": 0.1,
        "axis": -1,
        "mode": "linear",
        "pads": (0, 1, 2),
        "scales": (1.0, 0.3),
        "names": ("a", "b"),
        "blob": "\\xff\x00",
    }


def test_nonfinite_attributes_survive(opened_proto: OpenProto) -> None:
    custom = helper.make_node("Custom", ["x"], ["y"], domain="d", a=float("inf"), b=float("-inf"), c=float("nan"))
    custom.attribute.append(helper.make_attribute("largest", float(np.finfo(np.float32).max)))
    (node,) = opened_proto(model([custom], [value("x")], [value("y")], domains=["d"])).graph.nodes
    assert node.attributes["a"] == float("inf")
    assert node.attributes["b"] == float("-inf")
    assert np.isnan(node.attributes["c"])
    assert np.float32(node.attributes["largest"]) == np.finfo(np.float32).max


def test_long_attributes_are_described(opened_proto: OpenProto) -> None:
    custom = helper.make_node("Custom", ["x"], ["y"], domain="d", table=list(range(5000)), blob="z" * 10_000)
    (node,) = opened_proto(model([custom], [value("x")], [value("y")], domains=["d"])).graph.nodes
    assert node.attributes["table"] == "int64[5000]"
    assert str(node.attributes["blob"]).endswith("... (10000 bytes)")


def test_local_functions_stay_nodes(opened_proto: OpenProto) -> None:
    body = [helper.make_node("Sigmoid", ["a"], ["s"]), helper.make_node("Mul", ["a", "s"], ["b"])]
    swish = helper.make_function("my", "Swish", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    proto = model(
        [helper.make_node("Swish", ["x"], ["y"], domain="my")], [value("x")], [value("y", None)], domains=["my"]
    )
    proto.functions.append(swish)
    read = opened_proto(proto)
    assert [(node.op, node.domain) for node in read.graph.nodes] == [("Swish", "my")]
    assert read.opsets == {"ai.onnx": 17, "my": 1}
    assert read.functions == ("my::Swish",)
    assert read.graph.tensors["y"].shape == (1, 3, 8, 8)


def test_producer_and_metadata_are_kept(opened_proto: OpenProto) -> None:
    proto = conv_model()
    proto.producer_version = "1.2"
    proto.metadata_props.add(key="character", value="一\n二\n三")
    read = opened_proto(proto)
    assert read.producer == "tests 1.2"
    assert read.metadata == {"character": "一\n二\n三"}


def test_names_are_data(opened_proto: OpenProto) -> None:
    names = ['{"1": "ü"}', "out;|&$(x)", "🙂", "a\nb", "\x1b]0;x\x07", "\u202edrow"]
    nodes = [helper.make_node("Relu", ["输入/图像:0"], [name], name="dup") for name in names]
    graph = opened_proto(model(nodes, [value("输入/图像:0")], [value(name, None) for name in names])).graph
    assert [node.id for node in graph.nodes] == names
    assert {node.name for node in graph.nodes} == {"dup"}
    assert graph.inputs[0].name == "输入/图像:0"


def test_initializers_listed_as_inputs_are_no_inputs(opened_proto: OpenProto) -> None:
    proto = conv_model()
    proto.ir_version = 3
    proto.graph.input.append(value("w", (4, 3, 3, 3)))
    assert [tensor.name for tensor in opened_proto(proto).graph.inputs] == ["x"]


def test_unsorted_nodes_are_sorted_and_noted(opened_proto: OpenProto) -> None:
    nodes = [
        helper.make_node("Relu", ["c"], ["y"]),
        helper.make_node("Abs", ["a"], ["c"]),
        helper.make_node("Neg", ["x"], ["a"]),
    ]
    read = opened_proto(model(nodes, [value("x")], [value("y", None)]))
    assert [node.id for node in read.graph.nodes] == ["a", "c", "y"]
    assert read.graph.tensors["a"].shape == (1, 3, 8, 8)
    assert list(map(str, read.notes)) == ["The nodes were not in topological order; they are shown sorted."]


def test_passed_through_inputs_and_unused_initializers_are_kept(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    graph = opened_proto(
        model(nodes, [value("x"), value("unused", (1,))], [value("y"), value("k", (2,))], [array("k", [1, 2])])
    ).graph
    assert [tensor.name for tensor in graph.inputs] == ["x", "unused"]
    assert [tensor.name for tensor in graph.outputs] == ["y", "k"]


def test_inputs_that_are_no_tensors_say_what_they_are(opened_proto: OpenProto) -> None:
    sequence = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None)
    at = helper.make_node("SequenceAt", ["s", "i"], ["y"])
    graph = opened_proto(model([at], [sequence], [value("y", None)], [array("i", 0, "int64")])).graph
    assert graph.inputs == (Tensor("s", "sequence(float32)", None),)


def test_sparse_initializers_have_their_dense_shape(opened_proto: OpenProto) -> None:
    proto = model([helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", (1, 8))], [value("y", (1, 2))])
    sparse = helper.make_sparse_tensor(array("w", [1.0, 2.0]), array("", [3, 9], "int64"), [8, 2])
    proto.graph.sparse_initializer.append(sparse)
    graph = opened_proto(proto).graph
    assert graph.initializers == (Initializer("w", "float32", (8, 2), 24),)


def test_a_path_with_spaces_and_any_script_opens(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "模型 папка é"
    folder.mkdir()
    path = folder / "м о д е л ь.onnx"
    path.write_bytes(conv_model().SerializeToString())
    assert opened(path).path == str(path)


def test_content_decides_not_the_suffix(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(conv_model().SerializeToString())
    assert opened(path).format == "onnx"


def test_thousands_of_nodes_arrive_in_order(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(3000)]
    graph = opened_proto(model(nodes, [value("t0")], [value("t3000", None)])).graph
    assert [node.id for node in graph.nodes] == [f"t{i + 1}" for i in range(3000)]
    assert graph.tensors["t3000"].shape == (1, 3, 8, 8)


PACKAGED = sorted((Path(onnx.__file__).parent / "backend" / "test" / "data").glob("*/*/model.onnx"))


def test_the_models_of_the_onnx_package_read_as_protobuf_reads_them(opened: Open) -> None:
    assert PACKAGED
    for path in PACKAGED:
        proto = onnx.load(path)
        graph = opened(path).graph
        assert [(n.op, list(n.inputs), list(n.outputs), n.name) for n in graph.nodes] == [
            (n.op_type, list(n.input), list(n.output), n.name) for n in proto.graph.node
        ]
        assert [set(n.attributes) for n in graph.nodes] == [{a.name for a in n.attribute} for n in proto.graph.node]
        weights = {i.name: i for i in graph.initializers}
        for tensor in proto.graph.initializer:
            elements = onnx.numpy_helper.to_array(tensor)
            assert weights[tensor.name].shape == elements.shape
            assert weights[tensor.name].nbytes == elements.nbytes
