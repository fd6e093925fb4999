from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.formats.conftest import OpenProto
from tests.formats.models import INT64, array, conv_model, model, value
from workbench.core.contract import InputContract
from workbench.formats.onnx.contract import contracts_of

KERNEL = array("k", np.zeros((4, 3, 3, 3)))


def test_an_image_input_has_a_layout_and_named_axes(opened_proto: OpenProto) -> None:
    proto = conv_model()
    del proto.graph.input[:]
    proto.graph.input.append(value("x", ("batch", 3, "?", None)))
    contract = InputContract("x", ("batch", 3, "x.H", "x.W"), "float32", "NCHW")
    assert contracts_of(opened_proto(proto)) == (contract,)


@pytest.mark.parametrize(
    ("shape", "perm", "layout"),
    [((1, 9, 7, 3), [0, 3, 1, 2], "NHWC"), ((9, 7, 3, 1), [3, 2, 0, 1], "HWCN"), ((1, 3, 9, 7), [0, 1, 2, 3], "NCHW")],
)
def test_a_transpose_before_the_convolution_tells_the_layout(
    opened_proto: OpenProto, shape: tuple[int, ...], perm: list[int], layout: str
) -> None:
    nodes = [
        helper.make_node("Cast", ["x"], ["f"], to=1),
        helper.make_node("Div", ["f", "scale"], ["d"]),
        helper.make_node("Transpose", ["d"], ["t"], perm=perm),
        helper.make_node("Conv", ["t", "k"], ["y"]),
    ]
    inputs = [value("x", shape, TensorProto.UINT8)]
    proto = model(nodes, inputs, [value("y", None)], [KERNEL, array("scale", 255.0)])
    (contract,) = contracts_of(opened_proto(proto))
    assert contract.layout == layout
    assert (contract.low, contract.high) == (None, None)


