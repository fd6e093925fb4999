from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.graph import Graph, Initializer, Node, Tensor
from workbench.engines.causes import cause_of, explain


def graph(*tensors: Tensor, constants: tuple[str, ...] = ()) -> Graph:
    held = tuple(Initializer(name, "float32", (1,), 4) for name in constants)
    return Graph("g", "", (), (), (), held, {tensor.name: tensor for tensor in tensors})


def node(op: str, inputs: tuple[str, ...] = ("x",), outputs: tuple[str, ...] = ("y",), **attributes) -> Node:
    return Node("y", "", op, "", inputs, outputs, attributes)


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (node("LSTM", ("x", "w", "r")), "all of its outputs"),
        (node("GRU", outputs=("y", "h")), "linear_before_reset"),
        (node("MaxPool", dilations=(2, 2), strides=(1, 1)), "dilations"),
        (node("AveragePool"), "strides"),
        (node("BatchNormalization", ("x", "s", "b", "m", "v")), "as constants"),
        (node("Mod", ("a", "b"), fmod=1), "divisor"),
        (node("Cast", to=9), "bool"),
        (node("Resize", mode="cubic"), "cubic"),
        (node("GridSample", ("x", "g"), mode="bicubic"), "bicubic"),
        (node("ScatterND", ("x", "i", "u"), reduction="add"), "combine"),
        (node("Gemm", ("a", "b"), transA=1), "transpose"),
        (node("ReduceL2", ("x", "axes")), "axes"),
        (node("ConstantOfShape"), "anything"),
    ],
)
def test_a_known_usage_is_explained(usage: Node, words: str) -> None:
    assert words in str(cause_of(usage, graph()))


@pytest.mark.parametrize(
    "usage",
    [
        node("Relu"),
        node("LSTM", ("x", "w", "r"), ("y", "h", "c")),
        node("MaxPool", dilations=(1, 1), strides=(1, 1)),
        node("Mod", ("a", "b"), fmod=0),
        node("Cast", to=1),
        node("Pad", ("x", "pads")),
        node("TopK", ("x", "k")),
        node("ScatterND", ("x", "i", "u")),
        node("ConstantOfShape", value="0"),
    ],
)
def test_an_ordinary_usage_is_not_blamed(usage: Node) -> None:
    assert cause_of(usage, graph()) is None


def test_an_initial_state_matters_only_with_an_open_sequence() -> None:
    usage = node("LSTM", ("x", "w", "r", "b", "", "h", "c"), ("y", "h", "c"))
    assert "batch" in str(cause_of(usage, graph(Tensor("x", "float32", ("seq", 1, 4)))))
    assert cause_of(usage, graph(Tensor("x", "float32", (20, 1, 4)))) is None


def test_parameters_as_constants_are_not_blamed() -> None:
    usage = node("BatchNormalization", ("x", "s", "b", "m", "v"))
    assert cause_of(usage, graph(constants=("s", "b", "m", "v"))) is None


@pytest.mark.parametrize(
    ("usage", "position", "guilty", "innocent"),
    [
        (node("Pad", ("x", "pads")), 1, [-1, 0], [1, 0]),
        (node("TopK", ("x", "k")), 0, [1.0, 1.0], [1.0, 2.0]),
        (node("ScatterND", ("x", "i", "u")), 1, [[-1]], [[0]]),
        (node("GatherND", ("x", "i")), 1, np.zeros((0, 2)), [[0, 1]]),
        (node("Softplus"), 0, [100.0], [1.0]),
        (node("Less", ("a", "b")), 1, [-1.0], [1.0]),
    ],
)
def test_a_cause_that_lies_in_the_values_needs_those_values(
    usage: Node, position: int, guilty, innocent, tmp_path: Path
) -> None:
    file = tmp_path / "v.npy"
    np.save(file, np.asarray(guilty))
    values = {usage.inputs[position]: str(file)}
    assert cause_of(usage, graph(), values) is not None
    np.save(file, np.asarray(innocent))
    assert cause_of(usage, graph(), values) is None


def test_integers_above_32_bits_are_the_first_suspicion() -> None:
    usage = node("Add", ("a", "b"))
    assert "32 bits" in str(explain(usage, graph(Tensor("y", "int64", (4,))), 5e9, {}))
    assert explain(usage, graph(Tensor("y", "float32", (4,))), 5e9, {}) is None