def test_a_matrix_input_has_no_layout(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    proto = model(nodes, [value("x", (None, 8))], [value("y", None)], [array("w", np.zeros((8, 2)))])
    assert contracts_of(opened_proto(proto)) == (InputContract("x", ("x.0", 8), "float32"),)


def embedding(*before: onnx.NodeProto, last: str) -> onnx.ModelProto:
    nodes = [*before, helper.make_node("Gather", ["table", last], ["y"])]
    return model(nodes, [value("ids", (1, "n"), INT64)], [value("y", None)], [array("table", np.zeros((30, 8)))])


@pytest.mark.parametrize(
    "before",
    [
        (),
        (helper.make_node("Cast", ["ids"], ["a"], to=6),),
        (helper.make_node("Cast", ["ids"], ["b"], to=6), helper.make_node("Flatten", ["b"], ["a"])),
        (helper.make_node("Concat", ["ids", "ids"], ["a"], axis=1),),
    ],
    ids=["direct", "cast", "flattened", "joined"],
)
def test_token_ids_stay_below_the_rows_of_their_embedding(
    opened_proto: OpenProto, before: tuple[onnx.NodeProto, ...]
) -> None:
    (contract,) = contracts_of(opened_proto(embedding(*before, last="a" if before else "ids")))
    assert (contract.low, contract.high) == (0, 29)


def test_the_smaller_of_two_embeddings_bounds_the_ids(opened_proto: OpenProto) -> None:
    proto = embedding(last="ids")
    proto.graph.initializer.append(array("small", np.zeros((7, 8))))
    proto.graph.node.append(helper.make_node("Gather", ["small", "ids"], ["z"]))
    (contract,) = contracts_of(opened_proto(proto))
    assert contract.high == 6


def test_the_gathered_axis_counts(opened_proto: OpenProto) -> None:
    proto = embedding(last="ids")
    proto.graph.node[0].attribute.append(helper.make_attribute("axis", -1))
    (contract,) = contracts_of(opened_proto(proto))
    assert contract.high == 7


def test_ids_used_inside_a_branch_are_bounded(opened_proto: OpenProto) -> None:
    result = value("z", None)
    table = array("table", np.zeros((12, 4)))
    gather = [helper.make_node("Gather", ["table", "ids"], ["z"])]
    branches = [helper.make_graph(gather, name, [], [result], [table]) for name in ("then", "else")]
    node = helper.make_node("If", ["flag"], ["y"], then_branch=branches[0], else_branch=branches[1])
    inputs = [value("ids", (3,), INT64), value("flag", (), TensorProto.BOOL)]
    ids, flag = contracts_of(opened_proto(model([node], inputs, [value("y", None)])))
    assert (ids.low, ids.high) == (0, 11)
    assert (flag.low, flag.high) == (None, None)


def test_a_one_hot_bounds_its_classes(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("OneHot", ["ids", "depth", "values"], ["y"])]
    constants = [array("depth", 257, "int64"), array("values", [0, 1])]
    proto = model(nodes, [value("ids", (1, 4), INT64)], [value("y", None)], constants)
    assert contracts_of(opened_proto(proto))[0].high == 256


@pytest.mark.parametrize(("ignored", "high"), [({}, 4.0), ({"ignore_index": 2}, 4.0), ({"ignore_index": -1}, None)])
def test_a_loss_bounds_its_labels_unless_one_outside_stands_for_ignore(
    opened_proto: OpenProto, ignored: dict[str, int], high: float | None
) -> None:
    nodes = [helper.make_node("NegativeLogLikelihoodLoss", ["x", "labels"], ["y"], **ignored)]
    inputs = [value("x", (3, 5, 2)), value("labels", (3, 2), INT64)]
    _, labels = contracts_of(opened_proto(model(nodes, inputs, [value("y", None)])))
    assert labels.high == high


def test_labels_are_not_negative_where_the_classes_are_not_known(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("NegativeLogLikelihoodLoss", ["x", "labels"], ["y"])]
    inputs = [value("x", (3, "classes")), value("labels", (3,), INT64)]
    _, labels = contracts_of(opened_proto(model(nodes, inputs, [value("y", None)])))
    assert (labels.low, labels.high) == (0, None)


def test_a_one_hot_by_comparison_bounds_its_classes(opened_proto: OpenProto) -> None:
    nodes = [helper.make_node("Unsqueeze", ["ids", "last"], ["u"]), helper.make_node("Equal", ["u", "all"], ["y"])]
    constants = [array("last", [2], "int64"), array("all", np.arange(257), "int64")]
    proto = model(nodes, [value("ids", (1, 4), INT64)], [value("y", None, TensorProto.BOOL)], constants)
    assert contracts_of(opened_proto(proto))[0].high == 256


def test_sequence_lengths_stay_within_the_sequence(opened_proto: OpenProto) -> None:
    gru = helper.make_node("GRU", ["x", "w", "r", "", "lengths"], ["y"], hidden_size=2)
    weights = [array("w", np.zeros((1, 6, 3))), array("r", np.zeros((1, 6, 2)))]
    inputs = [value("x", (5, 2, 3)), value("lengths", (2,), TensorProto.INT32)]
    _, lengths = contracts_of(opened_proto(model([gru], inputs, [value("y", None)], weights)))
    assert (lengths.low, lengths.high) == (1, 5)


def test_a_part_to_reverse_may_be_empty(opened_proto: OpenProto) -> None:
    reverse = helper.make_node("ReverseSequence", ["x", "lengths"], ["y"], batch_axis=0, time_axis=1)
    inputs = [value("x", (2, 5)), value("lengths", (2,), INT64)]
    _, lengths = contracts_of(opened_proto(model([reverse], inputs, [value("y", None)])))
    assert (lengths.low, lengths.high) == (0, 5)


def test_arithmetic_on_ids_leaves_them_unbounded(opened_proto: OpenProto) -> None:
    proto = embedding(helper.make_node("Add", ["ids", "ids"], ["a"]), last="a")
    (contract,) = contracts_of(opened_proto(proto))
    assert (contract.low, contract.high) == (None, None)


def test_an_input_of_unknown_rank_has_no_shape(opened_proto: OpenProto) -> None:
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [value("x", None)], [value("y", None)])
    assert contracts_of(opened_proto(proto)) == (InputContract("x", None, "float32"),)
